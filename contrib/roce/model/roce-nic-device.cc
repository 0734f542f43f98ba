/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"

#include "pfc.h"

#include "ns3/abort.h"
#include "ns3/go-back-n-loss-recovery.h"
#include "ns3/node.h"
#include "ns3/no-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/roce-psn.h"
#include "ns3/uinteger.h"

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
            .AddAttribute("LossRecovery",
                          "Type of the loss recovery of every queue pair; the same at both ends.",
                          TypeIdValue(GoBackNLossRecovery::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNicDevice::m_lossRecovery),
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
        qp.lossRecovery = nullptr;
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

const RoceQueuePairSettings&
RoceNicDevice::KeepSettings()
{
    RoceQueuePairSettings settings;
    settings.congestionControl = m_congestionControl;
    settings.lossRecovery = m_lossRecovery;
    settings.mtuBytes = m_mtuBytes;
    settings.ackInterval = m_ackInterval;
    settings.maxOutstanding = m_maxOutstanding;
    settings.retryCount = m_retryCount;
    settings.priority = m_priority;
    settings.cnpPriority = m_cnpPriority;
    settings.ackTimeout = static_cast<uint64_t>(NanoSeconds(4096).GetTimeStep())
                          << m_ackTimeoutExponent;
    settings.cnpInterval = m_cnpInterval.GetTimeStep();
    if (m_settings.empty() || !(m_settings.back() == settings))
    {
        ObjectFactory factory;
        factory.SetTypeId(m_congestionControl);
        settings.needs = factory.Create<RoceCongestionControl>()->GetNeeds();
        m_settings.push_back(settings);
    }
    return m_settings.back();
}

const CongestionControlNeeds&
RoceNicDevice::GetNeeds()
{
    return KeepSettings().needs;
}

RoceQueuePair&
RoceNicDevice::CreateQueuePair(const RoceQueuePairParameters& parameters)
{
    NS_ABORT_MSG_IF(m_qps.size() + FIRST_QP_NUMBER >= PSN_COUNT,
                    "a NIC has 2^24 queue pairs at most");
    NS_ABORT_MSG_IF(parameters.port >= GetPortCount(),
                    "NIC of rank " << m_rank << " has no port " << parameters.port);
    m_qps.emplace_back(*this, FIRST_QP_NUMBER + m_qps.size(), parameters, KeepSettings());
    return m_qps.back();
}

RoceQueuePair&
RoceNicDevice::Connect(RoceNicDevice& a,
                       RoceNicDevice& b,
                       RoceQueuePairParameters ab,
                       RoceQueuePairParameters ba)
{
    ab.localRank = ba.peerRank = a.m_rank;
    ba.localRank = ab.peerRank = b.m_rank;
    RoceQueuePair& atA = a.CreateQueuePair(ab);
    RoceQueuePair& atB = b.CreateQueuePair(ba);
    atA.Connect(atB.number, ba.firstPsn, atB.settings.needs);
    atB.Connect(atA.number, ab.firstPsn, atA.settings.needs);
    return atA;
}

void
RoceNicDevice::Post(RoceQueuePair& qp, const RoceWorkRequest& request)
{
    qp.Post(request);
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
    packet->priority = qp.settings.priority;
    GetFabric()->counters.packets++;
    return packet;
}

void
RoceNicDevice::Receive(FabricPacket* packet, FabricPort& port)
{
    if (packet->priority == FabricPort::CONTROL)
    {
        Pfc::Obey(*packet, port, NowTicks());
    }
    else
    {
        FindQueuePair(packet->qp).Receive(*packet, port);
    }
    GetFabric()->pool.Release(packet);
}

bool
RoceNicDevice::WantsDepartures() const
{
    return true;
}

void
RoceNicDevice::Departed(FabricPacket& packet, FabricPort& port)
{
    if (packet.GetClass() == FrameClass::DATA)
    {
        m_schedulers[port.GetIndex()].Departed(FindQueuePair(packet.stamp), packet);
    }
}

void
RoceNicDevice::PauseEnded(FabricPort& port)
{
    m_schedulers[port.GetIndex()].Resume(NowTicks());
}

} // namespace ns3
