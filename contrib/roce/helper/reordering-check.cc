/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reordering-check.h"

#include "ns3/load-balancer.h"

namespace ns3
{

ReorderingCheck::ReorderingCheck(const std::vector<Ptr<RoceNicDevice>>& nics,
                                 const std::vector<Ptr<RoceSwitchDevice>>& switches,
                                 const RouteTable& routes)
    : m_nics(nics),
      m_switches(switches),
      m_routes(routes)
{
}

bool
ReorderingCheck::HasChoice(uint32_t node) const
{
    for (const auto& nic : m_nics)
    {
        for (uint32_t i = 0; i < m_routes.GetNicCount(nic->GetRank()); i++)
        {
            if (m_routes.NextPorts(node, m_routes.GetNic(nic->GetRank(), i)).count > 1)
            {
                return true;
            }
        }
    }
    return false;
}

Ptr<RoceSwitchDevice>
ReorderingCheck::FindSwitch() const
{
    for (uint32_t node = 0; node < m_switches.size(); node++)
    {
        const auto& device = m_switches[node];
        const Ptr<LoadBalancer> balancer = device ? device->GetLoadBalancer() : nullptr;
        if (balancer && !balancer->KeepsOrder() && HasChoice(node))
        {
            return device;
        }
    }
    return nullptr;
}

std::string
ReorderingCheck::DescribeSwitch(const RoceSwitchDevice& device) const
{
    const uint64_t window = m_nics.front()->GetReorderWindow();
    const FabricCounters& counters = device.GetFabric()->counters;
    const uint64_t lost = counters.drops + counters.linkLosses;
    // A window that is there may be right, and what was sent again due to losses.
    if (counters.retransmittedPackets == 0 || (window > 0 && lost > 0))
    {
        return "";
    }
    return "switches choose a port for every packet (attribute "
           "ns3::RoceSwitchDevice::LoadBalancer, " +
           device.GetLoadBalancer()->GetInstanceTypeId().GetName() +
           "), but receivers take reordering for loss (ns3::LossRecovery::ReorderWindow is " +
           std::to_string(window) + "): of " + std::to_string(counters.packets) + " packets " +
           std::to_string(counters.retransmittedPackets) + " were sent again, " +
           std::to_string(lost) + " were lost";
}

std::vector<std::string>
ReorderingCheck::GetWarnings() const
{
    std::vector<std::string> lines;
    if (m_nics.empty())
    {
        return lines;
    }
    if (m_nics.front()->IsUnfitToSpread())
    {
        lines.push_back("NICs choose a port for every packet (attribute "
                        "ns3::RoceNicDevice::PortPerPacket), but receivers take reordering for "
                        "loss (ns3::LossRecovery::ReorderWindow is 0)");
    }
    const Ptr<RoceSwitchDevice> device = FindSwitch();
    const std::string line = device ? DescribeSwitch(*device) : "";
    if (!line.empty())
    {
        lines.push_back(line);
    }
    return lines;
}

} // namespace ns3
