/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

/**
 * \file
 * Where there is no contention the three fidelities of a network agree, in time, and on every link
 * in bytes; and what contention makes of two jobs on one link (H24).
 */

namespace ns3
{

namespace
{

/** \ingroup tests \brief A network and the order of a ring over it. */
struct AgreementCase
{
    const char* name;            //!< of the case
    std::string topology;        //!< template
    std::vector<uint32_t> ranks; //!< in the order of the ring
    std::vector<uint64_t> sizes; //!< of the AllReduce, bytes
};

/** \return path of a topology: four GPUs in a square, 400 Gbps, 1 us, no switch */
std::string
WriteSquare()
{
    return WriteTestFile("square.topology",
                         "4 4 0 0 4 H100\n\n0 1 400Gbps 0.001ms 0\n1 2 400Gbps 0.001ms 0\n"
                         "2 3 400Gbps 0.001ms 0\n0 3 400Gbps 0.001ms 0\n");
}

/** \return the networks on which rings have no contention */
std::vector<AgreementCase>
GetCases()
{
    const std::vector<uint64_t> sizes{1 << 20, 16 << 20, 64 << 20};
    return {{"star", "star:gpus=8,nicRate=400Gbps,delay=1us", CountRanks(8), sizes},
            {"nvswitch", "single-server", CountRanks(8), sizes},
            {"mesh", WriteSquare(), CountRanks(4), sizes},
            // Seven channels begin at once on the NVLinks of a GPU: contention, which counts in
            // small collectives only.
            {"rails", "rail-optimized:gpus=16", CountRanks(16), {16 << 20, 64 << 20}},
            // Two hops of the ring go through the same uplinks of PCIe switches.
            {"pcie", "single-server:server=l40s", CountRanks(8), {16 << 20, 64 << 20}}};
}

/** What links carried, by node, port and fabric. */
using LinkBytes = std::map<std::tuple<uint32_t, uint32_t, std::string>, LinkRecord>;

/**
 * \param network short name of a network
 * \param topology template
 * \param kind operation
 * \param bytes size
 * \return what an operation of all GPUs came to
 */
CollectiveOutcome
RunOn(const std::string& network, const std::string& topology, CollectiveKind kind, uint64_t bytes)
{
    const ScopedClusterNetwork chosen(ClusterNetwork::Find(TextValue("test", "network", network)));
    return RunCollective({LoadTopology(topology), bytes, kind});
}

/** \param outcome of a collective \return what every link carried */
LinkBytes
GetLinks(const CollectiveOutcome& outcome)
{
    LinkBytes links;
    for (const LinkRecord& link : outcome.links)
    {
        links[{link.node, link.port, link.kind}] = link;
    }
    return links;
}

} // namespace

TEST(RailyardNetworkAgreement, RingsWithoutContentionTakeTheSameTime)
{
    for (const AgreementCase& each : GetCases())
    {
        for (const uint64_t bytes : each.sizes)
        {
            std::map<std::string, double> ns;
            for (const std::string network : {"packet", "flow", "analytic"})
            {
                const ScopedClusterNetwork chosen(
                    ClusterNetwork::Find(TextValue("test", "network", network)));
                ns[network] =
                    RunCollective(each.topology, each.ranks, CollectiveKind::ALL_REDUCE, bytes)
                        .duration.GetPicoSeconds() /
                    1e3;
            }
            EXPECT_NEAR(ns["flow"] / ns["packet"], 1, 0.02) << each.name << " " << bytes;
            EXPECT_NEAR(ns["analytic"] / ns["packet"], 1, 0.02) << each.name << " " << bytes;
            EXPECT_NEAR(ns["analytic"] / ns["flow"], 1, 0.02) << each.name << " " << bytes;
        }
    }
}

/** \ingroup tests \brief An algorithm on a network where nothing collides. */
struct AlgorithmCase
{
    const char* topology;  //!< template
    uint32_t gpus;         //!< of it, all in the group
    const char* algorithm; //!< class, without ns3:: and Algorithm
    CollectiveKind kind;   //!< operation
    uint64_t mostBytes;    //!< largest operand without contention, see networks.md
};

/** \param out gets the name of a case \param each a case */
void
PrintTo(const AlgorithmCase& each, std::ostream* out)
{
    *out << each.topology << " " << each.algorithm;
}

/** \ingroup tests \brief Cases in which the fidelities have to agree. */
class RailyardAlgorithmAgreement : public testing::TestWithParam<AlgorithmCase>
{
};

/** \return the cases: on one server, over the rails of two */
std::vector<AlgorithmCase>
GetAlgorithmCases()
{
    const char* const server = "single-server";
    const char* const rails = "rail-optimized:gpus=16";
    const uint64_t most = 16 << 20;
    std::vector<AlgorithmCase> cases{
        {server, 8, "NvlsAllReduce", CollectiveKind::ALL_REDUCE, most},
        {server, 8, "NvlsAllGather", CollectiveKind::ALL_GATHER, most},
        {server, 8, "NvlsReduceScatter", CollectiveKind::REDUCE_SCATTER, most},
        {server, 8, "DirectAllToAll", CollectiveKind::ALL_TO_ALL, most},
        {server, 8, "DirectGather", CollectiveKind::GATHER, most},
        {server, 8, "DirectScatter", CollectiveKind::SCATTER, most},
        {server, 8, "TreeBroadcast", CollectiveKind::BROADCAST, most},
        {server, 8, "RingBroadcast", CollectiveKind::BROADCAST, most},
        {rails, 16, "NvlsTreeAllReduce", CollectiveKind::ALL_REDUCE, most},
        {rails, 16, "TreeBroadcast", CollectiveKind::BROADCAST, 512 << 10},
        {rails, 16, "RingBroadcast", CollectiveKind::BROADCAST, 512 << 10},
    };
    for (const auto& [topology, gpus] : {std::pair(server, 8U), {rails, 16U}})
    {
        cases.insert(
            cases.end(),
            {{topology, gpus, "RingAllReduce", CollectiveKind::ALL_REDUCE, most},
             {topology, gpus, "RingAllGather", CollectiveKind::ALL_GATHER, most},
             {topology, gpus, "RingReduceScatter", CollectiveKind::REDUCE_SCATTER, most},
             {topology, gpus, "TreeAllReduce", CollectiveKind::ALL_REDUCE, most},
             {topology, gpus, "DoubleBinaryTreeAllReduce", CollectiveKind::ALL_REDUCE, most},
             {topology, gpus, "HalvingDoublingAllReduce", CollectiveKind::ALL_REDUCE, most},
             {topology, gpus, "HierarchicalAllReduce", CollectiveKind::ALL_REDUCE, most},
             {topology, gpus, "HierarchicalTreeAllReduce", CollectiveKind::ALL_REDUCE, most},
             {topology, gpus, "RecursiveDoublingAllGather", CollectiveKind::ALL_GATHER, most},
             {topology, gpus, "PairwiseAllToAll", CollectiveKind::ALL_TO_ALL, most},
             {topology, gpus, "PatAllGather", CollectiveKind::ALL_GATHER, 4 << 20},
             {topology, gpus, "PatReduceScatter", CollectiveKind::REDUCE_SCATTER, 4 << 20},
             {topology, gpus, "TreeReduce", CollectiveKind::REDUCE, most}});
    }
    return cases;
}

/** Runs a case in all three. \param each the case \param bytes its operand */
void
ExpectSameTime(const AlgorithmCase& each, uint64_t bytes)
{
    const ScopedDefault order("ns3::FirstFitSelector::Algorithms",
                              std::string("ns3::") + each.algorithm + "Algorithm");
    std::map<std::string, double> ns;
    for (const std::string network : {"packet", "flow", "analytic"})
    {
        const ScopedClusterNetwork chosen(
            ClusterNetwork::Find(TextValue("test", "network", network)));
        ns[network] = RunCollective(each.topology, CountRanks(each.gpus), each.kind, bytes)
                          .duration.GetPicoSeconds() /
                      1e3;
    }
    EXPECT_NEAR(ns["flow"] / ns["packet"], 1, 0.02) << each.algorithm << " " << bytes;
    EXPECT_NEAR(ns["analytic"] / ns["packet"], 1, 0.02) << each.algorithm << " " << bytes;
}

TEST_P(RailyardAlgorithmAgreement, WithoutContentionAllTakeTheSameTime)
{
    for (uint64_t bytes = 1 << 10; bytes <= GetParam().mostBytes; bytes *= 8)
    {
        ExpectSameTime(GetParam(), bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms,
                         RailyardAlgorithmAgreement,
                         testing::ValuesIn(GetAlgorithmCases()),
                         [](const testing::TestParamInfo<AlgorithmCase>& each) {
                             return each.param.algorithm +
                                    std::string(each.param.gpus == 8 ? "OnAServer" : "OverRails");
                         });

TEST(RailyardNetworkAgreement, BuffersOfNvswitchesHoldStreamsThatMeetAtAGpu)
{
    for (const char* const algorithm : {"TreeAllReduce", "DoubleBinaryTreeAllReduce"})
    {
        for (const uint64_t mebibytes : {16, 64})
        {
            ExpectSameTime({"single-server", 8, algorithm, CollectiveKind::ALL_REDUCE, 0},
                           mebibytes << 20);
        }
    }
}

TEST(RailyardNetworkAgreement, OneGibibyteTakesTheSameTime)
{
    std::vector<double> ns;
    for (const std::string network : {"packet", "flow", "analytic"})
    {
        const ScopedClusterNetwork chosen(
            ClusterNetwork::Find(TextValue("test", "network", network)));
        ns.push_back(
            RunCollective("single-server", CountRanks(8), CollectiveKind::ALL_REDUCE, 1ULL << 30)
                .duration.GetPicoSeconds() /
            1e3);
    }
    EXPECT_NEAR(ns[1] / ns[0], 1, 0.02);
    EXPECT_NEAR(ns[2] / ns[0], 1, 0.02);
}

TEST(RailyardNetworkAgreement, EveryLinkCarriesTheSameBytes)
{
    for (const CollectiveKind kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_TO_ALL})
    {
        for (const std::string topology :
             {"rail-optimized:gpus=16,serversPerSegment=1", // across spines: ECMP chooses alike
              "leaf-spine:gpus=8,leaves=2,spines=2"})
        {
            const LinkBytes packets = GetLinks(RunOn("packet", topology, kind, 8 << 20));
            for (const std::string network : {"flow", "analytic"})
            {
                const LinkBytes links = GetLinks(RunOn(network, topology, kind, 8 << 20));
                ASSERT_EQ(links.size(), packets.size());
                uint64_t sum = 0;
                for (const auto& [place, link] : packets)
                {
                    const LinkRecord& other = links.at(place);
                    const bool nvlink = std::get<2>(place) == "nvlink";
                    EXPECT_EQ(other.peer, link.peer);
                    EXPECT_EQ(other.peerPort, link.peerPort);
                    EXPECT_EQ(other.rate, link.rate);
                    EXPECT_EQ(other.payloadBytes, link.payloadBytes);
                    EXPECT_EQ(other.dataWireBytes, link.dataWireBytes);
                    if (!nvlink) // there packets are pieces of any size
                    {
                        EXPECT_EQ(other.dataPackets, link.dataPackets);
                    }
                    sum += other.payloadBytes;
                }
                EXPECT_GT(sum, 0u);
            }
        }
    }
}

TEST(RailyardNetworkAgreement, SwitchesAddAndCopyTheSameBytes)
{
    const ScopedDefault order("ns3::FirstFitSelector::Algorithms", "ns3::NvlsAllReduceAlgorithm");
    const LinkBytes packets =
        GetLinks(RunOn("packet", "single-server", CollectiveKind::ALL_REDUCE, 8 << 20));
    for (const std::string network : {"flow", "analytic"})
    {
        const LinkBytes links =
            GetLinks(RunOn(network, "single-server", CollectiveKind::ALL_REDUCE, 8 << 20));
        for (const auto& [place, link] : packets)
        {
            EXPECT_EQ(links.at(place).payloadBytes, link.payloadBytes) << network;
        }
        EXPECT_LT(packets.begin()->second.payloadBytes, (8U << 20) * 7 / 4) << "no ring";
    }
}

/**
 * \param outcome of a collective
 * \return how many links have no utilisation; no other one may be above 1
 */
uint32_t
CountUnshared(const CollectiveOutcome& outcome)
{
    uint32_t unshared = 0;
    for (const LinkRecord& link : outcome.links)
    {
        unshared += !link.GetUtilisation();
        EXPECT_LE(link.GetUtilisation().value_or(0), 1) << link.node << ":" << link.port;
    }
    return unshared;
}

/** \param outcome of a collective \return the note of links that had too much to carry, or "" */
std::string
FindOverload(const CollectiveOutcome& outcome)
{
    for (const std::string& note : outcome.notes)
    {
        if (note.find("had more to carry over the whole run") != std::string::npos)
        {
            return note;
        }
    }
    return "";
}

TEST(RailyardNetworkAgreement, NoLinkIsBusierThanItCanBe)
{
    // 4 leaves of 4 GPUs and 2 spines, all links alike: 12 of 15 messages cross the spines, whose
    // 4 x 2 links to leaves and as many back carry 16 x 12 messages, 24 each way; a NIC has 15.
    const std::string spines = "leaf-spine:gpus=16,leaves=4,spines=2";
    for (const std::string network : {"packet", "flow", "analytic"})
    {
        SCOPED_TRACE(network);
        const bool isAnalytic = network == "analytic";
        const CollectiveOutcome outcome =
            RunOn(network, spines, CollectiveKind::ALL_TO_ALL, 16 << 20);
        EXPECT_EQ(CountUnshared(outcome), isAnalytic ? 16u : 0u) << "links between switches";
        EXPECT_EQ(FindOverload(outcome).empty(), !isAnalytic);
        for (const std::string server : {"l40s", "a100-pcie", "rtx-pro-6000"})
        {
            SCOPED_TRACE(server);
            EXPECT_EQ(CountUnshared(RunOn(network,
                                          "single-server:server=" + server,
                                          CollectiveKind::ALL_TO_ALL,
                                          16 << 20)),
                      0u);
        }
    }
    const CollectiveOutcome wide =
        RunOn("analytic",
              "leaf-spine:gpus=8,leaves=2,spines=4,spineRate=1000Gbps",
              CollectiveKind::ALL_TO_ALL,
              16 << 20);
    EXPECT_EQ(CountUnshared(wide), 16u);
    EXPECT_EQ(wide.notes.size(), 2u) << "fidelity and headers: spines have room for all";
}

TEST(RailyardNetworkAgreement, OverloadedLinksAreCountedByDirection)
{
    // To rank 0 the NIC takes three operands at 100 Gbps, the link in the middle two at 50.
    const CollectiveOutcome gather = RunOn("analytic",
                                           "dumbbell:hosts=4,nicRate=100Gbps,linkRate=50Gbps",
                                           CollectiveKind::GATHER,
                                           256 << 20);
    const std::string note = FindOverload(gather);
    EXPECT_EQ(note.find("1 link direction between switches had more"), 0U) << note;
    const std::size_t end = note.find(" times as much");
    ASSERT_NE(end, std::string::npos) << note;
    // Of the NIC's time acknowledgements take 2 %.
    EXPECT_NEAR(std::stod(note.substr(end - 4)), 4.0 / 3, 0.03) << note;
    const CollectiveOutcome all = RunOn("analytic",
                                        "dumbbell:hosts=4,nicRate=100Gbps,linkRate=50Gbps",
                                        CollectiveKind::ALL_TO_ALL,
                                        256 << 20);
    EXPECT_EQ(FindOverload(all).find("2 link directions between switches had more"), 0U)
        << FindOverload(all);
}

TEST_P(RailyardNetworkCase, H24TwoJobsOnOneLink)
{
    // Hosts 0 and 1 left, 2 and 3 right; job A on 0 and 2, job B on 1 and 3; each rank sends 100
    // MB.
    std::string control = "No";
    const auto run = [&control](const std::string& middle, bool both, Time startOfB) {
        Simulator::Destroy();
        FabricEngine::Select("fabric");
        const ScopedDefault scoped("ns3::RoceNicDevice::CongestionControl",
                                   ScenarioOptions::FindCongestionControl(control).GetName());
        std::vector<double> ends(2);
        {
            Cluster cluster(
                LoadTopology("dumbbell:hosts=4,nicRate=100Gbps,delay=1us,linkRate=" + middle));
            const auto engine = CollectiveHelper().Install(cluster.GetTransport());
            for (uint32_t job = 0; job < (both ? 2 : 1); job++)
            {
                CollectiveCall call;
                call.group =
                    engine->AddGroup(CollectiveHelper::MakeGroup(cluster.GetTopology(),
                                                                 "job " + std::to_string(job),
                                                                 "DP",
                                                                 {job, job + 2}));
                call.kind = CollectiveKind::ALL_REDUCE;
                call.bytes = 100000000;
                for (const uint32_t rank : {job, job + 2})
                {
                    Simulator::ScheduleWithContext(rank, job ? startOfB : Time(0), [=, &ends] {
                        engine->Join(rank, call, [job, &ends] {
                            ends[job] = Simulator::Now().GetPicoSeconds() / 1e9;
                        });
                    });
                }
            }
            Simulator::Run();
            engine->Dispose();
        }
        Simulator::Destroy();
        return ends;
    };
    const double alone = 8.0; // ms
    const double most = 1.1;  // headers and acknowledgements
    const std::vector<double> a = run("100Gbps", false, Time(0));
    EXPECT_GE(a[0], alone);
    EXPECT_LE(a[0], alone * most);
    const std::vector<double> d = run("200Gbps", true, Time(0));
    EXPECT_NEAR(d[0] / a[0], 1, 0.02);
    EXPECT_NEAR(d[1] / a[0], 1, 0.02);
    if (GetParam() == std::string("analytic"))
    {
        return; // no contention inside the fabric
    }
    // Those that find the fair rate within the 16 ms. DCQCN does not; see test
    // RoceCongestion.H24DcqcnLeavesPartOfALinkUnusedForAsLongAsAlphaDecays.
    const bool packets = GetParam() == std::string("packet");
    for (const char* each : {"No", "Dctcp", "Swift", "PowerTcp"})
    {
        control = each;
        const std::vector<double> b = run("100Gbps", true, Time(0));
        const std::vector<double> c = run("100Gbps", true, MilliSeconds(4));
        for (const double end : {b[0], b[1], c[1]})
        {
            EXPECT_GE(end, 16.0 * 0.9) << control;
            EXPECT_LE(end, 16.0 * most) << control;
        }
        EXPECT_GE(c[0], 12.0 * 0.9) << control;
        EXPECT_LE(c[0], 12.0 * most) << control;
        if (!packets)
        {
            break; // there is no congestion control
        }
    }
}

} // namespace ns3
