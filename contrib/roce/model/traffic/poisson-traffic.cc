/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "poisson-traffic.h"

#include "all-to-all-traffic-pattern.h"
#include "flow-size-distribution.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PoissonTraffic);

namespace
{

/** More are a mistake: they alone take gigabytes. */
constexpr double MAX_FLOWS = 20e6;

} // namespace

TypeId
PoissonTraffic::GetTypeId()
{
    using Self = PoissonTraffic;
    static TypeId tid =
        TypeId("ns3::PoissonTraffic")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<PoissonTraffic>()
            .AddAttribute("Sizes",
                          "Distribution of flow sizes: a file of bytes and cumulative "
                          "probability, or a name in data/flow-sizes.",
                          StringValue("web-search"),
                          MakeStringAccessor(&Self::m_sizes),
                          MakeStringChecker())
            .AddAttribute("FlowBytes",
                          "Size of every flow, instead of Sizes; 0: those of Sizes.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_flowBytes),
                          MakeUintegerChecker<uint64_t>(0, uint64_t(1) << 50))
            .AddAttribute("Pattern",
                          "Who sends to whom: a class of TrafficPattern.",
                          TypeIdValue(AllToAllTrafficPattern::GetTypeId()),
                          MakeTypeIdAccessor(&Self::m_patternType),
                          MakeTypeIdChecker())
            .AddAttribute("Load",
                          "Payload, as a share of the rate of the links that the pattern names.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::m_load),
                          MakeDoubleChecker<double>(1e-9, 1000))
            .AddAttribute("LinkRate",
                          "What a load of 1 is; 0: what the network says.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_linkRate),
                          MakeDataRateChecker())
            .AddAttribute("Start",
                          "When arrivals begin.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_start),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Duration",
                          "How long there are arrivals.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&Self::m_duration),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxFlows",
                          "Most flows, the earliest ones; 0: no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_maxFlows),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Priority",
                          "Traffic class that a flow file says.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Self::m_priority),
                          MakeUintegerChecker<uint32_t>(0, 7));
    return tid;
}

PoissonTraffic::PoissonTraffic()
    : m_gap(CreateObject<ExponentialRandomVariable>()),
      m_probability(CreateObject<UniformRandomVariable>())
{
    m_gap->SetAttribute("Mean", DoubleValue(1));
}

int64_t
PoissonTraffic::AssignStreams(int64_t stream)
{
    m_gap->SetStream(stream);
    m_probability->SetStream(stream + 1);
    m_patternStream = stream + 2;
    return 3;
}

double
PoissonTraffic::GetMeanGap(double meanBytes, uint32_t hosts, DataRate linkRate) const
{
    const uint64_t bps = m_linkRate.GetBitRate() ? m_linkRate.GetBitRate() : linkRate.GetBitRate();
    const double bytesPerSecond =
        m_load * m_pattern->GetLoadedLinks(hosts) * static_cast<double>(bps) / 8;
    const double seconds = meanBytes * m_pattern->GetFlowsPerArrival(hosts) / bytesPerSecond;
    return seconds * static_cast<double>(Seconds(1).GetTimeStep());
}

FlowFile
PoissonTraffic::Draw(const std::vector<uint32_t>& hosts, DataRate linkRate)
{
    const FlowSizeDistribution sizes =
        m_flowBytes > 0 ? FlowSizeDistribution::Constant(m_flowBytes)
                        : FlowSizeDistribution::Read(FlowSizeDistribution::Find(m_sizes));
    ObjectFactory factory;
    factory.SetTypeId(m_patternType);
    m_pattern = factory.Create<TrafficPattern>();
    if (m_patternStream >= 0)
    {
        m_pattern->AssignStreams(m_patternStream);
    }
    m_pattern->Check(hosts.size());
    const double meanGap = GetMeanGap(sizes.GetMean(), hosts.size(), linkRate);
    const uint64_t limit = m_maxFlows > 0 ? m_maxFlows : UINT64_MAX;
    const double expected = static_cast<double>(m_duration.GetTimeStep()) / meanGap *
                            m_pattern->GetFlowsPerArrival(hosts.size());
    if (std::min(expected, static_cast<double>(limit)) > MAX_FLOWS)
    {
        throw ConfigError("attribute",
                          "ns3::PoissonTraffic::Duration",
                          AttributeText::Format(m_duration),
                          "a time with at most 20 million flows, not about " +
                              std::to_string(static_cast<uint64_t>(expected)));
    }
    FlowFile result;
    std::vector<TrafficPair> pairs;
    const Time end = m_start + m_duration;
    Time now = m_start;
    while (result.flows.size() < limit)
    {
        now += TimeStep(std::llround(m_gap->GetValue() * meanGap));
        if (now >= end)
        {
            break;
        }
        m_pattern->Draw(hosts.size(), pairs);
        for (std::size_t i = 0; i < pairs.size() && result.flows.size() < limit; i++)
        {
            FlowEntry flow;
            flow.src = hosts[pairs[i].src];
            flow.dst = hosts[pairs[i].dst];
            flow.priority = m_priority;
            flow.bytes = sizes.GetQuantile(m_probability->GetValue());
            flow.start = now;
            flow.line = result.flows.size() + 2;
            result.flows.push_back(flow);
        }
    }
    return result;
}

std::string
PoissonTraffic::Describe() const
{
    std::ostringstream text;
    text << "Poisson arrivals, ";
    if (m_flowBytes > 0)
    {
        text << m_flowBytes << " bytes";
    }
    else
    {
        text << "sizes " << m_sizes;
    }
    text << ", pattern " << TypeCatalogue(TrafficPattern::GetTypeId()).GetShortName(m_patternType)
         << ", load " << m_load;
    return text.str();
}

} // namespace ns3
