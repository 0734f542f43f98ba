/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-send-flow.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

NvlinkSendFlow::NvlinkSendFlow(uint32_t dst, uint32_t channel, PortSpan ports, bool isShare)
    : m_dst(dst),
      m_channel(channel),
      m_ports(ports),
      m_isShare(isShare)
{
}

void
NvlinkSendFlow::Push(const Message& message, uint64_t now)
{
    PushShare(message, now, GetNextSequence(), message.bytes);
}

void
NvlinkSendFlow::PushShare(const Message& message, uint64_t now, uint32_t number, uint64_t allBytes)
{
    Outgoing outgoing;
    outgoing.message = message;
    outgoing.since = now;
    outgoing.number = number;
    outgoing.allBytes = allBytes;
    m_messages.push_back(outgoing);
}

NvlinkPiece
NvlinkSendFlow::Cut(const NvlinkCutting& cutting)
{
    NS_ASSERT_MSG(HasWork(), "nothing to cut");
    Outgoing& outgoing = m_messages[m_cutting];
    const uint64_t links = m_ports.count;
    const uint64_t left = outgoing.message.bytes - outgoing.cutBytes;
    const uint64_t share = std::max<uint64_t>((left + links - 1) / links, cutting.minGranularity);
    NvlinkPiece piece;
    piece.message = &outgoing.message;
    piece.since = outgoing.since;
    piece.sequence = m_firstSequence + static_cast<uint32_t>(m_cutting);
    piece.number = outgoing.number;
    piece.messageBytes = outgoing.allBytes;
    piece.payloadBytes =
        static_cast<uint32_t>(std::min({left, share, uint64_t{cutting.granularity}}));
    outgoing.cutBytes += piece.payloadBytes;
    outgoing.onLinks++;
    if (outgoing.cutBytes == outgoing.message.bytes)
    {
        outgoing.cutWholly = true;
        m_cutting++;
    }
    return piece;
}

bool
NvlinkSendFlow::PieceLeft(uint32_t sequence, Outgoing& done)
{
    Outgoing& outgoing = m_messages.at(sequence - m_firstSequence);
    NS_ASSERT_MSG(outgoing.onLinks > 0, "a piece left twice");
    outgoing.onLinks--;
    if (!outgoing.cutWholly || outgoing.onLinks)
    {
        return false;
    }
    done = outgoing;
    while (!m_messages.empty() && m_messages.front().cutWholly && !m_messages.front().onLinks)
    {
        m_messages.pop_front();
        m_firstSequence++;
        m_cutting--;
    }
    return true;
}

const NvlinkSendFlow::Outgoing*
NvlinkSendFlow::Find(uint32_t sequence) const
{
    const uint32_t place = sequence - m_firstSequence; // wraps below the first
    return place < m_messages.size() ? &m_messages[place] : nullptr;
}

} // namespace ns3
