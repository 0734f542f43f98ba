/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "analytic-network.h"

#include "ns3/analytic-message-transport.h"

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
           "way; only the links of its two ranks are shared, in turn";
}

} // namespace ns3
