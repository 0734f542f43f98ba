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
    const FabricLinkParameters& link = m_nic.GetPort(parameters.port).GetLink();
    CongestionControlStart start;
    start.now = now;
    start.ticksPerSecond = FabricEngine::GetTicksPerSecond();
    start.lineRateBps = link.rateBps;
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
    request.maxOutstanding = settings.maxOutstanding;
    request.ackEveryPackets = settings.ackInterval;
    if (needs.ackEveryBytes)
    {
        const uint32_t packets = std::max(1U, needs.ackEveryBytes / settings.mtuBytes);
        request.ackEveryPackets = std::min(settings.ackInterval, packets);
    }
    request.firstPsn = parameters.firstPsn;
    requester.Configure(request);
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
    m_nic.GetScheduler(parameters.port).Wake(*this, now);
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
        ackTimer.Set(pacing.expectedStart + settings.ackTimeout);
    }
    return wireBytes;
}

void
RoceQueuePair::Departed(FabricPacket& packet, uint32_t gapBytes)
{
    packet.stamp = packet.start;
    firstSent = std::min(firstSent, packet.start);
    SendEvent event;
    event.now = packet.start;
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
    if (m_peerWantsCnp && responder.TakeCnp(marked, now, m_cnpInterval))
    {
        SendCnp(port, now);
    }
    const RoceResponder::Verdict verdict = responder.Accept(packet);
    if (RoceResponder::WantsAck(verdict, packet))
    {
        SendAck(packet, AETH_ACK, responder.GetExpected() - 1, port, now);
    }
    else if (verdict == RoceResponder::Verdict::GAP && responder.TakeNak())
    {
        m_nic.GetFabric()->counters.naks++;
        SendAck(packet, AETH_NAK_SEQUENCE, responder.GetExpected(), port, now);
    }
    if (verdict != RoceResponder::Verdict::ACCEPT)
    {
        return;
    }
    m_nic.GetFabric()->counters.payloadBytesDelivered += packet.payloadBytes;
    receivedBytes += packet.payloadBytes;
    if (m_nic.GetListener() && IsLastOfMessage(static_cast<RoceOpcode>(packet.opcode)))
    {
        m_nic.GetListener()->MessageArrived({parameters.localRank,
                                             parameters.peerRank,
                                             number,
                                             parameters.channel,
                                             packet.messageBytes,
                                             packet.cookie,
                                             RoceStatus::SUCCESS});
    }
}

void
RoceQueuePair::SendAck(FabricPacket& request,
                       uint8_t syndrome,
                       uint64_t psn,
                       FabricPort& port,
                       uint64_t now)
{
    FabricPacket* ack = m_nic.NewPacket(*this, RoceOpcode::ACKNOWLEDGE);
    ack->frameClass = static_cast<uint8_t>(FrameClass::ACK);
    ack->frameBytes = RoceWire::FrameBytes(RoceOpcode::ACKNOWLEDGE, 0);
    ack->psn = WirePsn(psn);
    ack->aeth = static_cast<uint32_t>(syndrome) << 24 | responder.GetMsn();
    ack->stamp = request.stamp;
    if (request.instrumented)
    {
        ack->frameBytes += RoceFrame::GetTelemetryBytes(request);
        FabricPacketPool::MoveTelemetry(&request, ack);
    }
    responder.TakeMarks(*ack);
    port.Enqueue(ack, now);
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
    RocePortScheduler& scheduler = m_nic.GetScheduler(parameters.port);
    scheduler.NoteDepartures(now);
    const bool nak = packet.aeth >> 24 == AETH_NAK_SEQUENCE;
    const uint64_t una = requester.GetUna();
    const uint64_t psn = ExpandPsn(packet.psn, una);
    const uint64_t acked = requester.Acknowledge(nak ? psn : psn + 1);
    const bool progress = requester.GetUna() != una;
    m_markedBytes += RoceResponder::GetMarkedBytes(packet);
    m_markedPackets += RoceResponder::GetMarkedPackets(packet);
    if (progress)
    {
        retries = 0;
    }
    if (progress || nak)
    {
        AckEvent event;
        event.now = now;
        event.psn = psn;
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
    if (nak && psn == requester.GetUna())
    {
        requester.Rewind();
        congestionControl->OnLoss({now, psn, false});
    }
    if (progress || nak)
    {
        UpdateAckTimer(now);
    }
    CompleteMessages();
    scheduler.Wake(*this, now);
}

void
RoceQueuePair::UpdateAckTimer(uint64_t now)
{
    if (requester.HasOutstanding())
    {
        ackTimer.Set(now + settings.ackTimeout);
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
        m_nic.GetListener()->MessageCompleted({parameters.localRank,
                                               parameters.peerRank,
                                               number,
                                               parameters.channel,
                                               request.bytes,
                                               request.cookie,
                                               status});
    }
}

void
RoceQueuePair::AckTimeout()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    if (!requester.HasOutstanding())
    {
        return;
    }
    m_nic.GetFabric()->counters.timeouts++;
    if (++retries > settings.retryCount)
    {
        Fail();
        return;
    }
    RocePortScheduler& scheduler = m_nic.GetScheduler(parameters.port);
    scheduler.NoteDepartures(now);
    requester.Rewind();
    congestionControl->OnLoss({now, requester.GetUna(), true});
    ackTimer.Set(now + settings.ackTimeout);
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
        RocePortScheduler& scheduler = m_nic.GetScheduler(parameters.port);
        scheduler.NoteDepartures(now);
        congestionControl->OnCnp({now});
        scheduler.Wake(*this, now);
    }
}

} // namespace ns3
