/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ethernet-segment.h"

#include "roce-ethernet-device.h"

#include "ns3/ipv4.h"
#include "ns3/node.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceEthernetSegment);

TypeId
RoceEthernetSegment::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoceEthernetSegment")
                            .SetParent<Channel>()
                            .SetGroupName("RoceInternet")
                            .AddConstructor<RoceEthernetSegment>();
    return tid;
}

RoceEthernetSegment::RoceEthernetSegment() = default;
RoceEthernetSegment::~RoceEthernetSegment() = default;

void
RoceEthernetSegment::DoDispose()
{
    m_devices.clear();
    Channel::DoDispose();
}

void
RoceEthernetSegment::Add(Ptr<RoceEthernetDevice> device)
{
    m_devices.push_back(device);
}

std::optional<uint32_t>
RoceEthernetSegment::FindRank(Ipv4Address address)
{
    auto found = m_ranks.find(address.Get());
    if (found == m_ranks.end())
    {
        ReadAddresses();
        found = m_ranks.find(address.Get());
    }
    return found == m_ranks.end() ? std::nullopt : std::optional<uint32_t>(found->second);
}

void
RoceEthernetSegment::ReadAddresses()
{
    for (const Ptr<RoceEthernetDevice>& device : m_devices)
    {
        const Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
        const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(device) : -1;
        if (interface < 0)
        {
            continue;
        }
        for (uint32_t i = 0; i < ipv4->GetNAddresses(interface); i++)
        {
            m_ranks.emplace(ipv4->GetAddress(interface, i).GetLocal().Get(), device->GetRank());
        }
    }
}

std::size_t
RoceEthernetSegment::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
RoceEthernetSegment::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace ns3
