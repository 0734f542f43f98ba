/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-requester.h"

#include "ns3/assert.h"
#include "ns3/roce-psn.h"

#include <algorithm>

namespace ns3
{

void
RoceRequester::Configure(const RoceRequesterParameters& parameters, LossRecovery& recovery)
{
    m_parameters = parameters;
    m_recovery = &recovery;
    m_una = m_next = m_highest = m_asked = m_end = parameters.firstPsn;
}

void
RoceRequester::Post(const RoceWorkRequest& request)
{
    const uint64_t mtu = m_parameters.mtuBytes;
    const uint64_t packets = std::max<uint64_t>(1, (request.bytes + mtu - 1) / mtu);
    m_messages.push_back({request, m_end, packets});
    m_end += packets;
}

uint32_t
RoceRequester::PayloadOf(const Entry& entry, uint64_t psn) const
{
    const uint64_t offset = (psn - entry.firstPsn) * m_parameters.mtuBytes;
    return static_cast<uint32_t>(
        std::min<uint64_t>(m_parameters.mtuBytes, entry.request.bytes - offset));
}

bool
RoceRequester::BuildNext(FabricPacket& packet, uint64_t windowBytes)
{
    NS_ASSERT_MSG(m_next < m_end, "there is no packet to send");
    const Entry& entry = m_messages[m_cursor];
    const bool first = m_next == entry.firstPsn;
    const bool last = m_next + 1 == entry.firstPsn + entry.packets;
    const RoceOpcode opcode = RequestOpcode(entry.request.verb, first, last);
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.payloadBytes = PayloadOf(entry, m_next);
    packet.frameBytes = RoceWire::FrameBytes(opcode, packet.payloadBytes);
    packet.psn = WirePsn(m_next);
    packet.messageBytes = entry.request.bytes;
    packet.cookie = entry.request.cookie;
    const bool again = m_next < m_highest;
    const uint64_t sent = m_next + 1; // first number behind it
    const uint64_t outstanding = sent - m_una;
    const bool shut = outstanding >= m_parameters.maxOutstanding ||
                      outstanding * m_parameters.mtuBytes >= windowBytes;
    packet.ackRequest = last || shut || sent % m_parameters.ackEveryPackets == 0;
    if (packet.ackRequest)
    {
        m_asked = std::max(m_asked, sent);
    }
    m_next = again ? m_recovery->OnResend(m_next, GetNumbers()) : sent;
    m_highest = std::max(m_highest, m_next);
    if (m_next != sent)
    {
        SeekCursor();
    }
    else if (last)
    {
        m_cursor++;
    }
    return again;
}

uint64_t
RoceRequester::Acknowledge(uint64_t psn)
{
    if (psn <= m_una || psn > m_highest)
    {
        return 0; // old news, or a number that was never sent
    }
    uint64_t bytes = 0;
    for (const Entry& entry : m_messages)
    {
        const uint64_t from = std::max(m_una, entry.firstPsn);
        const uint64_t to = std::min(psn, entry.firstPsn + entry.packets);
        if (entry.firstPsn >= psn)
        {
            break;
        }
        if (from >= to)
        {
            continue; // acknowledged before
        }
        bytes += (to - from - 1) * m_parameters.mtuBytes + PayloadOf(entry, to - 1);
    }
    m_una = psn;
    if (m_next < m_una)
    {
        m_next = m_una; // the receiver had what was about to be sent again
        SeekCursor();
    }
    return bytes;
}

void
RoceRequester::Reseek()
{
    m_next = m_recovery->NextPsn(GetNumbers());
    m_asked = std::min(m_asked, m_next); // what was asked for will be asked for again
    SeekCursor();
}

void
RoceRequester::SeekCursor()
{
    m_cursor = std::min(m_cursor, m_messages.size());
    while (m_cursor > 0 &&
           (m_cursor == m_messages.size() || m_messages[m_cursor].firstPsn > m_next))
    {
        m_cursor--;
    }
    while (m_cursor < m_messages.size() &&
           m_messages[m_cursor].firstPsn + m_messages[m_cursor].packets <= m_next)
    {
        m_cursor++;
    }
}

const RoceRequester::Entry*
RoceRequester::PeekCompleted() const
{
    if (m_messages.empty() || m_messages.front().firstPsn + m_messages.front().packets > m_una)
    {
        return nullptr;
    }
    return &m_messages.front();
}

std::vector<RoceWorkRequest>
RoceRequester::Abandon()
{
    std::vector<RoceWorkRequest> requests;
    for (const Entry& entry : m_messages)
    {
        requests.push_back(entry.request);
    }
    m_messages.clear();
    m_cursor = 0;
    m_una = m_next = m_asked = m_highest = m_end;
    return requests;
}

void
RoceRequester::PopCompleted()
{
    m_messages.pop_front();
    if (m_cursor > 0)
    {
        m_cursor--;
    }
}

} // namespace ns3
