/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-test-network.h"

#include "picosecond-environment.h"
#include "star-topology.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/roce-address.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** Segments that fill a packet of 1500 bytes: 20 of IPv4, 20 of TCP, 12 of its time stamps. */
constexpr uint32_t SEGMENT_BYTES = 1448;

} // namespace

RoceInternetTestNetwork::RoceInternetTestNetwork(uint32_t hosts,
                                                 const RoceInternetTestOptions& options)
    : m_engine(options.engine),
      context(Create<FabricContext>()),
      transport(CreateObject<RoceMessageTransport>())
{
    SetTcpDefaults(options);
    context->EnableFingerprint(true);
    const Topology topology =
        options.topology.nodes.empty() ? StarTopology(hosts, options.rate, options.delay) : options.topology;
    nodes.Create(topology.nodes.size());
    RoceHelper helper;
    if (options.configure)
    {
        options.configure(helper);
    }
    fabric = helper.Install(topology, nodes, context);
    fabric.AssignStreams(1);
    transport->SetNics(fabric.nics, fabric.routes);
    RoceInternetHelper ip;
    if (options.configureIp)
    {
        options.configureIp(ip);
    }
    devices = options.ranks.empty() ? ip.Install(fabric) : ip.Install(fabric, options.ranks);
    InternetStackHelper stack;
    for (uint32_t i = 0; i < devices.GetN(); i++)
    {
        stack.Install(devices.Get(i)->GetNode());
    }
    if (options.assignAddresses)
    {
        addresses = ip.AssignAddresses(devices);
    }
}

RoceInternetTestNetwork::~RoceInternetTestNetwork()
{
    transport->Dispose();
}

void
RoceInternetTestNetwork::SetTcpDefaults(const RoceInternetTestOptions& options)
{
    m_defaults.Set("ns3::TcpL4Protocol::SocketType",
                   TypeIdValue(TypeId::LookupByName(options.tcp)));
    m_defaults.Set("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT_BYTES));
    m_defaults.Set("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 20));
    m_defaults.Set("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    m_defaults.Set("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(5)));
    m_defaults.Set("ns3::TcpSocketBase::UseEcn", StringValue(options.ecn ? "On" : "Off"));
}

Ptr<PacketSink>
RoceInternetTestNetwork::SendTcp(uint32_t src, uint32_t dst, uint64_t bytes, uint16_t port)
{
    const std::string protocol = "ns3::TcpSocketFactory";
    PacketSinkHelper sink(protocol, InetSocketAddress(Ipv4Address::GetAny(), port));
    const ApplicationContainer receiver = sink.Install(GetNode(dst));
    const Ipv4Address address(RoceAddress::Ipv4OfRank(dst));
    BulkSendHelper sender(protocol, InetSocketAddress(address, port));
    sender.SetAttribute("MaxBytes", UintegerValue(bytes));
    sender.SetAttribute("SendSize", UintegerValue(SEGMENT_BYTES));
    sender.Install(GetNode(src));
    return DynamicCast<PacketSink>(receiver.Get(0));
}

void
RoceInternetTestNetwork::SendRdma(uint32_t src, uint32_t dst, uint64_t bytes)
{
    Message message;
    message.src = src;
    message.dst = dst;
    message.bytes = bytes;
    transport->Send(message);
}

uint64_t
RoceInternetTestNetwork::GetRdmaBytes(uint32_t dst) const
{
    uint64_t bytes = 0;
    RoceNicDevice& nic = *fabric.nics.at(dst);
    for (uint32_t i = 0; i < nic.GetQueuePairCount(); i++)
    {
        bytes += nic.GetQueuePair(i).receivedBytes;
    }
    return bytes;
}

RoceEthernetDevice&
RoceInternetTestNetwork::GetDevice(uint32_t host)
{
    for (uint32_t i = 0; i < GetNode(host)->GetNDevices(); i++)
    {
        const auto device = DynamicCast<RoceEthernetDevice>(GetNode(host)->GetDevice(i));
        if (device)
        {
            return *device;
        }
    }
    NS_FATAL_ERROR("host " << host << " has no Ethernet interface");
}

Ptr<Node>
RoceInternetTestNetwork::GetNode(uint32_t host) const
{
    return nodes.Get(host);
}

RoceSwitchDevice&
RoceInternetTestNetwork::GetSwitch() const
{
    return *fabric.switches.back();
}

FabricPort&
RoceInternetTestNetwork::GetPortTo(uint32_t host) const
{
    return GetSwitch().GetPort(host);
}

void
RoceInternetTestNetwork::RunFor(Time time) const
{
    Simulator::Stop(time);
    Simulator::Run();
}

void
RoceInternetTestNetwork::ExpectNothingLost() const
{
    EXPECT_EQ(context->pool.GetInUse(), 0U) << "frames are left in the network";
    EXPECT_EQ(GetSwitch().GetBuffer().GetUsed(), 0U);
    uint64_t sent = 0;
    uint64_t received = 0;
    for (uint32_t i = 0; i < devices.GetN(); i++)
    {
        const auto device = DynamicCast<RoceEthernetDevice>(devices.Get(i));
        sent += device->GetCounters().sent;
        received += device->GetCounters().received;
    }
    for (const auto& nic : fabric.nics)
    {
        received += nic->GetUnclaimedFrames();
    }
    EXPECT_EQ(sent, received + context->counters.drops);
}

} // namespace ns3
