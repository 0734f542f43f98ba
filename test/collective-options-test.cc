/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"
#include "test-paths.h"
#include "xml-under-test.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-bench-options.h"
#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * Options that are named like variables of NCCL: what they set, and what is refused.
 */

namespace ns3
{

namespace
{

/** \param words options of a benchmark \return the run that they stand for */
CollectiveBenchRunOptions
ReadAll(const std::vector<std::string>& words)
{
    Simulator::Destroy();
    CollectiveBenchOptions options;
    EXPECT_TRUE(ParseWords(options, words));
    return options.MakeRun();
}

/** \param option an option of a benchmark \return the run that it stands for */
CollectiveBenchRunOptions
Read(const std::string& option)
{
    return ReadAll({option});
}

/**
 * \param type a TypeId
 * \param attribute one of its attributes
 * \return the value with which objects are made now
 */
std::string
GetDefault(const std::string& type, const std::string& attribute)
{
    TypeId::AttributeInformation info;
    EXPECT_TRUE(TypeId::LookupByName(type).LookupAttributeByName(attribute, &info))
        << type << "::" << attribute;
    return info.initialValue->SerializeToString(info.checker);
}

/** \param type class of a collective algorithm \return SliceBytes of a new one; 1 without any */
uint64_t
GetSliceBytes(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    UintegerValue bytes(1);
    factory.Create<CollectiveAlgorithm>()->GetAttributeFailSafe("SliceBytes", bytes);
    return bytes.Get();
}

} // namespace

TEST(RailyardCollectiveOptions, BufferSetsTheSlicesOfAllThatSendStepsOfIt)
{
    constexpr uint64_t STEP = 524288; // 4 MiB in 8 steps
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(CollectiveAlgorithm::GetTypeId()) && type.HasConstructor() &&
            GetSliceBytes(type) == STEP)
        {
            types.push_back(type);
        }
    }
    EXPECT_GT(types.size(), 5U);
    {
        const CollectiveBenchRunOptions run = Read("--NCCL_BUFFSIZE=65536");
        for (const TypeId& type : types)
        {
            EXPECT_EQ(GetSliceBytes(type), 8192U) << type.GetName();
        }
    }
    for (const TypeId& type : types)
    {
        EXPECT_EQ(GetSliceBytes(type), STEP) << type.GetName();
    }
}

TEST(RailyardCollectiveOptions, SetWhatTheyAreNamedAfter)
{
    struct Case
    {
        std::string option;
        std::string type;
        std::string attribute;
        std::string value;
    };

    const std::string tuner = RailyardDir() + "/validation/tuner-p5en.csv";
    const std::vector<Case> cases{
        {"NCCL_ALGO=^NVLS", "ns3::NcclSelector", "Algorithms", "^NVLS"},
        {"NCCL_PROTO=LL,Simple", "ns3::NcclSelector", "Protocols", "LL,Simple"},
        {"NCCL_ALGO=^NVLS;allreduce:tree,ring;broadcast:ring",
         "ns3::NcclSelector",
         "Algorithms",
         "^NVLS;allreduce:tree,ring;broadcast:ring"},
        {"protocol=ll128", "ns3::NcclSelector", "Protocol", "LL128"},
        {"NCCL_TUNER_CONFIG_FILE=" + tuner, "ns3::NcclSelector", "TunerFile", tuner},
        {"NCCL_MIN_NCHANNELS=3", "ns3::RingAlgorithm", "MinChannels", "3"},
        {"NCCL_MIN_NCHANNELS=3", "ns3::TreeAlgorithm", "MinChannels", "3"},
        {"NCCL_MIN_CTAS=3", "ns3::NvlsTreeAllReduceAlgorithm", "MinChannels", "3"},
        {"NCCL_MAX_NCHANNELS=3", "ns3::RingAlgorithm", "MaxChannels", "3"},
        {"NCCL_MAX_CTAS=3", "ns3::TreeAlgorithm", "MaxChannels", "3"},
        {"NCCL_MAX_CTAS=3", "ns3::NvlsTreeAllReduceAlgorithm", "MaxChannels", "3"},
        {"NCCL_BUFFSIZE=1048576", "ns3::RingBroadcastAlgorithm", "SliceBytes", "131072"},
        {"NCCL_BUFFSIZE=1048576", "ns3::RingReduceAlgorithm", "SliceBytes", "131072"},
        {"NCCL_BUFFSIZE=1048576", "ns3::TreeAllReduceAlgorithm", "SliceBytes", "131072"},
        {"NCCL_BUFFSIZE=1048576",
         "ns3::DoubleBinaryTreeAllReduceAlgorithm",
         "SliceBytes",
         "131072"},
        {"NCCL_BUFFSIZE=1048576", "ns3::NvlsTreeAllReduceAlgorithm", "SliceBytes", "131072"},
        {"NCCL_BUFFSIZE=1048576", "ns3::MscclAlgorithm", "BufferBytes", "1048576"},
        {"NCCL_BUFFSIZE=4096", "ns3::TreeAllReduceAlgorithm", "SliceBytes", "512"},
        {"NCCL_NVLS_ENABLE=0", "ns3::NvSwitchDevice", "Sharp", "false"},
        {"NCCL_NVLS_ENABLE=2", "ns3::NvSwitchDevice", "Sharp", "true"},
        {"NCCL_COLLNET_ENABLE=0", "ns3::RoceSwitchDevice", "InNetworkReduction", "false"},
        {"NCCL_COLLNET_ENABLE=1", "ns3::RoceSwitchDevice", "InNetworkReduction", "true"},
    };
    for (const auto& [option, type, attribute, value] : cases)
    {
        const std::string before = GetDefault(type, attribute);
        {
            const CollectiveBenchRunOptions run = Read("--" + option);
            EXPECT_EQ(GetDefault(type, attribute), value) << option;
            EXPECT_EQ(GetDefault("ns3::CollectiveEngine", "Selector"), "ns3::NcclSelector")
                << option;
            EXPECT_TRUE(run.notes.empty()) << option;
        }
        EXPECT_EQ(GetDefault(type, attribute), before) << option;
    }
}

TEST(RailyardCollectiveOptions, ThoseOfPxnGoWithAnySelector)
{
    struct Case
    {
        std::string option;
        std::string attribute;
        std::string value;
    };

    const std::vector<Case> cases{
        {"NCCL_PXN_DISABLE=1", "Level", "0"},
        {"NCCL_PXN_DISABLE=0", "Level", "1"},
        {"NCCL_P2P_PXN_LEVEL=2", "Level", "2"},
        {"NCCL_P2P_NET_CHUNKSIZE=65536", "ChunkBytes", "65536"},
        {"NCCL_P2P_NET_CHUNKSIZE=64", "ChunkBytes", "64"},
    };
    const std::string type = "ns3::PxnMessageTransport";
    for (const auto& [option, attribute, value] : cases)
    {
        const std::string before = GetDefault(type, attribute);
        {
            const CollectiveBenchRunOptions run = Read("--" + option);
            EXPECT_EQ(GetDefault(type, attribute), value) << option;
            EXPECT_EQ(GetDefault("ns3::CollectiveEngine", "Selector"), "ns3::FirstFitSelector");
            EXPECT_TRUE(run.notes.empty()) << option;
        }
        EXPECT_EQ(GetDefault(type, attribute), before) << option;
    }
    const CollectiveBenchRunOptions run = Read("--NCCL_BUFFSIZE=65536");
    EXPECT_EQ(GetDefault(type, "ChunkBytes"), "8192") << "an eighth, where that is less";
}

TEST(RailyardCollectiveOptions, PortsOfNicsGoWithAnySelector)
{
    const std::string type = "ns3::ClusterNetwork";
    EXPECT_EQ(GetDefault(type, "MergePorts"), "true");
    {
        const CollectiveBenchRunOptions run = Read("--NCCL_IB_MERGE_NICS=0");
        EXPECT_EQ(GetDefault(type, "MergePorts"), "false");
        EXPECT_EQ(GetDefault("ns3::CollectiveEngine", "Selector"), "ns3::FirstFitSelector");
        EXPECT_TRUE(run.notes.empty());
    }
    const CollectiveBenchRunOptions run = Read("--NCCL_IB_MERGE_NICS=1");
    EXPECT_EQ(GetDefault(type, "MergePorts"), "true");
}

TEST(RailyardCollectiveOptions, ThoseWithoutEffectSaySo)
{
    for (const std::string name : {"NCCL_NTHREADS",
                                   "NCCL_LL128_NTHREADS",
                                   "NCCL_MIN_P2P_NCHANNELS",
                                   "NCCL_MAX_P2P_NCHANNELS"})
    {
        const CollectiveBenchRunOptions run = Read("--" + name + "=256");
        EXPECT_EQ(run.notes,
                  std::vector<std::string>{name + " has no effect: it sets what is not modelled"});
        EXPECT_EQ(GetDefault("ns3::CollectiveEngine", "Selector"), "ns3::FirstFitSelector");
    }
}

TEST(RailyardCollectiveOptions, FilesOfMscclLeaveTheSelectorAsItIs)
{
    RAILYARD_NEED_XML();
    const std::string folder = RailyardDir() + "/fuzz/corpus/msccl/";
    const std::string files = folder + "ring.xml," + folder + "gather.xml";
    {
        const CollectiveBenchRunOptions run =
            Read("--MSCCL_XML_FILES=" + folder + "ring.xml:" + folder + "gather.xml");
        EXPECT_EQ(GetDefault("ns3::MscclAlgorithm", "Files"), files);
        EXPECT_EQ(GetDefault("ns3::CollectiveEngine", "Selector"), "ns3::FirstFitSelector");
    }
    EXPECT_EQ(GetDefault("ns3::MscclAlgorithm", "Files"), "");
    // The folder has wrong ones, too: they are refused before anything runs.
    try
    {
        Read("--MSCCL_ALGO_DIR=" + folder);
        FAIL() << "was accepted";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("count.xml: line "), std::string::npos)
            << error.what();
    }
    EXPECT_THROW(Read("--MSCCL_XML_FILES=/no/such/file.xml"), ConfigError);
}

TEST(RailyardCollectiveOptions, NothingIsSetByAnOptionAndByItsAttribute)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"NCCL_ALGO=Ring", "NcclSelector::Algorithms=Tree"},
        {"NCCL_PROTO=LL", "NcclSelector::Protocols=Simple"},
        {"protocol=LL", "NcclSelector::Protocol=Simple"},
        {"selector=Nccl", "CollectiveEngine::Selector=ns3::FirstFitSelector"},
        {"NCCL_MIN_NCHANNELS=9", "RingAlgorithm::MinChannels=2"},
        {"NCCL_MAX_CTAS=9", "TreeAlgorithm::MaxChannels=2"},
        {"NCCL_BUFFSIZE=65536", "TreeAlgorithm::SliceBytes=1000"},
        {"NCCL_NVLS_ENABLE=0", "NvSwitchDevice::Sharp=true"},
        {"NCCL_PXN_DISABLE=1", "PxnMessageTransport::Level=2"},
    };
    for (const auto& [option, attribute] : cases)
    {
        const std::string name = attribute.substr(0, attribute.find('='));
        const std::string value = attribute.substr(attribute.find('=') + 1);
        try
        {
            ReadAll({"--" + option, "--set=" + attribute});
            ADD_FAILURE() << option << " was accepted beside " << attribute;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(name + ": read '" + value +
                                                     "', expected this or an option that sets it"),
                      std::string::npos)
                << error.what();
        }
    }
    ReadAll({"--NCCL_ALGO=Ring", "--set=NcclSelector::Protocols=Simple"});
}

TEST(RailyardCollectiveOptions, WrongValuesAreRefused)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"NCCL_ALGO=Rink", "read 'Rink', expected one of Ring, Tree, NVLS, NVLSTree"},
        {"NCCL_ALGO=allreduce:Rink", "read 'Rink', expected one of Ring, Tree, NVLS, NVLSTree"},
        {"protocol=LL256", "--protocol: read 'LL256', expected one of LL, LL128, Simple"},
        {"protocol=", "--protocol: read ''"},
        {"protocol=LL,Simple",
         "--protocol: read 'LL,Simple', expected one of LL, LL128, Simple, or several"},
        {"NCCL_PROTO=LL256", "read 'LL256', expected one of LL, LL128, Simple"},
        {"NCCL_MIN_NCHANNELS=0", "--NCCL_MIN_NCHANNELS: read '0'"},
        {"NCCL_MAX_CTAS=65", "--NCCL_MAX_CTAS: read '65'"},
        {"NCCL_BUFFSIZE=4095",
         "--NCCL_BUFFSIZE: read '4095', expected bytes (integer from 4096 to"},
        {"NCCL_NVLS_ENABLE=3", "--NCCL_NVLS_ENABLE: read '3'"},
        {"NCCL_COLLNET_ENABLE=2", "--NCCL_COLLNET_ENABLE: read '2'"},
        {"NCCL_PXN_DISABLE=2", "--NCCL_PXN_DISABLE: read '2'"},
        {"NCCL_P2P_PXN_LEVEL=3", "--NCCL_P2P_PXN_LEVEL: read '3'"},
        {"NCCL_P2P_NET_CHUNKSIZE=63",
         "--NCCL_P2P_NET_CHUNKSIZE: read '63', expected bytes (integer from 64 to"},
        {"NCCL_IB_MERGE_NICS=2", "--NCCL_IB_MERGE_NICS: read '2'"},
        {"NCCL_TUNER_CONFIG_FILE=no.csv",
         "--NCCL_TUNER_CONFIG_FILE: read 'no.csv', expected a file"},
        {"NCCL_TUNER_CONFIG_FILE=.", "--NCCL_TUNER_CONFIG_FILE: read '.', expected a file"},
        {"MSCCL_XML_FILES=", "--MSCCL_XML_FILES: read '', expected a file"},
        {"MSCCL_XML_FILES=:", "--MSCCL_XML_FILES: read '', expected a file"},
        {"MSCCL_XML_FILES=no.xml:", "--MSCCL_XML_FILES: read 'no.xml', expected a file"},
        {"MSCCL_ALGO_DIR=", "--MSCCL_ALGO_DIR: read '', expected a folder"},
        {"MSCCL_ALGO_DIR=/:/", "--MSCCL_ALGO_DIR: read '/:/', expected a folder"},
        {"selector=Rink", "--selector: read 'Rink'"},
    };
    for (const auto& [option, expected] : cases)
    {
        try
        {
            Read("--" + option);
            FAIL() << option << " was accepted";
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

} // namespace ns3
