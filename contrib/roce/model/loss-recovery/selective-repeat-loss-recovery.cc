/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "selective-repeat-loss-recovery.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeatLossRecovery);

TypeId
SelectiveRepeatLossRecovery::GetTypeId()
{
    using Self = SelectiveRepeatLossRecovery;
    static TypeId tid =
        TypeId("ns3::SelectiveRepeatLossRecovery")
            .SetParent<LossRecovery>()
            .SetGroupName("Roce")
            .AddConstructor<SelectiveRepeatLossRecovery>()
            .AddAttribute("RtoLow",
                          "Timeout with fewer than RtoLowPackets packets outstanding (IRN, 3.1).",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Self::m_rtoLow),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("RtoHigh",
                          "Timeout otherwise: a round trip with full queues (IRN, 3.1: 320 us).",
                          TimeValue(MicroSeconds(320)),
                          MakeTimeAccessor(&Self::m_rtoHigh),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("RtoLowPackets",
                          "With fewer packets outstanding, RtoLow counts (IRN, 3.1: N).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Self::m_rtoLowPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BdpCapBytes",
                          "Bytes on the wire that may be outstanding; 0: line rate times round trip "
                          "in an idle network by the best path (IRN, 3.2: the longest path), no cap "
                          "where that is not known.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_bdpCapBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

Ptr<LossRecovery>
SelectiveRepeatLossRecovery::Fork() const
{
    return CopyObject(Ptr<const SelectiveRepeatLossRecovery>(this));
}

void
SelectiveRepeatLossRecovery::Start(const LossRecoveryStart& start)
{
    m_sacked.Reset(start.firstPsn);
    m_lost.Reset(start.firstPsn);
    m_arrivedEnd = m_judged = m_recoveryEnd = start.firstPsn;
    m_start = start;
    LineRateChanged(start.lineRateBps);
}

void
SelectiveRepeatLossRecovery::LineRateChanged(uint64_t lineRateBps)
{
    uint64_t bytes = m_bdpCapBytes;
    if (bytes == 0)
    {
        bytes = static_cast<uint64_t>(static_cast<unsigned __int128>(lineRateBps) *
                                      m_start.baseRtt / 8 / m_start.ticksPerSecond);
    }
    if (bytes > 0)
    {
        m_capPackets = (bytes - 1) / m_start.packetWireBytes + 1;
    }
}

LossFinding
SelectiveRepeatLossRecovery::OnAck(const AckReport& ack, const SendNumbers& numbers)
{
    NoteArrivals(ack, numbers.una);
    const uint64_t first = FindLosses(numbers.una);
    if (first == NONE)
    {
        return numbers.next < numbers.highest ? LossFinding::RESEEK : LossFinding::NOTHING;
    }
    if (first < m_recoveryEnd)
    {
        return LossFinding::RESEEK;
    }
    m_recoveryEnd = numbers.highest;
    return LossFinding::LOSS;
}

void
SelectiveRepeatLossRecovery::NoteArrivals(const AckReport& ack, uint64_t una)
{
    m_sacked.Advance(una);
    m_lost.Advance(una);
    m_arrivedEnd = std::max(m_arrivedEnd, una);
    if (!ack.selective)
    {
        return;
    }
    for (uint64_t bits = ack.sackBits; bits; bits &= bits - 1)
    {
        const uint64_t psn = ack.sackPsn + __builtin_ctzll(bits) - 63;
        if (psn >= una && m_sacked.Insert(psn))
        {
            m_lost.Erase(psn);
        }
    }
    m_arrivedEnd = std::max(m_arrivedEnd, m_sacked.GetEnd());
}

uint64_t
SelectiveRepeatLossRecovery::FindLosses(uint64_t una)
{
    uint64_t first = NONE;
    while (!m_resent.empty() && m_resent.front().mark + GetReorderWindow() < m_arrivedEnd)
    {
        const uint64_t psn = m_resent.front().psn;
        m_resent.pop_front();
        if (psn >= una && !m_sacked.Contains(psn))
        {
            m_lost.Insert(psn);
            first = std::min(first, psn);
        }
    }
    m_judged = std::max(m_judged, una);
    for (; m_judged + GetReorderWindow() + 1 < m_arrivedEnd; m_judged++)
    {
        if (!m_sacked.Contains(m_judged))
        {
            m_lost.Insert(m_judged);
            first = std::min(first, m_judged);
        }
    }
    return first;
}

void
SelectiveRepeatLossRecovery::OnTimeout(const SendNumbers& numbers)
{
    m_resent.clear();
    for (uint64_t psn = numbers.una; psn < numbers.highest; psn++)
    {
        if (!m_sacked.Contains(psn))
        {
            m_lost.Insert(psn);
        }
    }
    m_judged = m_recoveryEnd = numbers.highest;
}

uint64_t
SelectiveRepeatLossRecovery::NextPsn(const SendNumbers& numbers) const
{
    return m_lost.IsEmpty() ? numbers.highest : m_lost.FirstFrom(numbers.una);
}

uint64_t
SelectiveRepeatLossRecovery::OnResend(uint64_t psn, const SendNumbers& numbers)
{
    m_lost.Erase(psn);
    m_resent.push_back({psn, numbers.highest});
    return NextPsn(numbers);
}

uint64_t
SelectiveRepeatLossRecovery::GetTimeout(uint64_t outstanding, uint32_t retries) const
{
    const Time& timeout = outstanding < m_rtoLowPackets ? m_rtoLow : m_rtoHigh;
    return static_cast<uint64_t>(timeout.GetTimeStep()) << std::min(retries, 16U);
}

uint64_t
SelectiveRepeatLossRecovery::GetMaxOutstanding() const
{
    return m_capPackets;
}

Arrival
SelectiveRepeatLossRecovery::Accept(uint64_t psn, bool ackRequest, uint64_t expected)
{
    const bool held = IsHolding();
    if (psn == expected)
    {
        const uint64_t next = Pass(psn);
        const ArrivalAnswer answer = IsHolding()         ? ArrivalAnswer::SELECTIVE
                                     : held || ackRequest ? ArrivalAnswer::ACK
                                                          : ArrivalAnswer::NONE;
        return {ArrivalKind::IN_ORDER, answer, next};
    }
    const ArrivalAnswer always = held ? ArrivalAnswer::SELECTIVE : ArrivalAnswer::ACK;
    if (psn < expected)
    {
        return {ArrivalKind::DUPLICATE, always, expected};
    }
    const bool isNew = Keep(psn, expected);
    return {isNew ? ArrivalKind::BUFFERED : ArrivalKind::DUPLICATE,
            ArrivalAnswer::SELECTIVE,
            expected};
}

} // namespace ns3
