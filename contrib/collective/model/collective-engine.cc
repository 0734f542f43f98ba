/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-engine.h"

#include "collective-tag.h"
#include "selectors/first-fit-selector.h"

#include "ns3/abort.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveEngine);

TypeId
CollectiveEngine::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CollectiveEngine")
            .SetParent<Object>()
            .SetGroupName("Collective")
            .AddConstructor<CollectiveEngine>()
            .AddAttribute("Selector",
                          "TypeId of the CollectiveSelector.",
                          TypeIdValue(FirstFitSelector::GetTypeId()),
                          MakeTypeIdAccessor(&CollectiveEngine::m_selectorType),
                          MakeTypeIdChecker())
            .AddAttribute("SendOverhead",
                          "Fixed delay before every send of a plan, on every channel (launch, "
                          "proxy, posting to the NIC).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CollectiveEngine::SetSendOverhead,
                                           &CollectiveEngine::GetSendOverhead),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReduceBandwidth",
                          "Rate at which a rank adds up what arrives, each channel by itself. 0: "
                          "it takes no time.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&CollectiveEngine::SetReduceBandwidth,
                                               &CollectiveEngine::GetReduceBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("ProofBudget",
                          "A plan is proven when it is made if the proof needs at most so many "
                          "counters (ranks x ranks x chunks); the default admits 16 ranks on 8 "
                          "channels and costs a few milliseconds per plan. 0: never.",
                          UintegerValue(1U << 16),
                          MakeUintegerAccessor(&CollectiveEngine::m_proofBudget),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

CollectiveEngine::CollectiveEngine() = default;

CollectiveEngine::~CollectiveEngine() = default;

void
CollectiveEngine::SetSendOverhead(Time overhead)
{
    m_context.sendOverhead = overhead;
}

Time
CollectiveEngine::GetSendOverhead() const
{
    return m_context.sendOverhead;
}

void
CollectiveEngine::SetReduceBandwidth(DataRate bandwidth)
{
    m_context.reduceBandwidth = bandwidth;
}

DataRate
CollectiveEngine::GetReduceBandwidth() const
{
    return m_context.reduceBandwidth;
}

void
CollectiveEngine::SetTransport(Ptr<MessageTransport> transport)
{
    NS_ABORT_MSG_IF(m_transport, "a collective engine's transport cannot be changed");
    m_transport = transport;
    m_context.transport = PeekPointer(transport);
    for (uint32_t rank = 0; rank < transport->GetRankCount(); rank++)
    {
        m_ranks.push_back(std::make_unique<CollectiveRank>(rank, m_context));
        transport->SetEndpoint(rank, m_ranks.back().get());
    }
}

void
CollectiveEngine::SetSelector(Ptr<CollectiveSelector> selector)
{
    m_selector = selector;
    m_plans.Configure(m_selector, m_proofBudget);
}

void
CollectiveEngine::PrepareSelector()
{
    if (!m_selector)
    {
        ObjectFactory factory;
        factory.SetTypeId(m_selectorType);
        SetSelector(factory.Create<CollectiveSelector>());
    }
}

uint32_t
CollectiveEngine::AddGroup(const CollectiveGroup& group)
{
    const std::string problem = group.Check();
    NS_ABORT_MSG_IF(!problem.empty(), problem);
    NS_ABORT_MSG_IF(m_groups.size() >= CollectiveTag::MAX_GROUPS,
                    "more than " << CollectiveTag::MAX_GROUPS << " groups");
    m_groups.push_back(std::make_unique<GroupEntry>(GroupEntry{group, m_plans.AddShape(group)}));
    const CollectiveGroup& kept = m_groups.back()->group;
    const uint32_t number = m_context.ledger.AddGroup(&kept);
    for (uint32_t i = 0; i < kept.ranks.size(); i++)
    {
        NS_ABORT_MSG_IF(kept.ranks[i] >= m_ranks.size(),
                        "group " << kept.name << ": rank " << kept.ranks[i]
                                 << ", but the transport has " << m_ranks.size() << " ranks");
        m_ranks[kept.ranks[i]]->AddGroup(number, &kept, i);
    }
    return number;
}

const CollectiveGroup&
CollectiveEngine::GetGroup(uint32_t group) const
{
    return m_groups[group]->group;
}

std::string
CollectiveEngine::Check(const CollectiveCall& call)
{
    if (call.group >= m_groups.size())
    {
        return "there is no collective group " + std::to_string(call.group);
    }
    const GroupEntry& entry = *m_groups[call.group];
    std::ostringstream text;
    if (call.elementBytes == 0)
    {
        text << call.kind << " on group " << entry.group.name << " has elements of 0 bytes";
        return text.str();
    }
    PrepareSelector();
    if (!m_plans.Get(entry.shape, call).plan)
    {
        text << "no algorithm supports " << call.kind << " of " << call.bytes << " bytes with root "
             << call.root << " on group " << entry.group.name << " of " << entry.group.ranks.size()
             << " ranks";
    }
    return text.str();
}

std::vector<std::pair<uint32_t, uint32_t>>
CollectiveEngine::GetPairs(const CollectiveGroup& group, const CollectiveCall& call)
{
    PrepareSelector();
    const PlannedCollective& planned = m_plans.Get(m_plans.AddShape(group), call);
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    if (planned.plan)
    {
        for (const auto& [src, dst] : planned.plan->GetPairs())
        {
            pairs.emplace_back(group.ranks[src], group.ranks[dst]);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

void
CollectiveEngine::Join(uint32_t rank, const CollectiveCall& call, std::function<void()> done)
{
    Join(rank, call, CollectiveDone([done = std::move(done)](uint64_t) { done(); }));
}

void
CollectiveEngine::Join(uint32_t rank, const CollectiveCall& call, CollectiveDone done)
{
    const std::string problem = Check(call);
    NS_ABORT_MSG_IF(!problem.empty(), "rank " << rank << ": " << problem);
    NS_ABORT_MSG_IF(rank >= m_ranks.size(), "there is no rank " << rank);
    NoticeNoEffect(call);
    const PlannedCollective& planned = m_plans.Get(m_groups[call.group]->shape, call);
    m_ranks[rank]->Join(call, planned.plan, planned.algorithm, std::move(done));
}

void
CollectiveEngine::NoticeNoEffect(const CollectiveCall& call)
{
    const CollectiveGroup& group = GetGroup(call.group);
    if (group.ranks.size() > 1)
    {
        return;
    }
    const std::string& label = group.parallel.empty() ? group.name : group.parallel;
    if (m_noticed.emplace(call.kind, label).second)
    {
        std::ostringstream notice;
        notice << label << " " << call.kind << ": collective of " << call.bytes
               << " bytes on a group of size 1 has no effect";
        m_notices.push_back(notice.str());
    }
}

void
CollectiveEngine::AddObserver(CollectiveObserver* observer)
{
    m_context.ledger.AddObserver(observer);
}

void
CollectiveEngine::RemoveObserver(CollectiveObserver* observer)
{
    m_context.ledger.RemoveObserver(observer);
}

uint64_t
CollectiveEngine::GetOpenCount() const
{
    return m_context.ledger.GetOpenCount();
}

const std::vector<std::string>&
CollectiveEngine::GetNotices() const
{
    return m_notices;
}

std::vector<std::string>
CollectiveEngine::DescribePending() const
{
    std::vector<std::string> lines;
    for (uint32_t number = 0; number < m_groups.size(); number++)
    {
        const CollectiveGroup& group = GetGroup(number);
        for (const auto& instance : m_context.ledger.GetInstances(number))
        {
            if (instance.joined == group.ranks.size())
            {
                continue;
            }
            std::ostringstream line;
            line << instance.call.kind << " of " << instance.call.bytes << " bytes, collective "
                 << instance.sequence << " of group " << group.name << ": not joined by ranks";
            for (const uint32_t rank : group.ranks)
            {
                if (m_ranks[rank]->GetJoinedCount(number) <= instance.sequence)
                {
                    line << " " << rank;
                }
            }
            lines.push_back(line.str());
        }
    }
    for (const auto& rank : m_ranks)
    {
        const auto waits = rank->DescribePending();
        lines.insert(lines.end(), waits.begin(), waits.end());
    }
    return lines;
}

void
CollectiveEngine::DoDispose()
{
    for (uint32_t rank = 0; rank < m_ranks.size(); rank++)
    {
        m_transport->SetEndpoint(rank, nullptr);
    }
    m_ranks.clear();
    m_plans.Clear();
    m_selector = nullptr;
    m_transport = nullptr;
    Object::DoDispose();
}

} // namespace ns3
