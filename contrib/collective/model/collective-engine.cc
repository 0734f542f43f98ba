/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-engine.h"

#include "collective-tag.h"
#include "selectors/first-fit-selector.h"

#include "ns3/abort.h"
#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveEngine);

namespace
{

const DataRate MIN_REDUCE_BANDWIDTH(1000000); //!< slower, sums take longer than time can hold
constexpr std::size_t MAX_WAITS = 8;          //!< of a collective that a line names

/**
 * \param group name of the group
 * \param waits what its ranks wait for in one collective, the farthest behind first
 * \return all as a line
 */
std::string
DescribeWaits(const std::string& group, const std::vector<CollectiveWait>& waits)
{
    const CollectiveWait& first = waits.front();
    std::ostringstream line;
    line << first.call.kind << " of " << first.call.bytes << " bytes, collective "
         << first.sequence << " of group " << group << ", the farthest behind first: ";
    for (std::size_t i = 0; i < std::min(waits.size(), MAX_WAITS); i++)
    {
        const CollectiveWait& wait = waits[i];
        line << (i ? "; " : "") << "rank " << wait.rank << " waits for "
             << (wait.isSend ? "the acknowledgement of rank " : "data from rank ") << wait.peer
             << " (channel " << wait.channel << ", step " << wait.message << ")";
    }
    if (waits.size() > MAX_WAITS)
    {
        line << "; and " << waits.size() - MAX_WAITS << " more";
    }
    return line.str();
}

/**
 * \param group a group
 * \param call what it is to do
 * \return what is wrong with the sizes, empty if nothing
 */
std::string
CheckSizes(const CollectiveGroup& group, const CollectiveCall& call)
{
    std::ostringstream text;
    text << call.kind << " on group " << group.name << " ";
    if (call.kind != CollectiveKind::ALL_TO_ALL_V)
    {
        return call.sizes ? text.str() + "has a size matrix, which only AllToAllV takes" : "";
    }
    if (!call.sizes)
    {
        return text.str() + "has no size matrix";
    }
    if (call.sizes->GetRanks() != group.ranks.size())
    {
        text << "of " << group.ranks.size() << " ranks has a size matrix of "
             << call.sizes->GetRanks();
        return text.str();
    }
    if (call.sizes->GetMeanBytes() != call.bytes)
    {
        text << "is of " << call.bytes << " bytes, but its size matrix has "
             << call.sizes->GetMeanBytes() << " per rank";
        return text.str();
    }
    return "";
}

} // namespace

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
                          "proxy, posting to the NIC). At most a second.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CollectiveEngine::SetSendOverhead,
                                           &CollectiveEngine::GetSendOverhead),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("ReduceBandwidth",
                          "Rate at which a rank adds up what arrives, each channel by itself. 0: "
                          "it takes no time. Else 1 Mbps or more.",
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
    if (bandwidth.GetBitRate() > 0 && bandwidth < MIN_REDUCE_BANDWIDTH)
    {
        throw ConfigError("attribute",
                          "ns3::CollectiveEngine::ReduceBandwidth",
                          std::to_string(bandwidth.GetBitRate()) + "bps",
                          "1Mbps or more, or 0 for no time at all");
    }
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
    m_plans.SetTransport(transport);
    for (uint32_t rank = 0; rank < transport->GetRankCount(); rank++)
    {
        m_ranks.push_back(std::make_unique<CollectiveRank>(rank, m_context));
        transport->SetEndpoint(rank, m_ranks.back().get());
    }
}

void
CollectiveEngine::SetSelector(Ptr<CollectiveSelector> selector)
{
    NS_ABORT_MSG_IF(m_plans.GetPlanCount() > 0,
                    "a collective engine's selector is set before its first plan");
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
    return CheckPlan(entry.group, entry.shape, call);
}

std::string
CollectiveEngine::Check(const CollectiveGroup& group, const CollectiveCall& call)
{
    return CheckPlan(group, m_plans.AddShape(group), call);
}

std::string
CollectiveEngine::CheckPlan(const CollectiveGroup& group,
                            uint32_t shape,
                            const CollectiveCall& call)
{
    std::ostringstream text;
    if (call.elementBytes == 0)
    {
        text << call.kind << " on group " << group.name << " has elements of 0 bytes";
        return text.str();
    }
    const std::string problem = CheckSizes(group, call);
    if (!problem.empty())
    {
        return problem;
    }
    PrepareSelector();
    if (!m_plans.Get(shape, call).plan)
    {
        text << "no algorithm supports " << call.kind << " of " << call.bytes << " bytes with root "
             << call.root << " on group " << group.name << " of " << group.ranks.size()
             << " ranks";
        const CollectiveRefusal why = m_selector->Explain(m_plans.MakeRequest(shape, call));
        if (!why.option.empty())
        {
            text << ": " << why.option << " is '" << why.value << "', expected " << why.expected;
        }
    }
    return text.str();
}

CollectiveRefusal
CollectiveEngine::Explain(const CollectiveGroup& group, const CollectiveCall& call)
{
    PrepareSelector();
    return m_selector->Explain(MakeRequest(group, call));
}

std::vector<std::pair<uint32_t, uint32_t>>
CollectiveEngine::GetPairs(const CollectiveGroup& group, const CollectiveCall& call)
{
    const PlannedCollective planned = GetPlan(group, call);
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

CollectiveRequest
CollectiveEngine::MakeRequest(const CollectiveGroup& group, const CollectiveCall& call)
{
    return m_plans.MakeRequest(m_plans.AddShape(group), call);
}

PlannedCollective
CollectiveEngine::GetPlan(const CollectiveGroup& group, const CollectiveCall& call)
{
    PrepareSelector();
    return m_plans.Get(m_plans.AddShape(group), call);
}

void
CollectiveEngine::Join(uint32_t rank, const CollectiveCall& call, std::function<void()> done)
{
    Join(rank, call, CollectiveDone([done = std::move(done)](uint64_t) { done(); }));
}

void
CollectiveEngine::Join(uint32_t rank, const CollectiveCall& call, CollectiveDone done)
{
    const PlannedCollective& planned = RequirePlan(rank, call);
    m_ranks[rank]->Join(call, planned, std::move(done));
}

void
CollectiveEngine::JoinTogether(uint32_t rank,
                               const std::vector<CollectiveCall>& calls,
                               CollectivesDone done)
{
    if (calls.empty())
    {
        Simulator::ScheduleNow([done = std::move(done)] { done({}); });
        return;
    }
    NS_ABORT_MSG_IF(rank >= m_ranks.size(), "there is no rank " << rank);
    const auto batch = m_ranks[rank]->OpenBatch(calls.size(), std::move(done));
    for (const CollectiveCall& call : calls)
    {
        m_ranks[rank]->Join(batch, call, RequirePlan(rank, call));
    }
    m_ranks[rank]->Launch(batch);
}

const PlannedCollective&
CollectiveEngine::RequirePlan(uint32_t rank, const CollectiveCall& call)
{
    const std::string problem = Check(call);
    NS_ABORT_MSG_IF(!problem.empty(), "rank " << rank << ": " << problem);
    NS_ABORT_MSG_IF(rank >= m_ranks.size(), "there is no rank " << rank);
    NoticeNoEffect(call);
    return m_plans.Get(m_groups[call.group]->shape, call);
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
    AddWaits(lines);
    return lines;
}

void
CollectiveEngine::AddWaits(std::vector<std::string>& lines) const
{
    std::map<std::pair<uint32_t, uint64_t>, std::vector<CollectiveWait>> collectives;
    for (const auto& rank : m_ranks)
    {
        for (const CollectiveWait& wait : rank->GetWaits())
        {
            collectives[{wait.group, wait.sequence}].push_back(wait);
        }
    }
    for (auto& [id, waits] : collectives)
    {
        std::stable_sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) {
            return a.message < b.message;
        });
        lines.push_back(DescribeWaits(GetGroup(id.first).name, waits));
    }
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
