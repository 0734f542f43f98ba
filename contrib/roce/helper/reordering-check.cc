/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reordering-check.h"

#include "ns3/load-balancer.h"

#include <algorithm>

namespace ns3
{

ReorderingCheck::ReorderingCheck(const std::vector<Ptr<RoceNicDevice>>& nics,
                                 const std::vector<Ptr<RoceSwitchDevice>>& switches)
    : m_nics(nics),
      m_switches(switches)
{
}

Ptr<RoceSwitchDevice>
ReorderingCheck::FindSwitch() const
{
    const auto found = std::find_if(m_switches.begin(), m_switches.end(), [](const auto& device) {
        const Ptr<LoadBalancer> balancer = device ? device->GetLoadBalancer() : nullptr;
        return balancer && !balancer->KeepsOrder();
    });
    return found == m_switches.end() ? nullptr : *found;
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
    return "switches choose a port for every packet (attribute ns3::RoceSwitchDevice::LoadBalancer, " +
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
