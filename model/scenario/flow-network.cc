/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-network.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/flow-message-transport.h"
#include "ns3/spray-load-balancer.h"
#include "ns3/type-catalogue.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowNetwork);

TypeId
FlowNetwork::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowNetwork")
                            .SetParent<RoutedNetwork>()
                            .SetGroupName("Railyard")
                            .AddConstructor<FlowNetwork>();
    return tid;
}

FlowNetwork::FlowNetwork() = default;
FlowNetwork::~FlowNetwork() = default;

bool
FlowNetwork::UsesAttribute(const std::string& attribute) const
{
    return attribute.rfind(FlowMessageTransport::GetTypeId().GetName() + "::", 0) == 0 ||
           RoutedNetwork::UsesAttribute(attribute);
}

bool
FlowNetwork::UsesLoadBalancer() const
{
    return true;
}

Ptr<RoutedMessageTransport>
FlowNetwork::CreateTransport() const
{
    return CreateObject<FlowMessageTransport>();
}

bool
FlowNetwork::SpreadsMessages() const
{
    const std::string attribute = "ns3::RoceSwitchDevice::LoadBalancer";
    const std::string name = AttributeText::GetDefaultOf(attribute);
    const TypeId type =
        TypeCatalogue(LoadBalancer::GetTypeId()).Find(TextValue("attribute", attribute, name));
    if (type == EcmpLoadBalancer::GetTypeId() || type == SprayLoadBalancer::GetTypeId())
    {
        return type == SprayLoadBalancer::GetTypeId();
    }
    throw ConfigError("network flow",
                      attribute,
                      name,
                      "Ecmp or Spray: others choose by packets or "
                      "queues, --network=packet has them");
}

std::string
FlowNetwork::DescribeFidelity() const
{
    return "network flow: messages are flows that share links max-min fairly at once; there are no "
           "queues, no losses and no congestion control";
}

} // namespace ns3
