/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-responder.h"

#include "roce-verb.h"

#include "ns3/roce-psn.h"

namespace ns3
{

bool
RoceResponder::AcceptNext(const FabricPacket& packet)
{
    if (m_holding || packet.psn != WirePsn(m_expected))
    {
        return false;
    }
    const uint64_t psn = m_expected++;
    if (IsLastOfMessage(static_cast<RoceOpcode>(packet.opcode)))
    {
        End(EndOf(packet, psn));
    }
    return true;
}

Arrival
RoceResponder::Accept(const FabricPacket& packet, LossRecovery& recovery)
{
    const uint64_t psn = ExpandPsn(packet.psn, m_expected);
    const Arrival arrival = recovery.Accept(psn, packet.ackRequest, m_expected);
    m_expected = arrival.expected;
    m_holding = recovery.IsHolding();
    const bool taken =
        arrival.kind == ArrivalKind::IN_ORDER || arrival.kind == ArrivalKind::BUFFERED;
    if (taken && IsLastOfMessage(static_cast<RoceOpcode>(packet.opcode)))
    {
        m_waiting[psn] = EndOf(packet, psn);
    }
    while (!m_waiting.empty() && m_waiting.begin()->first < m_expected)
    {
        End(m_waiting.begin()->second);
        m_waiting.erase(m_waiting.begin());
    }
    return arrival;
}

RoceMessageEnd
RoceResponder::EndOf(const FabricPacket& packet, uint64_t psn)
{
    RoceMessageEnd end;
    end.opcode = static_cast<RoceOpcode>(packet.opcode);
    end.immediate = packet.immediate;
    end.bytes = packet.messageBytes;
    end.cookie = packet.cookie;
    end.lastPsn = psn;
    return end;
}

void
RoceResponder::End(RoceMessageEnd end)
{
    end.firstPsn = m_nextStart;
    m_nextStart = end.lastPsn + 1;
    m_msn = WirePsn(m_msn + 1);
    m_ended.push_back(end);
    m_hasEnded = true;
}

bool
RoceResponder::TakeEnd(RoceMessageEnd& end)
{
    if (m_taken == m_ended.size())
    {
        m_ended.clear();
        m_taken = 0;
        m_hasEnded = false;
        return false;
    }
    end = m_ended[m_taken++];
    return true;
}

bool
RoceResponder::TakeCnp(bool marked, uint64_t now, uint64_t interval, bool allowed)
{
    if (marked)
    {
        m_markPending = true;
        m_lastMark = now;
    }
    else if (m_markPending && now - m_lastMark > interval)
    {
        m_markPending = false; // of a burst that is over
    }
    if (!m_markPending || !allowed || (m_cnpSent && now - m_lastCnp < interval))
    {
        return false;
    }
    m_markPending = false;
    m_cnpSent = true;
    m_lastCnp = now;
    return true;
}

} // namespace ns3
