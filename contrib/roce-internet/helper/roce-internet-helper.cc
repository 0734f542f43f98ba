/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-helper.h"

#include "ns3/abort.h"
#include "ns3/config-error.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node.h"
#include "ns3/roce-address.h"
#include "ns3/roce-ethernet-device.h"
#include "ns3/roce-wire.h"
#include "ns3/uinteger.h"

namespace ns3
{

RoceInternetHelper::RoceInternetHelper()
    : m_segment(CreateObject<RoceEthernetSegment>())
{
    m_factory.SetTypeId(RoceEthernetDevice::GetTypeId());
}

void
RoceInternetHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

NetDeviceContainer
RoceInternetHelper::Install(const RoceFabric& fabric)
{
    std::vector<uint32_t> ranks;
    for (uint32_t rank = 0; rank < fabric.nics.size(); rank++)
    {
        if (fabric.nics[rank] && fabric.nics[rank]->GetRank() == rank)
        {
            ranks.push_back(rank);
        }
    }
    return Install(fabric, ranks);
}

NetDeviceContainer
RoceInternetHelper::Install(const RoceFabric& fabric, const std::vector<uint32_t>& ranks)
{
    NetDeviceContainer devices;
    for (const uint32_t rank : ranks)
    {
        NS_ABORT_MSG_IF(rank >= fabric.nics.size() || !fabric.nics[rank],
                        "rank " << rank << " has no NIC");
        const Ptr<RoceNicDevice> nic = fabric.nics[rank];
        const auto device = m_factory.Create<RoceEthernetDevice>();
        CheckFrameSize(fabric, device->GetMtu());
        nic->GetNode()->AddDevice(device);
        device->Attach(nic, fabric.nics.size(), m_segment);
        devices.Add(device);
    }
    return devices;
}

void
RoceInternetHelper::CheckFrameSize(const RoceFabric& fabric, uint32_t mtu)
{
    for (const auto& device : fabric.switches)
    {
        if (!device || !device->GetLosslessMask())
        {
            continue;
        }
        UintegerValue most;
        device->GetAttribute("MaxFrameBytes", most);
        const uint64_t room = most.Get() - RoceWire::ETHERNET_HEADER - RoceWire::FCS;
        if (mtu > room)
        {
            throw ConfigError(
                "ns3::RoceEthernetDevice::Mtu",
                device->GetName(),
                std::to_string(mtu),
                "at most " + std::to_string(room) +
                    ", or a larger ns3::RoceSwitchDevice::MaxFrameBytes: a frame on "
                    "the wire delays PAUSE, for which lossless classes have headroom");
        }
    }
}

Ipv4InterfaceContainer
RoceInternetHelper::AssignAddresses(const NetDeviceContainer& devices) const
{
    Ipv4InterfaceContainer interfaces;
    for (auto it = devices.Begin(); it != devices.End(); ++it)
    {
        const auto device = DynamicCast<RoceEthernetDevice>(*it);
        NS_ABORT_MSG_IF(!device, "not an Ethernet interface of a RoCE NIC");
        const uint32_t address = RoceAddress::Ipv4OfRank(device->GetRank());
        const Ipv4Mask mask("255.0.0.0");
        Ipv4AddressHelper helper;
        helper.SetBase(Ipv4Address(address).CombineMask(mask),
                       mask,
                       Ipv4Address(address & mask.GetInverse()));
        interfaces.Add(helper.Assign(NetDeviceContainer(device)));
    }
    return interfaces;
}

} // namespace ns3
