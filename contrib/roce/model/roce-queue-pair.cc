/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair.h"

#include "roce-nic-device.h"

#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/roce-frame.h"
#include "ns3/roce-psn.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

bool
RoceQueuePairSettings::operator==(const RoceQueuePairSettings& o) const
{
    const auto tie = [](const RoceQueuePairSettings& s) {
        return std::make_tuple(s.congestionControl.GetUid(),
                               s.lossRecovery.GetUid(),
                               s.mtuBytes,
                               s.ackInterval,
                               s.maxOutstanding,
                               s.retryCount,
                               s.priority,
                               s.cnpPriority,
                               s.ackTimeout,
                               s.cnpInterval);
    };
    return tie(*this) == tie(o);
}

RoceQueuePair::RoceQueuePair(RoceNicDevice& nic,
                             uint32_t number,
                             const RoceQueuePairParameters& parameters,
                             const RoceQueuePairSettings& settings)
    : number(number),
      parameters(parameters),
      settings(settings),
      port(parameters.port),
      ackTimer(this),
      m_nic(nic)
{
    ackTimer.Bind(&nic.GetFabric()->engine, nic.GetNode()->GetId());
}

void
RoceQueuePair::Connect(uint32_t peer,
                       uint64_t peerFirstPsn,
                       const CongestionControlNeeds& peerNeeds)
{
    peerNumber = peer;
    m_peerWantsCnp = peerNeeds.cnp;
    m_cnpInterval = peerNeeds.cnpInterval ? peerNeeds.cnpInterval : settings.cnpInterval;
    responder.Configure(peerFirstPsn);
}

void
RoceQueuePair::Start(uint64_t now)
{
    ObjectFactory factory;
    factory.SetTypeId(settings.congestionControl);
    congestionControl = factory.Create<RoceCongestionControl>();
    needs = congestionControl->GetNeeds();
    m_telemetryBytes = needs.telemetry ? RoceWire::TelemetryBytes(parameters.switchCount) : 0;
    const FabricLinkParameters& link = m_nic.GetPort(port).GetLink();
    CongestionControlStart start;
    start.now = now;
    start.ticksPerSecond = FabricEngine::GetTicksPerSecond();
    start.lineRateBps = pacing.lineRateBps;
    start.mtuBytes = settings.mtuBytes;
    start.packetWireBytes =
        RoceWire::FrameBytes(RoceOpcode::SEND_MIDDLE, settings.mtuBytes, m_telemetryBytes) +
        link.gapBytes;
    start.baseRtt = parameters.baseRtt;
    start.switchCount = parameters.switchCount;
    start.activeQps = m_nic.GetScheduler(parameters.port).GetActiveCount();
    congestionControl->Start(start);
    RoceRequesterParameters request;
    request.mtuBytes = settings.mtuBytes;
    request.ackEveryPackets = settings.ackInterval;
    if (needs.ackEveryBytes)
    {
        const uint32_t packets = std::max(1U, needs.ackEveryBytes / settings.mtuBytes);
        request.ackEveryPackets = std::min(settings.ackInterval, packets);
    }
    request.firstPsn = parameters.firstPsn;
    LossRecovery& recovery = GetLossRecovery();
    request.maxOutstanding =
        std::min<uint64_t>(settings.maxOutstanding, recovery.GetMaxOutstanding());
    requester.Configure(request, recovery);
}

LossRecovery&
RoceQueuePair::GetLossRecovery()
{
    if (!lossRecovery)
    {
        ObjectFactory factory;
        factory.SetTypeId(settings.lossRecovery);
        lossRecovery = factory.Create<LossRecovery>();
        const FabricLinkParameters& link = m_nic.GetPort(port).GetLink();
        LossRecoveryStart start;
        start.firstPsn = parameters.firstPsn;
        start.ticksPerSecond = FabricEngine::GetTicksPerSecond();
        start.lineRateBps = pacing.lineRateBps;
        start.packetWireBytes =
            RoceWire::FrameBytes(RoceOpcode::SEND_MIDDLE, settings.mtuBytes) + link.gapBytes;
        start.baseRtt = parameters.baseRtt;
        start.ackTimeout = settings.ackTimeout;
        lossRecovery->Start(start);
    }
    return *lossRecovery;
}

void
RoceQueuePair::Post(const RoceWorkRequest& request)
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    RoceWorkRequest posted = request;
    posted.postedAt = now;
    if (failed)
    {
        Complete(posted, RoceStatus::FLUSHED);
        return;
    }
    SetActive(true);
    if (!congestionControl)
    {
        Start(now);
    }
    requester.Post(posted);
    m_nic.GetScheduler(port).Wake(*this, now);
}

void
RoceQueuePair::SetActive(bool active)
{
    if (m_active != active)
    {
        m_active = active;
        m_nic.GetScheduler(parameters.port).CountActive(active);
    }
}

uint64_t
RoceQueuePair::SendNext(FabricPort& port, uint64_t now)
{
    FabricPacket* packet = m_nic.NewPacket(*this, RoceOpcode::SEND_MIDDLE);
    const bool again = requester.BuildNext(*packet, congestionControl->GetWindowBytes());
    m_nic.GetFabric()->counters.retransmittedPackets += again;
    retransmittedPackets += again;
    if (needs.telemetry)
    {
        packet->frameBytes = RoceWire::FrameBytes(static_cast<RoceOpcode>(packet->opcode),
                                                  packet->payloadBytes,
                                                  m_telemetryBytes);
        m_nic.GetFabric()->pool.AttachTelemetry(packet);
    }
    packet->stamp = number; // until it departs
    packet->ecn = static_cast<uint8_t>(needs.ecn ? EcnCodepoint::ECT0 : EcnCodepoint::NOT_ECT);
    const uint64_t wireBytes = packet->frameBytes + port.GetLink().gapBytes;
    port.Enqueue(packet, now);
    if (ackTimer.GetDue() == ackTimer.NEVER)
    {
        StartAckTimer(pacing.expectedStart);
    }
    return wireBytes;
}

void
RoceQueuePair::Departed(FabricPacket& packet, uint32_t gapBytes)
{
    packet.stamp = packet.start;
    firstSent = std::min(firstSent, packet.start);
    SendEvent event;
    event.now = pacing.spread ? m_nic.GetFabric()->engine.Now() : packet.start;
    event.psn = ExpandPsn(packet.psn, requester.GetNext());
    event.wireBytes = packet.frameBytes + gapBytes;
    event.payloadBytes = packet.payloadBytes;
    congestionControl->OnSend(event);
}

void
RoceQueuePair::Receive(FabricPacket& packet, FabricPort& port)
{
    if (failed)
    {
        return; // a queue pair in error hears nothing
    }
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    switch (packet.GetClass())
    {
    case FrameClass::DATA:
        ReceiveData(packet, port, now);
        break;
    case FrameClass::ACK:
        ReceiveAck(packet, now);
        break;
    case FrameClass::CONTROL:
        ReceiveCnp(now);
        break;
    }
}

void
RoceQueuePair::ReceiveData(FabricPacket& packet, FabricPort& port, uint64_t now)
{
    const bool marked = packet.ecn == static_cast<uint8_t>(EcnCodepoint::CE);
    if (marked)
    {
        responder.CountMark(packet.payloadBytes);
    }
    if (m_peerWantsCnp && responder.TakeCnp(marked, now, m_cnpInterval, m_nic.MaySendCnp(now)))
    {
        m_nic.NoteCnp(now);
        SendCnp(port, now);
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
        TellArrivals();
    }
}

void
RoceQueuePair::TellArrivals()
{
    RoceMessageEnd end;
    while (responder.TakeEnd(end))
    {
        if (m_nic.GetListener())
        {
            m_nic.GetListener()->MessageArrived(
                MakeCompletion(end.bytes, end.cookie, RoceStatus::SUCCESS));
        }
    }
}

void
RoceQueuePair::SendAck(FabricPacket& request,
                       ArrivalAnswer answer,
                       FabricPort& port,
                       uint64_t now)
{
    const bool nak = answer == ArrivalAnswer::NAK;
    const RoceOpcode opcode = answer == ArrivalAnswer::SELECTIVE ? RoceOpcode::SELECTIVE_ACKNOWLEDGE
                                                                 : RoceOpcode::ACKNOWLEDGE;
    FabricPacket* ack = m_nic.NewPacket(*this, opcode);
    ack->frameClass = static_cast<uint8_t>(FrameClass::ACK);
    ack->frameBytes = RoceWire::FrameBytes(opcode, 0);
    ack->psn = WirePsn(responder.GetExpected() - !nak);
    ack->aeth = static_cast<uint32_t>(nak ? AETH_NAK_SEQUENCE : AETH_ACK) << 24 | responder.GetMsn();
    ack->stamp = request.stamp;
    if (request.instrumented)
    {
        ack->frameBytes += RoceFrame::GetTelemetryBytes(request);
        FabricPacketPool::MoveTelemetry(&request, ack);
    }
    responder.TakeMarks(*ack);
    if (answer == ArrivalAnswer::SELECTIVE)
    {
        FillSack(*ack, request.psn);
    }
    m_nic.GetFabric()->counters.naks += nak;
    port.Enqueue(ack, now);
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
    m_nic.GetFabric()->counters.cnps++;
    port.Enqueue(cnp, now);
}

void
RoceQueuePair::ReceiveAck(const FabricPacket& packet, uint64_t now)
{
    if (!congestionControl)
    {
        return; // it never sent anything
    }
    RocePortScheduler& scheduler = m_nic.GetScheduler(port);
    scheduler.NoteDepartures(now);
    const uint64_t una = requester.GetUna();
    const AckReport report = ReadAck(packet, una);
    const uint64_t acked = requester.Acknowledge(report.nak ? report.psn : report.psn + 1);
    const LossFinding finding = lossRecovery->OnAck(report, requester.GetNumbers());
    const bool progress = requester.GetUna() != una;
    m_markedBytes += RoceResponder::GetMarkedBytes(packet);
    m_markedPackets += RoceResponder::GetMarkedPackets(packet);
    if (progress)
    {
        retries = 0;
    }
    if (progress || report.nak)
    {
        AckEvent event;
        event.now = now;
        event.psn = report.psn;
        event.nextPsn = requester.GetNext();
        event.ackedBytes = acked;
        event.rtt = now - packet.stamp;
        event.markedBytes = m_markedBytes;
        event.markedPackets = m_markedPackets;
        event.telemetry = packet.telemetry;
        m_markedBytes = 0;
        m_markedPackets = 0;
        congestionControl->OnAck(event);
    }
    if (finding != LossFinding::NOTHING)
    {
        requester.Reseek();
    }
    if (finding == LossFinding::LOSS)
    {
        congestionControl->OnLoss({now, requester.GetNext(), false});
    }
    if (progress || report.nak || finding == LossFinding::LOSS)
    {
        UpdateAckTimer(now);
    }
    CompleteMessages();
    scheduler.Wake(*this, now);
}

AckReport
RoceQueuePair::ReadAck(const FabricPacket& packet, uint64_t una)
{
    AckReport report;
    report.nak = packet.aeth >> 24 == AETH_NAK_SEQUENCE;
    report.psn = ExpandPsn(packet.psn, una);
    report.selective =
        static_cast<RoceOpcode>(packet.opcode) == RoceOpcode::SELECTIVE_ACKNOWLEDGE;
    if (report.selective)
    {
        // Not near psn: before the first packet came, that is the number before it.
        report.sackPsn = ExpandPsn(SackRecord::GetPsn(packet), una);
        report.sackBits = SackRecord::GetBits(packet);
    }
    return report;
}

uint64_t
RoceQueuePair::GetAckDue() const
{
    const SendNumbers numbers = requester.GetNumbers();
    return m_ackTimerStart + lossRecovery->GetTimeout(numbers.highest - numbers.una, retries);
}

void
RoceQueuePair::StartAckTimer(uint64_t since)
{
    m_ackTimerStart = since;
    ackTimer.Set(GetAckDue());
}

void
RoceQueuePair::UpdateAckTimer(uint64_t now)
{
    if (requester.HasOutstanding())
    {
        StartAckTimer(now);
    }
    else
    {
        ackTimer.Clear();
    }
}

void
RoceQueuePair::CompleteMessages()
{
    SetActive(requester.HasUnacknowledged());
    while (const RoceRequester::Entry* entry = requester.PeekCompleted())
    {
        const RoceWorkRequest request = entry->request;
        requester.PopCompleted();
        Complete(request, RoceStatus::SUCCESS);
    }
}

void
RoceQueuePair::Complete(const RoceWorkRequest& request, RoceStatus status)
{
    if (m_nic.GetListener())
    {
        m_nic.GetListener()->MessageCompleted(
            MakeCompletion(request.bytes, request.cookie, status));
    }
}

RoceCompletion
RoceQueuePair::MakeCompletion(uint64_t bytes, uint64_t cookie, RoceStatus status) const
{
    return {parameters.localRank,
            parameters.peerRank,
            number,
            parameters.channel,
            bytes,
            cookie,
            status};
}

void
RoceQueuePair::AckTimeout()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    if (!requester.HasOutstanding())
    {
        return;
    }
    if (GetAckDue() > now)
    {
        ackTimer.Set(GetAckDue()); // more is outstanding than when it was set
        return;
    }
    m_nic.GetFabric()->counters.timeouts++;
    if (++retries > settings.retryCount)
    {
        Fail();
        return;
    }
    RocePortScheduler& scheduler = m_nic.GetScheduler(port);
    scheduler.NoteDepartures(now);
    lossRecovery->OnTimeout(requester.GetNumbers());
    requester.Reseek();
    congestionControl->OnLoss({now, requester.GetUna(), true});
    StartAckTimer(now);
    scheduler.Wake(*this, now);
}

void
RoceQueuePair::Fail()
{
    failed = true;
    SetActive(false);
    if (m_nic.GetListener())
    {
        m_nic.GetListener()->QueuePairFailed(*this);
    }
    RoceStatus status = RoceStatus::RETRY_EXCEEDED;
    for (const RoceWorkRequest& request : requester.Abandon())
    {
        Complete(request, status);
        status = RoceStatus::FLUSHED;
    }
}

void
RoceQueuePair::ReceiveCnp(uint64_t now)
{
    if (congestionControl)
    {
        RocePortScheduler& scheduler = m_nic.GetScheduler(port);
        scheduler.NoteDepartures(now);
        congestionControl->OnCnp({now});
        scheduler.Wake(*this, now);
    }
}

} // namespace ns3
