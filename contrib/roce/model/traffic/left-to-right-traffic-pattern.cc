/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "left-to-right-traffic-pattern.h"

#include "ns3/config-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeftToRightTrafficPattern);

TypeId
LeftToRightTrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LeftToRightTrafficPattern")
                            .SetParent<TrafficPattern>()
                            .SetGroupName("Roce")
                            .AddConstructor<LeftToRightTrafficPattern>();
    return tid;
}

void
LeftToRightTrafficPattern::Check(uint32_t hosts) const
{
    if (hosts < 2 || hosts % 2 != 0)
    {
        throw ConfigError("traffic pattern LeftToRight",
                          "",
                          std::to_string(hosts) + " hosts",
                          "a topology of an even number of hosts");
    }
}

void
LeftToRightTrafficPattern::Draw(uint32_t hosts, std::vector<TrafficPair>& pairs)
{
    const uint32_t half = hosts / 2;
    const uint32_t src = DrawOne(half);
    pairs.assign(1, {src, half + DrawOne(half)});
}

uint32_t
LeftToRightTrafficPattern::GetLoadedLinks(uint32_t) const
{
    return 1;
}

} // namespace ns3
