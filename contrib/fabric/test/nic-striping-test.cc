/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/nic-striping.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

/**
 * \file
 * GPUs with several NICs: their routes, and which NICs a channel uses.
 */

using namespace ns3;

namespace
{

/** A GPU, and the switch that each of its ports leads to. */
struct Wiring
{
    std::vector<uint32_t> switches; //!< by port
    uint32_t nics;                  //!< NICs that these ports are of
};

/**
 * \param gpus GPUs
 * \param switches number of switches
 * \param joined pairs of switches with a link between them
 * \return the topology
 */
Topology
MakeTopology(const std::vector<Wiring>& gpus,
             uint32_t switches,
             const std::vector<std::pair<uint32_t, uint32_t>>& joined = {})
{
    Topology topology;
    topology.nodes.resize(gpus.size() + switches);
    const auto first = static_cast<uint32_t>(gpus.size());
    for (uint32_t node = first; node < topology.nodes.size(); node++)
    {
        topology.nodes[node].kind = TopologyNodeKind::SWITCH;
    }
    const auto add = [&](uint32_t a, uint32_t b) {
        TopologyLink link;
        link.a = a;
        link.b = b;
        link.rate = DataRate("100Gbps");
        topology.links.push_back(link);
    };
    for (uint32_t gpu = 0; gpu < gpus.size(); gpu++)
    {
        topology.nodes[gpu].nics = gpus[gpu].nics;
        for (const uint32_t hub : gpus[gpu].switches)
        {
            add(gpu, first + hub);
        }
    }
    for (const auto& [a, b] : joined)
    {
        add(first + a, first + b);
    }
    topology.SetHostServers();
    return topology;
}

/** \param span ports \return them as a vector */
std::vector<uint32_t>
List(PortSpan span)
{
    return {span.begin(), span.end()};
}

/**
 * \param topology GPUs with several NICs
 * \param [out] nodes node of the result, by end point of a RouteTable
 * \return the same with a GPU for each NIC; links keep their numbers
 */
Topology
TakeApart(const Topology& topology, std::map<uint32_t, uint32_t>& nodes)
{
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    const uint32_t gpus = topology.GetGpuCount();
    Topology apart;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> ofNic;
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        for (uint32_t nic = 0; nic < routes.GetNicCount(gpu); nic++)
        {
            nodes[routes.GetNic(gpu, nic)] = ofNic[{gpu, nic}] = apart.nodes.size();
            apart.nodes.emplace_back();
        }
    }
    for (uint32_t node = gpus; node < topology.nodes.size(); node++)
    {
        nodes[node] = apart.nodes.size();
        apart.nodes.push_back(topology.nodes[node]);
    }
    std::map<uint32_t, uint32_t> ports;
    for (TopologyLink link : topology.links)
    {
        for (uint32_t* end : {&link.a, &link.b})
        {
            if (link.kind != TopologyLinkKind::ETHERNET)
            {
                continue; // of another fabric
            }
            *end = *end < gpus ? ofNic[{*end, ports[*end]++ % routes.GetNicCount(*end)}]
                               : nodes[*end];
        }
        apart.links.push_back(link);
    }
    return apart;
}

/** \param routes a table \param node a node or end point \param dst where to \return the links */
std::set<uint32_t>
GetLinks(const RouteTable& routes, uint32_t node, uint32_t dst)
{
    std::set<uint32_t> links;
    for (const uint16_t port : routes.NextPorts(node, dst))
    {
        links.insert(routes.GetLink(routes.GetPlace(node), port));
    }
    return links;
}

/**
 * \param topology routes to and from its NICs must be those of GPUs with one NIC each
 * \param down by link: whether it is down; empty if none is
 */
void
ExpectRoutesOfSingleNics(const Topology& topology, const std::vector<bool>& down = {})
{
    std::map<uint32_t, uint32_t> nodes;
    const Topology apart = TakeApart(topology, nodes);
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET, down);
    const RouteTable expected(apart, TopologyLinkKind::ETHERNET, down);
    for (const auto& [from, single] : nodes)
    {
        for (const auto& [to, singleTo] : nodes)
        {
            const bool isGpu = apart.nodes[singleTo].kind == TopologyNodeKind::GPU;
            const bool isOwn = routes.GetPlace(from) == routes.GetPlace(to);
            if (isGpu && !isOwn)
            {
                ASSERT_EQ(routes.GetHopCount(from, to), expected.GetHopCount(single, singleTo))
                    << from << " to " << to;
                ASSERT_EQ(GetLinks(routes, from, to), GetLinks(expected, single, singleTo))
                    << from << " to " << to;
            }
        }
    }
}

/**
 * \param routes a table
 * \param src a rank
 * \param dst another one
 * \param channel a channel
 * \return numbers of the NICs that it uses, 99 for all of a rank with several
 */
std::pair<uint32_t, uint32_t>
GetNumbers(const RouteTable& routes, uint32_t src, uint32_t dst, uint32_t channel)
{
    const auto find = [&](uint32_t gpu, uint32_t end) {
        for (uint32_t nic = 0; nic < routes.GetNicCount(gpu); nic++)
        {
            if (routes.GetNic(gpu, nic) == end)
            {
                return nic;
            }
        }
        return 99U;
    };
    const NicPair pair = StripeNics(routes, src, dst, channel);
    const NicPair back = StripeNics(routes, dst, src, channel);
    EXPECT_EQ(back, (NicPair{pair.dst, pair.src})); // one connection carries both directions
    return {find(src, pair.src), find(dst, pair.dst)};
}

/** NICs of both ranks, channel by channel. */
using Choices = std::vector<std::pair<uint32_t, uint32_t>>;

/**
 * \param topology a cluster
 * \param src a rank
 * \param dst another one
 * \param channels how many channels
 * \return what they use
 */
Choices
Stripe(const Topology& topology, uint32_t src, uint32_t dst, uint32_t channels)
{
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    Choices choices;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        choices.push_back(GetNumbers(routes, src, dst, channel));
    }
    return choices;
}

} // namespace

TEST(FabricNicStriping, EveryNicHasItsOwnPorts)
{
    const RouteTable routes(LoadTopology("star:gpus=3,nicsPerGpu=2"), TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetNicCount(1), 2U);
    EXPECT_EQ(List(routes.NextPorts(routes.GetNic(0, 1), 2)), std::vector<uint32_t>{1});
    EXPECT_EQ(List(routes.NextPorts(0, routes.GetNic(2, 1))), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(List(routes.NextPorts(3, routes.GetNic(2, 1))), std::vector<uint32_t>{5});
    EXPECT_EQ(List(routes.NextPorts(3, 2)), (std::vector<uint32_t>{4, 5})); // any of them
    EXPECT_EQ(routes.GetPlace(routes.GetNic(2, 1)), 2U);
    // Two ports of each NIC: parallel links of the NICs come first, then the next port.
    const RouteTable dual(LoadTopology("star:gpus=2,nicsPerGpu=3,portsPerNic=2"),
                          TopologyLinkKind::ETHERNET);
    EXPECT_EQ(List(dual.NextPorts(dual.GetNic(0, 2), 1)), (std::vector<uint32_t>{2, 5}));
}

TEST(FabricNicStriping, AGpuWithOneNicIsItsNic)
{
    const RouteTable routes(LoadTopology("star:gpus=2,portsPerNic=2"), TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetNicCount(1), 1U);
    EXPECT_EQ(routes.GetNic(1, 0), 1U);
    EXPECT_EQ(StripeNics(routes, 0, 1, 5), (NicPair{0, 1}));
    const RouteTable nvlink(LoadTopology("rail-optimized:gpus=16,nicsPerGpu=2"),
                            TopologyLinkKind::NVLINK);
    EXPECT_EQ(nvlink.GetNicCount(1), 1U);
}

TEST(FabricNicStriping, RoutesAreThoseOfSingleNics)
{
    for (const char* spec : {"star:gpus=4,nicsPerGpu=3",
                             "leaf-spine:gpus=16,leaves=4,spines=3,nicsPerGpu=2",
                             "leaf-spine:gpus=16,leaves=4,spines=2,nicsPerGpu=2,portsPerNic=2",
                             "rail-optimized:gpus=32,serversPerSegment=2,nicsPerGpu=2"})
    {
        SCOPED_TRACE(spec);
        ExpectRoutesOfSingleNics(LoadTopology(spec));
    }
    std::mt19937 random(1); // same wiring on every run
    for (uint32_t round = 0; round < 300; round++)
    {
        SCOPED_TRACE(round);
        std::vector<Wiring> gpus(2 + random() % 4);
        for (Wiring& gpu : gpus)
        {
            gpu.nics = 1 + random() % 4;
            for (uint32_t port = random() % 7; port > 0; port--)
            {
                gpu.switches.push_back(random() % 4);
            }
        }
        Topology topology = MakeTopology(gpus, 4, {{0, 1}, {1, 2}});
        for (uint32_t direct = random() % 4; direct > 0; direct--) // NIC to NIC
        {
            TopologyLink link = {};
            link.a = random() % gpus.size();
            link.b = (link.a + 1 + random() % (gpus.size() - 1)) % gpus.size();
            link.rate = DataRate("100Gbps");
            topology.links.push_back(link);
        }
        ExpectRoutesOfSingleNics(topology);
        std::vector<bool> down;
        for (std::size_t link = 0; link < topology.links.size(); link++)
        {
            down.push_back(random() % 4 == 0);
        }
        ExpectRoutesOfSingleNics(topology, down);
    }
}

TEST(FabricNicStriping, AGpuWithoutNicsIsRefused)
{
    Topology topology = LoadTopology("star:gpus=2,nicsPerGpu=2");
    topology.nodes[1].nics = 0;
    try
    {
        const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
        FAIL() << "not refused";
    }
    catch (const ConfigError& error)
    {
        const std::string line = error.what();
        EXPECT_NE(line.find("node 1: read '0 NICs', expected at least one"), std::string::npos)
            << line;
    }
    EXPECT_NO_THROW(RouteTable(topology, TopologyLinkKind::NVLINK)) << "a fabric without NICs";
}

TEST(FabricNicStriping, GpusThatShareNicsHaveEachTheirOwnEndPoints)
{
    const Topology topology =
        LoadTopology("rail-optimized:gpus=16,gpusPerNic=2,nicsPerGpu=2,server=dgx-h100");
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetNicCount(1), 2U);
    EXPECT_NE(routes.GetNic(1, 0), routes.GetNic(0, 0));
    EXPECT_EQ(routes.GetPlace(routes.GetNic(1, 1)), 0U);
    EXPECT_EQ(List(routes.NextPorts(routes.GetNic(1, 1), 8)), std::vector<uint32_t>{1});
    // By way of the switch, to the very NIC that it is sent by.
    EXPECT_EQ(List(routes.NextPorts(routes.GetNic(1, 1), routes.GetNic(0, 1))),
              std::vector<uint32_t>{1});
    EXPECT_EQ(Stripe(topology, 1, 9, 3), (Choices{{0, 0}, {1, 1}, {0, 0}}));
}

TEST(FabricNicStriping, ChannelsAreDealtOutAndStayOnTheirRail)
{
    EXPECT_EQ(Stripe(LoadTopology("star:gpus=2,nicsPerGpu=4"), 1, 0, 6),
              (Choices{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 0}, {1, 1}}));
    // Rail to rail only: no link joins the two switches.
    const Topology rails = MakeTopology({{{0, 1}, 2}, {{0, 1}, 2}}, 2);
    EXPECT_EQ(Stripe(rails, 0, 1, 3), (Choices{{0, 0}, {1, 1}, {0, 0}}));
}

TEST(FabricNicStriping, WhereARailDoesNotReachAnotherIsTaken)
{
    // NIC 0 is where the other rank has NIC 1.
    const Topology crossed = MakeTopology({{{0, 1}, 2}, {{1, 0}, 2}}, 2);
    EXPECT_EQ(Stripe(crossed, 0, 1, 3), (Choices{{0, 1}, {1, 0}, {0, 1}}));
    // NICs 1 and 2 lead nowhere: they get no channel, and the others equally many.
    const Topology dead = MakeTopology({{{0, 1, 2, 3}, 4}, {{0, 3}, 2}}, 4);
    EXPECT_EQ(Stripe(dead, 0, 1, 4), (Choices{{0, 0}, {3, 1}, {0, 0}, {3, 1}}));
    // No path at all: the ranks themselves, and whoever sends says so.
    const RouteTable none(MakeTopology({{{0}, 1}, {{1, 1}, 2}}, 2), TopologyLinkKind::ETHERNET);
    EXPECT_EQ(StripeNics(none, 0, 1, 0), (NicPair{0, 1}));
}

TEST(FabricNicStriping, TheRankWithMoreNicsLeads)
{
    const Topology four = MakeTopology({{{0, 0, 0, 0}, 4}, {{0, 0}, 2}, {{0, 0, 0}, 3}}, 1);
    EXPECT_EQ(Stripe(four, 0, 1, 4), (Choices{{0, 0}, {1, 1}, {2, 0}, {3, 1}}));
    EXPECT_EQ(Stripe(four, 1, 0, 4), (Choices{{0, 0}, {1, 1}, {0, 2}, {1, 3}}));
    EXPECT_EQ(Stripe(four, 1, 2, 6), (Choices{{0, 0}, {1, 1}, {0, 2}, {0, 0}, {1, 1}, {1, 2}}));
    const Topology one = MakeTopology({{{0, 1}, 2}, {{0}, 1}}, 2, {{0, 1}});
    EXPECT_EQ(Stripe(one, 0, 1, 3), (Choices{{0, 0}, {1, 0}, {0, 0}}));
}

TEST(FabricNicStriping, PortsCanBeMergedAndSplit)
{
    Topology topology = LoadTopology("star:gpus=2,portsPerNic=2");
    topology.SplitNics();
    EXPECT_EQ(topology.nodes[0].nics, 2U);
    EXPECT_EQ(topology.nodes[2].nics, 1U); // a switch
    EXPECT_EQ(Stripe(topology, 0, 1, 2), (Choices{{0, 0}, {1, 1}}));
    topology.MergeNics();
    EXPECT_EQ(topology.nodes[0].nics, 1U);
}
