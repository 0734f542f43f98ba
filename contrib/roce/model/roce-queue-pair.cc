/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair.h"

#include "roce-nic-device.h"

#include "ns3/abort.h"
#include "ns3/node.h"
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
                               s.rnrRetry,
                               s.minRnrTimer,
                               s.maxReads,
                               s.priority,
                               s.cnpPriority,
                               s.dscp,
                               s.cnpDscp,
                               s.ackTimeout,
                               s.cnpInterval);
    };
    return tie(*this) == tie(o);
}

constexpr RoceQueuePair::HandlerTable
RoceQueuePair::MakeConnectionHandlers()
{
    HandlerTable table{};
    for (auto i = static_cast<uint8_t>(RoceOpcode::SEND_FIRST);
         i <= static_cast<uint8_t>(RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE);
         i++)
    {
        table[i] = &RoceQueuePair::ReceiveData;
    }
    table[static_cast<uint8_t>(RoceOpcode::READ_REQUEST)] = &RoceQueuePair::ReceiveReadRequest;
    for (auto i = static_cast<uint8_t>(RoceOpcode::READ_RESPONSE_FIRST);
         i <= static_cast<uint8_t>(RoceOpcode::READ_RESPONSE_ONLY);
         i++)
    {
        table[i] = &RoceQueuePair::ReceiveReadResponse;
    }
    table[static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE)] = &RoceQueuePair::ReceiveAck;
    table[static_cast<uint8_t>(RoceOpcode::SELECTIVE_ACKNOWLEDGE)] = &RoceQueuePair::ReceiveAck;
    table[static_cast<uint8_t>(RoceOpcode::CNP)] = &RoceQueuePair::ReceiveCnp;
    return table;
}

constexpr RoceQueuePair::HandlerTable
RoceQueuePair::MakeDatagramHandlers()
{
    HandlerTable table{};
    table[static_cast<uint8_t>(RoceOpcode::UD_SEND_ONLY)] = &RoceQueuePair::ReceiveDatagram;
    table[static_cast<uint8_t>(RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE)] =
        &RoceQueuePair::ReceiveDatagram;
    return table;
}

RoceQueuePair::RoceQueuePair(RoceNicDevice& nic,
                             uint32_t number,
                             const RoceQueuePairParameters& parameters,
                             const RoceQueuePairSettings& settings)
    : settings(settings),
      m_nic(nic),
      number(number),
      port(parameters.port),
      parameters(parameters),
      ackTimer(this)
{
    static constexpr HandlerTable CONNECTION = MakeConnectionHandlers();
    static constexpr HandlerTable DATAGRAM = MakeDatagramHandlers();
    m_handlers = parameters.datagram ? &DATAGRAM : &CONNECTION;
    if (parameters.datagram)
    {
        m_receives = std::make_unique<RoceReceiveQueue>();
        m_datagrams = std::make_unique<RoceDatagramQueue>();
    }
    ackTimer.Bind(&nic.GetFabric()->engine, nic.GetNode()->GetId());
}

void
RoceQueuePair::Connect(uint32_t peer,
                       uint64_t peerFirstPsn,
                       const CongestionControlNeeds& peerNeeds)
{
    peerNumber = peer;
    m_peerWantsCnp = peerNeeds.cnp;
    m_peerGovernsReads = peerNeeds.LivesOnAcks();
    m_peerReadsMarks = peerNeeds.ecn && m_peerGovernsReads;
    m_peerReadsTelemetry = peerNeeds.telemetry && m_peerGovernsReads;
    m_cnpInterval = peerNeeds.cnpInterval ? peerNeeds.cnpInterval : settings.cnpInterval;
    responder.Configure(peerFirstPsn);
}

void
RoceQueuePair::Start(uint64_t now)
{
    SetActive(true);
    if (!congestionControl)
    {
        StartCongestionControl(now);
        StartRequester();
    }
}

void
RoceQueuePair::StartCongestionControl(uint64_t now)
{
    congestionControl = settings.congestionControlModel->Fork();
    needs = congestionControl->GetNeeds();
    m_telemetryBytes = needs.telemetry || m_peerReadsTelemetry
                           ? RoceWire::TelemetryBytes(parameters.switchCount)
                           : 0;
    const FabricLinkParameters& link = m_nic.GetPort(port).GetLink();
    CongestionControlStart start;
    start.now = now;
    start.ticksPerSecond = FabricEngine::GetTicksPerSecond();
    start.lineRateBps = pacing.lineRateBps;
    start.mtuBytes = settings.mtuBytes;
    start.packetWireBytes =
        RoceWire::FullFrameBytes(settings.mtuBytes, needs.telemetry ? m_telemetryBytes : 0) +
        link.gapBytes;
    start.baseRtt = parameters.baseRtt;
    start.switchCount = parameters.switchCount;
    start.activeQps = m_nic.GetScheduler(parameters.port).GetActiveCount();
    m_nic.NoteStart(*this);
    congestionControl->Start(start);
}

void
RoceQueuePair::StartRequester()
{
    RoceRequesterParameters request;
    request.mtuBytes = settings.mtuBytes;
    request.ackEveryPackets = settings.ackInterval;
    if (needs.ackEveryBytes)
    {
        const uint32_t packets = std::max(1U, needs.ackEveryBytes / settings.mtuBytes);
        request.ackEveryPackets = std::min(settings.ackInterval, packets);
    }
    request.firstPsn = parameters.firstPsn;
    request.maxReads = settings.maxReads;
    request.readPartPackets = GovernsReads() ? request.ackEveryPackets : 0;
    request.maxOutstanding = GetMaxOutstanding();
    requester.Configure(request, GetLossRecovery());
}

uint64_t
RoceQueuePair::GetMaxOutstanding()
{
    return std::min<uint64_t>(settings.maxOutstanding, GetLossRecovery().GetMaxOutstanding());
}

void
RoceQueuePair::LineRateChanged(uint64_t now)
{
    pacing.rateBps = 0; // what was paced by the old line rate is paced anew
    if (lossRecovery)
    {
        lossRecovery->LineRateChanged(pacing.lineRateBps);
    }
    if (congestionControl)
    {
        congestionControl->OnLineRate({now, pacing.lineRateBps});
    }
    if (congestionControl && !m_datagrams)
    {
        requester.SetMaxOutstanding(GetMaxOutstanding());
    }
}

LossRecovery&
RoceQueuePair::GetLossRecovery()
{
    if (!lossRecovery)
    {
        lossRecovery = MakeLossRecovery();
    }
    return *lossRecovery;
}

Ptr<LossRecovery>
RoceQueuePair::MakeLossRecovery() const
{
    const Ptr<LossRecovery> recovery = settings.lossRecoveryModel->Fork();
    const FabricLinkParameters& link = m_nic.GetPort(port).GetLink();
    LossRecoveryStart start;
    start.firstPsn = parameters.firstPsn;
    start.ticksPerSecond = FabricEngine::GetTicksPerSecond();
    start.lineRateBps = pacing.lineRateBps;
    start.packetWireBytes = RoceWire::FullFrameBytes(settings.mtuBytes) + link.gapBytes;
    start.baseRtt = parameters.baseRtt;
    start.ackTimeout = settings.ackTimeout;
    recovery->Start(start);
    return recovery;
}

void
RoceQueuePair::Post(const RoceWorkRequest& request)
{
    NS_ABORT_MSG_IF(m_datagrams, "a datagram needs an address: post it with one");
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    RoceWorkRequest posted = request;
    posted.postedAt = now;
    const bool tooLong = request.verb == RoceVerb::READ &&
                         (request.bytes > MAX_READ_BYTES ||
                          PacketsOf(request.bytes, settings.mtuBytes) > MAX_READ_PACKETS);
    if (failed || tooLong)
    {
        Refuse(MakeCompletion(posted, failed ? RoceStatus::FLUSHED : RoceStatus::LENGTH_ERROR));
        return;
    }
    Start(now);
    requester.Post(posted);
    m_nic.GetScheduler(port).Wake(*this, now);
}

void
RoceQueuePair::Post(const RoceWorkRequest& request, const RoceAddressHandle& to)
{
    NS_ABORT_MSG_UNLESS(m_datagrams && request.verb == RoceVerb::SEND,
                        "only SENDs of a UD queue pair have an address");
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    RoceWorkRequest posted = request;
    posted.postedAt = now;
    if (request.bytes > settings.mtuBytes)
    {
        Refuse(MakeCompletion(posted, RoceStatus::LENGTH_ERROR));
        return;
    }
    SetActive(true);
    if (!congestionControl)
    {
        StartCongestionControl(now);
    }
    m_datagrams->Post(posted, to);
    UpdateReady();
    if (!pacing.spread || pacing.place != RocePacing::Place::IDLE || !m_nic.Spread(*this, now))
    {
        m_nic.GetScheduler(port).Wake(*this, now);
    }
}

void
RoceQueuePair::PostReceive(uint64_t cookie)
{
    if (failed)
    {
        Refuse(MakeFlushedReceive(cookie));
        return;
    }
    if (!m_receives)
    {
        m_receives = std::make_unique<RoceReceiveQueue>(
            responder.GetExpected(),
            lossRecovery ? lossRecovery->GetReceived() : PsnSet());
    }
    m_receives->Post(cookie);
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

void
RoceQueuePair::UpdateReady()
{
    m_otherReady =
        (m_responses && !m_responses->IsEmpty()) || (m_datagrams && m_datagrams->HasNext());
}

RoceQueuePair::Source
RoceQueuePair::TakeSource()
{
    if (m_datagrams)
    {
        return Source::DATAGRAMS;
    }
    const bool requests = pacing.available <= pacing.expectedStart &&
                          requester.CanSend(congestionControl->GetWindowBytes());
    m_responded = !m_responded || !requests;
    return m_responded ? Source::READ_RESPONSES : Source::SEND_QUEUE;
}

bool
RoceQueuePair::BuildNext(Source source, FabricPacket& packet)
{
    switch (source)
    {
    case Source::READ_RESPONSES:
        return m_responses->BuildNext(packet, settings.mtuBytes);
    case Source::DATAGRAMS:
        m_datagrams->BuildNext(packet, number);
        return false;
    default:
        return requester.BuildNext(packet, congestionControl->GetWindowBytes());
    }
}

void
RoceQueuePair::AfterSend(Source source, const FabricPort& port)
{
    if (source == Source::SEND_QUEUE)
    {
        if (ackTimer.GetDue() == ackTimer.NEVER)
        {
            StartAckTimer(pacing.expectedStart);
        }
        return;
    }
    UpdateReady();
    SetActive(m_otherReady || requester.HasUnacknowledged());
    if (source == Source::DATAGRAMS)
    {
        m_datagrams->Expect(port.GetFreeTime());
        AwaitDatagram();
    }
}

uint64_t
RoceQueuePair::SendNext(FabricPort& port, uint64_t now)
{
    FabricPacket* packet = m_nic.NewPacket(*this, RoceOpcode::SEND_MIDDLE);
    const Source source = m_otherReady ? TakeSource() : Source::SEND_QUEUE;
    const bool again = BuildNext(source, *packet);
    m_nic.GetFabric()->counters.retransmittedPackets += again;
    retransmittedPackets += again;
    const auto opcode = static_cast<RoceOpcode>(packet->opcode);
    const bool isRequest = opcode < RoceOpcode::READ_REQUEST;
    const bool isResponse = opcode > RoceOpcode::READ_REQUEST;
    if ((needs.telemetry && isRequest) || (m_peerReadsTelemetry && isResponse))
    {
        packet->frameBytes = RoceWire::FrameBytes(opcode, packet->payloadBytes, m_telemetryBytes);
        m_nic.GetFabric()->pool.AttachTelemetry(packet);
    }
    packet->stamp = number; // until it departs
    const bool canMark = needs.ecn || (m_peerReadsMarks && isResponse);
    packet->ecn = static_cast<uint8_t>(canMark ? EcnCodepoint::ECT0 : EcnCodepoint::NOT_ECT);
    uint64_t chargedBytes = packet->frameBytes + port.GetGapBytes();
    if (opcode == RoceOpcode::READ_REQUEST && GovernsReads())
    {
        chargedBytes = GetResponseBytes(*packet, port.GetGapBytes());
    }
    else if (isResponse && m_peerGovernsReads)
    {
        chargedBytes = 0;
    }
    port.Enqueue(packet, now);
    AfterSend(source, port);
    return chargedBytes;
}

void
RoceQueuePair::Departed(FabricPacket& packet, uint32_t gapBytes)
{
    packet.stamp = packet.start;
    firstSent = std::min(firstSent, packet.start);
    SendEvent event;
    event.now = pacing.spread ? m_nic.GetFabric()->engine.Now() : packet.start;
    // Responses have numbers of the peer's.
    event.psn = RoceWire::IsReadResponse(static_cast<RoceOpcode>(packet.opcode))
                    ? requester.GetNext()
                    : ExpandPsn(packet.psn, requester.GetNext());
    event.wireBytes = packet.frameBytes + gapBytes;
    event.payloadBytes = packet.payloadBytes;
    congestionControl->OnSend(event);
    if (packet.opcode == static_cast<uint8_t>(RoceOpcode::READ_REQUEST) && GovernsReads())
    {
        const uint64_t packets = PacketsOf(packet.messageBytes, settings.mtuBytes);
        GetReadArrivals().NoteRequest({event.psn, event.psn + packets}, packet.start);
    }
    if (m_datagrams)
    {
        DatagramDeparted();
    }
}

void
RoceQueuePair::Receive(FabricPacket& packet, FabricPort& port)
{
    if (const Handler handler = (*m_handlers)[packet.opcode])
    {
        (this->*handler)(packet, port, m_nic.GetFabric()->engine.Now());
    }
}

} // namespace ns3
