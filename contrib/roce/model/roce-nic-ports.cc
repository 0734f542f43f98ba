/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"

#include "ns3/ecmp-load-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"

#include <algorithm>

/**
 * \file
 * Which port of a NIC its queue pairs send by.
 */

namespace ns3
{

void
RoceNicDevice::Configure()
{
    if (GetPortCount() < 2)
    {
        return;
    }
    ObjectFactory factory;
    factory.SetTypeId(m_balancerType);
    m_balancer = factory.Create<LoadBalancer>();
    const uint32_t node = GetNode()->GetId();
    m_balancer->Start({node, EcmpLoadBalancer::GetSalt(node), this, m_firstRoutes, m_rank});
}

uint64_t
RoceNicDevice::GetReorderWindow() const
{
    if (!m_settings.empty())
    {
        return m_settings.front().lossRecoveryModel->GetReorderWindow();
    }
    ObjectFactory factory;
    factory.SetTypeId(m_lossRecovery);
    return factory.Create<LossRecovery>()->GetReorderWindow();
}

bool
RoceNicDevice::IsUnfitToSpread() const
{
    return m_portPerPacket && m_balancer && GetReorderWindow() == 0;
}

void
RoceNicDevice::SetRoutes(std::shared_ptr<const RouteTable> routes)
{
    m_routes = std::move(routes);
    if (!m_firstRoutes)
    {
        m_firstRoutes = m_routes;
    }
    if (m_balancer)
    {
        m_balancer->RoutesChanged();
    }
    for (RoceQueuePair& qp : m_qps)
    {
        if (qp.parameters.bonded && m_balancer)
        {
            Rehome(qp);
        }
        if (FollowLineRate(qp))
        {
            m_schedulers[qp.port].Wake(qp, NowTicks());
        }
    }
    LeavePaused();
}

bool
RoceNicDevice::FollowLineRate(RoceQueuePair& qp)
{
    const uint64_t rateBps = GetLineRateBps(qp);
    if (qp.failed || rateBps == qp.pacing.lineRateBps)
    {
        return false;
    }
    const uint64_t now = NowTicks();
    m_schedulers[qp.port].NoteDepartures(now);
    qp.pacing.lineRateBps = rateBps;
    qp.LineRateChanged(now);
    return true;
}

void
RoceNicDevice::LeavePaused()
{
    if (!m_spreads)
    {
        return; // every queue pair waits for its port
    }
    for (RocePortScheduler& scheduler : m_schedulers)
    {
        scheduler.LeavePaused(NowTicks());
    }
}

PortSpan
RoceNicDevice::GetPorts(const RoceQueuePairParameters& parameters) const
{
    const PortSpan ports = m_routes->NextPorts(parameters.localEnd, parameters.peerEnd);
    return ports.count ? ports
                       : m_firstRoutes->NextPorts(parameters.localEnd, parameters.peerEnd);
}

bool
RoceNicDevice::HasPath(const RoceQueuePair& qp) const
{
    return !m_routes ||
           m_routes->NextPorts(qp.parameters.localEnd, qp.parameters.peerEnd).count > 0;
}

bool
RoceNicDevice::IsUsable(uint32_t port, uint32_t peer) const
{
    const uint32_t next = m_routes->GetPeer(m_rank, port);
    const uint32_t end = m_routes->GetPlace(peer);
    return GetPort(port).IsUp() &&
           (next == end || m_routes->GetHopCount(next, peer) != RouteTable::NO_ROUTE);
}

uint32_t
RoceNicDevice::Choose(const RoceQueuePairParameters& parameters, uint32_t peer, PortSpan ports)
{
    FabricPacket packet{};
    packet.src = parameters.localEnd;
    packet.dst = peer;
    packet.flow = parameters.udpPort;
    packet.priority = parameters.priority.value_or(m_priority);
    packet.frameBytes = RoceWire::FullFrameBytes(m_mtuBytes);
    return ports[m_balancer->Choose(packet, ports)];
}

template <class T>
PortSpan
RoceNicDevice::Select(PortSpan ports, const T& keeps)
{
    m_selected.clear();
    uint32_t mask = 0;
    for (const uint16_t port : ports)
    {
        if (keeps(port))
        {
            m_selected.push_back(port);
            mask |= 1U << port % 32;
        }
    }
    const uint32_t count = m_selected.size();
    return count == ports.count ? ports : PortSpan{m_selected.data(), count, ~mask};
}

std::optional<uint32_t>
RoceNicDevice::ChoosePort(uint32_t peer,
                          uint32_t entropy,
                          uint32_t priority,
                          uint32_t frameBytes)
{
    const PortSpan routed = m_routes->NextPorts(m_rank, peer);
    if (routed.count < 2)
    {
        return routed.count ? std::optional<uint32_t>(routed[0]) : std::nullopt;
    }
    const PortSpan up = Select(routed, [this](uint32_t port) { return GetPort(port).IsUp(); });
    if (up.count == 1)
    {
        return up[0];
    }
    FabricPacket packet{};
    packet.src = m_rank;
    packet.dst = peer;
    packet.flow = entropy;
    packet.priority = priority;
    packet.frameBytes = frameBytes;
    const PortSpan ports = up.count ? up : routed;
    return ports[m_balancer->Choose(packet, ports)];
}

bool
RoceNicDevice::Spread(RoceQueuePair& qp, uint64_t now)
{
    const uint32_t peer = qp.GetNextEnd();
    if (peer == RoceQueuePairParameters::NO_RANK)
    {
        return false;
    }
    const PortSpan routed = m_routes->NextPorts(qp.parameters.localEnd, peer);
    if (routed.count == 0)
    {
        return false; // nowhere to go: it tries on until it gives up
    }
    PortSpan ports = routed;
    if (routed.count > 1)
    {
        const uint32_t priority = qp.settings.priority;
        ports = Select(routed, [&](uint32_t port) { return !GetPort(port).IsPaused(priority); });
    }
    if (ports.count == 0)
    {
        if (std::find(routed.begin(), routed.end(), qp.port) != routed.end())
        {
            return false; // it waits for the end of a pause
        }
        ports = routed;
    }
    const uint32_t port = ports.count > 1 ? Choose(qp.parameters, peer, ports) : ports[0];
    if (port == qp.port)
    {
        return false;
    }
    qp.port = port;
    m_schedulers[port].Wake(qp, now);
    return true;
}

void
RoceNicDevice::Rehome(RoceQueuePair& qp)
{
    const uint32_t peer = qp.GetNextEnd();
    if (peer == RoceQueuePairParameters::NO_RANK)
    {
        return; // the next datagram chooses
    }
    const PortSpan ports = m_routes->NextPorts(qp.parameters.localEnd, peer);
    const bool isUsable = IsUsable(qp.port, peer);
    uint32_t port = qp.parameters.port;
    if (qp.failed || ports.count == 0 || (qp.pacing.spread && isUsable))
    {
        return;
    }
    if (qp.pacing.spread || !IsUsable(port, peer))
    {
        port = isUsable ? qp.port : ports.count > 1 ? Choose(qp.parameters, peer, ports) : ports[0];
    }
    if (port != qp.port)
    {
        m_schedulers[qp.port].NoteDepartures(NowTicks());
        m_schedulers[qp.port].Remove(qp);
        qp.port = port;
        FollowLineRate(qp);
        m_schedulers[port].Wake(qp, NowTicks());
    }
}

uint32_t
RoceNicDevice::GetWidth(uint32_t end, uint32_t peer) const
{
    return m_portPerPacket && m_balancer ? m_firstRoutes->NextPorts(end, peer).count : 1;
}

bool
RoceNicDevice::IsOwnPort(const RoceQueuePairParameters& parameters, uint32_t port) const
{
    const bool isOfAll = !m_firstRoutes || parameters.localEnd == parameters.localRank;
    return isOfAll || m_firstRoutes->GetNic(m_rank, port % m_firstRoutes->GetNicCount(m_rank)) ==
                          parameters.localEnd;
}

uint64_t
RoceNicDevice::GetLineRateBps(const RoceQueuePair& qp) const
{
    if (!qp.pacing.spread)
    {
        return GetPort(qp.port).GetRateBps();
    }
    uint64_t rateBps = 0;
    if (qp.parameters.datagram)
    {
        for (uint32_t port = 0; port < GetPortCount(); port++)
        {
            rateBps += IsOwnPort(qp.parameters, port) ? GetPort(port).GetRateBps() : 0;
        }
        return rateBps;
    }
    for (const uint16_t port : GetPorts(qp.parameters))
    {
        rateBps += GetPort(port).GetRateBps();
    }
    return rateBps;
}

} // namespace ns3
