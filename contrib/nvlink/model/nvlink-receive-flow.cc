/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-receive-flow.h"

#include "nvlink-frame.h"

#include "ns3/assert.h"

namespace ns3
{

void
NvlinkReceiveFlow::Receive(const FabricPacket& packet)
{
    const uint32_t place = packet.immediate - m_nextSequence;
    NS_ASSERT_MSG(place < 1U << 31, "a piece of a message that was delivered already");
    if (place >= m_messages.size())
    {
        m_messages.resize(place + 1);
    }
    Incoming& incoming = m_messages[place];
    if (!incoming.known)
    {
        incoming.known = true;
        incoming.since = packet.stamp;
        incoming.message.src = packet.src;
        incoming.message.dst = packet.dst;
        incoming.message.channel = packet.flow;
        incoming.message.bytes = packet.messageBytes;
        incoming.message.tag = packet.cookie;
        incoming.message.kind = GetNvlinkMessageKind(packet);
        incoming.message.team = packet.qp;
    }
    incoming.receivedBytes += packet.payloadBytes;
    m_receivedBytes += packet.payloadBytes;
    NS_ASSERT_MSG(incoming.receivedBytes <= incoming.message.bytes, "more than was sent");
}

bool
NvlinkReceiveFlow::TakeDelivered(Message& message)
{
    if (m_messages.empty())
    {
        return false;
    }
    const Incoming& first = m_messages.front();
    if (!first.known || first.receivedBytes < first.message.bytes)
    {
        return false;
    }
    message = first.message;
    m_messages.pop_front();
    m_nextSequence++;
    return true;
}

const NvlinkReceiveFlow::Incoming*
NvlinkReceiveFlow::Find(uint32_t sequence) const
{
    const uint32_t place = sequence - m_nextSequence; // wraps below the first
    return place < m_messages.size() && m_messages[place].known ? &m_messages[place] : nullptr;
}

} // namespace ns3
