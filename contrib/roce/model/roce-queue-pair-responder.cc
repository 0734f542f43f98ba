/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"

#include "ns3/roce-frame.h"
#include "ns3/roce-psn.h"

/**
 * \file
 * \ingroup roce
 * RoceQueuePair as responder: data, READ requests, datagrams, and how they are answered.
 */

namespace ns3
{

void
RoceQueuePair::NoteMark(const FabricPacket& packet, FabricPort& port, uint64_t now)
{
    const bool marked = packet.ecn == static_cast<uint8_t>(EcnCodepoint::CE);
    if (m_peerWantsCnp && responder.TakeCnp(marked, now, m_cnpInterval, m_nic.MaySendCnp(now)))
    {
        m_nic.NoteCnp(now);
        SendCnp(port, now);
    }
}

void
RoceQueuePair::ReceiveData(FabricPacket& packet, FabricPort& port, uint64_t now)
{
    if (packet.ecn == static_cast<uint8_t>(EcnCodepoint::CE))
    {
        responder.CountMark(packet.payloadBytes);
    }
    NoteMark(packet, port, now);
    if (m_receives && !FindsReceive(packet, port, now))
    {
        return;
    }
    Arrival arrival;
    if (responder.AcceptNext(packet))
    {
        arrival.answer = packet.ackRequest ? ArrivalAnswer::ACK : ArrivalAnswer::NONE;
    }
    else
    {
        arrival = responder.Accept(packet, GetLossRecovery());
    }
    if (arrival.answer != ArrivalAnswer::NONE)
    {
        SendAck(packet, arrival.answer, port, now);
    }
    if (arrival.kind == ArrivalKind::IN_ORDER || arrival.kind == ArrivalKind::BUFFERED)
    {
        m_nic.GetFabric()->counters.payloadBytesDelivered += packet.payloadBytes;
        receivedBytes += packet.payloadBytes;
        if (responder.HasEnded())
        {
            TellArrivals();
        }
    }
}

bool
RoceQueuePair::FindsReceive(FabricPacket& packet, FabricPort& port, uint64_t now)
{
    const uint64_t expected = responder.GetExpected();
    const auto verdict = m_receives->Judge(static_cast<RoceOpcode>(packet.opcode),
                                           ExpandPsn(packet.psn, expected),
                                           expected);
    if (verdict == RoceReceiveQueue::Verdict::RNR_NAK)
    {
        SendNak(packet, AETH_RNR_NAK | settings.minRnrTimer, port, now);
    }
    return verdict == RoceReceiveQueue::Verdict::TAKE;
}

void
RoceQueuePair::TellArrivals()
{
    RoceMessageEnd end;
    while (responder.TakeEnd(end))
    {
        TellArrival(end);
    }
}

void
RoceQueuePair::TellArrival(const RoceMessageEnd& end)
{
    RoceWorkRequest request;
    request.verb =
        end.opcode <= RoceOpcode::SEND_ONLY_WITH_IMMEDIATE ? RoceVerb::SEND : RoceVerb::WRITE;
    request.bytes = end.bytes;
    request.cookie = end.cookie;
    request.withImmediate = RoceWire::HasImmediate(end.opcode);
    request.immediate = end.immediate;
    RoceCompletion completion = MakeCompletion(request, RoceStatus::SUCCESS);
    completion.received = true;
    if (m_receives && m_receives->IsUsedBy(end))
    {
        completion.receiveCookie = m_receives->Take();
    }
    if (m_nic.GetListener())
    {
        m_nic.GetListener()->MessageArrived(completion);
    }
}

void
RoceQueuePair::ReceiveReadRequest(FabricPacket& packet, FabricPort& in, uint64_t now)
{
    NoteMark(packet, in, now);
    const uint64_t expected = responder.GetExpected();
    const uint64_t psn = ExpandPsn(packet.psn, expected);
    if (!m_responses)
    {
        m_responses = std::make_unique<RoceReadResponses>();
    }
    if (psn > expected)
    {
        if (psn - expected <= GetLossRecovery().GetReorderWindow())
        {
            m_responses->KeepEarly(psn, packet.messageBytes);
        }
        else if (responder.TakeReadNak())
        {
            SendNak(packet, AETH_NAK_SEQUENCE, in, now);
        }
        return;
    }
    Start(now);
    TakeReadRequest(psn, packet.messageBytes);
    for (uint64_t bytes = 0; m_responses->TakeEarly(responder.GetExpected(), bytes);)
    {
        TakeReadRequest(responder.GetExpected(), bytes);
    }
    m_otherReady = true;
    m_nic.GetScheduler(port).Wake(*this, now);
}

void
RoceQueuePair::TakeReadRequest(uint64_t psn, uint64_t bytes)
{
    // What is asked for again may go on with what was never heard of.
    const uint64_t end = psn + PacketsOf(bytes, settings.mtuBytes);
    if (end > responder.GetExpected())
    {
        responder.PassRead(end - responder.GetExpected());
    }
    m_responses->Add({psn, bytes, responder.GetMsn()}, settings.mtuBytes);
}

void
RoceQueuePair::ReceiveDatagram(FabricPacket& packet, FabricPort&, uint64_t)
{
    if (m_receives->IsEmpty())
    {
        droppedDatagrams++;
        return;
    }
    m_nic.GetFabric()->counters.payloadBytesDelivered += packet.payloadBytes;
    receivedBytes += packet.payloadBytes;
    RoceWorkRequest request;
    request.bytes = packet.payloadBytes;
    request.cookie = packet.cookie;
    request.withImmediate = RoceWire::HasImmediate(static_cast<RoceOpcode>(packet.opcode));
    request.immediate = packet.immediate;
    RoceCompletion completion = MakeCompletion(request, RoceStatus::SUCCESS);
    completion.received = true;
    completion.peerRank = packet.src;
    completion.peerQp = packet.aeth;
    completion.receiveCookie = m_receives->Take();
    if (m_nic.GetListener())
    {
        m_nic.GetListener()->MessageArrived(completion);
    }
}

FabricPacket*
RoceQueuePair::NewAck(RoceOpcode opcode, uint8_t syndrome, uint64_t psn)
{
    FabricPacket* ack = m_nic.NewPacket(*this, opcode);
    ack->frameClass = static_cast<uint8_t>(FrameClass::ACK);
    ack->frameBytes = RoceWire::FrameBytes(opcode, 0);
    ack->psn = WirePsn(psn);
    ack->aeth = MakeAeth(syndrome, responder.GetMsn());
    return ack;
}

void
RoceQueuePair::SendAck(FabricPacket& request, ArrivalAnswer answer, FabricPort& port, uint64_t now)
{
    const bool nak = answer == ArrivalAnswer::NAK;
    const RoceOpcode opcode = answer == ArrivalAnswer::SELECTIVE ? RoceOpcode::SELECTIVE_ACKNOWLEDGE
                                                                 : RoceOpcode::ACKNOWLEDGE;
    FabricPacket* ack =
        NewAck(opcode, nak ? AETH_NAK_SEQUENCE : AETH_ACK, responder.GetExpected() - !nak);
    FillFeedback(request, *ack);
    if (answer == ArrivalAnswer::SELECTIVE)
    {
        FillSack(*ack, request.psn);
    }
    m_nic.GetFabric()->counters.naks += nak;
    port.Enqueue(ack, now);
}

void
RoceQueuePair::FillFeedback(FabricPacket& request, FabricPacket& ack)
{
    ack.stamp = request.stamp;
    if (request.instrumented)
    {
        ack.frameBytes += RoceFrame::GetTelemetryBytes(request);
        FabricPacketPool::MoveTelemetry(&request, &ack);
    }
    responder.TakeMarks(ack);
}

void
RoceQueuePair::SendNak(FabricPacket& request, uint8_t syndrome, FabricPort& port, uint64_t now)
{
    FabricPacket* nak = NewAck(RoceOpcode::ACKNOWLEDGE, syndrome, responder.GetExpected());
    FillFeedback(request, *nak);
    m_nic.GetFabric()->counters.naks++;
    port.Enqueue(nak, now);
}

void
RoceQueuePair::FillSack(FabricPacket& ack, uint32_t psn)
{
    const PsnSet& received = GetLossRecovery().GetReceived();
    const uint64_t number = ExpandPsn(psn, responder.GetExpected());
    const uint64_t last = received.Contains(number) ? number : received.GetEnd() - 1;
    SackRecord::Set(ack, last, received.GetBitsUpTo(last));
}

void
RoceQueuePair::SendCnp(FabricPort& port, uint64_t now)
{
    FabricPacket* cnp = m_nic.NewPacket(*this, RoceOpcode::CNP);
    cnp->frameClass = static_cast<uint8_t>(FrameClass::CONTROL);
    cnp->frameBytes = RoceWire::FrameBytes(RoceOpcode::CNP, 0);
    cnp->priority = settings.cnpPriority;
    cnp->dscp = settings.cnpDscp;
    m_nic.GetFabric()->counters.cnps++;
    port.Enqueue(cnp, now);
}

} // namespace ns3
