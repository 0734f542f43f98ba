/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-transport.h"

#include "ns3/abort.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MessageTransport);

TypeId
MessageTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MessageTransport").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

void
MessageTransport::SetEndpoint(uint32_t rank, MessageEndpoint* endpoint)
{
    if (rank >= m_endpoints.size())
    {
        m_endpoints.resize(rank + 1, nullptr);
    }
    m_endpoints[rank] = endpoint;
}

bool
MessageTransport::CanOffload(const std::vector<uint32_t>&) const
{
    return false;
}

bool
MessageTransport::CanAllReduce(const std::vector<uint32_t>&) const
{
    return false;
}

uint32_t
MessageTransport::AddTeam(const std::vector<uint32_t>&)
{
    NS_ABORT_MSG(GetInstanceTypeId().GetName() << " neither reduces nor copies in switches");
}

void
MessageTransport::NotifyReceived(const Message& message) const
{
    if (message.dst < m_endpoints.size() && m_endpoints[message.dst])
    {
        m_endpoints[message.dst]->MessageReceived(message);
    }
}

void
MessageTransport::NotifySent(const Message& message) const
{
    if (message.src < m_endpoints.size() && m_endpoints[message.src])
    {
        m_endpoints[message.src]->MessageSent(message);
    }
}

} // namespace ns3
