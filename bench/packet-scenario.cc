/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-scenario.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <chrono>
#include <sys/resource.h>

namespace ns3
{

PacketScenario::PacketScenario(const std::string& spec, const std::string& congestionControl)
    : m_context(Create<FabricContext>()),
      m_transport(CreateObject<RoceMessageTransport>())
{
    const Topology topology = LoadTopology(spec);
    NodeContainer nodes;
    nodes.Create(topology.nodes.size());
    RoceHelper helper;
    helper.SetNicAttribute("CongestionControl",
                           TypeIdValue(TypeId::LookupByName(congestionControl)));
    helper.SetNicAttribute("AckInterval", UintegerValue(1));
    m_fabric = helper.Install(topology, nodes, m_context);
    m_fabric.AssignStreams(1);
    m_transport->SetNics(m_fabric.nics, m_fabric.routes);
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        m_transport->SetEndpoint(rank, this);
    }
}

PacketScenario::~PacketScenario()
{
    m_transport->Dispose();
    Simulator::Destroy();
}

void
PacketScenario::OnReceived(Next next)
{
    m_onReceived = std::move(next);
}

void
PacketScenario::OnSent(Next next)
{
    m_onSent = std::move(next);
}

void
PacketScenario::Send(const Message& message)
{
    m_transport->Send(message);
}

uint32_t
PacketScenario::GetRankCount() const
{
    return m_transport->GetRankCount();
}

void
PacketScenario::MessageReceived(const Message& message)
{
    m_lastArrival = Simulator::Now();
    if (m_onReceived)
    {
        m_onReceived(message, *m_transport);
    }
}

void
PacketScenario::MessageSent(const Message& message)
{
    if (m_onSent)
    {
        m_onSent(message, *m_transport);
    }
}

PacketFigures
PacketScenario::Run()
{
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    NS_ABORT_MSG_IF(!m_transport->DescribePending().empty(), "a message did not arrive");
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    PacketFigures figures;
    figures.packets = m_context->counters.packets;
    figures.packetHops = m_context->counters.packetHops;
    figures.events = Simulator::GetEventCount();
    figures.pauses = m_context->counters.pfcPauses;
    figures.simulatedUs = m_lastArrival.GetDouble() / MicroSeconds(1).GetDouble();
    figures.wallSeconds = wall.count();
    figures.peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return figures;
}

} // namespace ns3
