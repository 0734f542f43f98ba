/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/collective-bench-options.h"
#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

/**
 * \file
 * Options that are named like NCCL's environment variables.
 */

namespace ns3
{

namespace
{

/**
 * \param words options behind a small benchmark
 * \return the run that they stand for, which keeps the defaults that they set
 */
CollectiveBenchRunOptions
Read(std::vector<std::string> words)
{
    Simulator::Destroy();
    words.insert(words.begin(), "program");
    std::vector<char*> argv;
    for (std::string& word : words)
    {
        argv.push_back(word.data());
    }
    CollectiveBenchOptions options;
    EXPECT_TRUE(options.Parse(static_cast<int>(argv.size()), argv.data()));
    return options.MakeRun();
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
        const CollectiveBenchRunOptions run = Read({"--NCCL_BUFFSIZE=65536"});
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

TEST(RailyardCollectiveOptions, TakeEveryVariable)
{
    for (const char* const word : {"--NCCL_ALGO=^NVLS",
                                   "--NCCL_PROTO=LL,Simple",
                                   "--NCCL_MIN_NCHANNELS=64",
                                   "--NCCL_BUFFSIZE=8",
                                   "--NCCL_NVLS_ENABLE=2",
                                   "--NCCL_TUNER_CONFIG_FILE=some.csv",
                                   "--NCCL_NTHREADS=512",
                                   "--NCCL_MAX_NCHANNELS=4"})
    {
        EXPECT_NO_THROW(Read({word, "--selector=Nccl"})) << word;
    }
}

TEST(RailyardCollectiveOptions, RefuseWhatVariablesCannotBe)
{
    for (const char* const word : {"--NCCL_ALGO=CollnetChain",
                                   "--NCCL_PROTO=^LL,LL128,Simple,x",
                                   "--NCCL_MIN_NCHANNELS=0",
                                   "--NCCL_MIN_NCHANNELS=65",
                                   "--NCCL_BUFFSIZE=7",
                                   "--NCCL_NVLS_ENABLE=3"})
    {
        EXPECT_THROW(Read({word}), ConfigError) << word;
    }
    EXPECT_THROW(Read({"--selector=FirstFit", "--NCCL_ALGO=Ring"}), ConfigError);
}

} // namespace ns3
