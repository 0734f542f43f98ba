/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-plan-cache.h"

#include "collective-costs.h"
#include "collective-plan-verifier.h"
#include "collective-tag.h"

#include "ns3/abort.h"
#include "ns3/message-transport.h"
#include "ns3/server-layout.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3
{

namespace
{

constexpr std::size_t MAX_UNEVEN = 64; //!< plans with sizes that are kept without need, about

} // namespace

std::string
PlannedCollective::GetName() const
{
    return maker ? maker->GetInstanceTypeId().GetName() : "";
}

void
CollectivePlanCache::Configure(Ptr<CollectiveSelector> selector, uint64_t proofBudget)
{
    m_selector = selector;
    m_proofBudget = proofBudget;
}

void
CollectivePlanCache::SetTransport(Ptr<const MessageTransport> transport)
{
    m_transport = transport;
}

bool
CollectivePlanCache::CanOffload(const CollectiveGroup& group) const
{
    std::map<uint32_t, std::vector<uint32_t>> servers;
    for (std::size_t i = 0; i < group.ranks.size(); i++)
    {
        servers[group.servers[i]].push_back(group.ranks[i]);
    }
    bool several = false;
    for (auto& [server, ranks] : servers)
    {
        if (ranks.size() > 1)
        {
            std::sort(ranks.begin(), ranks.end());
            several = true;
            if (!m_transport || !m_transport->CanOffload(ranks))
            {
                return false;
            }
        }
    }
    return several;
}

bool
CollectivePlanCache::CanOffloadRails(const CollectiveGroup& group) const
{
    const ServerLayout layout(group.GetPlacement());
    bool can = m_transport && layout.GetCount() > 1;
    for (uint32_t rail = 0; can && rail < layout.GetRails(); rail++)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t server = 0; server < layout.GetCount(); server++)
        {
            ranks.push_back(group.ranks[layout.GetRanks(server)[rail]]);
        }
        std::sort(ranks.begin(), ranks.end());
        can = m_transport->CanAllReduce(ranks);
    }
    return can;
}

uint32_t
CollectivePlanCache::AddShape(const CollectiveGroup& group)
{
    const auto number = static_cast<uint32_t>(m_shapes.size());
    const auto added = m_shapeNumbers.emplace(
        Shape(group.GetPlacement(),
              group.parallel,
              CanOffload(group),
              CanOffloadRails(group),
              group.GetNics(),
              group.GetNicsPerRank()),
        number);
    if (added.second)
    {
        m_shapes.push_back(&added.first->first);
    }
    return added.first->second;
}

const PlannedCollective&
CollectivePlanCache::Get(uint32_t shape, const CollectiveCall& call)
{
    const Key key(shape,
                  call.kind,
                  call.bytes,
                  call.elementBytes,
                  call.root,
                  Sizes{call.sizes},
                  call.reduction);
    auto found = m_plans.find(key);
    if (found == m_plans.end())
    {
        Tidy();
        m_uneven += call.sizes ? 1 : 0;
        found = m_plans.emplace(key, Make(MakeRequest(shape, call))).first;
    }
    return found->second;
}

CollectiveRequest
CollectivePlanCache::MakeRequest(uint32_t shape, const CollectiveCall& call) const
{
    CollectiveRequest request;
    request.kind = call.kind;
    request.bytes = call.bytes;
    request.elementBytes = call.elementBytes;
    request.root = call.root;
    request.sizes = call.sizes;
    request.reduction = call.reduction;
    std::tie(request.placement,
             request.parallel,
             request.offload,
             request.railOffload,
             request.nics,
             request.nicsPerRank) = *m_shapes[shape];
    return request;
}

void
CollectivePlanCache::Tidy()
{
    if (m_uneven < MAX_UNEVEN)
    {
        return;
    }
    for (auto it = m_plans.begin(); it != m_plans.end();)
    {
        const bool isOld = std::get<Sizes>(it->first).matrix && it->second.plan.use_count() == 1;
        m_uneven -= isOld ? 1 : 0;
        it = isOld ? m_plans.erase(it) : std::next(it);
    }
}

PlannedCollective
CollectivePlanCache::Make(const CollectiveRequest& request) const
{
    if (request.IsEmpty())
    {
        return {std::make_shared<CollectivePlan>(), nullptr, {}};
    }
    auto [algorithm, protocol] = m_selector->Select(request);
    if (!algorithm)
    {
        return {};
    }
    const std::string protocolName = algorithm->GetProtocolName(request);
    if (protocol.name.empty() && !protocolName.empty())
    {
        protocol = CollectiveCosts::MakeProtocol(protocolName);
    }
    const auto plan = std::make_shared<CollectivePlan>(algorithm->Plan(request));
    const std::string name = algorithm->GetInstanceTypeId().GetName();
    NS_ABORT_MSG_IF(plan->GetChannels().size() > CollectiveTag::MAX_CHANNELS,
                    name << " planned " << plan->GetChannels().size() << " channels, at most "
                         << CollectiveTag::MAX_CHANNELS << " are possible");
    for (const auto& program : plan->GetPrograms())
    {
        NS_ABORT_MSG_IF(program.GetMessageCount() > CollectiveTag::MAX_MESSAGES,
                        name << " planned " << program.GetMessageCount()
                             << " messages per channel, at most " << CollectiveTag::MAX_MESSAGES
                             << " are possible; use larger slices");
        // Each connection has a channel of the transport, counted from the first of the group.
        const std::size_t channels = plan->GetChannels().size() + program.GetConnectionCount() - 1;
        NS_ABORT_MSG_IF(channels > CollectiveTag::MAX_CHANNELS,
                        name << " planned " << program.GetConnectionCount() << " connections on "
                             << plan->GetChannels().size() << " channels, at most "
                             << CollectiveTag::MAX_CHANNELS << " of both are possible");
    }
    if (CollectivePlanVerifier::GetCost(request, *plan) <= m_proofBudget)
    {
        const std::string problem = CollectivePlanVerifier::Verify(request, *plan, *algorithm);
        NS_ABORT_MSG_IF(!problem.empty(),
                        name << "'s plan for " << request.kind << " of " << request.bytes
                             << " bytes on " << request.GetGroupSize()
                             << " ranks is wrong: " << problem);
    }
    return {plan, algorithm, protocol};
}

void
CollectivePlanCache::Clear()
{
    m_selector = nullptr;
    m_transport = nullptr;
    m_plans.clear();
    m_uneven = 0;
}

} // namespace ns3
