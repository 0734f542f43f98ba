/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "analytic-network.h"

#include "ns3/analytic-message-transport.h"
#include "ns3/result-format.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AnalyticNetwork);

TypeId
AnalyticNetwork::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AnalyticNetwork")
                            .SetParent<RoutedNetwork>()
                            .SetGroupName("Railyard")
                            .AddConstructor<AnalyticNetwork>();
    return tid;
}

AnalyticNetwork::AnalyticNetwork() = default;
AnalyticNetwork::~AnalyticNetwork() = default;

bool
AnalyticNetwork::UsesLoadBalancer() const
{
    return false;
}

Ptr<RoutedMessageTransport>
AnalyticNetwork::CreateTransport() const
{
    return CreateObject<AnalyticMessageTransport>();
}

bool
AnalyticNetwork::SpreadsMessages() const
{
    return false;
}

std::string
AnalyticNetwork::DescribeFidelity() const
{
    return "network analytic: a message takes a latency and its bytes over the slowest link of its "
           "way; only the links of its two ranks and those inside a server are shared, in turn";
}

std::vector<std::string>
AnalyticNetwork::GetNotes() const
{
    std::vector<std::string> lines = RoutedNetwork::GetNotes();
    std::size_t overloaded = 0;
    double most = 1;
    LinkRecord busiest;
    for (const LinkRecord& link : GetLinks())
    {
        const double load = link.isShared ? 0 : link.GetLoad();
        overloaded += load > 1;
        if (load > most)
        {
            most = load;
            busiest = link;
        }
    }
    if (overloaded > 0)
    {
        lines.push_back(CountOf(overloaded, "link direction") +
                        " between switches had more to carry over the whole run than possible, "
                        "that from " +
                        GetTopology().GetNodeName(busiest.node) + " to " +
                        GetTopology().GetNodeName(busiest.peer) + " " + FormatFixed(most, 2) +
                        " times as much: times are too short, --network=flow shares these links");
    }
    return lines;
}

} // namespace ns3
