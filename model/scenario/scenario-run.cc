/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-run.h"

#include "interrupt-guard.h"

#include "ns3/abort.h"
#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/result-format.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/source-folder.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <chrono>

namespace ns3
{

ScenarioRun::ScenarioRun(const ScenarioRunOptions& options)
    : m_scenario(options),
      m_topology(LoadTopology(options.topology))
{
    if (!options.linkEvents.empty())
    {
        m_linkEvents = ReadLinkEvents(options.linkEvents, m_topology);
    }
}

ScenarioRun::~ScenarioRun()
{
    m_progress.Finish();
    m_links.reset();
    m_taps.Clear();
    m_cluster.reset();
    Simulator::Destroy();
}

void
ScenarioRun::AddLinkEvents(const std::vector<LinkEvent>& events)
{
    m_linkEvents.insert(m_linkEvents.end(), events.begin(), events.end());
    std::stable_sort(m_linkEvents.begin(),
                     m_linkEvents.end(),
                     [](const LinkEvent& a, const LinkEvent& b) { return a.when < b.when; });
}

Topology&
ScenarioRun::EditTopology()
{
    NS_ABORT_MSG_IF(m_cluster, "the cluster has been built: its topology cannot be changed");
    return m_topology;
}

void
ScenarioRun::BuildCluster()
{
    m_cluster = std::make_unique<Cluster>(m_topology);
    m_topology = Topology(); // the cluster has its own
    const ClusterNetwork& network = m_cluster->GetNetwork();
    if (network.HasPackets())
    {
        m_series = std::make_unique<SeriesCollector>(*m_cluster, m_scenario.series);
    }
    else
    {
        RefusePacketInput();
    }
    if (!m_linkEvents.empty())
    {
        const RoceFabric& roce = m_cluster->GetRoceFabric();
        m_links = std::make_unique<LinkEventPlayer>(LinkEventPlayer::Fabric{
            GetTopology(),
            roce.channels,
            {roce.switches.begin(), roce.switches.end()},
            [this](const auto& routes) { m_cluster->GetRoceFabric().SetNicRoutes(routes); }});
        m_links->onEvent = [this](const LinkEvent& event) { RecordLinkEvent(event); };
        m_links->Start(m_linkEvents);
    }
    SetInput("topology", m_scenario.topology);
    SetInput("network", network.GetName());
    const auto setIf = [this](bool used, const std::string& name, const std::string& attribute) {
        used ? SetInput(name, AttributeText::GetDefaultOf(attribute)) : RemoveInput(name);
    };
    setIf(network.HasPackets(), "congestionControl", "ns3::RoceNicDevice::CongestionControl");
    setIf(network.UsesLoadBalancer(), "loadBalancer", "ns3::RoceSwitchDevice::LoadBalancer");
    SetInput("seed", std::to_string(RngSeedManager::GetRun()));
    SetInput("stop", AttributeText::Format(m_scenario.stopTime));
}

void
ScenarioRun::RefusePacketInput() const
{
    const std::string network = "network " + m_cluster->GetNetwork().GetName();
    if (!m_linkEvents.empty())
    {
        throw ConfigError(network,
                          "link events",
                          std::to_string(m_linkEvents.size()),
                          "none: links change in a network of packets only (--network=packet)");
    }
    if (!m_scenario.series.recorders.empty())
    {
        throw ConfigError(network,
                          "time series",
                          m_scenario.series.recorders.front().GetName(),
                          "none: they are of packets and queues (--network=packet)");
    }
}

void
ScenarioRun::RecordNodes()
{
    const Topology& topology = GetTopology();
    for (uint32_t id = 0; id < topology.nodes.size(); id++)
    {
        const TopologyNode& node = topology.nodes[id];
        const bool isRank = node.kind == TopologyNodeKind::GPU && id < GetRankCount();
        NodeRecord record;
        record.node = id;
        record.kind = GetTopologyNodeKindName(node.kind);
        record.name = topology.GetNodeName(id);
        record.server = node.server;
        record.rank = isRank ? static_cast<int32_t>(id) : -1;
        m_results->Record(record);
    }
}

void
ScenarioRun::RecordLinkEvent(const LinkEvent& event)
{
    const TopologyLink& link = GetTopology().links[event.links.front()];
    const std::string names =
        GetTopology().GetNodeName(link.a) + " and " + GetTopology().GetNodeName(link.b);
    const std::size_t count = event.links.size();
    const std::string what = (count == 1 ? "the link" : "the " + std::to_string(count) + " links") +
                             " between " + names + (count == 1 ? " is " : " are ");
    EventRecord record{Simulator::Now(), "link-rate", what};
    switch (event.change)
    {
    case LinkChange::DOWN:
        record.kind = "link-down";
        record.text += "down";
        break;
    case LinkChange::UP:
        record.kind = "link-up";
        record.text += "up";
        break;
    case LinkChange::RATE:
        record.text += "at " + std::to_string(event.rate.GetBitRate()) + " bit/s";
        break;
    case LinkChange::LOSS:
        record.kind = "link-loss";
        record.text += "at a loss rate of " + FormatReal(event.probability);
        break;
    case LinkChange::BIT_ERRORS:
        record.kind = "link-bit-errors";
        record.text += "at a bit error rate of " + FormatReal(event.probability);
        break;
    }
    m_results->Record(record);
}

void
ScenarioRun::OpenResults()
{
    m_results = std::make_unique<ResultFolder>(m_scenario.results);
}

const std::string&
ScenarioRun::GetResultPath() const
{
    return m_results->GetPath();
}

void
ScenarioRun::StartProgress()
{
    auto* engine =
        dynamic_cast<FabricSimulatorImpl*>(PeekPointer(Simulator::GetImplementation()));
    if (!engine || !m_progress.IsEnabled())
    {
        return;
    }
    engine->SetPollHook([this] {
        m_progress.Poll({Simulator::Now(),
                         GetFractionDone(),
                         m_cluster->GetNetwork().GetPacketHops()});
    });
}

void
ScenarioRun::Simulate()
{
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    m_wallSeconds = wall.count();
}

RunSummary
ScenarioRun::Run()
{
    InterruptGuard guard; // until the results are there
    guard.StopEngine();
    RecordNodes();
    m_cluster->GetNetwork().StartRecording(*m_results);
    if (m_series)
    {
        m_series->Start(*m_results, m_taps);
    }
    Start();
    if (m_scenario.stopTime.IsStrictlyPositive())
    {
        Simulator::Stop(m_scenario.stopTime);
    }
    StartProgress();
    if (guard.GetSignal().empty())
    {
        Simulate();
    }
    const std::string signal = guard.GetSignal();
    m_progress.Finish();
    m_taps.Clear();
    if (m_series)
    {
        m_series->Finish();
    }
    RecordEnd();
    m_cluster->GetNetwork().RecordLinks(*m_results);
    RunSummary summary = MakeSummary();
    if (!signal.empty())
    {
        AddInterrupt(summary, signal);
    }
    return m_results->Commit(summary);
}

void
ScenarioRun::AddInterrupt(RunSummary& summary, const std::string& signal)
{
    if (summary.verdict != RunVerdict::FINISHED)
    {
        summary.verdict = RunVerdict::INTERRUPTED;
        summary.unfinished.insert(summary.unfinished.begin(),
                                  "the run was interrupted by " + signal + " at " +
                                      FormatDuration(Simulator::Now()));
    }
}

void
ScenarioRun::SetInput(const std::string& name, const std::string& value)
{
    const std::string source = GetSourceFolder() + "/";
    const std::string text = value.rfind(source, 0) == 0 ? value.substr(source.size()) : value;
    auto& input = m_scenario.input;
    const auto known = std::find_if(input.begin(), input.end(), [&](const auto& option) {
        return option.first == name;
    });
    if (known != input.end())
    {
        known->second = text;
    }
    else
    {
        input.emplace_back(name, text);
    }
}

void
ScenarioRun::RemoveInput(const std::string& name)
{
    auto& input = m_scenario.input;
    input.erase(std::remove_if(input.begin(),
                               input.end(),
                               [&](const auto& pair) { return pair.first == name; }),
                input.end());
}

void
ScenarioRun::AddMissing(const std::vector<std::string>& more, std::vector<std::string>& lines)
{
    for (const std::string& line : more)
    {
        if (std::find(lines.begin(), lines.end(), line) == lines.end())
        {
            lines.push_back(line);
        }
    }
}

void
ScenarioRun::AddWarning(const std::string& warning)
{
    m_scenario.warnings.push_back(warning);
}

RunSummary
ScenarioRun::MakeSummary() const
{
    RunSummary summary;
    summary.simulatedTime = Simulator::Now();
    summary.network = m_cluster->GetNetworkSummary();
    summary.input = m_scenario.input;
    summary.configuration = m_scenario.configuration;
    summary.seed = RngSeedManager::GetRun();
    summary.revision = GetRevision();
    summary.warnings = m_scenario.warnings;
    if (m_links && m_links->GetPendingCount() > 0)
    {
        const std::size_t pending = m_links->GetPendingCount();
        summary.warnings.push_back(std::to_string(pending) + " of " +
                                   std::to_string(m_linkEvents.size()) +
                                   " link events lie behind the end of the run");
    }
    const std::vector<std::string> warnings = m_cluster->GetWarnings();
    summary.warnings.insert(summary.warnings.end(), warnings.begin(), warnings.end());
    summary.notes = m_scenario.notes;
    const std::vector<std::string>& loaded = GetTopology().notes;
    summary.notes.insert(summary.notes.end(), loaded.begin(), loaded.end());
    Complete(summary);
    CheckConservation(summary);
    if (summary.verdict != RunVerdict::FINISHED)
    {
        AddStop(summary);
        const std::vector<std::string> deadlocks = m_cluster->GetNetwork().DescribeDeadlocks();
        const std::vector<std::string> pauses = m_cluster->GetNetwork().DescribePauses();
        auto& lines = summary.unfinished;
        lines.insert(lines.begin(), deadlocks.begin(), deadlocks.end());
        lines.insert(lines.end(), pauses.begin(), pauses.end());
    }
    const std::vector<std::string> notes = m_cluster->GetNotes();
    summary.notes.insert(summary.notes.end(), notes.begin(), notes.end());
    summary.engine.name = m_cluster->GetNetwork().GetEngine().GetName();
    summary.engine.events = Simulator::GetEventCount();
    summary.engine.wallSeconds = m_wallSeconds;
    summary.engine.FillFromHost();
    return summary;
}

void
ScenarioRun::AddStop(RunSummary& summary) const
{
    if (m_scenario.stopTime.IsStrictlyPositive() && Simulator::Now() >= m_scenario.stopTime)
    {
        // Causes stand first.
        const std::vector<std::string> failures = m_cluster->GetTransport()->GetFailures();
        std::vector<std::string>& lines = summary.unfinished;
        const auto at = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
            return std::find(failures.begin(), failures.end(), line) == failures.end();
        });
        lines.insert(at,
                     "the run was stopped at " + FormatDuration(Simulator::Now()) + ", as asked");
    }
}

void
ScenarioRun::CheckConservation(RunSummary& summary) const
{
    const std::string problem = m_cluster->FindLostBytes(summary.verdict == RunVerdict::FINISHED);
    if (!problem.empty())
    {
        summary.verdict = RunVerdict::UNFINISHED;
        summary.unfinished.push_back("bytes are not conserved: " + problem);
    }
    const std::string packets = m_cluster->GetNetwork().FindLostPackets();
    if (!packets.empty())
    {
        summary.verdict = RunVerdict::UNFINISHED;
        summary.unfinished.push_back("packets are not conserved: " + packets);
    }
}

} // namespace ns3
