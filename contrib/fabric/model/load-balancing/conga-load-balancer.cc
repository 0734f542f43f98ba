/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "conga-load-balancer.h"

#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/ecmp-hash.h"
#include "ns3/fabric-switch-device.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongaLoadBalancer);

namespace
{

constexpr uint32_t MAX_UPLINKS = 255; //!< what a tag of 8 bits can tell apart

/** \param port a port \return whether the device at the other end is an end point */
bool
LeadsToEndPoint(const FabricPort& port)
{
    return !dynamic_cast<const FabricSwitchDevice*>(port.GetPeer()->GetOwner());
}

/** \param device a switch \return whether an end point is attached to it */
bool
HasEndPoint(const FabricDevice& device)
{
    for (uint32_t i = 0; i < device.GetPortCount(); i++)
    {
        if (LeadsToEndPoint(device.GetPort(i)))
        {
            return true;
        }
    }
    return false;
}

} // namespace

TypeId
CongaLoadBalancer::GetTypeId()
{
    using Self = CongaLoadBalancer;
    static TypeId tid =
        TypeId("ns3::CongaLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Fabric")
            .AddConstructor<CongaLoadBalancer>()
            .AddAttribute("QuantizationBits",
                          "Q: bits of a congestion metric (paper: 3).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Self::m_bits),
                          MakeUintegerChecker<uint32_t>(1, 8))
            .AddAttribute("DreInterval",
                          "T: time between two decays of the rate estimators (assumed; with Alpha "
                          "it makes the paper's tau = T / alpha = 160 us).",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&Self::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Alpha",
                          "Part of a rate estimator that is lost per interval (assumed).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Self::m_alpha),
                          MakeDoubleChecker<double>(1e-3, 1))
            .AddAttribute("AgingTime",
                          "Age from which the metric of a path decays; it is 0 at twice this age "
                          "(paper: 10 ms).",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&Self::m_agingTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FlowletTimeout",
                          "Longest gap between two frames of a flowlet (paper: 500 us); 0: every "
                          "frame chooses.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&Self::m_flowletTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowletEntries",
                          "Size of the flowlet table of a leaf (paper: 64K).",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&Self::m_flowletEntries),
                          MakeUintegerChecker<uint32_t>(1, FlowletTable::MAX_ENTRIES));
    return tid;
}

CongaLoadBalancer::CongaLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
CongaLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_device = start.device;
    m_routes = start.routes;
    m_place = start.place;
    m_salt = start.seed;
    m_intervalTicks = m_interval.GetTimeStep();
    m_agingTicks = m_agingTime.GetTimeStep();
    const double tauTicks = static_cast<double>(m_intervalTicks) / m_alpha;
    m_scale = 8.0 * (1U << m_bits) * FabricEngine::GetTicksPerSecond() / tauTicks;
    m_flowlets.Configure(m_flowletEntries, m_flowletTimeout, start.seed);
    m_estimators.resize(m_device->GetPortCount());
    LookAround();
}

void
CongaLoadBalancer::Refuse(const std::string& problem) const
{
    throw ConfigError("ns3::CongaLoadBalancer",
                      m_device->GetName(),
                      problem,
                      "a network of leaves and spines, of two tiers");
}

void
CongaLoadBalancer::LookAround()
{
    if (!m_routes || !dynamic_cast<FabricSwitchDevice*>(m_device))
    {
        Refuse("a device that is no switch");
    }
    m_isLeaf = HasEndPoint(*m_device);
    uint32_t tag = 0;
    for (uint32_t i = 0; i < m_device->GetPortCount(); i++)
    {
        const FabricPort& port = m_device->GetPort(i);
        const bool host = LeadsToEndPoint(port);
        const uint32_t peer = m_routes->GetPeer(m_place, i);
        for (uint32_t j = 0; host && j < m_routes->GetPortCount(peer); j++)
        {
            if (m_routes->GetPeer(peer, j) != m_place)
            {
                Refuse("an end point that is attached to several switches");
            }
        }
        if (!host && !m_isLeaf && !HasEndPoint(*port.GetPeer()->GetOwner()))
        {
            Refuse("a spine that is joined to another one");
        }
        m_tags.push_back(host ? 0 : ++tag);
    }
    if (tag > MAX_UPLINKS && m_isLeaf)
    {
        Refuse(std::to_string(tag) + " uplinks, more than " + std::to_string(MAX_UPLINKS));
    }
}

int64_t
CongaLoadBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
CongaLoadBalancer::WatchesFrames() const
{
    return true;
}

uint32_t
CongaLoadBalancer::GetLocalMetric(uint32_t port, uint64_t now) const
{
    const double bytes = m_estimators[port].GetBytes(now, m_intervalTicks, m_alpha);
    const double steps = bytes * m_scale / m_device->GetPort(port).GetRateBps();
    return std::min(static_cast<uint32_t>(steps), (1U << m_bits) - 1);
}

uint32_t
CongaLoadBalancer::GetRemoteMetric(uint32_t leaf, uint32_t port, uint64_t now) const
{
    const auto found = m_leaves.find(leaf);
    const uint32_t tag = m_tags[port];
    if (found == m_leaves.end() || tag >= found->second.to.size())
    {
        return 0;
    }
    const Told& told = found->second.to[tag];
    const uint64_t age = now - told.updated;
    if (age <= m_agingTicks)
    {
        return told.metric;
    }
    const uint64_t over = std::min(age - m_agingTicks, m_agingTicks);
    return told.metric * (m_agingTicks - over) / m_agingTicks;
}

bool
CongaLoadBalancer::KeepsOrder() const
{
    return m_flowletTimeout.IsStrictlyPositive();
}

uint32_t
CongaLoadBalancer::Choose(FabricPacket& packet, PortSpan ports)
{
    if (!m_isLeaf || m_tags[packet.inPort] || !m_tags[ports[0]])
    {
        return EcmpChoice(EcmpHash(packet.src, packet.dst, packet.flow, m_salt), ports.count);
    }
    const uint64_t now = m_device->GetFabric()->engine.Now();
    return m_flowlets.Choose(packet, ports, now, [&] { return ChooseUplink(packet, ports); });
}

uint32_t
CongaLoadBalancer::ChooseUplink(const FabricPacket& packet, PortSpan ports)
{
    const uint64_t now = m_device->GetFabric()->engine.Now();
    const uint32_t leaf = FindLeaf(packet.dst);
    uint32_t least = ~0U;
    m_best.clear();
    for (uint32_t i = 0; i < ports.count; i++)
    {
        m_device->GetPort(ports[i]).Advance(now);
        const uint32_t metric =
            std::max(GetLocalMetric(ports[i], now), GetRemoteMetric(leaf, ports[i], now));
        if (metric < least)
        {
            least = metric;
            m_best.clear();
        }
        if (metric == least)
        {
            m_best.push_back(i);
        }
    }
    const uint32_t before = m_flowlets.FindLast(packet, ports);
    if (std::binary_search(m_best.begin(), m_best.end(), before))
    {
        return before;
    }
    return m_best.size() == 1 ? m_best[0] : m_best[m_random->GetInteger(0, m_best.size() - 1)];
}

void
CongaLoadBalancer::Arrived(FabricPacket& packet, FabricPort& in)
{
    if (!packet.overlay || !m_isLeaf || FindLeaf(packet.dst) != m_place)
    {
        return;
    }
    const Header header = Header::Read(packet.overlay);
    packet.overlay = 0;
    Leaf& leaf = m_leaves[FindLeaf(packet.src)];
    if (header.tag >= leaf.from.size())
    {
        leaf.from.resize(header.tag + 1);
    }
    Seen& seen = leaf.from[header.tag];
    seen.changed |= !seen.valid || seen.metric != header.ce;
    seen.valid = true;
    seen.metric = header.ce;
    if (header.fbTag)
    {
        leaf.to.resize(std::max<std::size_t>(leaf.to.size(), header.fbTag + 1));
        leaf.to[header.fbTag] = {header.metric, m_device->GetFabric()->engine.Now()};
    }
}

void
CongaLoadBalancer::TakeFeedback(Leaf& leaf, Header& header)
{
    const uint32_t size = leaf.from.size();
    uint32_t chosen = 0;
    uint32_t tag = leaf.next < size ? leaf.next : 1;
    for (uint32_t i = 1; i < size; i++)
    {
        const Seen& seen = leaf.from[tag];
        if (seen.changed)
        {
            chosen = tag;
            break;
        }
        if (seen.valid && !chosen)
        {
            chosen = tag;
        }
        tag = tag + 1 < size ? tag + 1 : 1;
    }
    if (chosen)
    {
        leaf.from[chosen].changed = false;
        leaf.next = chosen + 1;
        header.fbTag = chosen;
        header.metric = leaf.from[chosen].metric;
    }
}

void
CongaLoadBalancer::Departed(FabricPacket& packet, FabricPort& out)
{
    const uint32_t port = out.GetIndex();
    if (!m_tags[port])
    {
        return; // to an end point
    }
    const uint32_t bytes = packet.frameBytes + out.GetGapBytes();
    m_estimators[port].Add(packet.start, bytes, m_intervalTicks, m_alpha);
    Header header = Header::Read(packet.overlay);
    if (m_isLeaf && !m_tags[packet.inPort])
    {
        header = {};
        header.tag = m_tags[port];
        TakeFeedback(m_leaves[FindLeaf(packet.dst)], header);
    }
    if (header.tag)
    {
        header.ce = std::max(header.ce, GetLocalMetric(port, packet.start));
        packet.overlay = header.Write();
    }
}

} // namespace ns3
