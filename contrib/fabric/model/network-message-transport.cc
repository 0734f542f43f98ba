/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "network-message-transport.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NetworkMessageTransport);

TypeId
NetworkMessageTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NetworkMessageTransport").SetParent<MessageTransport>().SetGroupName("Fabric");
    return tid;
}

uint32_t
NetworkMessageTransport::GetRelay(uint32_t src, uint32_t /* dst */) const
{
    return src;
}

std::vector<std::string>
NetworkMessageTransport::GetFailures() const
{
    return {};
}

} // namespace ns3
