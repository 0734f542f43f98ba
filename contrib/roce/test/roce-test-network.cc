/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "picosecond-environment.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3
{

Topology
LeafPairTopology(uint32_t hostsPerLeaf, uint32_t spines, const std::string& rate, Time delay)
{
    const uint32_t leaf = 2 * hostsPerLeaf;
    Topology topology;
    topology.nodes.resize(leaf + 2 + spines);
    for (uint32_t i = leaf; i < topology.nodes.size(); i++)
    {
        topology.nodes[i].kind = TopologyNodeKind::SWITCH;
    }
    const auto link = [&](uint32_t a, uint32_t b) {
        topology.links.emplace_back();
        topology.links.back().a = a;
        topology.links.back().b = b;
        topology.links.back().rate = DataRate(rate);
        topology.links.back().delay = delay;
    };
    for (uint32_t host = 0; host < leaf; host++)
    {
        link(host, leaf + host / hostsPerLeaf);
    }
    for (uint32_t spine = 0; spine < 2 * spines; spine++)
    {
        link(leaf + spine / spines, leaf + 2 + spine % spines);
    }
    return topology;
}

Topology
SwitchRingTopology(uint32_t size)
{
    Topology topology;
    topology.nodes.resize(2 * size);
    topology.links.resize(2 * size);
    for (uint32_t i = 0; i < size; i++)
    {
        topology.nodes[size + i].kind = TopologyNodeKind::SWITCH;
        topology.links[i].b = i;
        topology.links[size + i].b = size + (i + 1) % size;
        for (TopologyLink* link : {&topology.links[i], &topology.links[size + i]})
        {
            link->a = size + i;
            link->rate = DataRate("100Gbps");
            link->delay = MicroSeconds(1);
        }
    }
    return topology;
}

RoceTestNetwork::RoceTestNetwork(const Topology& topology, const RoceTestOptions& options)
    : m_engine(options.engine),
      context(Create<FabricContext>()),
      transport(CreateObject<RoceMessageTransport>())
{
    context->EnableFingerprint(options.fingerprint);
    NodeContainer nodes;
    nodes.Create(topology.nodes.size());
    RoceHelper helper;
    helper.SetFrameGap(options.gapBytes);
    helper.SetNicAttribute("MtuBytes", UintegerValue(options.mtuBytes));
    helper.SetNicAttribute("AckInterval", UintegerValue(options.ackInterval));
    helper.SetNicAttribute("CongestionControl",
                           TypeIdValue(TypeId::LookupByName(options.congestionControl)));
    helper.SetSwitchAttribute("LoadBalancer",
                              TypeIdValue(TypeId::LookupByName(options.loadBalancer)));
    if (options.configure)
    {
        options.configure(helper);
    }
    fabric = helper.Install(topology, nodes, context);
    fabric.AssignStreams(1);
    transport->SetAttribute("UseWrite", BooleanValue(options.write));
    transport->SetNics(fabric.nics, fabric.routes);
    for (uint32_t rank = 0; rank < transport->GetRankCount(); rank++)
    {
        transport->SetEndpoint(rank, this);
    }
}

RoceTestNetwork::~RoceTestNetwork()
{
    transport->Dispose();
}

size_t
RoceTestNetwork::Send(uint32_t src, uint32_t dst, uint64_t bytes, uint32_t channel)
{
    Message message;
    message.src = src;
    message.dst = dst;
    message.bytes = bytes;
    message.channel = channel;
    message.tag = flows.size();
    flows.push_back({message, Simulator::Now(), TimeStep(-1), TimeStep(-1)});
    transport->Send(message);
    return message.tag;
}

void
RoceTestNetwork::MessageReceived(const Message& message)
{
    Flow& flow = flows.at(message.tag);
    EXPECT_TRUE(flow.received.IsStrictlyNegative()) << "flow " << message.tag << " arrived twice";
    EXPECT_EQ(message.src, flow.message.src);
    EXPECT_EQ(message.dst, flow.message.dst);
    EXPECT_EQ(message.channel, flow.message.channel);
    EXPECT_EQ(message.bytes, flow.message.bytes);
    flow.received = Simulator::Now() - flow.start;
    if (onReceived)
    {
        onReceived(message);
    }
}

void
RoceTestNetwork::MessageSent(const Message& message)
{
    Flow& flow = flows.at(message.tag);
    EXPECT_FALSE(flow.received.IsStrictlyNegative()) << "acknowledged before it arrived";
    EXPECT_TRUE(flow.acknowledged.IsStrictlyNegative()) << "acknowledged twice";
    flow.acknowledged = Simulator::Now() - flow.start;
}

void
RoceTestNetwork::Run()
{
    Simulator::Run();
    EXPECT_TRUE(transport->DescribePending().empty());
    uint64_t bytes = 0;
    for (const Flow& flow : flows)
    {
        bytes += flow.message.bytes;
        EXPECT_FALSE(flow.received.IsNegative());
        EXPECT_FALSE(flow.acknowledged.IsNegative());
        EXPECT_GE(flow.received,
                  transport->GetIdealTime(flow.message));
    }
    EXPECT_EQ(Counters().payloadBytesDelivered, bytes);
    CheckNothingIsLeft();
    CheckLinkRates();
}

void
RoceTestNetwork::CheckNothingIsLeft()
{
    EXPECT_EQ(context->pool.GetInUse(), 0U) << "frames are left in the network";
    for (FabricPort* port : GetPorts())
    {
        port->Advance(EngineUnderTest::Now());
        EXPECT_EQ(port->GetPausedMask(), 0U);
        EXPECT_FALSE(port->HasBacklog());
    }
    for (const auto& device : fabric.switches)
    {
        if (device)
        {
            EXPECT_EQ(device->GetBuffer().GetUsed(), 0U);
            EXPECT_EQ(device->GetBuffer().GetPausedCount(), 0U);
        }
    }
}

void
RoceTestNetwork::RunFor(Time duration)
{
    Simulator::Stop(duration);
    Simulator::Run();
    CheckLinkRates();
}

void
RoceTestNetwork::CheckLinkRates()
{
    const double seconds = Simulator::Now().GetSeconds();
    for (FabricPort* port : GetPorts())
    {
        const FabricPortCounters counters = port->GetCounters();
        const uint64_t bytes =
            counters.wireBytes[0] + counters.wireBytes[1] + counters.wireBytes[2];
        const double capacity = static_cast<double>(port->GetLink().rateBps) / 8 * seconds;
        EXPECT_LE(static_cast<double>(bytes), capacity + 1);
    }
}

Time
RoceTestNetwork::GetLastReceived() const
{
    Time last;
    for (const Flow& flow : flows)
    {
        last = std::max(last, flow.received);
    }
    return last;
}

uint64_t
RoceTestNetwork::GetReceivedBytes(uint32_t src, uint32_t dst) const
{
    uint64_t bytes = 0;
    RoceNicDevice& nic = *fabric.nics.at(dst);
    for (uint32_t number = 0; number < nic.GetQueuePairCount(); number++)
    {
        const RoceQueuePair& qp = nic.GetQueuePair(number);
        bytes += qp.parameters.peerRank == src ? qp.receivedBytes : 0;
    }
    return bytes;
}

std::vector<FabricPort*>
RoceTestNetwork::GetPorts()
{
    std::vector<FabricPort*> ports;
    const auto add = [&](FabricDevice& device) {
        for (uint32_t i = 0; i < device.GetPortCount(); i++)
        {
            ports.push_back(&device.GetPort(i));
        }
    };
    for (const auto& nic : fabric.nics)
    {
        if (nic)
        {
            add(*nic);
        }
    }
    for (const auto& device : fabric.switches)
    {
        if (device)
        {
            add(*device);
        }
    }
    return ports;
}

} // namespace ns3
