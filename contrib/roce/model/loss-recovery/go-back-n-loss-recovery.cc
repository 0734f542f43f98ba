/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "go-back-n-loss-recovery.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GoBackNLossRecovery);

TypeId
GoBackNLossRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GoBackNLossRecovery")
                            .SetParent<LossRecovery>()
                            .SetGroupName("Roce")
                            .AddConstructor<GoBackNLossRecovery>();
    return tid;
}

Ptr<LossRecovery>
GoBackNLossRecovery::Fork() const
{
    return CopyObject(Ptr<const GoBackNLossRecovery>(this));
}

void
GoBackNLossRecovery::Start(const LossRecoveryStart& start)
{
    m_ackTimeout = start.ackTimeout;
}

LossFinding
GoBackNLossRecovery::OnAck(const AckReport& ack, const SendNumbers& numbers)
{
    return ack.nak && ack.psn == numbers.una ? LossFinding::LOSS : LossFinding::NOTHING;
}

void
GoBackNLossRecovery::OnTimeout(const SendNumbers&)
{
}

uint64_t
GoBackNLossRecovery::NextPsn(const SendNumbers& numbers) const
{
    return numbers.una;
}

uint64_t
GoBackNLossRecovery::OnResend(uint64_t psn, const SendNumbers&)
{
    return psn + 1;
}

uint64_t
GoBackNLossRecovery::GetTimeout(uint64_t, uint32_t) const
{
    return m_ackTimeout;
}

uint64_t
GoBackNLossRecovery::GetMaxOutstanding() const
{
    return std::numeric_limits<uint64_t>::max();
}

Arrival
GoBackNLossRecovery::Accept(uint64_t psn, bool ackRequest, uint64_t expected)
{
    const ArrivalAnswer asAsked = ackRequest ? ArrivalAnswer::ACK : ArrivalAnswer::NONE;
    if (psn < expected)
    {
        return {ArrivalKind::DUPLICATE, asAsked, expected};
    }
    if (psn == expected)
    {
        // One that was kept may have asked for an ACK.
        const ArrivalAnswer answer = IsHolding() ? ArrivalAnswer::ACK : asAsked;
        return {ArrivalKind::IN_ORDER, answer, Pass(psn)};
    }
    if (psn - expected <= GetReorderWindow())
    {
        return {Keep(psn, expected) ? ArrivalKind::BUFFERED : ArrivalKind::DUPLICATE,
                asAsked,
                expected};
    }
    const bool known = m_reported == expected;
    m_reported = expected;
    return {ArrivalKind::REFUSED, known ? ArrivalAnswer::NONE : ArrivalAnswer::NAK, expected};
}

} // namespace ns3
