/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-responder.h"

#include "roce-verb.h"

#include "ns3/roce-psn.h"

namespace ns3
{

RoceResponder::Verdict
RoceResponder::Accept(const FabricPacket& packet)
{
    const uint64_t psn = ExpandPsn(packet.psn, m_expected);
    if (psn > m_expected)
    {
        return Verdict::GAP;
    }
    if (psn < m_expected)
    {
        return Verdict::AGAIN;
    }
    m_expected++;
    m_nakSent = false;
    if (IsLastOfMessage(static_cast<RoceOpcode>(packet.opcode)))
    {
        m_msn = WirePsn(m_msn + 1);
    }
    return Verdict::ACCEPT;
}

bool
RoceResponder::TakeNak()
{
    const bool first = !m_nakSent;
    m_nakSent = true;
    return first;
}

bool
RoceResponder::TakeCnp(bool marked, uint64_t now, uint64_t interval)
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
    if (!m_markPending || (m_cnpSent && now - m_lastCnp < interval))
    {
        return false;
    }
    m_markPending = false;
    m_cnpSent = true;
    m_lastCnp = now;
    return true;
}

} // namespace ns3
