/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "all-to-all-traffic-pattern.h"

#include "ns3/config-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AllToAllTrafficPattern);

TypeId
AllToAllTrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AllToAllTrafficPattern")
                            .SetParent<TrafficPattern>()
                            .SetGroupName("Roce")
                            .AddConstructor<AllToAllTrafficPattern>();
    return tid;
}

void
AllToAllTrafficPattern::Check(uint32_t hosts) const
{
    if (hosts < 2)
    {
        throw ConfigError("traffic pattern AllToAll",
                          "",
                          std::to_string(hosts) + " hosts",
                          "a topology of 2 hosts or more");
    }
}

void
AllToAllTrafficPattern::Draw(uint32_t hosts, std::vector<TrafficPair>& pairs)
{
    const uint32_t src = DrawOne(hosts);
    pairs.assign(1, {src, DrawOther(hosts, src)});
}

uint32_t
AllToAllTrafficPattern::GetLoadedLinks(uint32_t hosts) const
{
    return hosts;
}

} // namespace ns3
