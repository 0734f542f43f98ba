/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-channel.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

TypeId
FabricChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Fabric")
                            .AddConstructor<FabricChannel>();
    return tid;
}

Ptr<FabricChannel>
FabricChannel::Connect(Ptr<FabricDevice> a, Ptr<FabricDevice> b, const FabricLinkParameters& link)
{
    auto channel = CreateObject<FabricChannel>();
    channel->m_ports = {&a->AddPort(), &b->AddPort()};
    a->SetPortChannel(channel->m_ports[0]->GetIndex(), channel);
    b->SetPortChannel(channel->m_ports[1]->GetIndex(), channel);
    FabricPort::Connect(*channel->m_ports[0], *channel->m_ports[1], link);
    return channel;
}

FabricPort*
FabricChannel::GetPort(uint32_t end) const
{
    return m_ports.at(end);
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_ports.size();
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return m_ports.at(i)->GetOwner();
}

} // namespace ns3
