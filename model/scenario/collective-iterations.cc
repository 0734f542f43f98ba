/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-iterations.h"

#include "ns3/abort.h"
#include "ns3/comma-list.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

CollectiveIterations::CollectiveIterations(Ptr<CollectiveEngine> engine, uint32_t ranks)
    : m_engine(engine),
      m_ranks(ranks)
{
}

void
CollectiveIterations::SetObserver(std::function<void(const CollectiveIterationSpan&)> observer)
{
    m_observer = std::move(observer);
}

void
CollectiveIterations::Start(const CollectiveIterationsWork& work, Done done)
{
    NS_ABORT_MSG_IF(IsActive(), "iterations of another collective are under way");
    m_work = work;
    m_done = std::move(done);
    for (Rank& rank : m_ranks)
    {
        rank.steps.assign(work.steps.size(), {});
    }
    for (std::size_t step = 0; step < work.steps.size(); step++)
    {
        CollectiveCall call = work.call;
        call.bytes = work.steps[step].bytes;
        for (const uint32_t group : work.steps[step].groups)
        {
            call.group = group;
            for (const uint32_t rank : m_engine->GetGroup(group).ranks)
            {
                m_ranks[rank].steps[step].push_back(call);
            }
        }
    }
    StartPhase(work.warmUps == 0);
}

void
CollectiveIterations::StartPhase(bool isTimed)
{
    m_isTimed = isTimed;
    m_start = Simulator::Now();
    for (Rank& rank : m_ranks)
    {
        rank.begun = 0;
    }
    JoinAll();
}

void
CollectiveIterations::JoinAll()
{
    m_active = m_ranks.size();
    for (uint32_t rank = 0; rank < m_ranks.size(); rank++)
    {
        Join(rank);
    }
}

void
CollectiveIterations::Join(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    state.begun++;
    state.isPending = true;
    state.begin = Simulator::Now();
    state.step = 0;
    Launch(rank);
}

void
CollectiveIterations::Launch(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    if (state.step == state.steps.size())
    {
        RankDone(rank);
        return;
    }
    m_engine->JoinTogether(rank, state.steps[state.step++], [this, rank](const auto&) {
        Launch(rank);
    });
}

void
CollectiveIterations::RankDone(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    state.isPending = false;
    if (m_observer)
    {
        m_observer(
            {rank, m_isTimed ? state.begun - 1 : int64_t(-1), state.begin, Simulator::Now()});
    }
    if (state.begun < GetCount() && !m_work.isBlocking)
    {
        Join(rank);
    }
    else if (--m_active == 0)
    {
        AllDone();
    }
}

void
CollectiveIterations::AllDone()
{
    if (m_ranks.front().begun < GetCount())
    {
        m_active = m_ranks.size();
        Simulator::ScheduleNow([this] { JoinAll(); });
    }
    else if (!m_isTimed)
    {
        m_active = m_ranks.size();
        Simulator::ScheduleNow([this] { StartPhase(true); });
    }
    else
    {
        m_done(m_start, Simulator::Now());
    }
}

std::string
CollectiveIterations::Describe() const
{
    std::map<uint32_t, uint32_t> counts; // ranks by iteration
    for (const Rank& rank : m_ranks)
    {
        counts[rank.isPending ? rank.begun : GetCount() + 1]++;
    }
    std::string text;
    for (const auto& [iteration, ranks] : counts)
    {
        const std::string who = std::to_string(ranks) + (ranks == 1 ? " rank is " : " ranks are ");
        const std::string where = iteration > GetCount()
                                      ? "done"
                                      : "in iteration " + std::to_string(iteration) + " of " +
                                            std::to_string(GetCount());
        AppendToList(text, who + where);
    }
    return (m_isTimed ? "timed iterations: " : "warm-up: ") + text;
}

} // namespace ns3
