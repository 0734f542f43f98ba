/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-device.h"

#include "pfc.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/node.h"
#include "ns3/pfc-frame.h"
#include "ns3/roce-reducer.h"
#include "ns3/roce-wire.h"
#include "ns3/strict-egress-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceSwitchDevice);

TypeId
RoceSwitchDevice::GetTypeId()
{
    static TypeId tid =
        AddReductionAttributes(
            AddClassAttributes(AddEcnAttributes(AddWatchdogAttributes(AddPfcAttributes(
                                   AddBufferAttributes(AddForwardingAttributes(
                                       TypeId("ns3::RoceSwitchDevice")
                                           .SetParent<FabricSwitchDevice>()
                                           .SetGroupName("Roce")
                                           .AddConstructor<RoceSwitchDevice>(),
                                       EcmpLoadBalancer::GetTypeId(),
                                       false)))))))
            .AddTraceSource("PauseSent",
                            "A PAUSE or RESUME was sent; refreshes are left out.",
                            MakeTraceSourceAccessor(&RoceSwitchDevice::m_pauseSent),
                            "ns3::RoceSwitchDevice::PfcTracedCallback")
            .AddTraceSource("PauseReceived",
                            "A PAUSE or RESUME was obeyed.",
                            MakeTraceSourceAccessor(&RoceSwitchDevice::m_pauseReceived),
                            "ns3::RoceSwitchDevice::PfcTracedCallback")
            .AddTraceSource("PfcStorm",
                            "The PFC watchdog found a storm, or its end.",
                            MakeTraceSourceAccessor(&RoceSwitchDevice::m_storm),
                            "ns3::RoceSwitchDevice::StormTracedCallback");
    return tid;
}

TypeId
RoceSwitchDevice::AddBufferAttributes(TypeId tid)
{
    return tid
        .AddAttribute("BufferBytes",
                      "Packet memory, bytes. 0: 64 MB up to 12.8 Tb/s of ports and 5 MB per Tb/s "
                      "beyond, which is what chips of 12.8 Tb/s have (Broadcom Tomahawk 3, NVIDIA "
                      "Spectrum-3: 64 MB), or twice the headroom where that is more.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_bufferBytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("ReservedBytes",
                      "Memory guaranteed to each lossless (port, class), bytes.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_reservedBytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("Alpha",
                      "Dynamic threshold of a lossless ingress class: Alpha times the free "
                      "shared memory (1/8: common RoCE setting).",
                      DoubleValue(0.125),
                      MakeDoubleAccessor(&RoceSwitchDevice::m_alpha),
                      MakeDoubleChecker<double>(1e-6, 1024))
        .AddAttribute("EgressAlpha",
                      "Dynamic threshold of a lossy egress queue: EgressAlpha times the free "
                      "shared memory.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&RoceSwitchDevice::m_egressAlpha),
                      MakeDoubleChecker<double>(1e-6, 1024))
        .AddAttribute("MaxFrameBytes",
                      "Largest frame for which headroom is kept, without preamble and gap "
                      "(4096 bytes of payload and the headers of a WRITE with immediate data).",
                      UintegerValue(4178),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_maxFrameBytes),
                      MakeUintegerChecker<uint32_t>(64, 65535));
}

TypeId
RoceSwitchDevice::AddPfcAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Pfc",
                      "Protect the lossless classes by priority flow control; without it every "
                      "class is lossy.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RoceSwitchDevice::m_pfc),
                      MakeBooleanChecker())
        .AddAttribute("LosslessPriorities",
                      "Bit mask of the classes that PFC protects (default: class 3).",
                      UintegerValue(1U << 3),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_losslessMask),
                      MakeUintegerChecker<uint32_t>(0, 0xff))
        .AddAttribute("ResumeOffset",
                      "A paused class resumes this far below its threshold, bytes (2 frames of "
                      "1500 bytes: Zhu et al., SIGCOMM 2015, section 4).",
                      UintegerValue(3000),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_resumeOffset),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("PauseQuanta",
                      "Time in a PAUSE frame, in units of 512 bit times; refreshed at half of "
                      "it, which must hold the largest frame and the refreshes of all classes.",
                      UintegerValue(65535),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_pauseQuanta),
                      MakeUintegerChecker<uint16_t>(1));
}

TypeId
RoceSwitchDevice::AddReductionAttributes(TypeId tid)
{
    return tid
        .AddAttribute("InNetworkReduction",
                      "Add up in the switch what the ranks of a team send (NVIDIA's SHARP; "
                      "collectives CollNet).",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RoceSwitchDevice::m_reduces),
                      MakeBooleanChecker())
        .AddAttribute("ReductionTableBytes",
                      "Memory for what is being added up, bytes; a channel of a team takes two "
                      "ns3::RoceReductionTransport::WindowBytes. No figure of real switches is "
                      "published.",
                      UintegerValue(64 << 20),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_reductionTableBytes),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
RoceSwitchDevice::AddWatchdogAttributes(TypeId tid)
{
    return tid
        .AddAttribute("PfcWatchdog",
                      "Free the classes of ports that peers pause without end.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RoceSwitchDevice::m_watch),
                      MakeBooleanChecker())
        .AddAttribute(
            "PfcWatchdogDetectionTime",
            "A class that is paused for so long, with frames queued, is stuck (default of "
            "SONiC's pfcwd start_default on a small switch).",
            TimeValue(MilliSeconds(200)),
            MakeTimeAccessor(&RoceSwitchDevice::m_detectionTime),
            MakeTimeChecker(TimeStep(1)))
        .AddAttribute("PfcWatchdogRestorationTime",
                      "When no PAUSE has come for so long PFC is obeyed again (default of SONiC's "
                      "pfcwd start_default on a small switch).",
                      TimeValue(MilliSeconds(200)),
                      MakeTimeAccessor(&RoceSwitchDevice::m_restorationTime),
                      MakeTimeChecker(TimeStep(1)))
        .AddAttribute(
            "PfcWatchdogForward",
            "The frames of a class that is stuck are sent, whatever the peer says (SONiC's "
            "action forward), instead of thrown away (action drop).",
            BooleanValue(false),
            MakeBooleanAccessor(&RoceSwitchDevice::m_forward),
            MakeBooleanChecker());
}

TypeId
RoceSwitchDevice::AddEcnAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Ecn",
                      "Mark ECN capable packets.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RoceSwitchDevice::m_ecn),
                      MakeBooleanChecker())
        .AddAttribute("EcnKmin",
                      "Queue below which nothing is marked, bytes, at EcnReferenceRate "
                      "(evaluation scripts of HPCC, SIGCOMM 2019).",
                      UintegerValue(100000),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_kminBytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("EcnKmax",
                      "Queue above which everything is marked, bytes, at EcnReferenceRate.",
                      UintegerValue(400000),
                      MakeUintegerAccessor(&RoceSwitchDevice::m_kmaxBytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("EcnPmax",
                      "Probability of a mark at EcnKmax.",
                      DoubleValue(0.2),
                      MakeDoubleAccessor(&RoceSwitchDevice::m_pmax),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("EcnAtEnqueue",
                      "Mark a frame when it is queued, by the queue that it finds, instead of when "
                      "it leaves, by the queue that it leaves behind: the sender hears of a queue "
                      "later by the time that it takes to drain.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RoceSwitchDevice::m_ecnAtEnqueue),
                      MakeBooleanChecker())
        .AddAttribute("EcnReferenceRate",
                      "EcnKmin and EcnKmax hold at this rate and grow in proportion to the "
                      "rate of the port; 0 = they hold at every rate.",
                      DataRateValue(DataRate("25Gbps")),
                      MakeDataRateAccessor(&RoceSwitchDevice::m_ecnReferenceRate),
                      MakeDataRateChecker());
}

TypeId
RoceSwitchDevice::AddClassAttributes(TypeId tid)
{
    return tid
        .AddAttribute("DscpMap",
                      "Traffic class of frames by DSCP, as DSCP:class or first-last:class with "
                      "commas between them; what is not named has class DSCP / 8.",
                      StringValue(""),
                      MakeStringAccessor(&RoceSwitchDevice::m_dscpMapText),
                      MakeStringChecker())
        .AddAttribute("EgressScheduler",
                      "Type of the scheduler that decides between the traffic classes of a port.",
                      TypeIdValue(StrictEgressScheduler::GetTypeId()),
                      MakeTypeIdAccessor(&RoceSwitchDevice::m_schedulerType),
                      MakeTypeIdChecker());
}

RoceSwitchDevice::RoceSwitchDevice()
    : m_pfcController(*this),
      m_watchdog(*this, *this)
{
}

RoceSwitchDevice::~RoceSwitchDevice() = default;

FabricPort&
RoceSwitchDevice::AddPort()
{
    FabricPort& port = FabricSwitchDevice::AddPort();
    m_marker.AddPort();
    return port;
}

void
RoceSwitchDevice::Configure()
{
    CheckAttributes();
    TrustDscp(DscpMap(m_dscpMapText, "ns3::RoceSwitchDevice::DscpMap", GetName()));
    SetMarking(m_ecn && !m_ecnAtEnqueue, m_ecn && m_ecnAtEnqueue);
    FabricSwitchDevice::Configure();
    if (m_reduces)
    {
        m_reducer = std::make_unique<RoceReducer>(*this, m_reductionTableBytes);
    }
    m_pfcController.Start(m_pauseQuanta);
    if (m_watch)
    {
        m_watchdog.Start(m_detectionTime.GetTimeStep(), m_restorationTime.GetTimeStep());
    }
    std::vector<uint64_t> rates;
    for (uint32_t i = 0; i < GetPortCount(); i++)
    {
        SetPortScheduler(GetPort(i), m_schedulerType);
        rates.push_back(GetPort(i).GetLink().rateBps);
    }
    m_marker.Start(GetEcnSettings(), rates);
}

int64_t
RoceSwitchDevice::AssignStreams(int64_t stream)
{
    const int64_t marks = m_marker.AssignStreams(stream);
    return marks + FabricSwitchDevice::AssignStreams(stream + marks);
}

void
RoceSwitchDevice::SetEcnThresholds(uint32_t port, const EcnThresholds& thresholds)
{
    m_marker.SetThresholds(port, thresholds);
}

EcnSettings
RoceSwitchDevice::GetEcnSettings() const
{
    return {{m_kminBytes, m_kmaxBytes, m_pmax}, m_ecnReferenceRate};
}

EcnThresholds
RoceSwitchDevice::GetEcnThresholds(uint32_t port) const
{
    return m_marker.IsSet(port) ? m_marker.GetThresholds(port)
                                : GetEcnSettings().Scale(GetPort(port).GetLink().rateBps);
}

uint64_t
RoceSwitchDevice::GetHeadroomBytes(uint32_t port) const
{
    return Pfc::GetHeadroomBytes(GetPort(port),
                                 m_maxFrameBytes,
                                 std::max(1, __builtin_popcount(m_losslessMask)),
                                 GetLatency().GetTimeStep());
}

void
RoceSwitchDevice::CheckAttributes() const
{
    const SharedBufferParameters parameters = GetBufferParameters();
    const uint64_t ports = GetPortCount();
    const uint64_t fixed = parameters.GetFixedBytes(ports);
    if (parameters.totalBytes < m_maxFrameBytes || parameters.totalBytes - m_maxFrameBytes < fixed)
    {
        throw ConfigError("ns3::RoceSwitchDevice::BufferBytes",
                          GetName(),
                          std::to_string(parameters.totalBytes),
                          "at least " + std::to_string(fixed) +
                              " bytes for headroom and reserve of " + std::to_string(ports) +
                              " ports and " + std::to_string(m_maxFrameBytes) + " for a frame");
    }
    if (m_kminBytes > m_kmaxBytes)
    {
        throw ConfigError("ns3::RoceSwitchDevice::EcnKmin",
                          GetName(),
                          std::to_string(m_kminBytes),
                          "EcnKmax, " + std::to_string(m_kmaxBytes) + " bytes, or less");
    }
    CheckPauseQuanta();
}

void
RoceSwitchDevice::CheckPauseQuanta() const
{
    const uint64_t classes = __builtin_popcount(GetLosslessMask());
    for (uint32_t i = 0; classes && i < GetPortCount(); i++)
    {
        const uint64_t gap = GetPort(i).GetGapBytes();
        const uint64_t bits = 8 * (m_maxFrameBytes + gap + classes * (RoceWire::PFC_FRAME + gap));
        const uint64_t least = (2 * bits + PfcFrame::QUANTUM_BITS - 1) / PfcFrame::QUANTUM_BITS;
        if (m_pauseQuanta < least)
        {
            throw ConfigError("ns3::RoceSwitchDevice::PauseQuanta",
                              GetName(),
                              std::to_string(m_pauseQuanta),
                              "at least " + std::to_string(least) +
                                  ": half of it must hold a frame of " +
                                  std::to_string(m_maxFrameBytes) + " bytes and a PAUSE for " +
                                  (classes == 1 ? "the lossless class" : "each lossless class"));
        }
    }
}

uint64_t
RoceSwitchDevice::GetDefaultBufferBytes(uint64_t headroomBytes) const
{
    constexpr uint64_t BITS_PER_BYTE = 200000; // 1 Tb/s / 5 MB
    uint64_t capacity = 0;
    for (uint32_t i = 0; i < GetPortCount(); i++)
    {
        capacity += GetPort(i).GetLink().rateBps;
    }
    const uint64_t twice = headroomBytes > UINT64_MAX / 2 ? UINT64_MAX : 2 * headroomBytes;
    return std::max({LEAST_BUFFER_BYTES, capacity / BITS_PER_BYTE, twice});
}

SharedBufferParameters
RoceSwitchDevice::GetBufferParameters() const
{
    SharedBufferParameters parameters;
    parameters.resumeOffset = m_resumeOffset;
    parameters.alpha = m_alpha;
    parameters.egressAlpha = m_egressAlpha;
    parameters.losslessMask = GetLosslessMask();
    for (uint32_t i = 0; i < GetPortCount(); i++)
    {
        parameters.headroomBytes.push_back(m_pfc ? GetHeadroomBytes(i) : 0);
    }
    parameters.totalBytes = m_bufferBytes
                                ? m_bufferBytes
                                : GetDefaultBufferBytes(parameters.GetFixedBytes(GetPortCount()));
    parameters.reservedBytes = m_reservedBytes;
    return parameters;
}

void
RoceSwitchDevice::Mark(FabricPacket& packet, FabricPort& port)
{
    if (packet.ecn == static_cast<uint8_t>(EcnCodepoint::NOT_ECT))
    {
        return;
    }
    if (m_marker.ShouldMark(port.GetIndex(), port.GetQueueBytes(packet.priority)))
    {
        packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
        port.CountMark(packet.priority);
        GetFabric()->counters.ecnMarks++;
    }
}

void
RoceSwitchDevice::Offload(FabricPacket* packet, FabricPort& in, uint64_t now)
{
    if (!m_reducer)
    {
        FabricSwitchDevice::Offload(packet, in, now);
        return;
    }
    m_reducer->Receive(packet, in);
}

void
RoceSwitchDevice::SendOwn(FabricPacket* packet, uint32_t port)
{
    GetFabric()->counters.packets++;
    FabricSwitchDevice::SendOwn(packet, port, NowTicks());
}

void
RoceSwitchDevice::SignalPause(FabricPort& port, uint32_t priority, bool pause)
{
    m_pauseSent(port.GetIndex(), priority, pause);
    if (pause)
    {
        m_pfcController.Pause(port.GetIndex(), priority);
    }
    else
    {
        m_pfcController.Resume(port.GetIndex(), priority);
    }
}

void
RoceSwitchDevice::LinkMended(FabricPort& port)
{
    m_pfcController.Repeat(port.GetIndex());
}

void
RoceSwitchDevice::ReceiveControl(const FabricPacket& packet, FabricPort& port)
{
    const uint32_t before = port.GetPausedMask();
    const uint32_t storms = m_watchdog.GetStormMask(port.GetIndex());
    Pfc::Obey(packet, port, NowTicks(), m_forward ? storms : 0);
    const uint32_t after = port.GetPausedMask();
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        if ((before ^ after) >> priority & 1)
        {
            m_pauseReceived(port.GetIndex(), priority, after >> priority & 1);
        }
    }
    if (m_watchdog.IsStarted())
    {
        const PfcFrame frame = PfcFrame::FromRecord(packet);
        for (uint32_t priority = 0; priority < PfcFrame::CLASSES; priority++)
        {
            if (frame.classVector >> priority & 1 && frame.quanta[priority] > 0)
            {
                m_watchdog.PauseReceived(port, priority);
            }
        }
    }
}

void
RoceSwitchDevice::StormBegan(FabricPort& port, uint32_t priority)
{
    m_storm(port.GetIndex(), priority, true);
    if (m_forward)
    {
        port.EndPause(priority, NowTicks());
        return;
    }
    SetDiscarding(port, priority, true);
    DiscardQueue(port, priority);
}

void
RoceSwitchDevice::StormEnded(FabricPort& port, uint32_t priority)
{
    m_storm(port.GetIndex(), priority, false);
    if (!m_forward)
    {
        SetDiscarding(port, priority, false);
    }
}

} // namespace ns3
