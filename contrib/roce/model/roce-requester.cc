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
    m_una = m_next = m_highest = m_asked = m_end = m_limit = parameters.firstPsn;
}

void
RoceRequester::Post(const RoceWorkRequest& request)
{
    const uint64_t packets = PacketsOf(request.bytes, m_parameters.mtuBytes);
    m_messages.push_back({request, m_end, packets});
    const bool wasOpen =
        m_limit == m_end || m_limit == 0; // nothing waits for a READ to start or end
    m_end += packets;
    m_reads += request.verb == RoceVerb::READ;
    if (wasOpen)
    {
        UpdateLimits();
    }
}

void
RoceRequester::UpdateLimits()
{
    m_limit = m_end;
    m_readLimit = 0;
    if (m_reads > 0)
    {
        LimitToRun();
    }
    if (m_held)
    {
        m_limit = 0;
    }
    UpdateReadReady();
}

void
RoceRequester::LimitToRun()
{
    bool reading = false;
    uint32_t reads = 0;
    for (const Entry& entry : m_messages)
    {
        const uint64_t end = entry.firstPsn + entry.packets;
        if (end <= m_una)
        {
            continue; // told soon
        }
        const bool isRead = entry.request.verb == RoceVerb::READ;
        if (entry.firstPsn <= m_una)
        {
            reading = isRead; // the first one says what the run is of
        }
        if (isRead != reading)
        {
            m_limit = reading ? 0 : entry.firstPsn;
            return;
        }
        if (isRead)
        {
            m_limit = 0;
            if (++reads > m_parameters.maxReads || end - m_una > MAX_READ_PACKETS)
            {
                return;
            }
            m_readLimit = end;
        }
    }
}

void
RoceRequester::UpdateReadReady()
{
    m_readReady = !m_rereads.empty() || m_next < m_readLimit;
}

void
RoceRequester::Hold(bool hold)
{
    m_held = hold;
    UpdateLimits();
}

void
RoceRequester::Reread(const PsnRange& range)
{
    DropRereads(range);
    m_rereads.push_back(range);
    UpdateReadReady();
}

void
RoceRequester::DropRereads(const PsnRange& range)
{
    const auto isWithin = [&range](const PsnRange& other) {
        return other.psn >= range.psn && other.end <= range.end;
    };
    m_rereads.erase(std::remove_if(m_rereads.begin(), m_rereads.end(), isWithin), m_rereads.end());
}

const RoceRequester::Entry&
RoceRequester::FindEntry(uint64_t psn) const
{
    return *std::find_if(m_messages.begin(), m_messages.end(), [psn](const Entry& entry) {
        return psn < entry.firstPsn + entry.packets;
    });
}

bool
RoceRequester::BuildReadRequest(FabricPacket& packet)
{
    const bool again = !m_rereads.empty();
    if (again)
    {
        PsnRange& range = m_rereads.front();
        range.psn = std::max(range.psn, m_una);
        const Entry& entry = FindEntry(range.psn);
        const uint64_t end = std::min(range.end, entry.firstPsn + entry.packets);
        FillReadRequest(packet, entry, {range.psn, end});
        range.psn = end;
        if (range.psn == range.end)
        {
            m_rereads.erase(m_rereads.begin());
        }
    }
    else
    {
        const Entry& entry = m_messages[m_cursor];
        const uint64_t from = m_next;
        const uint64_t end = entry.firstPsn + entry.packets;
        const uint64_t part = m_parameters.readPartPackets;
        m_next = m_highest = m_asked = part > 0 ? std::min(end, from + part) : end;
        m_cursor += m_next == end;
        m_reading = true;
        FillReadRequest(packet, entry, {from, m_next});
    }
    UpdateReadReady();
    return again;
}

void
RoceRequester::FillReadRequest(FabricPacket& packet,
                               const Entry& entry,
                               const PsnRange& range) const
{
    const uint64_t mtu = m_parameters.mtuBytes;
    packet.opcode = static_cast<uint8_t>(RoceOpcode::READ_REQUEST);
    packet.frameBytes = RoceWire::FrameBytes(RoceOpcode::READ_REQUEST, 0);
    packet.psn = WirePsn(range.psn);
    packet.messageBytes = std::min((range.end - range.psn) * mtu,
                                   entry.request.bytes - (range.psn - entry.firstPsn) * mtu);
    packet.cookie = entry.request.cookie;
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
    if (m_readReady)
    {
        return BuildReadRequest(packet);
    }
    NS_ASSERT_MSG(m_next < m_end, "there is no packet to send");
    const Entry& entry = m_messages[m_cursor];
    m_reading = false;
    const bool first = m_next == entry.firstPsn;
    const bool last = m_next + 1 == entry.firstPsn + entry.packets;
    const RoceOpcode opcode =
        RequestOpcode(entry.request.verb, first, last, entry.request.withImmediate);
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.payloadBytes = PayloadOf(entry, m_next);
    packet.frameBytes = RoceWire::FrameBytes(opcode, packet.payloadBytes);
    packet.psn = WirePsn(m_next);
    packet.messageBytes = entry.request.bytes;
    packet.cookie = entry.request.cookie;
    packet.immediate = entry.request.immediate;
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
    if (m_reads > 0 && (m_reading || m_una >= m_limit))
    {
        DropRereads({0, psn});
        UpdateLimits();
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
    m_reads = 0;
    m_rereads.clear();
    Hold(false);
    return requests;
}

void
RoceRequester::PopCompleted()
{
    m_reads -= m_messages.front().request.verb == RoceVerb::READ;
    m_messages.pop_front();
    if (m_cursor > 0)
    {
        m_cursor--;
    }
}

} // namespace ns3
