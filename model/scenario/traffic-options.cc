/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "traffic-options.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/string.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr int64_t STREAM = int64_t(1) << 40; //!< of the traffic; those of devices count from 1

/** \return all patterns */
TypeCatalogue
GetPatterns()
{
    return TypeCatalogue(TrafficPattern::GetTypeId());
}

} // namespace

void
TrafficOptions::Add(CommandOptions& options)
{
    options.Add(
        "traffic",
        "flows with Poisson arrivals, instead of --flows, and sizes from this distribution: "
        "a file of bytes and cumulative probability, or web-search");
    options.Add("pattern",
                "who sends to whom in --traffic: " + GetPatterns().DescribeNames(),
                AttributeText::GetDefaultOf("ns3::PoissonTraffic::Pattern"));
    options.Add("load",
                "payload of --traffic, as a share of the links that the pattern names",
                AttributeText::GetDefaultOf("ns3::PoissonTraffic::Load"));
    options.Add("duration",
                "time of the arrivals of --traffic",
                AttributeText::GetDefaultOf("ns3::PoissonTraffic::Duration"));
    options.StandFor("traffic", "ns3::PoissonTraffic::Sizes");
    options.StandFor("pattern", "ns3::PoissonTraffic::Pattern");
    options.StandFor("load", "ns3::PoissonTraffic::Load");
    options.StandFor("duration", "ns3::PoissonTraffic::Duration");
}

Ptr<PoissonTraffic>
TrafficOptions::Make(const CommandOptions& options)
{
    if (options.Get("traffic").empty())
    {
        const std::string expected = "--traffic beside it: nothing else depends on it";
        for (const char* name : {"pattern", "load", "duration"})
        {
            if (options.IsGiven(name))
            {
                options.GetValue(name).Fail(expected);
            }
        }
        for (const std::string& attribute : options.GetGivenAttributes())
        {
            const TypeId type = TypeId::LookupByName(attribute.substr(0, attribute.rfind("::")));
            if (type == PoissonTraffic::GetTypeId() || type.IsChildOf(TrafficPattern::GetTypeId()))
            {
                options.RefuseAttribute(attribute, expected);
            }
        }
        return nullptr;
    }
    FlowSizeDistribution::Read(FlowSizeDistribution::Find(options.Get("traffic")));
    auto traffic = CreateObject<PoissonTraffic>();
    traffic->SetAttribute("Sizes", StringValue(options.Get("traffic")));
    if (options.IsGiven("pattern"))
    {
        const TypeId type = GetPatterns().Find(options.GetValue("pattern"));
        traffic->SetAttribute("Pattern", TypeIdValue(type));
    }
    if (options.IsGiven("load"))
    {
        const double load = options.GetValue("load").GetDouble("load", 1e-9, 1000);
        traffic->SetAttribute("Load", DoubleValue(load));
    }
    if (options.IsGiven("duration"))
    {
        const Time duration = options.GetValue("duration").GetTime("duration");
        traffic->SetAttribute("Duration", TimeValue(duration));
    }
    return traffic;
}

FlowFile
TrafficOptions::Draw(PoissonTraffic& traffic,
                     const std::vector<uint32_t>& hosts,
                     const Topology& topology)
{
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    for (const TopologyLink& link : topology.links)
    {
        if (link.kind == TopologyLinkKind::ETHERNET)
        {
            slowest = std::min(slowest, link.rate.GetBitRate());
        }
    }
    if (slowest == std::numeric_limits<uint64_t>::max())
    {
        throw ConfigError("command line",
                          "--traffic",
                          topology.source,
                          "a topology with Ethernet links, whose rate the load is a share of");
    }
    traffic.AssignStreams(STREAM);
    return traffic.Draw(hosts, DataRate(slowest));
}

} // namespace ns3
