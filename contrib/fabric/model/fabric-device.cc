/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-device.h"

#include "ns3/abort.h"
#include "ns3/channel.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricDevice);

TypeId
FabricDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricDevice").SetParent<NetDevice>().SetGroupName("Fabric");
    return tid;
}

FabricDevice::FabricDevice() = default;
FabricDevice::~FabricDevice() = default;

void
FabricDevice::DoDispose()
{
    m_node = nullptr;
    m_channels.clear();
    NetDevice::DoDispose();
}

void
FabricDevice::SetFabric(Ptr<FabricContext> context)
{
    NS_ABORT_MSG_IF(!m_ports.empty(), "the fabric must be set before ports are added");
    m_fabric = context;
}

void
FabricDevice::SetName(const std::string& name)
{
    m_name = name;
}

std::string
FabricDevice::GetName() const
{
    return m_name.empty() && m_node ? "node " + std::to_string(m_node->GetId()) : m_name;
}

FabricPort&
FabricDevice::AddPort()
{
    NS_ABORT_MSG_IF(!m_fabric, "SetFabric() must come before AddPort()");
    m_ports.emplace_back();
    m_channels.emplace_back();
    m_ports.back().SetOwner(this, m_ports.size() - 1);
    return m_ports.back();
}

void
FabricDevice::SetPortScheduler(FabricPort& port, TypeId type) const
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    Ptr<EgressScheduler> scheduler = factory.Create<EgressScheduler>();
    scheduler->Configure(GetName());
    port.SetScheduler(scheduler);
}

bool
FabricDevice::WantsDepartures() const
{
    return false;
}

void
FabricDevice::Departed(FabricPacket&, FabricPort&)
{
}

void
FabricDevice::PauseEnded(FabricPort&)
{
}

void
FabricDevice::LinkMended(FabricPort&)
{
}

void
FabricDevice::SetPortChannel(uint32_t index, Ptr<Channel> channel)
{
    m_channels.at(index) = channel;
}

Ptr<Channel>
FabricDevice::GetPortChannel(uint32_t index) const
{
    return m_channels.at(index);
}

int64_t
FabricDevice::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (FabricPort& port : m_ports)
    {
        port.SetLossStream(stream + used++);
    }
    for (FabricPort& port : m_ports)
    {
        if (port.HasBitErrors())
        {
            port.SetBitErrorStream(stream + used++);
        }
    }
    return used;
}

void
FabricDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricDevice::GetChannel() const
{
    return m_channels.empty() ? nullptr : m_channels.front();
}

void
FabricDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricDevice::GetAddress() const
{
    return m_address;
}

bool
FabricDevice::SetMtu(const uint16_t)
{
    return false;
}

uint16_t
FabricDevice::GetMtu() const
{
    return 0;
}

bool
FabricDevice::IsLinkUp() const
{
    return !m_ports.empty() && m_ports.front().GetPeer();
}

void
FabricDevice::AddLinkChangeCallback(Callback<void>)
{
}

bool
FabricDevice::IsBroadcast() const
{
    return true;
}

Address
FabricDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricDevice::IsMulticast() const
{
    return false;
}

Address
FabricDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FabricDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
FabricDevice::IsBridge() const
{
    return false;
}

bool
FabricDevice::IsPointToPoint() const
{
    return false;
}

bool
FabricDevice::Send(Ptr<Packet>, const Address&, uint16_t)
{
    return false;
}

bool
FabricDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
FabricDevice::GetNode() const
{
    return m_node;
}

void
FabricDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricDevice::NeedsArp() const
{
    return false;
}

void
FabricDevice::SetReceiveCallback(NetDevice::ReceiveCallback)
{
}

void
FabricDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback)
{
}

bool
FabricDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
