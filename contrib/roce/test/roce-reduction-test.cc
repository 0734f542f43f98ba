/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/roce-reducer.h"
#include "ns3/roce-reduction-transport.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 1000;
constexpr uint64_t FRAME =
    RoceWire::FrameBytes(RoceOpcode::SEND_ONLY_WITH_IMMEDIATE, MTU); //!< of a full fragment

/** \brief What a network that adds up is like. */
struct ReductionOptions
{
    std::string engine{"fabric"};     //!< event engine
    uint64_t windowBytes{1 << 20};    //!< of a rank on a channel
    uint64_t tableBytes{64 << 20};    //!< of a switch
    uint32_t ackTimeoutExponent{14};  //!< 4.096 us * 2^n
    bool reduces{true};               //!< switches add up
    bool pfc{true};                   //!< classes are lossless
    bool cutThrough{false};           //!< switches forward a frame whose head is there
};

/** \brief A cluster whose switches add up, with every message followed. */
class ReductionNetwork : private MessageEndpoint
{
  public:
    /** A message and what became of it. */
    struct Sum
    {
        Time received{TimeStep(-1)}; //!< when its sum arrived, negative before
        uint32_t sent{0};            //!< times that its sender was told
    };

    /** \param topology the cluster \param options what it is like */
    explicit ReductionNetwork(const Topology& topology, const ReductionOptions& options = {})
        : network(topology, MakeOptions(options)),
          transport(CreateObject<RoceReductionTransport>())
    {
        transport->SetAttribute("WindowBytes", UintegerValue(options.windowBytes));
        transport->SetDevices(network.fabric.nics,
                              network.fabric.switches,
                              network.fabric.routes);
        for (uint32_t rank = 0; rank < transport->GetRankCount(); rank++)
        {
            transport->SetEndpoint(rank, this);
        }
    }

    ~ReductionNetwork() override
    {
        transport->Dispose();
    }

    /**
     * \param team number of a team
     * \param rank one of it
     * \param bytes payload
     * \param channel its channel
     */
    void Send(uint32_t team, uint32_t rank, uint64_t bytes, uint32_t channel = 0)
    {
        Message message;
        message.kind = MessageKind::ALL_REDUCE;
        message.src = message.dst = rank;
        message.team = team;
        message.bytes = bytes;
        message.channel = channel;
        message.tag = m_tags[{team, rank, channel}]++ << 32 | channel;
        expected[{rank, team, message.tag}];
        transport->Send(message);
        bytesSent += bytes;
    }

    /** \param ranks of a team, all of which send \param bytes payload \param channel its channel */
    uint32_t SendAll(const std::vector<uint32_t>& ranks, uint64_t bytes, uint32_t channel = 0)
    {
        const uint32_t team = transport->AddTeam(ranks);
        for (const uint32_t rank : ranks)
        {
            Send(team, rank, bytes, channel);
        }
        return team;
    }

    /** Runs until all is done, and checks that every sum arrived, once, and nothing is left. */
    void Run()
    {
        Simulator::Run();
        for (const auto& [key, sum] : expected)
        {
            EXPECT_FALSE(sum.received.IsStrictlyNegative()) << "rank " << std::get<0>(key);
            EXPECT_EQ(sum.sent, 1U);
        }
        EXPECT_TRUE(transport->DescribePending().empty());
        EXPECT_EQ(network.Counters().payloadBytesDelivered, bytesSent);
        CheckReducers();
        network.CheckNothingIsLeft();
        network.CheckLinkRates();
    }

    /** Checks that switches hold nothing and have kept to their tables. */
    void CheckReducers()
    {
        for (const auto& device : network.fabric.switches)
        {
            if (device && device->GetReducer())
            {
                EXPECT_EQ(device->GetReducer()->GetHeldBytes(), 0U);
                EXPECT_EQ(device->GetReducer()->GetReservedBytes(), 0U);
                EXPECT_LE(device->GetReducer()->GetMaxHeldBytes(),
                          device->GetReducer()->GetTableBytes());
            }
        }
    }

    /** \return when the last sum arrived */
    Time GetLast() const
    {
        Time last;
        for (const auto& [key, sum] : expected)
        {
            last = Max(last, sum.received);
        }
        return last;
    }

    /** \param port a port \return data frames that it sent */
    static uint64_t GetFragments(const FabricPort& port)
    {
        return port.GetCounters().packets[static_cast<size_t>(FrameClass::DATA)];
    }

    RoceTestNetwork network;                //!< devices
    Ptr<RoceReductionTransport> transport;  //!< under test
    uint64_t bytesSent{0};                  //!< payload
    /** By rank, team and tag. */
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, Sum> expected;

  private:
    /** \param options what it is to be like \return options of the network */
    static RoceTestOptions MakeOptions(const ReductionOptions& options)
    {
        RoceTestOptions network;
        network.engine = options.engine;
        network.fingerprint = true;
        network.configure = [options](RoceHelper& helper) {
            helper.SetSwitchAttribute("InNetworkReduction", BooleanValue(options.reduces));
            helper.SetSwitchAttribute("ReductionTableBytes", UintegerValue(options.tableBytes));
            helper.SetSwitchAttribute("Pfc", BooleanValue(options.pfc));
            helper.SetSwitchAttribute("CutThrough", BooleanValue(options.cutThrough));
            helper.SetNicAttribute("AckTimeoutExponent",
                                   UintegerValue(options.ackTimeoutExponent));
        };
        return network;
    }

    void MessageReceived(const Message& message) override
    {
        EXPECT_EQ(message.kind, MessageKind::ALL_REDUCE);
        EXPECT_EQ(message.src, message.dst);
        Sum& sum = expected.at({message.dst, message.team, message.tag});
        EXPECT_TRUE(sum.received.IsStrictlyNegative()) << "arrived twice";
        sum.received = Simulator::Now();
    }

    void MessageSent(const Message& message) override
    {
        expected.at({message.src, message.team, message.tag}).sent++;
    }

    /** By team, rank and channel: messages so far. */
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> m_tags;
};

/** \param count how many \return the ranks below that */
std::vector<uint32_t>
Ranks(uint32_t count)
{
    std::vector<uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/** \param topology a cluster \return the same, every link of which loses frames */
Topology
WithLosses(Topology topology)
{
    for (TopologyLink& link : topology.links)
    {
        link.lossRate = 0.02;
    }
    return topology;
}

/**
 * \param pods pods of two leaves, with two hosts each, and two middle switches
 * \return three tiers, with two cores that each middle switch is joined to; hosts first
 */
Topology
ThreeTierTopology(uint32_t pods)
{
    Topology topology;
    const uint32_t leaf = 4 * pods;
    const uint32_t middle = leaf + 2 * pods;
    const uint32_t core = middle + 2 * pods;
    topology.nodes.resize(core + 2);
    for (uint32_t i = leaf; i < topology.nodes.size(); i++)
    {
        topology.nodes[i].kind = TopologyNodeKind::SWITCH;
    }
    const auto link = [&](uint32_t a, uint32_t b) {
        topology.links.emplace_back();
        topology.links.back().a = a;
        topology.links.back().b = b;
        topology.links.back().rate = DataRate("100Gbps");
        topology.links.back().delay = MicroSeconds(1);
    };
    for (uint32_t host = 0; host < leaf; host++)
    {
        link(host, leaf + host / 2);
    }
    for (uint32_t i = 0; i < 4 * pods; i++)
    {
        link(leaf + i / 2, middle + i / 4 * 2 + i % 2);
        link(middle + i / 2, core + i % 2);
    }
    return topology;
}

} // namespace

TEST(RoceReduction, OneFragmentTakesTwoHopsOnAStar)
{
    const Time serialisation = PicoSeconds(80 * FRAME);
    for (const bool cutThrough : {false, true}) // what is added up is there as a whole
    {
        ReductionOptions options;
        options.cutThrough = cutThrough;
        ReductionNetwork test(StarTopology(4, "100Gbps", MicroSeconds(1)), options);
        test.SendAll(Ranks(4), MTU);
        test.Run();
        for (const auto& [key, sum] : test.expected)
        {
            EXPECT_EQ(sum.received, 2 * (serialisation + MicroSeconds(1))) << cutThrough;
        }
    }
}

TEST(RoceReduction, WaitsForTheLastRankAndNoLonger)
{
    ReductionNetwork test(StarTopology(4, "100Gbps", MicroSeconds(1)));
    const uint32_t team = test.transport->AddTeam(Ranks(4));
    for (uint32_t rank = 0; rank < 3; rank++)
    {
        test.Send(team, rank, 1);
    }
    EngineUnderTest::At(MicroSeconds(100).GetTimeStep(), [&] {
        for (const auto& [key, sum] : test.expected)
        {
            EXPECT_TRUE(sum.received.IsStrictlyNegative()) << "a sum without rank 3";
        }
        test.Send(team, 3, 1);
    });
    test.Run();
    const uint64_t small = RoceWire::FrameBytes(RoceOpcode::SEND_ONLY_WITH_IMMEDIATE, 1);
    EXPECT_EQ(test.GetLast(), MicroSeconds(102) + PicoSeconds(2 * 80 * small));
}

TEST(RoceReduction, EveryLinkOfTheTreeCarriesTheMessageOnceEachWay)
{
    ReductionNetwork test(LeafPairTopology(3, 2, "100Gbps", MicroSeconds(1)));
    const uint64_t fragments = 500;
    const uint32_t team = test.SendAll(Ranks(6), fragments * MTU);
    test.Run();
    for (uint32_t rank = 0; rank < 6; rank++)
    {
        const FabricPort& port = test.network.fabric.nics[rank]->GetPort(0);
        EXPECT_EQ(test.GetFragments(port), fragments);
        EXPECT_EQ(test.GetFragments(*port.GetPeer()), fragments);
        EXPECT_EQ(test.transport->GetArrivedBytes(team, 0, rank), fragments * MTU);
    }
    // Rank 0 is the lowest: the first spine is the root. Leaves are nodes 6 and 7.
    for (const uint32_t leaf : {6, 7})
    {
        const RoceSwitchDevice& device = *test.network.fabric.switches[leaf];
        EXPECT_EQ(test.GetFragments(device.GetPort(3)), fragments);
        EXPECT_EQ(test.GetFragments(*device.GetPort(3).GetPeer()), fragments);
        EXPECT_EQ(test.GetFragments(device.GetPort(4)), 0U);
        EXPECT_EQ(test.GetFragments(*device.GetPort(4).GetPeer()), 0U);
    }
    EXPECT_EQ(test.network.Counters().drops, 0U);
    EXPECT_EQ(test.network.Counters().retransmittedPackets, 0U);
    EXPECT_EQ(test.network.Counters().timeouts, 0U);
}

TEST(RoceReduction, RunsAtTheRateOfTheLinks)
{
    const uint64_t fragments = 4000;
    ReductionNetwork test(LeafPairTopology(4, 1, "100Gbps", MicroSeconds(1)));
    test.SendAll(Ranks(8), fragments * MTU);
    test.Run();
    // The fragments one after another on the first link, the last one over three more. The end of
    // the message is acknowledged on the way, nothing else goes besides.
    const Time least = PicoSeconds(80 * FRAME * (fragments + 3)) + MicroSeconds(4);
    EXPECT_GE(test.GetLast(), least);
    EXPECT_LE(test.GetLast(), least + NanoSeconds(100));
    const double busBandwidth = 2.0 * 7 / 8 * fragments * MTU * 8 / test.GetLast().GetSeconds();
    EXPECT_GT(busBandwidth, 100e9); // what no algorithm between hosts can have
}

TEST(RoceReduction, AWindowBoundsWhatIsUnderWay)
{
    ReductionOptions options;
    options.windowBytes = 10 * MTU;
    ReductionNetwork test(StarTopology(4, "100Gbps", MicroSeconds(5)), options);
    test.SendAll(Ranks(4), 1000 * MTU);
    test.Run();
    const Time roundTrip = 2 * (PicoSeconds(80 * FRAME) + MicroSeconds(5));
    const Time expected = 100 * roundTrip; // ten fragments of a thousand in each
    EXPECT_GE(test.GetLast(), expected - roundTrip);
    EXPECT_LE(test.GetLast(), expected + roundTrip);
    const RoceReducer& reducer = *test.network.fabric.switches[4]->GetReducer();
    EXPECT_GE(reducer.GetMaxHeldBytes(), 10 * MTU);
    EXPECT_LE(reducer.GetMaxHeldBytes(), 20 * MTU);
}

TEST(RoceReduction, AFullTableMakesStreamsWaitForEachOther)
{
    const auto run = [](uint64_t tableBytes) {
        ReductionOptions options;
        options.windowBytes = 10 * MTU;
        options.tableBytes = tableBytes;
        ReductionNetwork test(StarTopology(4, "100Gbps", MicroSeconds(5)), options);
        for (const uint32_t channel : {0, 1, 2})
        {
            test.SendAll(Ranks(4), 100 * MTU, channel);
        }
        test.Run();
        EXPECT_LE(test.network.fabric.switches[4]->GetReducer()->GetMaxHeldBytes(), tableBytes);
        return test.GetLast();
    };
    const Time roomy = run(60 * MTU);
    const Time tight = run(20 * MTU);
    EXPECT_LE(run(59 * MTU), tight);
    EXPECT_GE(tight, 2.5 * roomy.GetSeconds() * Seconds(1));
    EXPECT_LE(tight, 3.5 * roomy.GetSeconds() * Seconds(1));
}

TEST(RoceReduction, LateRanksOnOneSideDoNotOverflowTheTable)
{
    ReductionOptions options;
    options.windowBytes = 16 * MTU;
    options.tableBytes = 32 * MTU;
    ReductionNetwork test(ThreeTierTopology(2), options);
    const std::vector<uint32_t> ranks = Ranks(8);
    const uint32_t team = test.transport->AddTeam(ranks);
    for (const uint32_t rank : ranks)
    {
        EngineUnderTest::At(MicroSeconds(rank * rank).GetTimeStep(),
                            [&test, team, rank] { test.Send(team, rank, 400 * MTU); });
    }
    test.Run();
}

TEST(RoceReduction, ThreeTiersAddUpInEverySwitchOfTheTree)
{
    ReductionNetwork test(ThreeTierTopology(3));
    const uint32_t team = test.SendAll(Ranks(12), 50 * MTU);
    const ReductionTree& tree = test.transport->GetTree(team);
    EXPECT_EQ(tree.GetNodes().size(), 6U + 3 + 1); // leaves, a middle switch of each pod, a core
    EXPECT_EQ(tree.GetDepth(), 3U);
    EXPECT_EQ(tree.GetNodes()[0].childPorts.size(), 3U);
    test.Run();
    for (const ReductionTree::Node& node : tree.GetNodes())
    {
        for (const uint32_t port : node.childPorts)
        {
            const auto& device = test.network.fabric.switches[node.node];
            EXPECT_EQ(test.GetFragments(device->GetPort(port)), 50U);
            EXPECT_EQ(test.GetFragments(*device->GetPort(port).GetPeer()), 50U);
        }
    }
}

TEST(RoceReduction, ATreeIsNoHigherThanItMustBe)
{
    ReductionNetwork test(ThreeTierTopology(2));
    const auto depth = [&](const std::vector<uint32_t>& ranks) {
        return test.transport->GetTree(test.transport->AddTeam(ranks)).GetDepth();
    };
    EXPECT_EQ(depth({0, 1}), 1U);
    EXPECT_EQ(depth({0, 2}), 2U);
    EXPECT_EQ(depth({0, 4}), 3U);
}

TEST(RoceReduction, TeamsOfRailsUseDifferentSpines)
{
    ReductionNetwork test(LeafPairTopology(2, 2, "100Gbps", MicroSeconds(1)));
    const uint32_t first = test.SendAll({0, 2}, 1000 * MTU);
    const uint32_t second = test.SendAll({1, 3}, 1000 * MTU);
    EXPECT_NE(first, second);
    EXPECT_NE(test.transport->GetTree(first).GetNodes()[0].node,
              test.transport->GetTree(second).GetNodes()[0].node);
    test.Run();
    const Time alone = PicoSeconds(80 * FRAME * 1003) + MicroSeconds(4);
    EXPECT_LE(test.GetLast(), alone + NanoSeconds(100)); // neither waits for the other
}

TEST(RoceReduction, LossesAreRepairedOnEveryHop)
{
    for (const uint64_t bytes : {1, 999, 1000, 400 * 1000 + 1})
    {
        ReductionOptions options;
        options.ackTimeoutExponent = 4;
        options.windowBytes = 50 * MTU;
        ReductionNetwork test(WithLosses(ThreeTierTopology(2)), options);
        for (uint32_t i = 0; i < 20; i++)
        {
            test.SendAll(Ranks(8), bytes);
        }
        test.Run();
        EXPECT_GT(test.network.Counters().linkLosses, 0U);
        EXPECT_GT(test.network.Counters().retransmittedPackets, 0U);
        EXPECT_TRUE(test.transport->GetFailures().empty());
        if (bytes > 100 * MTU) // gaps are seen at once
        {
            EXPECT_GT(test.network.Counters().naks, 2 * test.network.Counters().timeouts);
        }
    }
}

TEST(RoceReduction, ARankThatIsLateIsAskedForOnce)
{
    ReductionOptions options;
    options.ackTimeoutExponent = 4;
    ReductionNetwork test(LeafPairTopology(2, 1, "100Gbps", MicroSeconds(1)), options);
    const uint32_t team = test.transport->AddTeam(Ranks(4));
    for (uint32_t rank = 0; rank < 3; rank++)
    {
        test.Send(team, rank, 100 * MTU);
    }
    EngineUnderTest::At(Seconds(1).GetTimeStep(), [&] { test.Send(team, 3, 100 * MTU); });
    test.Run();
    // Three hosts and the leaf of two of them find out once that their neighbour waits.
    EXPECT_EQ(test.network.Counters().timeouts, 4U);
    EXPECT_TRUE(test.transport->GetFailures().empty());
}

TEST(RoceReduction, ARankThatNeverComesIsNamed)
{
    ReductionNetwork test(LeafPairTopology(2, 1, "100Gbps", MicroSeconds(1)));
    const uint32_t team = test.transport->AddTeam(Ranks(4));
    for (const uint32_t rank : {0, 1, 3})
    {
        test.Send(team, rank, 100 * MTU);
    }
    Simulator::Run(); // it ends
    const std::vector<std::string> lines = test.transport->DescribePending();
    ASSERT_EQ(lines.size(), 3U);
    for (const std::string& line : lines)
    {
        EXPECT_NE(line.find("; rank 2 has sent nothing for it"), std::string::npos) << line;
    }
    EXPECT_NE(lines[0].find("rank 0 adds 100000 bytes"), std::string::npos) << lines[0];
}

TEST(RoceReduction, ADeadLinkEndsTheRunAndIsNamed)
{
    ReductionNetwork test(LeafPairTopology(2, 1, "100Gbps", MicroSeconds(1)));
    test.SendAll(Ranks(4), 1000 * MTU);
    FabricPort& port = test.network.fabric.switches[4]->GetPort(2); // first leaf to the spine
    EngineUnderTest::At(MicroSeconds(20).GetTimeStep(), [&] {
        port.SetUp(false, EngineUnderTest::Now());
        port.GetPeer()->SetUp(false, EngineUnderTest::Now());
    });
    Simulator::Run(); // it ends
    ASSERT_FALSE(test.transport->GetFailures().empty());
    const std::string& line = test.transport->GetFailures()[0];
    EXPECT_NE(line.find("in-network reduction of the team of rank 0, channel 0: no answer from "),
              std::string::npos)
        << line;
    EXPECT_NE(line.find("switch0 port 2 to switch2 "), std::string::npos) << line;
}

TEST(RoceReduction, EnginesAgreeBitForBit)
{
    const auto run = [](const std::string& engine) {
        ReductionOptions options;
        options.engine = engine;
        options.ackTimeoutExponent = 4;
        ReductionNetwork test(WithLosses(LeafPairTopology(4, 2, "100Gbps", MicroSeconds(1))),
                              options);
        test.SendAll(Ranks(8), 300 * MTU);
        test.SendAll({1, 3, 5, 7}, 300 * MTU, 3);
        test.Run();
        return std::make_pair(test.network.context->GetFingerprint(), test.GetLast());
    };
    const auto first = run("fabric");
    EXPECT_EQ(run("default"), first);
    EXPECT_EQ(run("fabric"), first);
}

TEST(RoceReduction, SharesLinksWithOtherTraffic)
{
    ReductionNetwork test(LeafPairTopology(3, 1, "100Gbps", MicroSeconds(1)));
    test.SendAll(Ranks(6), 2000 * MTU);
    uint64_t others = 0;
    for (const auto& [src, dst] : {std::pair(1, 3), std::pair(2, 3), std::pair(5, 0)})
    {
        test.network.Send(src, dst, 2000 * MTU); // two into one: PFC
        others += 2000 * MTU;
    }
    Simulator::Run();
    EXPECT_TRUE(test.transport->DescribePending().empty());
    EXPECT_TRUE(test.network.transport->DescribePending().empty());
    EXPECT_EQ(test.network.Counters().payloadBytesDelivered, others + test.bytesSent);
    EXPECT_EQ(test.network.Counters().drops, 0U);
    test.CheckReducers();
    test.network.CheckNothingIsLeft();
    test.network.CheckLinkRates();
}

TEST(RoceReduction, WhatCannotBeDoneIsNotOffered)
{
    const auto can = [](const Topology& topology,
                        const std::vector<uint32_t>& ranks,
                        const ReductionOptions& options = {}) {
        return ReductionNetwork(topology, options).transport->CanAllReduce(ranks);
    };
    const Topology pair = LeafPairTopology(2, 1, "100Gbps", MicroSeconds(1));
    EXPECT_TRUE(can(pair, {0, 1, 2, 3}));
    EXPECT_TRUE(can(pair, {0, 3}));
    EXPECT_FALSE(can(pair, {}));
    EXPECT_FALSE(can(pair, {0}));
    EXPECT_FALSE(can(pair, {0, 4})); // there is no rank 4
    ReductionOptions options;
    options.reduces = false;
    EXPECT_FALSE(can(pair, {0, 3}, options));
    options.reduces = true;
    options.windowBytes = 10 * MTU;
    options.tableBytes = 20 * MTU - 1;
    EXPECT_FALSE(can(pair, {0, 3}, options));
    options.tableBytes++;
    EXPECT_TRUE(can(pair, {0, 3}, options));
    Topology shared = pair;
    shared.nodes[1].nicOf = 0;
    shared.links.erase(shared.links.begin() + 1);
    EXPECT_FALSE(can(shared, {0, 1, 2}));
    EXPECT_TRUE(can(shared, {1, 2, 3}));
    Topology wide = pair;
    wide.links.push_back(wide.links[0]);
    EXPECT_FALSE(can(wide, {0, 3}));
    Topology apart = pair;
    apart.links.pop_back();
    EXPECT_FALSE(can(apart, {0, 3}));
    EXPECT_TRUE(can(apart, {0, 1}));
}
