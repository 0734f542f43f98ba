/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "traffic-class-check.h"

#include "ns3/dscp-map.h"
#include "ns3/string.h"

#include <tuple>

namespace ns3
{

namespace
{

/** \param device a NIC or switch \param kind its type \return its map, as its attribute says */
DscpMap
GetDscpMap(const FabricDevice& device, const std::string& kind)
{
    StringValue text;
    device.GetAttribute("DscpMap", text);
    return {text.Get(), kind + "::DscpMap", device.GetName()};
}

} // namespace

bool
TrafficClassCheck::Use::operator<(const Use& o) const
{
    return std::tie(priority, dscp, switchPriority, isLossless) <
           std::tie(o.priority, o.dscp, o.switchPriority, o.isLossless);
}

TrafficClassCheck::TrafficClassCheck(const std::vector<Ptr<RoceNicDevice>>& nics,
                                     const std::vector<Ptr<RoceSwitchDevice>>& switches)
{
    FindClasses(nics);
    for (const auto& device : switches)
    {
        if (device && device->GetLosslessMask())
        {
            AddSwitch(*device);
        }
    }
}

void
TrafficClassCheck::FindClasses(const std::vector<Ptr<RoceNicDevice>>& nics)
{
    for (const auto& nic : nics)
    {
        for (uint32_t i = 0; i < nic->GetQueuePairCount(); i++)
        {
            const RoceQueuePairSettings& settings = nic->GetQueuePair(i).settings;
            m_dscps[settings.priority] = settings.dscp;
        }
    }
    for (std::size_t i = 0; i < nics.size() && m_dscps.empty(); i++)
    {
        const uint32_t priority = nics[i]->GetPriority();
        m_dscps[priority] = GetDscpMap(*nics[i], "ns3::RoceNicDevice").GetDscp(priority);
    }
}

void
TrafficClassCheck::AddSwitch(const RoceSwitchDevice& device)
{
    const DscpMap map = GetDscpMap(device, "ns3::RoceSwitchDevice");
    for (const auto& [priority, dscp] : m_dscps)
    {
        if (dscp == DscpMap::NONE)
        {
            continue;
        }
        const uint32_t there = map.GetClass(dscp);
        const bool lossless = device.GetLosslessMask() >> there & 1;
        if (!lossless || there != priority)
        {
            m_unsafe[{priority, dscp, there, lossless}].push_back(device.GetName());
        }
    }
}

std::string
TrafficClassCheck::Describe(const Use& use, const std::vector<std::string>& where)
{
    std::string line = "NICs send in class " + std::to_string(use.priority);
    if (use.switchPriority != use.priority)
    {
        line += " with DSCP " + std::to_string(use.dscp) + ", to which " + where.front();
        line += where.size() > 1
                    ? " and " + std::to_string(where.size() - 1) + " more switches give"
                    : " gives";
        line += " class " + std::to_string(use.switchPriority) +
                " (attribute ns3::RoceSwitchDevice::DscpMap)";
    }
    line += use.isLossless ? ": PAUSE of class " + std::to_string(use.switchPriority) +
                                 " does not stop them, and"
                           : ", which PFC does not protect (attribute "
                             "ns3::RoceSwitchDevice::LosslessPriorities):";
    return line + " full switches drop packets";
}

std::vector<std::string>
TrafficClassCheck::GetWarnings() const
{
    std::vector<std::string> lines;
    for (const auto& [use, where] : m_unsafe)
    {
        lines.push_back(Describe(use, where));
    }
    return lines;
}

} // namespace ns3
