/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "incast-traffic-pattern.h"

#include "ns3/config-error.h"
#include "ns3/uinteger.h"

#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IncastTrafficPattern);

TypeId
IncastTrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IncastTrafficPattern")
                            .SetParent<TrafficPattern>()
                            .SetGroupName("Roce")
                            .AddConstructor<IncastTrafficPattern>()
                            .AddAttribute("FanIn",
                                          "Senders of a burst (HPCC, SIGCOMM'19, section 5.1: 60).",
                                          UintegerValue(60),
                                          MakeUintegerAccessor(&IncastTrafficPattern::m_fanIn),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
IncastTrafficPattern::Check(uint32_t hosts) const
{
    if (hosts <= m_fanIn)
    {
        throw ConfigError("traffic pattern Incast",
                          "FanIn",
                          std::to_string(m_fanIn),
                          "fewer senders than the topology has hosts, " + std::to_string(hosts));
    }
}

void
IncastTrafficPattern::Draw(uint32_t hosts, std::vector<TrafficPair>& pairs)
{
    if (m_order.size() != hosts)
    {
        m_order.resize(hosts);
        std::iota(m_order.begin(), m_order.end(), 0);
    }
    // The first steps of a shuffle: every sequence of different hosts is equally likely.
    for (uint32_t i = 0; i <= m_fanIn; i++)
    {
        std::swap(m_order[i], m_order[i + DrawOne(hosts - i)]);
    }
    pairs.clear();
    for (uint32_t i = 1; i <= m_fanIn; i++)
    {
        pairs.push_back({m_order[i], m_order[0]});
    }
}

double
IncastTrafficPattern::GetFlowsPerArrival(uint32_t) const
{
    return m_fanIn;
}

uint32_t
IncastTrafficPattern::GetLoadedLinks(uint32_t hosts) const
{
    return hosts;
}

} // namespace ns3
