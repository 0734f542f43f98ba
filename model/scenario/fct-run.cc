/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fct-run.h"

#include "traffic-options.h"

#include "ns3/config-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

namespace ns3
{

FctRun::FctRun(const FctRunOptions& options)
    : m_options(options)
{
    DrawFlows();
    m_cluster = std::make_unique<Cluster>(options.topology);
    m_bottleneck = &FindBottleneck();
    for (uint32_t rank = 0; rank < options.topology.GetGpuCount(); rank++)
    {
        m_cluster->GetNetwork().GetTransport()->SetEndpoint(rank, this);
    }
}

FctRun::~FctRun()
{
    m_cluster.reset();
    Simulator::Destroy();
}

void
FctRun::DrawFlows()
{
    std::vector<uint32_t> hosts(m_options.topology.GetGpuCount());
    std::iota(hosts.begin(), hosts.end(), 0);
    m_flows = TrafficOptions::Draw(*m_options.traffic, hosts, m_options.topology).flows;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> channels;
    for (const FlowEntry& flow : m_flows)
    {
        m_channels.push_back(channels[{flow.src, flow.dst}]++);
        if (flow.start >= m_options.warmUp && flow.bytes < m_options.smallFlowBytes)
        {
            m_pending++;
        }
    }
    m_result.flows = m_flows.size();
}

FabricPort&
FctRun::FindBottleneck()
{
    const Topology& topology = m_options.topology;
    const uint32_t left = topology.GetGpuCount();
    const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
    for (uint32_t port = 0; left + 1 < topology.nodes.size() && port < ports[left].size(); port++)
    {
        const TopologyLink& link = topology.links[ports[left][port]];
        if (std::max(link.a, link.b) == left + 1)
        {
            return m_cluster->GetRoceFabric().switches[left]->GetPort(port);
        }
    }
    throw ConfigError("topology", "", topology.source, "a dumbbell: two switches with a link");
}

FctRunResult
FctRun::Run()
{
    Simulator::Schedule(Time(0), [this] { StartFlows(); });
    if (m_options.queueInterval.IsStrictlyPositive())
    {
        Simulator::Schedule(m_options.warmUp, [this] { SampleQueue(); });
    }
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    m_result.wallSeconds = wall.count();
    m_result.unfinished = m_pending;
    m_result.network = m_cluster->GetNetworkSummary();
    std::sort(m_result.completions.begin(), m_result.completions.end());
    std::sort(m_result.queueBytes.begin(), m_result.queueBytes.end());
    return std::move(m_result);
}

void
FctRun::StartFlows()
{
    while (m_next < m_flows.size() && m_flows[m_next].start <= Simulator::Now())
    {
        const FlowEntry& flow = m_flows[m_next];
        m_cluster->GetNetwork().GetTransport()->Send(
            {flow.src, flow.dst, m_channels[m_next], flow.bytes, m_next});
        m_next++;
        m_active++;
        m_result.mostActive = std::max(m_result.mostActive, m_active);
    }
    if (m_next < m_flows.size())
    {
        // At the sender, so that what happens there at the same time has the usual order.
        Simulator::ScheduleWithContext(m_cluster->GetNode(m_flows[m_next].src)->GetId(),
                                       m_flows[m_next].start - Simulator::Now(),
                                       [this] { StartFlows(); });
    }
    StopIfDone();
}

void
FctRun::SampleQueue()
{
    if (m_next == m_flows.size())
    {
        return; // arrivals have ended
    }
    m_bottleneck->Advance(Simulator::Now().GetTimeStep());
    m_result.queueBytes.push_back(m_bottleneck->GetTotalQueueBytes());
    Simulator::Schedule(m_options.queueInterval, [this] { SampleQueue(); });
}

void
FctRun::MessageReceived(const Message& message)
{
    m_active--;
    const FlowEntry& flow = m_flows[message.tag];
    if (flow.start >= m_options.warmUp && flow.bytes < m_options.smallFlowBytes)
    {
        m_result.completions.push_back(Simulator::Now() - flow.start);
        m_pending--;
        StopIfDone();
    }
}

void
FctRun::MessageSent(const Message&)
{
}

void
FctRun::StopIfDone()
{
    if (m_pending == 0 && m_next == m_flows.size())
    {
        Simulator::Stop();
    }
}

} // namespace ns3
