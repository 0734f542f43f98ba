/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "network-message-transport.h"

#include <algorithm>

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

void
NetworkMessageTransport::AddMessages(const std::vector<std::string>& messages,
                                     const std::string& kind,
                                     std::vector<std::string>& lines)
{
    const std::vector<std::string> before = lines;
    std::size_t named = 0;
    std::size_t unnamed = 0;
    for (const std::string& message : messages)
    {
        if (std::find(before.begin(), before.end(), message) != before.end())
        {
            continue;
        }
        if (named < MAX_NAMED)
        {
            lines.push_back(message);
            named++;
        }
        else
        {
            unnamed++;
        }
    }
    if (unnamed > 0)
    {
        lines.push_back("and " + std::to_string(unnamed) + " more messages " + kind);
    }
}

} // namespace ns3
