/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"

#include "pfc.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/no-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/roce-psn.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceNicDevice);

TypeId
RoceNicDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceNicDevice")
            .SetParent<FabricDevice>()
            .SetGroupName("Roce")
            .AddConstructor<RoceNicDevice>()
            .AddAttribute("CongestionControl",
                          "Type of the congestion control of every queue pair.",
                          TypeIdValue(NoCongestionControl::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNicDevice::m_congestionControl),
                          MakeTypeIdChecker())
            .AddAttribute("MtuBytes",
                          "Payload of a full packet, bytes. InfiniBand knows 256, 512, 1024, 2048 "
                          "and 4096; other sizes serve comparison with other simulators.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RoceNicDevice::m_mtuBytes),
                          MakeUintegerChecker<uint32_t>(256, 4096))
            .AddAttribute("AckInterval",
                          "An ACK is asked for every so many packets, and at the end of every "
                          "message.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RoceNicDevice::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1, 1U << 22))
            .AddAttribute("AckTimeoutExponent",
                          "Local ACK timeout 4.096 us * 2^n (InfiniBand Architecture "
                          "Specification vol. 1, section 9.7.6.1.3); 14 gives 67.1 ms.",
                          UintegerValue(14),
                          MakeUintegerAccessor(&RoceNicDevice::m_ackTimeoutExponent),
                          MakeUintegerChecker<uint8_t>(1, 31))
            .AddAttribute("RetryCount",
                          "Timeouts without progress after which a queue pair gives up.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RoceNicDevice::m_retryCount),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("MaxOutstanding",
                          "Packets that may be unacknowledged; packet numbers of 24 bit allow "
                          "2^23.",
                          UintegerValue(1U << 23),
                          MakeUintegerAccessor(&RoceNicDevice::m_maxOutstanding),
                          MakeUintegerChecker<uint32_t>(1, 1U << 23))
            .AddAttribute("Priority",
                          "Traffic class of data and acknowledgements.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&RoceNicDevice::m_priority),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("CnpPriority",
                          "Traffic class of congestion notification packets (802.1p priority 6: "
                          "NVIDIA firmware default CNP_802P_PRIO).",
                          UintegerValue(6),
                          MakeUintegerAccessor(&RoceNicDevice::m_cnpPriority),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a queue pair (N of the notification "
                          "point: Zhu et al., SIGCOMM 2015, section 3.1).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&RoceNicDevice::m_cnpInterval),
                          MakeTimeChecker(Time(0)));
    return tid;
}

RoceNicDevice::RoceNicDevice() = default;
RoceNicDevice::~RoceNicDevice() = default;

void
RoceNicDevice::DoDispose()
{
    for (RoceQueuePair& qp : m_qps)
    {
        qp.congestionControl = nullptr;
    }
    FabricDevice::DoDispose();
}

void
RoceNicDevice::SetRank(uint32_t rank)
{
    m_rank = rank;
}

uint32_t
RoceNicDevice::GetRank() const
{
    return m_rank;
}

void
RoceNicDevice::SetListener(RoceNicListener* listener)
{
    m_listener = listener;
}

FabricPort&
RoceNicDevice::AddPort()
{
    FabricPort& port = FabricDevice::AddPort();
    m_schedulers.emplace_back(*this, port);
    return port;
}

RoceQueuePair&
RoceNicDevice::CreateQueuePair(const RoceQueuePairParameters& parameters, uint64_t peerFirstPsn)
{
    NS_ABORT_MSG_IF(m_qps.size() >= PSN_COUNT, "a NIC has 2^24 queue pairs at most");
    NS_ABORT_MSG_IF(parameters.port >= GetPortCount(),
                    "NIC of rank " << m_rank << " has no port " << parameters.port);
    const uint64_t unit = NanoSeconds(4096).GetTimeStep();
    m_ackTimeoutTicks = unit << m_ackTimeoutExponent;
    m_cnpIntervalTicks = m_cnpInterval.GetTimeStep();
    m_qps.emplace_back(*this, m_qps.size(), parameters);
    RoceQueuePair& qp = m_qps.back();
    qp.ackTimer.Bind(&GetFabric()->engine, GetNode()->GetId());
    StartCongestionControl(qp);
    RoceRequesterParameters request;
    request.mtuBytes = m_mtuBytes;
    request.maxOutstanding = m_maxOutstanding;
    request.ackEveryPackets = m_ackInterval;
    if (qp.needs.ackEveryBytes)
    {
        const uint32_t packets = std::max(1U, qp.needs.ackEveryBytes / m_mtuBytes);
        request.ackEveryPackets = std::min(m_ackInterval, packets);
    }
    request.firstPsn = parameters.firstPsn;
    qp.requester.Configure(request);
    qp.responder.Configure(peerFirstPsn);
    return qp;
}

void
RoceNicDevice::StartCongestionControl(RoceQueuePair& qp)
{
    ObjectFactory factory;
    factory.SetTypeId(m_congestionControl);
    qp.congestionControl = factory.Create<RoceCongestionControl>();
    qp.needs = qp.congestionControl->GetNeeds();
    const FabricLinkParameters& link = GetPort(qp.parameters.port).GetLink();
    CongestionControlStart start;
    start.now = NowTicks();
    start.ticksPerSecond = FabricEngine::GetTicksPerSecond();
    start.lineRateBps = link.rateBps;
    start.mtuBytes = m_mtuBytes;
    start.packetWireBytes =
        RoceWire::FrameBytes(RoceOpcode::SEND_MIDDLE, m_mtuBytes) + link.gapBytes;
    start.baseRtt = qp.parameters.baseRtt;
    start.activeQps = m_qps.size();
    qp.congestionControl->Start(start);
}

RoceQueuePair&
RoceNicDevice::Connect(RoceNicDevice& a,
                       RoceNicDevice& b,
                       RoceQueuePairParameters ab,
                       RoceQueuePairParameters ba)
{
    ab.localRank = ba.peerRank = a.m_rank;
    ba.localRank = ab.peerRank = b.m_rank;
    RoceQueuePair& atA = a.CreateQueuePair(ab, ba.firstPsn);
    RoceQueuePair& atB = b.CreateQueuePair(ba, ab.firstPsn);
    atA.peerNumber = atB.number;
    atB.peerNumber = atA.number;
    return atA;
}

void
RoceNicDevice::Post(RoceQueuePair& qp, const RoceWorkRequest& request)
{
    RoceWorkRequest posted = request;
    posted.postedAt = NowTicks();
    qp.requester.Post(posted);
    m_schedulers[qp.parameters.port].Wake(qp, NowTicks());
}

FabricPacket*
RoceNicDevice::NewPacket(const RoceQueuePair& qp, RoceOpcode opcode)
{
    FabricPacket* packet = GetFabric()->pool.Allocate();
    packet->src = m_rank;
    packet->dst = qp.parameters.peerRank;
    packet->flow = qp.parameters.udpPort;
    packet->qp = qp.peerNumber;
    packet->opcode = static_cast<uint8_t>(opcode);
    packet->priority = m_priority;
    GetFabric()->counters.packets++;
    return packet;
}

uint64_t
RoceNicDevice::SendData(RoceQueuePair& qp, FabricPort& port, uint64_t now, uint64_t start)
{
    FabricPacket* packet = NewPacket(qp, RoceOpcode::SEND_MIDDLE);
    const bool again =
        qp.requester.BuildNext(*packet, qp.congestionControl->GetWindowBytes());
    GetFabric()->counters.retransmittedPackets += again;
    qp.retransmittedPackets += again;
    qp.firstSent = std::min(qp.firstSent, start);
    packet->stamp = start;
    packet->ecn = static_cast<uint8_t>(qp.needs.ecn ? EcnCodepoint::ECT0 : EcnCodepoint::NOT_ECT);
    SendEvent event;
    event.now = start;
    event.psn = qp.requester.GetNext() - 1;
    event.wireBytes = packet->frameBytes + port.GetLink().gapBytes;
    event.payloadBytes = packet->payloadBytes;
    port.Enqueue(packet, now);
    qp.congestionControl->OnSend(event);
    if (qp.ackTimer.GetDue() == qp.ackTimer.NEVER)
    {
        qp.ackTimer.Set(start + m_ackTimeoutTicks);
    }
    return event.wireBytes;
}

void
RoceNicDevice::Receive(FabricPacket* packet, FabricPort& port)
{
    if (packet->priority == FabricPort::CONTROL)
    {
        Pfc::Obey(*packet, port, NowTicks());
    }
    else if (packet->GetClass() == FrameClass::DATA)
    {
        ReceiveData(*packet, port);
    }
    else if (packet->GetClass() == FrameClass::ACK)
    {
        ReceiveAck(*packet);
    }
    else
    {
        ReceiveCnp(*packet);
    }
    GetFabric()->pool.Release(packet);
}

void
RoceNicDevice::ReceiveData(const FabricPacket& packet, FabricPort& port)
{
    RoceQueuePair& qp = m_qps[packet.qp];
    const bool marked = packet.ecn == static_cast<uint8_t>(EcnCodepoint::CE);
    if (qp.needs.cnp && qp.responder.TakeCnp(marked, NowTicks(), m_cnpIntervalTicks))
    {
        SendCnp(qp, port);
    }
    const RoceResponder::Verdict verdict = qp.responder.Accept(packet);
    if (RoceResponder::WantsAck(verdict, packet))
    {
        SendAck(qp, packet, AETH_ACK, qp.responder.GetExpected() - 1, port);
    }
    else if (verdict == RoceResponder::Verdict::GAP && qp.responder.TakeNak())
    {
        GetFabric()->counters.naks++;
        SendAck(qp, packet, AETH_NAK_SEQUENCE, qp.responder.GetExpected(), port);
    }
    if (verdict != RoceResponder::Verdict::ACCEPT)
    {
        return;
    }
    GetFabric()->counters.payloadBytesDelivered += packet.payloadBytes;
    qp.receivedBytes += packet.payloadBytes;
    if (m_listener && IsLastOfMessage(static_cast<RoceOpcode>(packet.opcode)))
    {
        m_listener->MessageArrived(
            {m_rank, packet.src, qp.number, packet.messageBytes, packet.cookie});
    }
}

void
RoceNicDevice::SendAck(const RoceQueuePair& qp,
                       const FabricPacket& request,
                       uint8_t syndrome,
                       uint64_t psn,
                       FabricPort& port)
{
    FabricPacket* ack = NewPacket(qp, RoceOpcode::ACKNOWLEDGE);
    ack->frameClass = static_cast<uint8_t>(FrameClass::ACK);
    ack->frameBytes = RoceWire::FrameBytes(RoceOpcode::ACKNOWLEDGE, 0);
    ack->psn = WirePsn(psn);
    ack->aeth = static_cast<uint32_t>(syndrome) << 24 | qp.responder.GetMsn();
    ack->stamp = request.stamp;
    ack->ecnEcho = request.ecn == static_cast<uint8_t>(EcnCodepoint::CE);
    port.Enqueue(ack, NowTicks());
}

void
RoceNicDevice::SendCnp(const RoceQueuePair& qp, FabricPort& port)
{
    FabricPacket* cnp = NewPacket(qp, RoceOpcode::CNP);
    cnp->frameClass = static_cast<uint8_t>(FrameClass::CONTROL);
    cnp->frameBytes = RoceWire::FrameBytes(RoceOpcode::CNP, 0);
    cnp->priority = m_cnpPriority;
    GetFabric()->counters.cnps++;
    port.Enqueue(cnp, NowTicks());
}

void
RoceNicDevice::ReceiveAck(const FabricPacket& packet)
{
    RoceQueuePair& qp = m_qps[packet.qp];
    if (qp.failed)
    {
        return; // its messages are lost, whatever the receiver says now
    }
    const uint64_t now = NowTicks();
    const bool nak = packet.aeth >> 24 == AETH_NAK_SEQUENCE;
    const uint64_t una = qp.requester.GetUna();
    const uint64_t psn = ExpandPsn(packet.psn, una);
    const uint64_t acked = qp.requester.Acknowledge(nak ? psn : psn + 1);
    const bool progress = qp.requester.GetUna() != una;
    if (progress)
    {
        qp.retries = 0;
    }
    if (progress || nak)
    {
        AckEvent event;
        event.now = now;
        event.psn = psn;
        event.nextPsn = qp.requester.GetNext();
        event.ackedBytes = acked;
        event.rtt = now - packet.stamp;
        event.ecnEcho = packet.ecnEcho;
        qp.congestionControl->OnAck(event);
    }
    if (nak && psn == qp.requester.GetUna())
    {
        qp.requester.Rewind();
        qp.congestionControl->OnLoss({now, psn, false});
    }
    if (progress || nak)
    {
        UpdateAckTimer(qp, now);
    }
    CompleteMessages(qp);
    m_schedulers[qp.parameters.port].Wake(qp, now);
}

void
RoceNicDevice::UpdateAckTimer(RoceQueuePair& qp, uint64_t now)
{
    if (qp.requester.HasOutstanding())
    {
        qp.ackTimer.Set(now + m_ackTimeoutTicks);
    }
    else
    {
        qp.ackTimer.Clear();
    }
}

void
RoceNicDevice::CompleteMessages(RoceQueuePair& qp)
{
    while (const RoceRequester::Entry* entry = qp.requester.PeekCompleted())
    {
        const RoceWorkRequest request = entry->request;
        qp.requester.PopCompleted();
        if (m_listener)
        {
            m_listener->MessageAcknowledged(
                {m_rank, qp.parameters.peerRank, qp.number, request.bytes, request.cookie});
        }
    }
}

void
RoceNicDevice::HandleTimeout(RoceQueuePair& qp)
{
    const uint64_t now = NowTicks();
    if (!qp.requester.HasOutstanding())
    {
        return;
    }
    GetFabric()->counters.timeouts++;
    if (++qp.retries > m_retryCount)
    {
        qp.failed = true;
        if (m_listener)
        {
            m_listener->QueuePairFailed(qp);
        }
        return;
    }
    qp.requester.Rewind();
    qp.congestionControl->OnLoss({now, qp.requester.GetUna(), true});
    qp.ackTimer.Set(now + m_ackTimeoutTicks);
    m_schedulers[qp.parameters.port].Wake(qp, now);
}

void
RoceNicDevice::ReceiveCnp(const FabricPacket& packet)
{
    RoceQueuePair& qp = m_qps[packet.qp];
    qp.congestionControl->OnCnp({NowTicks()});
    m_schedulers[qp.parameters.port].Wake(qp, NowTicks());
}

void
RoceNicDevice::PauseEnded(FabricPort& port)
{
    m_schedulers[port.GetIndex()].Resume(NowTicks());
}

} // namespace ns3
