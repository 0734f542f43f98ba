/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"

#include "pfc.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/go-back-n-loss-recovery.h"
#include "ns3/node.h"
#include "ns3/no-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/roce-psn.h"
#include "ns3/strict-egress-scheduler.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <typeinfo>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceNicDevice);

namespace
{

/**
 * \tparam T RoceCongestionControl or LossRecovery
 * \param type type of the model
 * \return what queue pairs get copies of; with its base class's Fork() these would behave as that
 */
template <class T>
Ptr<const T>
MakeModel(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    const Ptr<const T> model = factory.Create<T>();
    const Ptr<const T> copy = model->Fork();
    NS_ABORT_MSG_IF(typeid(*PeekPointer(copy)) != typeid(*PeekPointer(model)),
                    type.GetName() << " has no Fork() of its own");
    return model;
}

} // namespace

TypeId
RoceNicDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceNicDevice")
            .SetParent<FabricDevice>()
            .SetGroupName("Roce")
            .AddConstructor<RoceNicDevice>()
            .AddAttribute("CongestionControl",
                          "Type of the congestion control of every queue pair; the defaults of its "
                          "attributes are read when the NIC first needs it.",
                          TypeIdValue(NoCongestionControl::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNicDevice::m_congestionControl),
                          MakeTypeIdChecker())
            .AddAttribute("LossRecovery",
                          "Type of the loss recovery of every queue pair, the same at both ends; "
                          "the defaults of its attributes are read when the NIC has the first "
                          "queue pair of a class.",
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
            .AddAttribute("RnrRetry",
                          "RNR NAKs without progress after which a queue pair gives up; 7: never "
                          "(InfiniBand Architecture Specification vol. 1, section 9.7.5.2.8).",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RoceNicDevice::m_rnrRetry),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("MinRnrTimer",
                          "Code of the time that an RNR NAK asks the sender to wait (the same, "
                          "table 45): 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, 0 is "
                          "655.36 ms.",
                          UintegerValue(12),
                          MakeUintegerAccessor(&RoceNicDevice::m_minRnrTimer),
                          MakeUintegerChecker<uint32_t>(0, 31))
            .AddAttribute("MaxOutstandingReads",
                          "READs that a queue pair may have under way (verbs: max_rd_atomic; "
                          "NVIDIA ConnectX NICs report max_qp_rd_atom 16).",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RoceNicDevice::m_maxReads),
                          MakeUintegerChecker<uint32_t>(1, 255))
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
            .AddAttribute("DscpMap",
                          "Which DSCP the frames of a class carry: the first one that has the "
                          "class, as DSCP:class or first-last:class with commas between them; "
                          "what is not named has class DSCP / 8, of which 26 and otherwise the "
                          "class selectors (8 times the class) are used.",
                          StringValue(""),
                          MakeStringAccessor(&RoceNicDevice::m_dscpMapText),
                          MakeStringChecker())
            .AddAttribute("EgressScheduler",
                          "Type of the scheduler that decides between the traffic classes of a "
                          "port.",
                          TypeIdValue(StrictEgressScheduler::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNicDevice::m_schedulerType),
                          MakeTypeIdChecker())
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a queue pair (N of the notification "
                          "point: Zhu et al., SIGCOMM 2015, section 3.1).",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&RoceNicDevice::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CnpMinGap",
                          "Least time between two CNPs of the NIC, whatever their queue pairs; 0: "
                          "no limit. ConnectX-3 Pro made one per 1 to 5 us (Zhu et al., SIGCOMM "
                          "2015). A mark that comes too early waits, as within CnpInterval.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RoceNicDevice::m_cnpMinGap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PortBalancer",
                          "Type of the load balancer that chooses a port of the NIC.",
                          TypeIdValue(EcmpLoadBalancer::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNicDevice::m_balancerType),
                          MakeTypeIdChecker())
            .AddAttribute("PortPerPacket",
                          "Choose a port for every packet instead of every queue pair; the "
                          "receivers need a LossRecovery with a ReorderWindow.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RoceNicDevice::m_portPerPacket),
                          MakeBooleanChecker())
            .AddTraceSource("QueuePairStart",
                            "A queue pair is about to send for the first time.",
                            MakeTraceSourceAccessor(&RoceNicDevice::m_queuePairStart),
                            "ns3::RoceNicDevice::QueuePairTracedCallback");
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
    m_balancer = nullptr;
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

void
RoceNicDevice::SetFrameListener(RoceFrameListener* listener)
{
    m_frameListener = listener;
}

void
RoceNicDevice::SetReductionListener(RoceFrameListener* listener)
{
    m_reductionListener = listener;
}

FabricPort&
RoceNicDevice::AddPort()
{
    FabricPort& port = FabricDevice::AddPort();
    SetPortScheduler(port, m_schedulerType);
    m_schedulers.emplace_back(*this, port);
    return port;
}

int64_t
RoceNicDevice::AssignStreams(int64_t stream)
{
    const int64_t ports = FabricDevice::AssignStreams(stream);
    return ports + (m_balancer ? m_balancer->AssignStreams(stream + ports) : 0);
}

const RoceQueuePairSettings&
RoceNicDevice::KeepSettings(uint32_t priority, TypeId congestionControl)
{
    RoceQueuePairSettings settings;
    settings.congestionControl = congestionControl;
    settings.lossRecovery = m_lossRecovery;
    settings.mtuBytes = m_mtuBytes;
    settings.ackInterval = m_ackInterval;
    settings.maxOutstanding = m_maxOutstanding;
    settings.retryCount = m_retryCount;
    settings.rnrRetry = m_rnrRetry;
    settings.minRnrTimer = m_minRnrTimer;
    settings.maxReads = m_maxReads;
    settings.priority = priority;
    settings.cnpPriority = m_cnpPriority;
    settings.dscp = GetDscp(priority);
    settings.cnpDscp = GetDscp(m_cnpPriority);
    settings.ackTimeout = GetAckTimeout();
    settings.cnpInterval = m_cnpInterval.GetTimeStep();
    const auto known = std::find(m_settings.rbegin(), m_settings.rend(), settings);
    if (known == m_settings.rend())
    {
        settings.congestionControlModel = GetModel(congestionControl);
        settings.needs = settings.congestionControlModel->GetNeeds();
        settings.lossRecoveryModel = MakeModel<LossRecovery>(m_lossRecovery);
        m_settings.push_back(settings);
        return m_settings.back();
    }
    return *known;
}

uint8_t
RoceNicDevice::GetDscp(uint32_t priority)
{
    constexpr const char* ATTRIBUTE = "ns3::RoceNicDevice::DscpMap";
    NS_ABORT_MSG_IF(priority >= DscpMap::CLASSES,
                    "a queue pair of rank " << m_rank << " has class " << priority
                                            << ": there are classes 0 to 7");
    if (m_readMapText != m_dscpMapText)
    {
        m_dscpMap = DscpMap(m_dscpMapText, ATTRIBUTE, GetName());
        m_readMapText = m_dscpMapText;
    }
    const uint8_t dscp = m_dscpMap.GetDscp(priority);
    if (dscp == DscpMap::NONE)
    {
        throw ConfigError(ATTRIBUTE,
                          GetName(),
                          m_dscpMapText,
                          "a DSCP for class " + std::to_string(priority) + ", which sends");
    }
    return dscp;
}

Ptr<const RoceCongestionControl>
RoceNicDevice::GetModel(TypeId type)
{
    if (!m_model || m_model->GetInstanceTypeId() != type)
    {
        m_model = MakeModel<RoceCongestionControl>(type);
    }
    return m_model;
}

CongestionControlNeeds
RoceNicDevice::GetNeeds()
{
    return GetModel(m_congestionControl)->GetNeeds();
}

RoceQueuePair&
RoceNicDevice::CreateQueuePair(RoceQueuePairParameters parameters)
{
    if (parameters.port == RoceQueuePairParameters::ANY_PORT)
    {
        const PortSpan ports = m_balancer ? GetPorts(parameters) : PortSpan{};
        parameters.port = ports.count == 0   ? 0
                          : ports.count == 1 ? ports[0]
                                             : Choose(parameters, parameters.peerEnd, ports);
        parameters.bonded = ports.count > 0;
    }
    NS_ABORT_MSG_IF(m_qps.size() + FIRST_QP_NUMBER >= PSN_COUNT,
                    "a NIC has 2^24 queue pairs at most");
    NS_ABORT_MSG_IF(parameters.port >= GetPortCount(),
                    "NIC of rank " << m_rank << " has no port " << parameters.port);
    const uint32_t priority = parameters.priority.value_or(m_priority);
    const TypeId congestionControl =
        parameters.datagram ? NoCongestionControl::GetTypeId() : m_congestionControl;
    m_qps.emplace_back(*this,
                       FIRST_QP_NUMBER + m_qps.size(),
                       parameters,
                       KeepSettings(priority, congestionControl));
    RoceQueuePair& qp = m_qps.back();
    qp.pacing.spread = parameters.bonded && (m_portPerPacket || parameters.datagram);
    m_spreads = m_spreads || qp.pacing.spread;
    qp.pacing.lineRateBps = GetLineRateBps(qp);
    return qp;
}

RoceQueuePair&
RoceNicDevice::Connect(RoceNicDevice& a,
                       RoceNicDevice& b,
                       RoceQueuePairParameters ab,
                       RoceQueuePairParameters ba)
{
    constexpr uint32_t NO_RANK = RoceQueuePairParameters::NO_RANK;
    const uint32_t rankA = ab.localRank == NO_RANK ? a.m_rank : ab.localRank;
    const uint32_t rankB = ba.localRank == NO_RANK ? b.m_rank : ba.localRank;
    ab.localRank = ba.peerRank = rankA;
    ba.localRank = ab.peerRank = rankB;
    ab.localEnd = ba.peerEnd = ab.localEnd == NO_RANK ? rankA : ab.localEnd;
    ba.localEnd = ab.peerEnd = ba.localEnd == NO_RANK ? rankB : ba.localEnd;
    RoceQueuePair& atA = a.CreateQueuePair(ab);
    RoceQueuePair& atB = b.CreateQueuePair(ba);
    atA.Connect(atB.number, ba.firstPsn, atB.settings.needs);
    atB.Connect(atA.number, ab.firstPsn, atA.settings.needs);
    return atA;
}

RoceQueuePair&
RoceNicDevice::CreateDatagramQueuePair(RoceQueuePairParameters parameters)
{
    parameters.datagram = true;
    if (parameters.localRank == RoceQueuePairParameters::NO_RANK)
    {
        parameters.localRank = m_rank;
    }
    if (parameters.localEnd == RoceQueuePairParameters::NO_RANK)
    {
        parameters.localEnd = parameters.localRank;
    }
    if (parameters.port == RoceQueuePairParameters::ANY_PORT)
    {
        parameters.port = 0; // until there is a datagram whose peer a choice depends on
        while (!IsOwnPort(parameters, parameters.port))
        {
            parameters.port++;
            NS_ABORT_MSG_IF(parameters.port == GetPortCount(),
                            "end point " << parameters.localEnd << " is no NIC of rank " << m_rank);
        }
        parameters.bonded = m_balancer && m_routes;
    }
    return CreateQueuePair(parameters);
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
    packet->src = qp.parameters.localEnd;
    packet->dst = qp.parameters.peerEnd;
    packet->flow = qp.parameters.udpPort;
    packet->qp = qp.peerNumber;
    packet->opcode = static_cast<uint8_t>(opcode);
    packet->priority = qp.settings.priority;
    packet->dscp = qp.settings.dscp;
    GetFabric()->counters.packets++;
    return packet;
}

void
RoceNicDevice::Receive(FabricPacket* packet, FabricPort& port)
{
    if (packet->priority == FabricPort::CONTROL)
    {
        Pfc::Obey(*packet, port, NowTicks());
        LeavePaused();
    }
    else if (packet->offload)
    {
        NS_ASSERT_MSG(m_reductionListener, "a frame of a reduction that nobody began");
        m_reductionListener->FrameArrived(*packet, port);
    }
    else if (packet->foreign)
    {
        ReceiveFrame(*packet, port);
    }
    else if (RoceWire::HasDeth(static_cast<RoceOpcode>(packet->opcode)) &&
             packet->qp - FIRST_QP_NUMBER >= m_qps.size())
    {
        m_strayDatagrams++; // only datagrams may be sent to anywhere
    }
    else
    {
        FindQueuePair(packet->qp).Receive(*packet, port);
    }
    GetFabric()->pool.Release(packet);
}

void
RoceNicDevice::ReceiveFrame(const FabricPacket& frame, FabricPort& port)
{
    if (!m_frameListener)
    {
        m_unclaimedFrames++;
        return;
    }
    m_frameListener->FrameArrived(frame, port);
}

void
RoceNicDevice::SendFrame(FabricPacket* frame, uint32_t port)
{
    NS_ASSERT_MSG(frame->offload ? m_reductionListener != nullptr
                                 : frame->foreign && m_frameListener,
                  "only frames of reductions and of other protocols go this way");
    GetFabric()->counters.packets++;
    m_schedulers.at(port).SendFrame(frame, NowTicks());
}

bool
RoceNicDevice::WantsDepartures() const
{
    return true;
}

void
RoceNicDevice::Departed(FabricPacket& packet, FabricPort& port)
{
    if (packet.GetClass() != FrameClass::DATA)
    {
        return;
    }
    RocePortScheduler& scheduler = m_schedulers[port.GetIndex()];
    if (packet.offload || packet.foreign)
    {
        scheduler.FrameDeparted(packet.priority);
        return;
    }
    scheduler.Departed(FindQueuePair(packet.stamp), packet);
}

void
RoceNicDevice::PauseEnded(FabricPort& port)
{
    m_schedulers[port.GetIndex()].Resume(NowTicks());
    if (port.IsUp()) // a link that has just failed ends its pauses, too
    {
        LeavePaused();
    }
}

} // namespace ns3
