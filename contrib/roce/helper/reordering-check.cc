/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reordering-check.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \param nic a NIC \return whether packets of a connection leave by several ports, and its
 * receiver takes reordering for loss */
bool
TakesReorderingForLoss(const Ptr<RoceNicDevice>& nic)
{
    for (uint32_t i = 0; nic->IsUnfitToSpread() && i < nic->GetQueuePairCount(); i++)
    {
        const RoceQueuePair& qp = nic->GetQueuePair(i);
        const RoceQueuePairParameters& ends = qp.parameters;
        if (qp.pacing.spread && !ends.datagram &&
            nic->GetFirstRoutes()->NextPorts(ends.localEnd, ends.peerEnd).count > 1)
        {
            return true;
        }
    }
    return false;
}

} // namespace

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

Ptr<LoadBalancer>
ReorderingCheck::FindBalancer() const
{
    for (uint32_t node = 0; node < m_switches.size(); node++)
    {
        const auto& device = m_switches[node];
        const Ptr<LoadBalancer> balancer = device ? device->GetLoadBalancer() : nullptr;
        if (balancer && !balancer->KeepsOrder() && HasChoice(node))
        {
            return balancer;
        }
    }
    return nullptr;
}

const RoceNicDevice&
ReorderingCheck::FindUsedNic() const
{
    const auto used = std::find_if(m_nics.begin(), m_nics.end(), [](const auto& nic) {
        return nic->GetQueuePairCount() > 0;
    });
    return **(used == m_nics.end() ? m_nics.begin() : used);
}

uint64_t
ReorderingCheck::CountDataFrames() const
{
    uint64_t frames = 0;
    for (const auto& nic : m_nics)
    {
        for (uint32_t port = 0; port < nic->GetPortCount(); port++)
        {
            const FabricPortCounters counters = nic->GetPort(port).GetCounters();
            frames += counters.packets[static_cast<std::size_t>(FrameClass::DATA)];
        }
    }
    return frames;
}

std::string
ReorderingCheck::DescribeRepeats(const LoadBalancer& balancer) const
{
    const RoceNicDevice& nic = FindUsedNic();
    const uint64_t window = nic.GetReorderWindow();
    const FabricCounters& counters = nic.GetFabric()->counters;
    const uint64_t lost = counters.drops + counters.linkLosses;
    // A window that is there may be right, and what was sent again due to losses.
    if (counters.retransmittedPackets == 0 || (window > 0 && lost > 0))
    {
        return "";
    }
    return "switches choose a port for every packet (attribute "
           "ns3::RoceSwitchDevice::LoadBalancer, " +
           balancer.GetInstanceTypeId().GetName() +
           "), but receivers take reordering for loss (ns3::LossRecovery::ReorderWindow is " +
           std::to_string(window) + "): of " + std::to_string(CountDataFrames()) + " data frames " +
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
    if (std::any_of(m_nics.begin(), m_nics.end(), &TakesReorderingForLoss))
    {
        lines.push_back("NICs choose a port for every packet (attribute "
                        "ns3::RoceNicDevice::PortPerPacket), but receivers take reordering for "
                        "loss (ns3::LossRecovery::ReorderWindow is 0)");
    }
    const Ptr<LoadBalancer> balancer = FindBalancer();
    const std::string line = balancer ? DescribeRepeats(*balancer) : "";
    if (!line.empty())
    {
        lines.push_back(line);
    }
    return lines;
}

} // namespace ns3
