/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-options.h"

#include "ns3/attribute-text.h"
#include "ns3/boolean.h"
#include "ns3/channel-range.h"
#include "ns3/collective-selector.h"
#include "ns3/collective-tag.h"
#include "ns3/comma-list.h"
#include "ns3/msccl-library.h"
#include "ns3/nccl-list.h"
#include "ns3/nccl-names.h"
#include "ns3/nccl-selector.h"
#include "ns3/pxn-rails.h"
#include "ns3/slice-pipeline.h"
#include "ns3/string.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"

#include <algorithm>

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

/** A variable of NCCL that is accepted. */
struct Variable
{
    const char* name; //!< of the variable
    const char* help; //!< one line
    bool isNccls;     //!< what it sets is NcclSelector's; others go with any selector
};

/** Those that have a meaning here: of NcclSelector, of NICs and the ways between them, of MSCCL. */
constexpr Variable VARIABLES[] = {
    {"NCCL_ALGO",
     "algorithms that may be used, or behind a ^ those that may not: Ring, Tree, NVLS, ..., also "
     "by collective, such as ^NVLS;allreduce:Tree",
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
    {"NCCL_COLLNET_ENABLE", "1: network switches add up (CollNet), 0: they do not (default)", true},
    {"NCCL_TUNER_CONFIG_FILE", "table of choices in the form of NCCL's example tuner plugin", true},
    {"NCCL_PXN_DISABLE", "1: the sender's own NIC sends what is for another rail (no PXN)", false},
    {"NCCL_P2P_PXN_LEVEL",
     "when a GPU on the receiver's rail sends a message: 0 never, 1 if it is not on the NIC of the "
     "sender (default; NCCL's is 2), 2 always",
     false},
    {"NCCL_IB_MERGE_NICS", "0: every port of a NIC is a NIC of its own, 1: one (default)", false},
    {"NCCL_P2P_NET_CHUNKSIZE", "largest chunk that PXN relays, bytes", false},
    {"MSCCL_XML_FILES", "algorithms of MSCCL: XML files with colons or commas between them", false},
    {"MSCCL_ALGO_DIR", "folder of such files", false},
};

/** Those that have none: what they set is not modelled. */
constexpr const char* WITHOUT_EFFECT[] = {"NCCL_NTHREADS",
                                          "NCCL_LL128_NTHREADS",
                                          "NCCL_MIN_P2P_NCHANNELS",
                                          "NCCL_MAX_P2P_NCHANNELS"};

} // namespace

bool
CollectiveOptions::IsVariable(const std::string& name)
{
    return std::any_of(std::begin(VARIABLES), std::end(VARIABLES), [&](const Variable& variable) {
        return name == variable.name;
    });
}

void
CollectiveOptions::AddCollectives()
{
    Add("selector",
        "who chooses algorithms and protocols: " +
            TypeCatalogue(CollectiveSelector::GetTypeId()).DescribeNames(),
        "FirstFit");
    Add("protocol",
        "protocol of NCCL: " + JoinList(NcclNames::GetProtocols()) +
            "; empty: any. Like all options of NCCL it chooses Nccl and lets kernels cost time; "
            "what several of them leave is what there is to choose from");
    for (const Variable& variable : VARIABLES)
    {
        Add(variable.name, variable.help);
    }
    for (const char* const name : WITHOUT_EFFECT)
    {
        Add(name, "has no effect, and the run says so");
    }
}

std::vector<std::string>
CollectiveOptions::ReadProtocols() const
{
    std::vector<std::string> protocols;
    if (!IsGiven("protocol"))
    {
        return protocols;
    }
    for (const std::string_view word : SplitList(Get("protocol")))
    {
        const TextValue text("command line", "--protocol", word);
        protocols.push_back(NcclNames::FindProtocol(text));
        if (std::find(protocols.begin(), protocols.end(), protocols.back()) != protocols.end() - 1)
        {
            text.Fail("each only once");
        }
    }
    if (protocols.empty() || (protocols.size() > 1 && !ComparesProtocols()))
    {
        GetValue("protocol")
            .Fail("one of " + JoinList(NcclNames::GetProtocols()) +
                  ", or several with --compare=protocol");
    }
    return protocols;
}

bool
CollectiveOptions::ComparesProtocols() const
{
    return false;
}

bool
CollectiveOptions::WantsNccl() const
{
    const auto isGiven = [&](const Variable& variable) {
        return variable.isNccls && IsGiven(variable.name);
    };
    return std::any_of(std::begin(VARIABLES), std::end(VARIABLES), isGiven) ||
           IsGiven("protocol") || ComparesProtocols();
}

void
CollectiveOptions::ApplySelector(ScopedDefaults& defaults) const
{
    if (!IsGiven("selector") && !WantsNccl())
    {
        return;
    }
    const TypeId nccl = NcclSelector::GetTypeId();
    const TypeId selector =
        IsGiven("selector")
            ? TypeCatalogue(CollectiveSelector::GetTypeId()).Find(GetValue("selector"))
            : nccl;
    if (WantsNccl() && selector != nccl)
    {
        GetValue("selector")
            .Fail("Nccl beside protocols and options that are named like variables of NCCL");
    }
    defaults.Set("ns3::CollectiveEngine::Selector", TypeIdValue(selector));
}

void
CollectiveOptions::ApplyPxn(ScopedDefaults& defaults) const
{
    const std::string pxn = "ns3::PxnMessageTransport::";
    if (IsGiven("NCCL_P2P_PXN_LEVEL"))
    {
        const uint64_t level =
            GetValue("NCCL_P2P_PXN_LEVEL").GetUint("level", PxnRails::NEVER, PxnRails::ALWAYS);
        defaults.Set(pxn + "Level", UintegerValue(level));
    }
    if (IsGiven("NCCL_PXN_DISABLE") && GetValue("NCCL_PXN_DISABLE").GetUint("flag", 0, 1) == 1)
    {
        defaults.Set(pxn + "Level", UintegerValue(PxnRails::NEVER));
    }
    if (IsGiven("NCCL_P2P_NET_CHUNKSIZE"))
    {
        const uint64_t bytes =
            GetValue("NCCL_P2P_NET_CHUNKSIZE").GetUint("bytes", MIN_NET_CHUNK, MAX_BUFFER);
        defaults.Set(pxn + "ChunkBytes", UintegerValue(bytes));
    }
}

void
CollectiveOptions::ApplyFiles(ScopedDefaults& defaults) const
{
    std::string files;
    for (const char* const name : {"MSCCL_XML_FILES", "MSCCL_ALGO_DIR"})
    {
        if (IsGiven(name))
        {
            AppendToList(files, Get(name), ",");
        }
    }
    if (!files.empty())
    {
        std::replace(files.begin(), files.end(), ':', ',');
        MscclLibrary library(files); // says now what is wrong with them
        defaults.Set("ns3::MscclAlgorithm::Files", StringValue(files));
    }
}

void
CollectiveOptions::ApplyRestrictions(ScopedDefaults& defaults) const
{
    if (IsGiven("NCCL_ALGO"))
    {
        NcclList(GetValue("NCCL_ALGO"), NcclNames::GetKnownAlgorithms());
        defaults.Set("ns3::NcclSelector::Algorithms", StringValue(Get("NCCL_ALGO")));
    }
    if (IsGiven("NCCL_PROTO"))
    {
        NcclList(GetValue("NCCL_PROTO"), NcclNames::GetProtocols());
        defaults.Set("ns3::NcclSelector::Protocols", StringValue(Get("NCCL_PROTO")));
    }
    const std::vector<std::string> protocols = ReadProtocols();
    if (protocols.size() == 1)
    {
        defaults.Set("ns3::NcclSelector::Protocol", StringValue(protocols.front()));
    }
    if (IsGiven("NCCL_TUNER_CONFIG_FILE"))
    {
        defaults.Set("ns3::NcclSelector::TunerFile", StringValue(Get("NCCL_TUNER_CONFIG_FILE")));
    }
}

void
CollectiveOptions::ApplyChannels(ScopedDefaults& defaults) const
{
    const auto read = [&](const char* name, uint64_t otherwise) {
        return IsGiven(name) ? GetValue(name).GetUint("channels", 1, CollectiveTag::MAX_CHANNELS)
                             : otherwise;
    };
    const uint64_t min = std::max(read("NCCL_MIN_NCHANNELS", 1), read("NCCL_MIN_CTAS", 1));
    const uint64_t max = std::min(read("NCCL_MAX_NCHANNELS", CollectiveTag::MAX_CHANNELS),
                                  read("NCCL_MAX_CTAS", CollectiveTag::MAX_CHANNELS));
    if (min > max)
    {
        GetValue(read("NCCL_MAX_CTAS", CollectiveTag::MAX_CHANNELS) == max ? "NCCL_MAX_CTAS"
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
CollectiveOptions::ApplyResources(ScopedDefaults& defaults) const
{
    ApplyChannels(defaults);
    if (IsGiven("NCCL_BUFFSIZE"))
    {
        const uint64_t bytes = GetValue("NCCL_BUFFSIZE").GetUint("bytes", MIN_BUFFER, MAX_BUFFER);
        for (const TypeId& algorithm : SlicePipeline::GetBufferedTypes())
        {
            defaults.Set(algorithm.GetName() + "::SliceBytes", UintegerValue(bytes / NCCL_STEPS));
        }
        defaults.Set("ns3::MscclAlgorithm::BufferBytes", UintegerValue(bytes));
        // The chunk of PXN is the least of both, as in computeBuffSizes() of NCCL's src/init.cc.
        const std::string chunk = "ns3::PxnMessageTransport::ChunkBytes";
        const uint64_t most =
            TextValue("attribute", chunk, AttributeText::GetDefaultOf(chunk)).GetUint(chunk);
        defaults.Set(chunk, UintegerValue(std::min(most, bytes / NCCL_STEPS)));
    }
    if (IsGiven("NCCL_NVLS_ENABLE"))
    {
        const bool enabled = GetValue("NCCL_NVLS_ENABLE").GetUint("NVLS", 0, 2) > 0;
        defaults.Set("ns3::NvSwitchDevice::Sharp", BooleanValue(enabled));
    }
    if (IsGiven("NCCL_COLLNET_ENABLE"))
    {
        const bool enabled = GetValue("NCCL_COLLNET_ENABLE").GetUint("CollNet", 0, 1) > 0;
        defaults.Set("ns3::RoceSwitchDevice::InNetworkReduction", BooleanValue(enabled));
    }
}

std::vector<std::string>
CollectiveOptions::ApplyCollectives(ScopedDefaults& defaults) const
{
    ApplySelector(defaults);
    ApplyRestrictions(defaults);
    ApplyPxn(defaults);
    if (IsGiven("NCCL_IB_MERGE_NICS"))
    {
        const bool merges = GetValue("NCCL_IB_MERGE_NICS").GetUint("flag", 0, 1) == 1;
        defaults.Set("ns3::ClusterNetwork::MergePorts", BooleanValue(merges));
    }
    ApplyFiles(defaults);
    ApplyResources(defaults);
    std::vector<std::string> notes;
    for (const char* const name : WITHOUT_EFFECT)
    {
        if (IsGiven(name))
        {
            notes.push_back(std::string(name) + " has no effect: it sets what is not modelled");
        }
    }
    return notes;
}

} // namespace ns3
