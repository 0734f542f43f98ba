/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-run.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <chrono>

namespace ns3
{

ScenarioRun::ScenarioRun(const ScenarioRunOptions& options)
    : m_scenario(options),
      m_topology(LoadTopology(options.topology))
{
}

ScenarioRun::~ScenarioRun()
{
    m_progress.Finish();
    m_cluster.reset();
    Simulator::Destroy();
}

void
ScenarioRun::BuildCluster()
{
    m_cluster = std::make_unique<Cluster>(m_topology);
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
                         m_cluster->GetContext().counters.packetHops});
    });
}

RunSummary
ScenarioRun::Run()
{
    m_cluster->RecordTo(*m_results, GetRankCount());
    Start();
    if (m_scenario.stopTime.IsStrictlyPositive())
    {
        Simulator::Stop(m_scenario.stopTime);
    }
    StartProgress();
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    m_progress.Finish();
    RecordEnd();
    m_cluster->RecordLinks(*m_results);
    return m_results->Commit(MakeSummary(wall.count()));
}

RunSummary
ScenarioRun::MakeSummary(double wallSeconds) const
{
    RunSummary summary;
    summary.simulatedTime = Simulator::Now();
    summary.network = m_cluster->GetNetworkSummary();
    summary.input = m_scenario.input;
    summary.seed = RngSeedManager::GetRun();
    summary.revision = GetRevision();
    summary.warnings = m_scenario.warnings;
    const std::vector<std::string>& warnings = m_cluster->GetWarnings();
    summary.warnings.insert(summary.warnings.end(), warnings.begin(), warnings.end());
    summary.notes = m_scenario.notes;
    summary.notes.insert(summary.notes.end(), m_topology.notes.begin(), m_topology.notes.end());
    Complete(summary);
    CheckConservation(summary);
    const std::vector<std::string> headers = m_cluster->DescribeHeaders();
    summary.notes.insert(summary.notes.end(), headers.begin(), headers.end());
    summary.engine.name = m_cluster->GetContext().engine.GetName();
    summary.engine.events = Simulator::GetEventCount();
    summary.engine.wallSeconds = wallSeconds;
    summary.engine.FillFromHost();
    return summary;
}

void
ScenarioRun::CheckConservation(RunSummary& summary) const
{
    const PacketMessageTransport& transport = *m_cluster->GetTransport();
    const uint64_t sent = transport.GetSentBytes();
    const uint64_t received = transport.GetReceivedBytes();
    const uint64_t delivered = summary.network.payloadBytesDelivered;
    if (summary.verdict == RunVerdict::FINISHED && (sent != received || sent != delivered))
    {
        summary.verdict = RunVerdict::UNFINISHED;
        summary.unfinished.push_back(
            "bytes are not conserved: messages of " + std::to_string(sent) +
            " bytes were sent, of " + std::to_string(received) +
            " bytes arrived, packets delivered " + std::to_string(delivered) + " bytes");
    }
}

} // namespace ns3
