/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/config-error.h"
#include "ns3/data-rate.h"
#include "ns3/hardware-table.h"
#include "ns3/nccl-names.h"
#include "ns3/nccl-selector.h"
#include "ns3/string.h"

#include <fstream>
#include <map>
#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/**
 * \param kind a kind
 * \param servers ranks by server
 * \param bytes size of the operand
 * \param offload whether the servers' switches add up and copy
 * \return the request
 */
CollectiveRequest
MakeOffloadRequest(CollectiveKind kind,
                   const std::vector<uint32_t>& servers,
                   uint64_t bytes,
                   bool offload = true)
{
    CollectiveRequest request = MakeRequest(kind, servers, bytes);
    request.offload = offload;
    return request;
}

/** \return a selector for H100s with 450 GB/s of NVLink and 50 GB/s of NIC each */
Ptr<NcclSelector>
MakeSelector()
{
    const auto selector = CreateObject<NcclSelector>();
    selector->SetAttribute("Gpu", StringValue("nccl-sm90"));
    selector->SetAttribute("IntraRate", StringValue("3600Gbps"));
    selector->SetAttribute("InterRate", StringValue("400Gbps"));
    return selector;
}

/**
 * \param selector a selector
 * \param request a request
 * \return algorithm and protocol
 */
std::string
GetChoice(NcclSelector& selector, const CollectiveRequest& request)
{
    const CollectiveChoice choice = selector.Select(request);
    return choice.algorithm
               ? choice.algorithm->GetInstanceTypeId().GetName() + " " + choice.protocol.name
               : "none";
}

/**
 * \param refusal a refusal
 * \return all of it
 */
std::string
Format(const CollectiveRefusal& refusal)
{
    return refusal.option + " '" + refusal.value + "': " + refusal.expected;
}

/** \param text of a file \return its path */
std::string
WriteFile(const std::string& text)
{
    const std::string path = ::testing::TempDir() + "nccl-tuner-test.csv";
    std::ofstream(path) << text;
    return path;
}

/** \param costs entry "X" of section collectives \return a hardware table with that alone */
HardwareTable
MakeTable(const std::map<std::string, std::string>& costs)
{
    const std::string path = ::testing::TempDir() + "nccl-selector-test.json";
    std::ofstream file(path);
    file << R"({"doc": "test", "collectives": {"X": {)";
    const char* comma = "";
    for (const auto& [key, value] : costs)
    {
        file << comma << '"' << key << R"(": {"value": ")" << value << R"(", "source": "test"})";
        comma = ", ";
    }
    file << "}}}";
    file.close();
    return HardwareTable(path);
}

} // namespace

// NCCL's own constants: latencies decide for small operands, rates for large ones.
TEST(CollectiveNcclSelector, ProtocolsAndAlgorithmsFollowTheSize)
{
    const auto selector = MakeSelector();
    const std::vector<uint32_t> server{8};
    const auto reduce = CollectiveKind::ALL_REDUCE;
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(reduce, server, 8)),
              "ns3::RingAllReduceAlgorithm LL");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(reduce, server, 1 << 20)),
              "ns3::RingAllReduceAlgorithm LL");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(reduce, server, 4 << 20)),
              "ns3::NvlsAllReduceAlgorithm Simple");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(reduce, server, 1 << 30)),
              "ns3::NvlsAllReduceAlgorithm Simple");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(reduce, server, 1 << 30, false)),
              "ns3::RingAllReduceAlgorithm Simple");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(reduce, {8, 8, 8, 8}, 8)),
              "ns3::DoubleBinaryTreeAllReduceAlgorithm LL");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(CollectiveKind::ALL_TO_ALL, server, 8)),
              "ns3::DirectAllToAllAlgorithm ");
}

TEST(CollectiveNcclSelector, EstimatesAreNcclsFormula)
{
    const CollectiveCosts costs(HardwareTable::Load(), "nccl-sm90");
    CollectiveSurroundings rates{DataRate("3600Gbps"), DataRate("400Gbps"), Time(0), Time(0)};
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, 8 << 20);
    // 14 steps of 1 MiB
    EXPECT_NEAR(*costs.Estimate(request, "Ring", "LL", rates),
                6.6 + 14 * 0.6 + 14.0 * (1 << 20) / 141000,
                1e-6);
    EXPECT_NEAR(*costs.Estimate(request, "Ring", "Simple", rates),
                8.4 + 14 * 3.4 + 14.0 * (1 << 20) / 370750,
                1e-6);
    EXPECT_NEAR(*costs.Estimate(request, "NVLS", "Simple", rates),
                25 + 9.0 * (1 << 20) / 315125,
                1e-6);
    EXPECT_FALSE(costs.Estimate(request, "NVLSTree", "Simple", rates));
    const auto two = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8, 8}, 16 << 20);
    // 30 steps of 1 MiB, 4 of them between servers, whose NICs are not the bottleneck
    EXPECT_NEAR(*costs.Estimate(two, "Ring", "Simple", rates),
                8.4 + 26 * 3.4 + 4 * 14 + 30.0 * (1 << 20) / 370750,
                1e-6);
    // NCCL takes a tenth off the rate of a tree with LL at 16 MiB, half with Simple at 256 KiB
    const double tree = 32.0 * (1 << 20) / 89750 / 0.9;
    EXPECT_NEAR(*costs.Estimate(two, "Tree", "LL", rates),
                6.8 + 14 * 0.6 + 2 * 5 + tree,
                1e-6);
    const auto little = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8, 8}, 256 << 10);
    EXPECT_NEAR(*costs.Estimate(little, "Tree", "Simple", rates),
                8.4 + 14 * 4 + 2 * 14 + 0.5 * (1 << 20) / 341125 / 0.5,
                1e-6);
    rates.networkLatency = MicroSeconds(10);
    rates.hostLaunch = MicroSeconds(7);
    EXPECT_NEAR(*costs.Estimate(two, "Tree", "LL", rates),
                7 + 6.8 + 14 * 0.6 + 2 * (5 + 10) + tree,
                1e-6);
    const CollectiveProtocol protocol = costs.GetProtocol(two, "Tree", "LL", rates);
    EXPECT_EQ(protocol.launch, NanoSeconds(13800));
    EXPECT_EQ(protocol.interOverhead, MicroSeconds(15));
    EXPECT_EQ(protocol.intraOverhead, NanoSeconds(600));
}

TEST(CollectiveNcclSelector, EstimatesOfOtherKinds)
{
    const CollectiveCosts costs(HardwareTable::Load(), "nccl-sm90");
    const CollectiveSurroundings rates{DataRate("3600Gbps"), DataRate("400Gbps"), Time(0), Time(0)};
    const double mib = 1 << 20;
    const auto gather = MakeOffloadRequest(CollectiveKind::ALL_GATHER, {8}, 8 << 20);
    EXPECT_NEAR(*costs.Estimate(gather, "Ring", "LL", rates),
                6.6 + 7 * 0.6 + 7 * mib / 141000,
                1e-6);
    EXPECT_NEAR(*costs.Estimate(gather, "NVLS", "Simple", rates), 25 + 8 * mib / 315125, 1e-6);
    EXPECT_FALSE(costs.Estimate(gather, "Tree", "LL", rates));
    const auto broadcast = MakeOffloadRequest(CollectiveKind::BROADCAST, {8}, 8 << 20);
    EXPECT_NEAR(*costs.Estimate(broadcast, "Ring", "LL", rates),
                6.6 + 7 * 0.6 + 8 * mib / 141000,
                1e-6);
    EXPECT_FALSE(costs.Estimate(broadcast, "NVLS", "Simple", rates));
    const auto two = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8, 8}, 16 << 20);
    EXPECT_NEAR(*costs.Estimate(two, "NVLSTree", "Simple", rates),
                25 + 2 * 20.9 + 18 * mib / 315125,
                1e-6);
    // Ranks that exchange directly: 3/4 of 8 MiB leave a server of 4 of 16 over its NICs.
    const CollectiveCosts measured(MakeTable({{"P2PSimpleLaunch", "12us"},
                                              {"P2PSimpleIntra", "250ns"},
                                              {"P2PSimpleInter", "14us"},
                                              {"P2PSimpleOwnRate", "8000Gbps"}}),
                                   "X");
    const auto exchange = MakeOffloadRequest(CollectiveKind::ALL_TO_ALL, {4, 4, 4, 4}, 8 << 20);
    EXPECT_NEAR(*measured.Estimate(exchange, "P2P", "Simple", rates),
                12 + 0.25 + 14 + 6 * mib / 50000 + 0.5 * mib / 1000000,
                1e-6);
    EXPECT_FALSE(measured.Estimate(gather, "P2P", "Simple", rates));
    EXPECT_FALSE(measured.Estimate(two, "PAT", "Simple", rates));
}

// An H100 is chosen for by NCCL's constants, though the costs are its own: at 2 MiB on 2 GPUs it
// changes to Simple, which takes longer there than LL would.
TEST(CollectiveNcclSelector, AnEntryNamesTheTuningThatChooses)
{
    const CollectiveCosts costs(HardwareTable::Load(), "H100");
    EXPECT_EQ(costs.GetTuning(), "nccl-sm90");
    EXPECT_EQ(CollectiveCosts(HardwareTable::Load(), "L40S").GetTuning(), "L40S");
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {2}, 2 << 20, false);
    const auto choose = [&request](const std::string& tuning) {
        const auto selector = CreateObject<NcclSelector>();
        selector->SetAttribute("Gpu", StringValue("H100"));
        selector->SetAttribute("Tuning", StringValue(tuning));
        selector->SetAttribute("IntraRate", StringValue("3600Gbps"));
        return GetChoice(*selector, request);
    };
    EXPECT_EQ(choose(""), "ns3::RingAllReduceAlgorithm Simple");
    EXPECT_EQ(choose("nccl-sm90"), "ns3::RingAllReduceAlgorithm Simple");
    EXPECT_EQ(choose("H100"), "ns3::RingAllReduceAlgorithm LL");
    const auto selector = CreateObject<NcclSelector>();
    selector->SetAttribute("Gpu", StringValue("H100"));
    const auto direct = MakeOffloadRequest(CollectiveKind::ALL_TO_ALL, {2}, 64 << 20);
    EXPECT_EQ(GetChoice(*selector, direct), "ns3::DirectAllToAllAlgorithm Simple");
}

// Two GPUs under one PCIe switch talk at the rate of their kernels; more of them share the host,
// which here loses the square of their number, counted in bytes on the wire.
TEST(CollectiveNcclSelector, GpusShareTheirHost)
{
    const CollectiveCosts costs(MakeTable({{"RingLLLaunch", "4us"},
                                           {"RingSimpleLaunch", "4us"},
                                           {"RingSimpleRate", "80Gbps"},
                                           {"HostRate", "160Gbps"},
                                           {"HostContention", "2"},
                                           {"PeerGpus", "2"}}),
                                "X");
    const CollectiveSurroundings rates{DataRate("256Gbps"), DataRate(0), Time(0), Time(0)};
    const auto getRate = [&](const std::vector<uint32_t>& servers, const char* protocol) {
        const auto request = MakeOffloadRequest(CollectiveKind::ALL_GATHER, servers, 8 << 20);
        return costs.GetProtocol(request, "Ring", protocol, rates).rankRate;
    };
    EXPECT_EQ(getRate({2}, "Simple"), DataRate("80Gbps"));
    EXPECT_EQ(getRate({2, 2}, "Simple"), DataRate("80Gbps"));
    EXPECT_EQ(getRate({4}, "Simple"), DataRate("40Gbps"));
    EXPECT_EQ(getRate({8}, "Simple"), DataRate("10Gbps"));
    EXPECT_EQ(getRate({2}, "LL"), DataRate(0));
    EXPECT_EQ(getRate({8}, "LL"), DataRate("5Gbps"));
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_GATHER, {8}, 8 << 20);
    EXPECT_NEAR(*costs.Estimate(request, "Ring", "LL", rates), 4 + 7.0 * (1 << 20) / 625, 1e-6);
}

TEST(CollectiveNcclSelector, CollnetIsChosenWhereNetworkSwitchesAddUp)
{
    const CollectiveCosts costs(HardwareTable::Load(), "nccl-sm90");
    const CollectiveSurroundings rates{DataRate("3600Gbps"), DataRate("400Gbps"), Time(0), Time(0)};
    const double mib = 1 << 20;
    auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8, 8, 8, 8}, 32 << 20);
    // 2 x 7/8 of 32 MiB inside the server take longer than 4 MiB on the NIC.
    EXPECT_NEAR(*costs.Estimate(request, "CollNetDirect", "Simple", rates),
                2 * (3.7 + 7 * 0.4) + 31 + 56 * mib / 450000,
                1e-6);
    EXPECT_NEAR(*costs.Estimate(request, "CollNetChain", "Simple", rates),
                14 * 2.8 + 30 + 56 * mib / 450000,
                1e-6);
    EXPECT_FALSE(costs.Estimate(request, "CollNetChain", "LL", rates));
    request.placement = PlaceRanks({1, 1, 1, 1});
    EXPECT_NEAR(*costs.Estimate(request, "CollNetDirect", "Simple", rates),
                31 + 32 * mib / 50000,
                1e-6);
    request.placement = PlaceRanks({8});
    EXPECT_FALSE(costs.Estimate(request, "CollNetDirect", "Simple", rates));

    request.placement = PlaceRanks(std::vector<uint32_t>(16, 8));
    request.offload = false;
    const auto selector = MakeSelector();
    const auto isCollnet = [&] {
        return GetChoice(*selector, request).find("Collnet") != std::string::npos;
    };
    EXPECT_FALSE(isCollnet());
    request.railOffload = true;
    EXPECT_TRUE(isCollnet());
    const auto without = MakeSelector();
    without->SetAttribute("Algorithms", StringValue("^CollNetDirect,CollNetChain"));
    EXPECT_EQ(GetChoice(*without, request).find("Collnet"), std::string::npos);
}

TEST(CollectiveNcclSelector, NamesRestrictTheChoice)
{
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, 1 << 30);
    const std::vector<std::pair<std::string, std::string>> cases{
        {"Ring", "ns3::RingAllReduceAlgorithm Simple"},
        {"^NVLS", "ns3::RingAllReduceAlgorithm Simple"},
        {"tree", "ns3::DoubleBinaryTreeAllReduceAlgorithm Simple"},
        {"nvls,Ring", "ns3::NvlsAllReduceAlgorithm Simple"},
        {"NVLSTree", "none"},
    };
    for (const auto& [algorithms, expected] : cases)
    {
        const auto selector = MakeSelector();
        selector->SetAttribute("Algorithms", StringValue(algorithms));
        EXPECT_EQ(GetChoice(*selector, request), expected) << algorithms;
    }
    const auto selector = MakeSelector();
    selector->SetAttribute("Protocols", StringValue("^simple,ll128"));
    EXPECT_EQ(GetChoice(*selector, request), "ns3::RingAllReduceAlgorithm LL");
}

TEST(CollectiveNcclSelector, ListsMayBeByCollective)
{
    const auto selector = MakeSelector();
    selector->SetAttribute("Algorithms", StringValue("^NVLS;allreduce:Tree"));
    selector->SetAttribute("Protocols", StringValue("allreduce:LL128"));
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, 1 << 30)),
              "ns3::DoubleBinaryTreeAllReduceAlgorithm LL128");
    EXPECT_EQ(GetChoice(*selector, MakeOffloadRequest(CollectiveKind::ALL_GATHER, {8}, 1 << 30)),
              "ns3::RingAllGatherAlgorithm Simple");
}

TEST(CollectiveNcclSelector, RestrictionsThatLeaveNothingAreNamed)
{
    struct Case
    {
        std::string algorithms; //!< attribute
        std::string protocols;  //!< attribute
        std::string protocol;   //!< attribute
        std::string pinned;     //!< TypeId of an algorithm
        std::string refusal;    //!< expected
    };

    const std::vector<Case> cases{
        {"NVLSTree", "", "", "", "NCCL_ALGO 'NVLSTree': to allow one of Ring, Tree, NVLS"},
        {"^Ring,Tree,NVLS", "", "", "", "NCCL_ALGO '^Ring,Tree,NVLS': to allow one of Ring, Tree"},
        {"PAT", "", "", "", "NCCL_ALGO 'PAT': to allow one of Ring, Tree, NVLS"},
        {"NVLS", "LL", "", "", "NCCL_PROTO 'LL': to allow Simple"},
        {"NVLS", "", "LL", "", "protocol 'LL': Simple"},
        {"", "LL", "Simple", "", "NCCL_PROTO 'LL': to allow Simple"},
        {"", "", "LL128", "ns3::NvlsAllReduceAlgorithm", "protocol 'LL128': Simple"},
        {"Ring", "", "", "ns3::NvlsAllReduceAlgorithm", "NCCL_ALGO 'Ring': to allow NVLS"},
        {"",
         "",
         "",
         "ns3::HalvingDoublingAllReduceAlgorithm",
         "algorithm 'HalvingDoubling': one of Ring, DoubleBinaryTree, Nvls (of others no costs"},
    };
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, 1 << 20);
    for (const Case& each : cases)
    {
        const auto selector = MakeSelector();
        selector->SetAttribute("Algorithms", StringValue(each.algorithms));
        selector->SetAttribute("Protocols", StringValue(each.protocols));
        selector->SetAttribute("Protocol", StringValue(each.protocol));
        NcclSelector::Pin pin;
        if (!each.pinned.empty())
        {
            pin.algorithm = TypeId::LookupByName(each.pinned);
        }
        EXPECT_FALSE(selector->Select(request, pin).algorithm) << each.refusal;
        const std::string refusal = Format(selector->Explain(request, pin));
        EXPECT_EQ(refusal.substr(0, each.refusal.size()), each.refusal);
    }
}

TEST(CollectiveNcclSelector, PinsGetTheCostsOfTheirKernels)
{
    const CollectiveCosts costs(HardwareTable::Load(), "H100");
    const CollectiveSurroundings rates{DataRate("3600Gbps"), DataRate("400Gbps"), Time(0), Time(0)};
    struct Case
    {
        CollectiveKind kind;   //!< what is done
        std::string algorithm; //!< pinned, TypeId
        std::string protocol;  //!< pinned
        std::string kernels;   //!< NCCL's name
        std::string expected;  //!< protocol
    };

    const std::vector<Case> cases{
        {CollectiveKind::ALL_REDUCE, "ns3::RingAllReduceAlgorithm", "", "Ring", "Simple"},
        {CollectiveKind::ALL_REDUCE, "ns3::RingAllReduceAlgorithm", "LL", "Ring", "LL"},
        {CollectiveKind::ALL_REDUCE, "ns3::TreeAllReduceAlgorithm", "LL128", "Tree", "LL128"},
        {CollectiveKind::ALL_TO_ALL, "ns3::PairwiseAllToAllAlgorithm", "LL", "P2P", "LL"},
        {CollectiveKind::ALL_TO_ALL, "", "LL", "P2P", "LL"},
    };
    for (const auto& [kind, algorithm, protocol, kernels, expected] : cases)
    {
        const auto selector = MakeSelector();
        selector->SetAttribute("Gpu", StringValue("H100"));
        const auto request = MakeOffloadRequest(kind, {8}, 1 << 30);
        NcclSelector::Pin pin{std::nullopt, protocol};
        if (!algorithm.empty())
        {
            pin.algorithm = TypeId::LookupByName(algorithm);
        }
        const CollectiveChoice choice = selector->Select(request, pin);
        ASSERT_TRUE(choice.algorithm) << algorithm << protocol;
        EXPECT_TRUE(!pin.algorithm || choice.algorithm->GetInstanceTypeId() == *pin.algorithm);
        EXPECT_EQ(choice.protocol.name, expected);
        const CollectiveProtocol pays = costs.GetProtocol(request, kernels, expected, rates);
        EXPECT_EQ(choice.protocol.launch, pays.launch);
        EXPECT_EQ(choice.protocol.intraOverhead, pays.intraOverhead);
        EXPECT_EQ(choice.protocol.rankRate, pays.rankRate);
        EXPECT_EQ(choice.protocol.lineBytes, pays.lineBytes);
    }
}

// In one server one chain stands for all channels: the rate of the kernel alone holds.
TEST(CollectiveNcclSelector, ThreadBlocksHaveARateBetweenServers)
{
    const CollectiveCosts costs(
        MakeTable({{"TreeSimpleLaunch", "1us"}, {"TreeSimpleChannelRate", "96Gbps"}}),
        "X");
    const auto getRate = [&](const std::vector<uint32_t>& servers) {
        return costs
            .GetProtocol(MakeOffloadRequest(CollectiveKind::ALL_REDUCE, servers, 8),
                         "Tree",
                         "Simple",
                         {})
            .channelRate;
    };
    EXPECT_EQ(getRate({8, 8}), DataRate("96Gbps"));
    EXPECT_EQ(getRate({8}), DataRate(0));
}

// NCCL offers trees for all-reduce alone; LL128 for nothing that it sends directly.
TEST(CollectiveNcclSelector, PinsThatNcclDoesNotOfferAreRefused)
{
    const auto selector = MakeSelector();
    selector->SetAttribute("Gpu", StringValue("H100"));
    const auto broadcast = MakeOffloadRequest(CollectiveKind::BROADCAST, {8}, 1 << 20);
    const NcclSelector::Pin tree{TypeId::LookupByName("ns3::TreeBroadcastAlgorithm"), ""};
    EXPECT_FALSE(selector->Select(broadcast, tree).algorithm);
    EXPECT_EQ(Format(selector->Explain(broadcast, tree)),
              "algorithm 'Tree': Ring (of others no costs of kernels are known)");
    const auto exchange = MakeOffloadRequest(CollectiveKind::ALL_TO_ALL, {8}, 1 << 20);
    EXPECT_FALSE(selector->Select(exchange, {std::nullopt, "LL128"}).algorithm);
    EXPECT_EQ(Format(selector->Explain(exchange, {std::nullopt, "LL128"})),
              "protocol 'LL128': one of LL, Simple");
    const auto unknown = MakeSelector(); // nccl-sm90 says nothing of what is sent directly
    EXPECT_TRUE(unknown->Select(exchange).algorithm);
    EXPECT_FALSE(unknown->Select(exchange, {std::nullopt, "LL"}).algorithm);
    EXPECT_EQ(unknown->Explain(exchange, {std::nullopt, "LL"}).option, "protocol");
}

// NCCL's constants say nothing of what is sent directly; ranks pay for it all the same.
TEST(CollectiveNcclSelector, TuningLeavesTheCostsOfDirectSends)
{
    const auto selector = MakeSelector();
    selector->SetAttribute("Gpu", StringValue("H100"));
    selector->SetAttribute("Tuning", StringValue("nccl-sm90"));
    const auto choice =
        selector->Select(MakeOffloadRequest(CollectiveKind::ALL_TO_ALL, {8}, 1 << 30));
    EXPECT_EQ(choice.protocol.name, "Simple");
    EXPECT_GT(choice.protocol.launch, MicroSeconds(12));
}

TEST(CollectiveNcclSelector, ATableComesFirst)
{
    const auto selector = MakeSelector();
    const std::string table = WriteFile("# what we measured\n"
                                        "\n"
                                        "allreduce,0,65535,tree,ll128,-1,-1,-1,-1,-1\n"
                                        "allreduce, 65536, 1048576, ring, simple, 8, 1, 8\n"
                                        "allreduce,0,99999999999,nvlstree,simple,-1,1,-1\n");
    selector->SetAttribute("TunerFile", StringValue(table));
    const auto choose = [&](const std::vector<uint32_t>& servers, uint64_t bytes) {
        return GetChoice(*selector, MakeOffloadRequest(CollectiveKind::ALL_REDUCE, servers, bytes));
    };
    EXPECT_EQ(choose({8}, 65535), "ns3::DoubleBinaryTreeAllReduceAlgorithm LL128");
    EXPECT_EQ(choose({8}, 65536), "ns3::RingAllReduceAlgorithm Simple");
    EXPECT_EQ(choose({4}, 65536), "ns3::RingAllReduceAlgorithm LL") << "not 8 ranks, no NVLSTree";
    EXPECT_EQ(choose({8}, 1 << 30), "ns3::NvlsAllReduceAlgorithm Simple") << "no NVLSTree";
}

TEST(CollectiveNcclSelector, ATableSaysHowManyChannels)
{
    const auto selector = MakeSelector();
    const std::string table = WriteFile("allreduce,0,1048576,ring,simple,3,-1,-1\n"
                                        "allreduce,0,2097152,tree,simple,5,-1,-1\n"
                                        "allreduce,0,4194304,ring,simple,-1,-1,-1\n"
                                        "allreduce,0,8388608,nvlstree,ll,2,-1,-1\n");
    selector->SetAttribute("TunerFile", StringValue(table));
    const auto count = [&](const std::vector<uint32_t>& servers, uint64_t bytes) {
        const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, servers, bytes, false);
        return selector->Select(request).algorithm->Plan(request).GetChannels().size();
    };
    EXPECT_EQ(count({8, 8}, 1 << 20), 3U);
    EXPECT_EQ(count({8, 8}, 2 << 20), 5U);
    EXPECT_EQ(count({8, 8}, 4 << 20), 8U);
    EXPECT_NE(count({8, 8}, 8 << 20), 2U) << "the line names what there is no kernel for";
    EXPECT_EQ(count({8}, 1 << 20), 1U) << "one ring stands for all";
}

// Neither what NCCL has no kernel for, which would cost nothing, nor what is forbidden.
TEST(CollectiveNcclSelector, ATableCannotChooseWhatIsNotThere)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"allreduce,0,99999999999,nvls,ll,-1,-1,-1\n", "ns3::NvlsAllReduceAlgorithm Simple"},
        {"allreduce,0,99999999999,ring,simple,-1,-1,-1\n", "ns3::RingAllReduceAlgorithm Simple"},
        {"allreduce,0,99999999999,tree,simple,-1,-1,-1\n", "ns3::NvlsAllReduceAlgorithm Simple"},
    };
    for (const auto& [text, expected] : cases)
    {
        const auto selector = MakeSelector();
        selector->SetAttribute("TunerFile", StringValue(WriteFile(text)));
        selector->SetAttribute("Algorithms", StringValue("^Tree"));
        EXPECT_EQ(
            GetChoice(*selector, MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, 1 << 30)),
            expected)
            << text;
    }
}

TEST(CollectiveNcclSelector, BadTablesAreRefusedWithTheirLine)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"allreduce,0,1,tree,ll\n", ": line 1: read"},
        {"# x\nallreduce,0,1,tre,ll,1,1,1\n", ": line 2: read 'tre', expected one of Ring, Tree, "},
        {"allreduce,0,1,tree,ll256,1,1,1\n", "read 'll256', expected one of LL, LL128, Simple"},
        {"alltoall,0,1,tree,ll,1,1,1\n", "read 'alltoall', expected one of AllReduce, "},
        {"allreduce,-1,1,tree,ll,1,1,1\n", "read '-1'"},
        {"allreduce,0,1,tree,ll,x,1,1\n", "read 'x'"},
        {"allreduce,0,1,tree,ll,-2,1,1\n", "read '-2'"},
        {"allreduce,0,1,tree,ll,1,1,1,1,1,1\n", "pipeOps"},
    };
    for (const auto& [text, expected] : cases)
    {
        try
        {
            NcclTunerFile file(WriteFile(text));
            FAIL() << text << " was accepted";
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

TEST(CollectiveNcclSelector, UnknownNamesAreRefused)
{
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, 8);
    const std::vector<std::pair<std::string, std::string>> attributes{
        {"Algorithms", "Rink"},
        {"Protocols", "LL,,Simpel"},
        {"Protocol", "LL,Simple"},
        {"Gpu", "H1000"},
        {"Tuning", "nccl-sm91"},
        {"TunerFile", "/no/such/file"},
    };
    for (const auto& [attribute, value] : attributes)
    {
        const auto selector = MakeSelector();
        selector->SetAttribute(attribute, StringValue(value));
        EXPECT_THROW(selector->Select(request), ConfigError) << attribute;
    }
}

// What is played takes what was estimated: a ring of 8 on links of 450 GB/s, one message per step.
TEST(CollectiveNcclSelector, TheEngineTakesTheEstimatedTime)
{
    for (const uint64_t bytes : {8UL, 4096UL, 1UL << 20, 64UL << 20})
    {
        CollectiveTestBed bed(8, "3600Gbps", "0ns");
        const auto selector = MakeSelector();
        selector->SetAttribute("Algorithms", StringValue("Ring"));
        bed.engine->SetSelector(selector);
        const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, {8}, bytes, false);
        const auto best = selector->GetCandidates(request).front();
        const CollectiveInstance result = bed.RunOne({8}, CollectiveKind::ALL_REDUCE, bytes);
        EXPECT_NEAR(result.GetDuration().GetPicoSeconds() / 1e6,
                    best.microseconds,
                    0.001 * best.microseconds + 0.05)
            << bytes << " bytes by " << best.protocol;
    }
}

TEST(CollectiveNcclSelector, LinesOfProtocolsTravel)
{
    CollectiveTestBed bed(8, "3600Gbps", "0ns");
    const auto selector = MakeSelector();
    selector->SetAttribute("Algorithms", StringValue("Ring"));
    selector->SetAttribute("Protocols", StringValue("LL"));
    bed.engine->SetSelector(selector);
    const CollectiveInstance result = bed.RunOne({8}, CollectiveKind::ALL_REDUCE, 8 << 20);
    EXPECT_EQ(result.bytesSent, 8UL * 14 * (1 << 20) * 2);
}

} // namespace ns3
