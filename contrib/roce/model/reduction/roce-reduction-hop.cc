/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-reduction-hop.h"

#include "ns3/assert.h"
#include "ns3/ecmp-hash.h"
#include "ns3/roce-psn.h"
#include "ns3/roce-verb.h"
#include "ns3/roce-wire.h"

#include <algorithm>

namespace ns3
{

RoceReductionHop::RoceReductionHop(RoceReductionHopUser& user,
                                   FabricContext& fabric,
                                   const RoceReductionSettings& settings,
                                   const Ends& ends)
    : m_user(user),
      m_fabric(fabric),
      m_settings(settings),
      m_ends(ends),
      m_timer(this)
{
    m_timer.Bind(&fabric.engine, ends.node);
}

void
RoceReductionHop::Send(uint32_t payloadBytes, bool last)
{
    const bool first = m_pending.empty();
    m_pending.push_back({payloadBytes, last});
    const uint64_t number = m_next++;
    if (first)
    {
        m_user.CountWaiting(*this, true);
        m_armedAt = GetAcknowledged();
        m_timer.Set(m_fabric.engine.Now() + m_settings.ackTimeout);
    }
    SendFragment(number, last && m_ends.asksAtEnd, false);
}

FabricPacket*
RoceReductionHop::NewFrame(uint8_t opcode, uint32_t payloadBytes)
{
    FabricPacket* frame = m_fabric.pool.Allocate();
    frame->frameBytes = RoceWire::FrameBytes(static_cast<RoceOpcode>(opcode), payloadBytes);
    frame->payloadBytes = payloadBytes;
    frame->src = m_ends.src;
    frame->dst = m_ends.dst;
    frame->flow = RoceWire::SourcePort(EcmpHash(m_ends.src, m_ends.dst, m_settings.stream, 0));
    frame->qp = m_settings.stream;
    frame->opcode = opcode;
    frame->priority = m_settings.priority;
    frame->dscp = m_settings.dscp;
    frame->offload = 1;
    return frame;
}

void
RoceReductionHop::SendFragment(uint64_t number, bool asks, bool again)
{
    const Fragment& fragment = m_pending[number - GetAcknowledged()];
    FabricPacket* frame = NewFrame(static_cast<uint8_t>(RoceOpcode::SEND_ONLY_WITH_IMMEDIATE),
                                   fragment.payloadBytes);
    frame->frameClass = static_cast<uint8_t>(FrameClass::DATA);
    frame->psn = WirePsn(number);
    frame->immediate = WirePsn(m_expected);
    frame->solicited = fragment.last;
    frame->ackRequest = asks;
    m_fabric.counters.retransmittedPackets += again;
    m_user.Emit(*this, frame);
}

void
RoceReductionHop::SendAck(uint8_t syndrome, uint64_t number)
{
    FabricPacket* frame = NewFrame(static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE), 0);
    frame->frameClass = static_cast<uint8_t>(FrameClass::ACK);
    frame->psn = WirePsn(m_expected);
    frame->aeth = MakeAeth(syndrome, WirePsn(number));
    m_fabric.counters.naks += syndrome == AETH_NAK_SEQUENCE;
    m_user.Emit(*this, frame);
}

void
RoceReductionHop::Receive(const FabricPacket& frame)
{
    if (RoceWire::IsAck(static_cast<RoceOpcode>(frame.opcode)))
    {
        ReceiveAck(frame);
        return;
    }
    Acknowledge(ExpandPsn(frame.immediate, GetAcknowledged()));
    const uint64_t number = ExpandPsn(frame.psn, m_expected);
    if (number > m_expected)
    {
        if (!m_nakSent)
        {
            m_nakSent = true;
            SendAck(AETH_NAK_SEQUENCE, number);
        }
        return;
    }
    if (number == m_expected)
    {
        m_expected++;
        m_nakSent = false;
        m_user.Accept(*this, number, frame.payloadBytes, frame.solicited);
    }
    if (frame.ackRequest)
    {
        SendAck(AETH_ACK, number);
    }
}

void
RoceReductionHop::ReceiveAck(const FabricPacket& frame)
{
    const uint64_t count = ExpandPsn(frame.psn, GetAcknowledged());
    const bool nak = frame.aeth >> 24 == AETH_NAK_SEQUENCE;
    Acknowledge(count);
    m_retries = 0;
    if (m_failed || count < GetAcknowledged())
    {
        return;
    }
    if (nak)
    {
        Repeat(count, m_next);
    }
    else if (m_probedUpTo > 0 && WirePsn(m_probe) == (frame.aeth & (PSN_COUNT - 1)))
    {
        // Frames of a link stay in order: what was sent before the probe and is not there is lost.
        Repeat(count, std::max(count, m_probedUpTo));
        m_probedUpTo = 0;
    }
}

void
RoceReductionHop::Acknowledge(uint64_t count)
{
    const uint64_t from = GetAcknowledged();
    if (count <= from)
    {
        return;
    }
    NS_ASSERT_MSG(count <= m_next, "an acknowledgement of what was not sent");
    m_pending.erase(m_pending.begin(), m_pending.begin() + static_cast<int64_t>(count - from));
    m_retries = 0;
    m_user.Acknowledged(*this, from, count);
    if (m_pending.empty())
    {
        m_timer.Clear();
        m_user.CountWaiting(*this, false);
    }
}

void
RoceReductionHop::Repeat(uint64_t from, uint64_t to)
{
    for (uint64_t number = from; number < to; number++)
    {
        SendFragment(number, m_pending[number - GetAcknowledged()].last && m_ends.asksAtEnd, true);
    }
}

void
RoceReductionHop::Expire()
{
    if (GetAcknowledged() == m_armedAt)
    {
        if (m_retries == m_settings.retryCount)
        {
            m_failed = true;
            m_user.GaveUp(*this);
            return;
        }
        m_retries++;
        m_fabric.counters.timeouts++;
        m_probe = GetAcknowledged();
        m_probedUpTo = m_next;
        SendFragment(m_probe, true, true);
    }
    m_armedAt = GetAcknowledged();
    m_timer.Set(m_fabric.engine.Now() + m_settings.ackTimeout);
}

} // namespace ns3
