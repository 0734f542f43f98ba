/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-variables.h"

#include "ns3/abort.h"
#include "ns3/attribute-text.h"
#include "ns3/boolean.h"
#include "ns3/channel-range.h"
#include "ns3/collective-tag.h"
#include "ns3/comma-list.h"
#include "ns3/msccl-library.h"
#include "ns3/nccl-list.h"
#include "ns3/nccl-names.h"
#include "ns3/nccl-tuner-file.h"
#include "ns3/pxn-rails.h"
#include "ns3/slice-pipeline.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ns3
{

namespace
{

constexpr uint64_t NCCL_STEPS = 8;          //!< parts of a buffer, NCCL's src/include/device.h
constexpr uint64_t MAX_BUFFER = 1ULL << 40; //!< largest NCCL_BUFFSIZE
/**
 * Smallest NCCL_BUFFSIZE: a step of it is the 512 bytes that NCCL divides operands into with Simple
 * (ncclProtoGrainSize() of its src/include/device.h); of less its chunks would be 0 bytes.
 */
constexpr uint64_t MIN_BUFFER = NCCL_STEPS * 512;
/**
 * Smallest NCCL_P2P_NET_CHUNKSIZE: NCCL sends small messages in quarters of it (addP2pToPlan() of
 * its src/enqueue.cc), and its kernels copy units of 16 bytes.
 */
constexpr uint64_t MIN_NET_CHUNK = 4 * 16;

} // namespace

NcclVariables::NcclVariables(const std::string& folder)
    : m_folder(folder)
{
}

const std::vector<NcclVariables::Description>&
NcclVariables::GetAll()
{
    static const std::vector<Description> all{
        {"NCCL_ALGO",
         "algorithms that may be used, or behind a ^ those that may not: Ring, Tree, NVLS, ..., "
         "also by collective, such as ^NVLS;allreduce:Tree",
         true},
        {"NCCL_PROTO",
         "protocols that may be used, or behind a ^ those that may not: LL, LL128, Simple, also by "
         "collective",
         true},
        {"NCCL_MIN_NCHANNELS", "channels of rings, trees and NVLSTree, at least", true},
        {"NCCL_MAX_NCHANNELS", "channels of rings, trees and NVLSTree, at most", true},
        {"NCCL_MIN_CTAS", "the same as NCCL_MIN_NCHANNELS; the larger of both holds", true},
        {"NCCL_MAX_CTAS", "the same as NCCL_MAX_NCHANNELS; the smaller of both holds", true},
        {"NCCL_BUFFSIZE",
         "buffer of a channel, bytes; an eighth of it is the largest slice of trees, broadcast, "
         "reduce, and the largest chunk that PXN relays",
         true},
        {"NCCL_NVLS_ENABLE", "0: NVSwitches neither copy nor add up", true},
        {"NCCL_COLLNET_ENABLE",
         "1: network switches add up (CollNet), 0: they do not (default)",
         true},
        {"NCCL_TUNER_CONFIG_FILE",
         "table of choices in the form of NCCL's example tuner plugin",
         true},
        {"NCCL_PXN_DISABLE",
         "1: the sender's own NIC sends what is for another rail (no PXN)",
         false},
        {"NCCL_P2P_PXN_LEVEL",
         "when a GPU on the receiver's rail sends a message: 0 never, 1 if it is not on the NIC of "
         "the sender (default; NCCL's is 2), 2 always",
         false},
        {"NCCL_IB_MERGE_NICS",
         "0: every port of a NIC is a NIC of its own, 1: one (default)",
         false},
        {"NCCL_P2P_NET_CHUNKSIZE", "largest chunk that PXN relays, bytes", false},
        {"MSCCL_XML_FILES",
         "algorithms of MSCCL: XML files with colons or commas between them",
         false},
        {"MSCCL_ALGO_DIR", "folder of such files", false},
    };
    return all;
}

bool
NcclVariables::IsKnown(const std::string& name)
{
    return std::any_of(GetAll().begin(), GetAll().end(), [&](const Description& variable) {
        return name == variable.name;
    });
}

void
NcclVariables::Add(const std::string& name, const TextValue& value)
{
    const bool isNew = m_values
                           .emplace(name,
                                    Value{std::string(value.GetSource()),
                                          std::string(value.GetPlace()),
                                          std::string(value.GetText())})
                           .second;
    NS_ABORT_MSG_UNLESS(isNew && IsKnown(name),
                        "variable " << name << " is unknown, or has a value");
}

bool
NcclVariables::Has(const std::string& name) const
{
    return m_values.count(name) > 0;
}

TextValue
NcclVariables::Get(const std::string& name) const
{
    const Value& value = m_values.at(name);
    return TextValue(value.source, std::string_view(value.place), value.text);
}

const std::string&
NcclVariables::GetText(const std::string& name) const
{
    return m_values.at(name).text;
}

bool
NcclVariables::WantsNccl() const
{
    return std::any_of(GetAll().begin(), GetAll().end(), [&](const Description& variable) {
        return variable.isOfSelector && Has(variable.name);
    });
}

void
NcclVariables::ApplyPxn(ScopedDefaults& defaults) const
{
    const std::string pxn = "ns3::PxnMessageTransport::";
    if (Has("NCCL_P2P_PXN_LEVEL"))
    {
        const uint64_t level =
            Get("NCCL_P2P_PXN_LEVEL").GetUint("level", PxnRails::NEVER, PxnRails::ALWAYS);
        defaults.Set(pxn + "Level", UintegerValue(level));
    }
    if (Has("NCCL_PXN_DISABLE") && Get("NCCL_PXN_DISABLE").GetUint("flag", 0, 1) == 1)
    {
        defaults.Set(pxn + "Level", UintegerValue(PxnRails::NEVER));
    }
    if (Has("NCCL_P2P_NET_CHUNKSIZE"))
    {
        const uint64_t bytes =
            Get("NCCL_P2P_NET_CHUNKSIZE").GetUint("bytes", MIN_NET_CHUNK, MAX_BUFFER);
        defaults.Set(pxn + "ChunkBytes", UintegerValue(bytes));
    }
}

std::vector<std::string>
NcclVariables::FindFiles(const std::string& name, PathKind kind) const
{
    const bool isFolder = kind == PathKind::FOLDER;
    const std::string expected = std::string(isFolder ? "a folder" : "a file") +
                                 (m_folder.empty() ? "" : ", beside the file that names it");
    std::string text = GetText(name);
    std::vector<std::string_view> words{text};
    if (kind == PathKind::FILES)
    {
        std::replace(text.begin(), text.end(), ':', ',');
        words = SplitList(text);
    }
    std::vector<std::string> files;
    for (const std::string_view word : words)
    {
        const auto file = std::filesystem::path(m_folder) / word;
        std::error_code ignored;
        if (word.empty() || !std::filesystem::exists(file, ignored) ||
            std::filesystem::is_directory(file, ignored) != isFolder)
        {
            Get(name).Fail(word, expected);
        }
        files.push_back(file.string());
    }
    if (files.empty())
    {
        Get(name).Fail(expected);
    }
    return files;
}

void
NcclVariables::ApplyFiles(ScopedDefaults& defaults) const
{
    std::string all;
    const auto add = [&](const std::string& name, PathKind kind) {
        if (!Has(name))
        {
            return;
        }
        for (const std::string& file : FindFiles(name, kind))
        {
            if (file.find(',') != std::string::npos)
            {
                Get(name).Fail(file, "a path without commas");
            }
            AppendToList(all, file, ",");
        }
    };
    add("MSCCL_XML_FILES", PathKind::FILES);
    add("MSCCL_ALGO_DIR", PathKind::FOLDER);
    if (!all.empty())
    {
        MscclLibrary library(all); // says now what is wrong with them
        defaults.Set("ns3::MscclAlgorithm::Files", StringValue(all));
    }
}

void
NcclVariables::ApplyRestrictions(ScopedDefaults& defaults) const
{
    if (Has("NCCL_ALGO"))
    {
        NcclList(Get("NCCL_ALGO"), NcclNames::GetKnownAlgorithms());
        defaults.Set("ns3::NcclSelector::Algorithms", StringValue(GetText("NCCL_ALGO")));
    }
    if (Has("NCCL_PROTO"))
    {
        NcclList(Get("NCCL_PROTO"), NcclNames::GetProtocols());
        defaults.Set("ns3::NcclSelector::Protocols", StringValue(GetText("NCCL_PROTO")));
    }
    if (Has("NCCL_TUNER_CONFIG_FILE"))
    {
        const std::string file = FindFiles("NCCL_TUNER_CONFIG_FILE", PathKind::FILE).front();
        NcclTunerFile table(file); // says now what is wrong with it
        defaults.Set("ns3::NcclSelector::TunerFile", StringValue(file));
    }
}

void
NcclVariables::ApplyChannels(ScopedDefaults& defaults) const
{
    const auto read = [&](const char* name, uint64_t otherwise) {
        return Has(name) ? Get(name).GetUint("channels", 1, CollectiveTag::MAX_CHANNELS)
                         : otherwise;
    };
    const uint64_t min = std::max(read("NCCL_MIN_NCHANNELS", 1), read("NCCL_MIN_CTAS", 1));
    const uint64_t max = std::min(read("NCCL_MAX_NCHANNELS", CollectiveTag::MAX_CHANNELS),
                                  read("NCCL_MAX_CTAS", CollectiveTag::MAX_CHANNELS));
    if (min > max)
    {
        Get(read("NCCL_MAX_CTAS", CollectiveTag::MAX_CHANNELS) == max ? "NCCL_MAX_CTAS"
                                                                      : "NCCL_MAX_NCHANNELS")
            .Fail("at least the minimum, " + std::to_string(min));
    }
    for (const TypeId& algorithm : ChannelRange::GetTypes())
    {
        if (min > 1)
        {
            defaults.Set(algorithm.GetName() + "::MinChannels", UintegerValue(min));
        }
        if (max < CollectiveTag::MAX_CHANNELS)
        {
            defaults.Set(algorithm.GetName() + "::MaxChannels", UintegerValue(max));
        }
    }
}

void
NcclVariables::ApplyBuffer(ScopedDefaults& defaults) const
{
    if (!Has("NCCL_BUFFSIZE"))
    {
        return;
    }
    const uint64_t bytes = Get("NCCL_BUFFSIZE").GetUint("bytes", MIN_BUFFER, MAX_BUFFER);
    for (const TypeId& algorithm : SlicePipeline::GetBufferedTypes())
    {
        defaults.Set(algorithm.GetName() + "::SliceBytes", UintegerValue(bytes / NCCL_STEPS));
    }
    defaults.Set("ns3::MscclAlgorithm::BufferBytes", UintegerValue(bytes));
    // The chunk of PXN is the least of both, as in computeBuffSizes() of NCCL's src/init.cc.
    const std::string chunk = "ns3::PxnMessageTransport::ChunkBytes";
    const uint64_t most = AttributeText::GetDefaultUint(chunk);
    defaults.Set(chunk, UintegerValue(std::min(most, bytes / NCCL_STEPS)));
}

void
NcclVariables::ApplyNetwork(ScopedDefaults& defaults) const
{
    if (Has("NCCL_IB_MERGE_NICS"))
    {
        const bool merges = Get("NCCL_IB_MERGE_NICS").GetUint("flag", 0, 1) == 1;
        defaults.Set("ns3::ClusterNetwork::MergePorts", BooleanValue(merges));
    }
    if (Has("NCCL_NVLS_ENABLE"))
    {
        const bool enabled = Get("NCCL_NVLS_ENABLE").GetUint("NVLS", 0, 2) > 0;
        defaults.Set("ns3::NvSwitchDevice::Sharp", BooleanValue(enabled));
    }
    if (Has("NCCL_COLLNET_ENABLE"))
    {
        const bool enabled = Get("NCCL_COLLNET_ENABLE").GetUint("CollNet", 0, 1) > 0;
        defaults.Set("ns3::RoceSwitchDevice::InNetworkReduction", BooleanValue(enabled));
    }
}

void
NcclVariables::Apply(ScopedDefaults& defaults) const
{
    ApplyRestrictions(defaults);
    ApplyPxn(defaults);
    ApplyFiles(defaults);
    ApplyChannels(defaults);
    ApplyBuffer(defaults);
    ApplyNetwork(defaults);
}

} // namespace ns3
