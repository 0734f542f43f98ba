/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-time-account.h"

#include <algorithm>

namespace ns3
{

void
RankTimeAccount::Open(Time now)
{
    m_last = now;
}

void
RankTimeAccount::Advance(Time now)
{
    if (now == m_last)
    {
        return;
    }
    if (!m_cause.receiveStream)
    {
        m_breakdown.Add(m_cause.part, now - m_last);
    }
    else if (!m_receiveWaits.empty() && m_receiveWaits.back().end == m_last &&
             m_receiveWaits.back().stream == *m_cause.receiveStream)
    {
        m_receiveWaits.back().end = now;
    }
    else
    {
        m_receiveWaits.push_back({*m_cause.receiveStream, m_last, now});
    }
    m_last = now;
}

void
RankTimeAccount::SetCause(const Cause& cause)
{
    m_cause = cause;
}

void
RankTimeAccount::BookReceive(uint32_t stream, Time sendStart)
{
    for (const ReceiveWait& wait : m_receiveWaits)
    {
        if (wait.stream == stream)
        {
            const Time split = std::clamp(sendStart, wait.begin, wait.end);
            m_breakdown.Add(WorkloadPart::BUBBLE, split - wait.begin);
            m_breakdown.Add(WorkloadPart::PP, wait.end - split);
        }
    }
    m_receiveWaits.erase(
        std::remove_if(m_receiveWaits.begin(),
                       m_receiveWaits.end(),
                       [stream](const ReceiveWait& wait) { return wait.stream == stream; }),
        m_receiveWaits.end());
}

void
RankTimeAccount::AddCommunication(WorkloadPart part, Time duration)
{
    m_breakdown.AddCommunication(part, duration);
}

void
RankTimeAccount::AddStretch(Time longer)
{
    m_breakdown.AddStretch(longer);
}

WorkloadBreakdown
RankTimeAccount::GetBreakdown(Time now) const
{
    WorkloadBreakdown breakdown = m_breakdown;
    for (const ReceiveWait& wait : m_receiveWaits)
    {
        breakdown.Add(WorkloadPart::BUBBLE, wait.end - wait.begin);
    }
    breakdown.Add(m_cause.receiveStream ? WorkloadPart::BUBBLE : m_cause.part, now - m_last);
    return breakdown;
}

WorkloadBreakdown
RankTimeAccount::Close()
{
    WorkloadBreakdown breakdown = GetBreakdown(m_last);
    m_breakdown = WorkloadBreakdown();
    m_receiveWaits.clear();
    return breakdown;
}

} // namespace ns3
