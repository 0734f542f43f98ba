/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-switch-device.h"

#include "ns3/ecmp-load-balancer.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FabricSwitchDevice);

TypeId
FabricSwitchDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricSwitchDevice")
            .SetParent<FabricDevice>()
            .SetGroupName("Fabric")
            .AddTraceSource("Drop",
                            "A frame found no room in the packet memory.",
                            MakeTraceSourceAccessor(&FabricSwitchDevice::m_dropTrace),
                            "ns3::FabricSwitchDevice::DropTracedCallback");
    return tid;
}

TypeId
FabricSwitchDevice::AddForwardingAttributes(TypeId tid, TypeId loadBalancer, bool cutThrough)
{
    return tid
        .AddAttribute("LoadBalancer",
                      "Type of the load balancer that chooses among equal-cost ports.",
                      TypeIdValue(loadBalancer),
                      MakeTypeIdAccessor(&FabricSwitchDevice::m_balancerType),
                      MakeTypeIdChecker())
        .AddAttribute("CutThrough",
                      "Forward a frame when its head is there instead of its tail.",
                      BooleanValue(cutThrough),
                      MakeBooleanAccessor(&FabricSwitchDevice::m_cutThrough),
                      MakeBooleanChecker())
        .AddAttribute("Latency",
                      "Time that a frame takes through the switch before it is queued.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&FabricSwitchDevice::m_latency),
                      MakeTimeChecker(Time(0)));
}

FabricSwitchDevice::FabricSwitchDevice()
    : m_leavePipeline(this)
{
}

FabricSwitchDevice::~FabricSwitchDevice() = default;

void
FabricSwitchDevice::DoDispose()
{
    m_balancer = nullptr;
    FabricDevice::DoDispose();
}

void
FabricSwitchDevice::SetRoutes(std::shared_ptr<const RouteTable> routes, uint32_t node)
{
    m_routes = std::move(routes);
    m_route = m_routes->GetRow(node);
    m_place = node;
    if (m_balancer)
    {
        m_rerouted = true;
        m_balancer->RoutesChanged();
    }
}

void
FabricSwitchDevice::Configure()
{
    ObjectFactory factory;
    factory.SetTypeId(m_balancerType);
    m_balancer = factory.Create<LoadBalancer>();
    const uint32_t node = GetNode()->GetId();
    m_balancer->Start({node, EcmpLoadBalancer::GetSalt(node), this, m_routes, m_place});
    m_watched = m_balancer->WatchesFrames();
    m_latencyTicks = m_latency.GetTimeStep();
    m_leavePipeline.Bind(&GetFabric()->engine, node);
    m_buffer.Configure(GetBufferParameters(), GetPortCount());
}

int64_t
FabricSwitchDevice::AssignStreams(int64_t stream)
{
    const int64_t ports = FabricDevice::AssignStreams(stream);
    return ports + (m_balancer ? m_balancer->AssignStreams(stream + ports) : 0);
}

bool
FabricSwitchDevice::SpreadsFlows() const
{
    return m_balancer && !m_balancer->KeepsFlowsTogether();
}

Ptr<LoadBalancer>
FabricSwitchDevice::GetLoadBalancer() const
{
    return m_balancer;
}

Time
FabricSwitchDevice::GetLatency() const
{
    return m_latency;
}

uint32_t
FabricSwitchDevice::SelectPort(FabricPacket& packet)
{
    const PortSpan ports = m_route.NextPorts(packet.dst);
    switch (ports.count)
    {
    case 0:
        return ~0U;
    case 1:
        return ports[0];
    default:
        return ports[m_balancer->Choose(packet, ports)];
    }
}

void
FabricSwitchDevice::Receive(FabricPacket* packet, FabricPort& port)
{
    if (packet->priority == FabricPort::CONTROL)
    {
        ReceiveControl(*packet, port);
        GetFabric()->pool.Release(packet);
        return;
    }
    if (m_trustsDscp && m_dscpMap.GetClass(packet->dscp) != packet->priority)
    {
        packet->priority = m_dscpMap.GetClass(packet->dscp);
    }
    const uint64_t now = NowTicks();
    if (!m_latencyTicks)
    {
        Switch(packet, port, now);
        return;
    }
    packet->due = now + m_latencyTicks;
    if (!m_pipeline.head)
    {
        m_leavePipeline.Set(packet->due);
    }
    m_pipeline.PushBack(packet);
}

void
FabricSwitchDevice::Switch(FabricPacket* packet, FabricPort& in, uint64_t now)
{
    if (packet->offload)
    {
        Offload(packet, in, now);
        return;
    }
    if (m_watched)
    {
        m_balancer->Arrived(*packet, in);
    }
    const uint32_t choice = SelectPort(*packet);
    if (choice == ~0U)
    {
        DropWithoutRoute(packet);
        return;
    }
    Forward(packet, in, choice, now);
}

void
FabricSwitchDevice::Offload(FabricPacket* packet, FabricPort&, uint64_t)
{
    NS_ABORT_MSG("switch " << GetNode()->GetId() << " can neither add up nor copy frame "
                           << packet->psn << " of rank "
                           << m_routes->GetPlace(packet->src));
}

void
FabricSwitchDevice::Forward(FabricPacket* packet, FabricPort& in, uint32_t choice, uint64_t now)
{
    FabricPort& out = GetPort(choice);
    out.PrefetchQueue();
    if (IsDiscarded(*packet, choice))
    {
        Discard(packet, out);
        return;
    }
    if (!packet->uncharged && !Admit(*packet, in, out, now))
    {
        out.CountDrop(packet->priority);
        GetFabric()->counters.drops++;
        m_dropTrace(*packet, packet->inPort);
        GetFabric()->pool.Release(packet);
        return;
    }
    if (m_marksArriving)
    {
        out.Advance(now);
        Mark(*packet, out);
    }
    if (!m_cutThrough)
    {
        out.Enqueue(packet, now);
        return;
    }
    const uint64_t length = in.GetPeer()->GetClock().TicksFor(packet->frameBytes); // rounded up
    out.Enqueue(packet, now, now - std::min(now, length));
}

void
FabricSwitchDevice::SendOwn(FabricPacket* packet, uint32_t choice, uint64_t now)
{
    FabricPort& out = GetPort(choice);
    if (IsDiscarded(*packet, choice))
    {
        Discard(packet, out);
        return;
    }
    packet->uncharged = 1;
    out.Enqueue(packet, now);
}

void
FabricSwitchDevice::SetDiscarding(const FabricPort& port, uint32_t priority, bool on)
{
    m_discards.resize(GetPortCount());
    const uint8_t before = m_discards[port.GetIndex()];
    const uint8_t bit = 1U << priority;
    m_discards[port.GetIndex()] = on ? before | bit : before & ~bit;
    m_discarding += ((before & bit) == 0) && on;
    m_discarding -= ((before & bit) != 0) && !on;
}

void
FabricSwitchDevice::DiscardQueue(FabricPort& port, uint32_t priority)
{
    FabricPacketList frames = port.TakeHeldFrames(priority);
    while (frames.head)
    {
        FabricPacket* packet = frames.PopFront();
        const uint32_t in = packet->inPort;
        const uint32_t bytes = packet->uncharged ? 0 : packet->frameBytes;
        Discard(packet, port);
        ReleaseMemory(in, priority, bytes);
    }
}

void
FabricSwitchDevice::Discard(FabricPacket* packet, FabricPort& out)
{
    out.CountWatchdogDiscard(packet->priority);
    GetFabric()->counters.drops++;
    GetFabric()->pool.Release(packet);
}

void
FabricSwitchDevice::DropWithoutRoute(FabricPacket* packet)
{
    NS_ABORT_MSG_UNLESS(m_rerouted,
                        "switch " << GetNode()->GetId() << " has no route to rank "
                                  << m_routes->GetPlace(packet->dst)
                                  << ": validate the topology before the run");
    GetFabric()->counters.drops++;
    GetFabric()->counters.noRoute++;
    m_dropTrace(*packet, packet->inPort);
    GetFabric()->pool.Release(packet);
}

void
FabricSwitchDevice::LeavePipeline()
{
    const uint64_t now = NowTicks();
    while (m_pipeline.head && m_pipeline.head->due <= now)
    {
        FabricPacket* packet = m_pipeline.PopFront();
        Switch(packet, GetPort(packet->inPort), now);
    }
    if (m_pipeline.head)
    {
        m_leavePipeline.Set(m_pipeline.head->due);
    }
}

bool
FabricSwitchDevice::Admit(const FabricPacket& packet,
                          FabricPort& in,
                          FabricPort& out,
                          uint64_t now)
{
    const uint32_t priority = packet.priority;
    const uint32_t bytes = packet.frameBytes;
    if (m_buffer.IsLossless(priority))
    {
        return m_buffer.AdmitIfRoomy(packet.inPort, priority, bytes) ||
               AdmitExactly(packet, in, now);
    }
    out.Advance(now);
    if (m_buffer.AdmitLossy(packet.inPort, priority, bytes, out.GetQueueBytes(priority)))
    {
        return true;
    }
    AdvanceAll(now);
    return m_buffer.AdmitLossy(packet.inPort, priority, bytes, out.GetQueueBytes(priority));
}

bool
FabricSwitchDevice::AdmitExactly(const FabricPacket& packet, FabricPort& in, uint64_t now)
{
    const uint32_t priority = packet.priority;
    const uint32_t port = packet.inPort;
    if (!m_tracked)
    {
        AdvanceAll(now);
    }
    const bool admitted = m_buffer.AdmitLossless(port, priority, packet.frameBytes);
    if (!m_tracked && m_buffer.GetOccupied(port, priority) > m_buffer.GetThreshold() / 2)
    {
        TrackAll(true);
    }
    if (!m_buffer.IsPaused(port, priority) && m_buffer.ShouldPause(port, priority))
    {
        PauseIfDue(in, priority, now);
    }
    return admitted;
}

void
FabricSwitchDevice::PauseIfDue(FabricPort& in, uint32_t priority, uint64_t now)
{
    AdvanceAll(now); // frames that leave at this very tick make room first, whoever asks
    const uint32_t port = in.GetIndex();
    if (!m_buffer.ShouldPause(port, priority))
    {
        return;
    }
    if (!m_tracked)
    {
        TrackAll(true);
    }
    m_buffer.SetPaused(port, priority, true);
    SignalPause(in, priority, true);
}

bool
FabricSwitchDevice::WantsDepartures() const
{
    return true;
}

void
FabricSwitchDevice::Departed(FabricPacket& packet, FabricPort& port)
{
    const uint32_t priority = packet.priority;
    if (priority == FabricPort::CONTROL || packet.uncharged)
    {
        packet.uncharged = 0;
        return; // made here, charged to nobody
    }
    if (m_watched)
    {
        m_balancer->Departed(packet, port);
    }
    if (m_marksDeparting)
    {
        Mark(packet, port);
    }
    if (packet.instrumented && packet.GetClass() == FrameClass::DATA)
    {
        WriteTelemetry(packet, port);
    }
    ReleaseMemory(packet.inPort, priority, packet.frameBytes);
}

void
FabricSwitchDevice::ResumeIfDue(uint32_t port, uint32_t priority)
{
    if (m_buffer.IsPaused(port, priority))
    {
        if (m_buffer.ShouldResume(port, priority))
        {
            m_buffer.SetPaused(port, priority, false);
            SignalPause(GetPort(port), priority, false);
        }
    }
    else if (!m_buffer.GetPausedCount() && m_buffer.GetUsed() < m_buffer.GetThreshold() / 8)
    {
        TrackAll(false);
    }
}

void
FabricSwitchDevice::WriteTelemetry(FabricPacket& packet, const FabricPort& port)
{
    packet.telemetry->hops.push_back({packet.start,
                                      port.GetSentBytes(),
                                      port.GetQueueBytes(packet.priority),
                                      port.GetRateBps(),
                                      port.GetId()});
}

void
FabricSwitchDevice::Mark(FabricPacket&, FabricPort&)
{
}

void
FabricSwitchDevice::TrustDscp(const DscpMap& map)
{
    m_dscpMap = map;
    m_trustsDscp = true;
}

void
FabricSwitchDevice::AdvanceAll(uint64_t now)
{
    for (uint32_t i = 0; i < GetPortCount(); i++)
    {
        GetPort(i).Advance(now);
    }
}

void
FabricSwitchDevice::TrackAll(bool on)
{
    m_tracked = on;
    for (uint32_t i = 0; i < GetPortCount(); i++)
    {
        GetPort(i).SetTracked(on);
    }
}

} // namespace ns3
