/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy-study.h"

#include "cluster-network.h"
#include "cluster.h"
#include "collective-setup.h"

#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/collective-costs.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-observer.h"
#include "ns3/config-error.h"
#include "ns3/fabric-engine.h"
#include "ns3/hardware-table.h"
#include "ns3/nccl-selector.h"
#include "ns3/result-format.h"
#include "ns3/result-json.h"
#include "ns3/result-staging.h"
#include "ns3/result-summary-json.h"
#include "ns3/scoped-defaults.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/topology-loader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <tuple>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_PACKETS = 3000000; //!< of a row that is simulated packet by packet
constexpr uint64_t MOST_BYTES = 1ULL << 36; //!< of all ranks of a server, packet by packet
constexpr uint64_t PACKET_BYTES = 1000;    //!< payload of a packet between servers

/** \brief Notes the collective that ended last. */
class LastCollective : public CollectiveObserver
{
  public:
    bool ObservesMessages() const override
    {
        return false;
    }

    void CollectiveEnded(const CollectiveInstance& instance) override
    {
        count++;
        microseconds = instance.GetDuration().GetPicoSeconds() / 1e6;
        algorithm = instance.algorithm;
    }

    uint64_t count{0};      //!< collectives that have ended
    double microseconds{0}; //!< how long it took
    std::string algorithm;  //!< TypeId of its algorithm
};

/**
 * \param topology a cluster
 * \param perServer ranks of each server
 * \return the first of every server
 */
std::vector<uint32_t>
GetRanks(const Topology& topology, uint32_t perServer)
{
    std::map<int32_t, uint32_t> counts;
    std::vector<uint32_t> ranks;
    for (uint32_t rank = 0; rank < topology.GetGpuCount(); rank++)
    {
        if (counts[topology.nodes[rank].server]++ < perServer)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

} // namespace

void
AccuracyFigures::Add(const AccuracyResult& result)
{
    if (!result.isFinished)
    {
        return;
    }
    const double error = std::abs(result.GetErrorPercent());
    (result.IsLarge() ? large : small)++;
    (result.IsLarge() ? largeSum : smallSum) += error;
    if (large + small == 1 || error > std::abs(worst.GetErrorPercent()))
    {
        worst = result;
    }
}

double
AccuracyFigures::GetMape() const
{
    return large > 0 ? largeSum / static_cast<double>(large) : 0;
}

double
AccuracyFigures::GetMapeSmall() const
{
    return small > 0 ? smallSum / static_cast<double>(small) : 0;
}

bool
AccuracyStudy::Batch::operator<(const Batch& other) const
{
    return std::tie(name, servers, gpus, algorithm, network) <
           std::tie(other.name, other.servers, other.gpus, other.algorithm, other.network);
}

AccuracyStudy::AccuracyStudy(const AccuracyPlatforms& platforms, const std::string& network)
    : m_platforms(platforms),
      m_network(network)
{
}

AccuracyStudy::Batch
AccuracyStudy::GetBatch(const AccuracyPlatform& platform, const MeasuredCollective& row) const
{
    const uint32_t servers = platform.GetServers(row.nodes);
    Batch batch{row.platform, &platform, servers, row.gpus, row.algorithm, m_network};
    if (batch.network.empty())
    {
        const uint64_t packets = servers > 1 ? 2 * servers * (row.bytes / PACKET_BYTES) : 0;
        // Packets of a large NVLink domain are too many, and flows there take what formulas do.
        const bool isVast = servers == 1 && row.bytes > MOST_BYTES / row.gpus;
        batch.network = isVast ? "analytic" : packets > MOST_PACKETS ? "flow" : "packet";
    }
    return batch;
}

void
AccuracyStudy::Run(const AccuracyData& data)
{
    std::map<Batch, std::vector<std::size_t>> batches;
    for (const MeasuredCollective& row : data.GetRows())
    {
        const AccuracyPlatform* platform = m_platforms.Find(row.platform);
        const bool isSingle = platform && platform->GetServers(row.nodes) == 1;
        if (!platform || (isSingle ? platform->single : platform->several).empty())
        {
            m_unknown[row.platform + (row.nodes > 1 ? " (several servers)" : "")]++;
            continue;
        }
        batches[GetBatch(*platform, row)].push_back(m_results.size());
        AccuracyResult result;
        result.measured = row;
        m_results.push_back(result);
    }
    const HardwareTable hardware = HardwareTable::Load();
    for (const auto& [batch, rows] : batches)
    {
        Check(batch, hardware, m_results[rows.front()].measured.source);
    }
    for (const auto& [batch, rows] : batches)
    {
        RunBatch(batch, rows);
    }
    if (m_results.empty())
    {
        throw ConfigError("option",
                          "--data",
                          "no row to simulate",
                          "tables with rows of known platforms and collectives");
    }
}

const std::vector<std::string>&
AccuracyStudy::GetOwnAttributes()
{
    static const std::vector<std::string> own{"ns3::CollectiveEngine::Selector",
                                              "ns3::NcclSelector::Gpu",
                                              "ns3::NcclSelector::Algorithms",
                                              "ns3::NcclSelector::NetworkLatency",
                                              "ns3::NcclSelector::HostLaunch"};
    return own;
}

void
AccuracyStudy::SetDefaults(const Batch& batch, ScopedDefaults& defaults)
{
    defaults.Set("ns3::CollectiveEngine::Selector", TypeIdValue(NcclSelector::GetTypeId()));
    defaults.Set("ns3::NcclSelector::Gpu", StringValue(batch.platform->gpu));
    batch.platform->environment.Apply(defaults);
    if (!batch.algorithm.empty())
    {
        defaults.Set("ns3::NcclSelector::Algorithms", StringValue(batch.algorithm));
    }
    defaults.Set("ns3::NcclSelector::NetworkLatency", TimeValue(batch.platform->networkLatency));
    defaults.Set("ns3::NcclSelector::HostLaunch", TimeValue(batch.platform->hostLaunch));
}

std::string
AccuracyStudy::GetSpec(const Batch& batch)
{
    if (batch.servers == 1)
    {
        return batch.platform->single;
    }
    const uint32_t gpus = LoadTopology(batch.platform->single).GetGpuCount();
    return batch.platform->several + ",gpus=" + std::to_string(gpus * batch.servers);
}

void
AccuracyStudy::Check(const Batch& batch, const HardwareTable& hardware, const std::string& source)
{
    CollectiveCosts(hardware, batch.platform->gpu);
    const Topology topology = LoadTopology(GetSpec(batch));
    if (GetRanks(topology, batch.gpus / batch.servers).size() != batch.gpus)
    {
        throw ConfigError(source,
                          "gpus",
                          std::to_string(batch.gpus),
                          "no more GPUs than " + topology.source + " has");
    }
}

void
AccuracyStudy::Check(CollectiveEngine& engine,
                     const Cluster& cluster,
                     const CollectiveGroup& group,
                     const MeasuredCollective& row)
{
    const CollectiveCall call = MakeCall(row, 0);
    const std::string what = std::string(ToString(row.kind)) + " of " + std::to_string(row.bytes) +
                             " bytes on " + std::to_string(row.gpus) + " GPUs";
    if (!engine.GetPlan(group, call).plan)
    {
        const CollectiveRefusal why = engine.Explain(group, call);
        throw ConfigError(row.source,
                          "",
                          what,
                          why.option.empty()
                              ? "a collective that an algorithm can do"
                              : "one that is possible: " + why.option + " is '" + why.value +
                                    "', which would have to be " + why.expected);
    }
    for (const auto& [src, dst] : engine.GetPairs(group, call))
    {
        if (!cluster.GetTransport()->CanReach(src, dst))
        {
            throw ConfigError(row.source,
                              "",
                              what,
                              "a route from rank " + std::to_string(src) + " to rank " +
                                  std::to_string(dst) + " of " + cluster.GetTopology().source);
        }
    }
}

void
AccuracyStudy::RunBatch(const Batch& batch, const std::vector<std::size_t>& rows)
{
    ScopedDefaults defaults;
    SetDefaults(batch, defaults);
    FabricEngine::Select("fabric");
    const ScopedClusterNetwork network(
        ClusterNetwork::Find(TextValue("command line", "--network", batch.network)));
    {
        Cluster cluster(LoadTopology(GetSpec(batch)));
        const Topology& topology = cluster.GetTopology();
        const auto engine = CreateObject<CollectiveEngine>();
        engine->SetTransport(cluster.GetTransport());
        CollectiveSetup(topology).Configure(engine);
        LastCollective last;
        engine->AddObserver(&last);
        const std::vector<uint32_t> ranks = GetRanks(topology, batch.gpus / batch.servers);
        const CollectiveGroup members = CollectiveHelper::MakeGroup(topology, "ranks", "", ranks);
        for (const std::size_t index : rows)
        {
            Check(*engine, cluster, members, m_results[index].measured);
        }
        const uint32_t group = engine->AddGroup(members);
        for (const std::size_t index : rows)
        {
            AccuracyResult& result = m_results[index];
            const uint64_t before = last.count;
            for (const uint32_t rank : ranks)
            {
                engine->Join(rank, MakeCall(result.measured, group), [] {});
            }
            Simulator::Run();
            result.network = batch.network;
            if (last.count == before)
            {
                break; // what it left under way stands before the others
            }
            result.isFinished = true;
            result.microseconds = last.microseconds;
            result.algorithm =
                CollectiveAlgorithmCatalogue(result.measured.kind).GetLabel(last.algorithm);
        }
        engine->Dispose();
    }
    Simulator::Destroy();
}

CollectiveCall
AccuracyStudy::MakeCall(const MeasuredCollective& row, uint32_t group)
{
    CollectiveCall call;
    call.group = group;
    call.kind = row.kind;
    call.bytes = row.bytes;
    call.elementBytes = row.elementBytes;
    call.reduction.type = row.elementType;
    return call;
}

uint64_t
AccuracyStudy::CountUnfinished() const
{
    return std::count_if(m_results.begin(), m_results.end(), [](const AccuracyResult& result) {
        return !result.isFinished;
    });
}

std::vector<AccuracyFigures>
AccuracyStudy::GetFigures() const
{
    std::map<std::string, AccuracyFigures> byName;
    for (const AccuracyResult& result : m_results)
    {
        AccuracyFigures& figures = byName[result.measured.platform];
        figures.name = result.measured.platform;
        figures.Add(result);
    }
    std::vector<AccuracyFigures> sorted;
    for (const auto& [name, figures] : byName)
    {
        sorted.push_back(figures);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return std::max(a.GetMape(), a.GetMapeSmall()) > std::max(b.GetMape(), b.GetMapeSmall());
    });
    return sorted;
}

AccuracyFigures
AccuracyStudy::GetTotal() const
{
    AccuracyFigures total;
    for (const AccuracyResult& result : m_results)
    {
        total.Add(result);
    }
    return total;
}

void
AccuracyStudy::Print(std::ostream& os) const
{
    const auto print = [&os](const AccuracyFigures& figures, const std::string& name) {
        os << std::left << std::setw(36) << name << std::right << std::setw(7)
           << figures.large + figures.small << std::setw(10) << FormatFixed(figures.GetMape(), 1)
           << std::setw(10) << FormatFixed(figures.GetMapeSmall(), 1) << std::setw(10)
           << FormatFixed(figures.worst.GetErrorPercent(), 0) << "  "
           << ToString(figures.worst.measured.kind) << " of " << figures.worst.measured.bytes
           << " bytes on " << figures.worst.measured.gpus << "\n";
    };
    os << std::left << std::setw(36) << "platform" << std::right << std::setw(7) << "rows"
       << std::setw(10) << ">=1MiB %" << std::setw(10) << "<1MiB %" << std::setw(10) << "worst %"
       << "  which\n";
    for (const AccuracyFigures& figures : GetFigures())
    {
        print(figures, figures.name);
    }
    print(GetTotal(), "all");
}

void
AccuracyStudy::Write(const std::string& folder, const AccuracyData& data) const
{
    ResultStaging staging(folder);
    std::ofstream csv(staging.AddFile("accuracy.csv"));
    csv << "platform,collective,type,nodes,gpus,size_bytes,measured_us,simulated_us,error_percent,"
           "algorithm,network,source\n";
    for (const AccuracyResult& result : m_results)
    {
        const MeasuredCollective& row = result.measured;
        csv << QuoteCsv(row.platform) << ',' << ToString(row.kind) << ',' << row.type << ','
            << row.nodes << ',' << row.gpus << ',' << row.bytes << ','
            << FormatFixed(row.microseconds, 3) << ','
            << (result.isFinished ? FormatFixed(result.microseconds, 3) : "") << ','
            << (result.isFinished ? FormatFixed(result.GetErrorPercent(), 2) : "") << ','
            << result.algorithm << ',' << result.network << ',' << QuoteCsv(row.source) << '\n';
    }
    csv.close();
    const AccuracyFigures total = GetTotal();
    nlohmann::ordered_json summary;
    summary["format"] = RESULT_SUMMARY_FORMAT;
    summary["verdict"] = CountUnfinished() > 0 ? "unfinished" : "finished";
    summary["mapePercent"] = total.GetMape();
    summary["mapePercentSmall"] = total.GetMapeSmall();
    summary["rows"] = total.large;
    summary["rowsSmall"] = total.small;
    summary["platforms"] = nlohmann::ordered_json::array();
    for (const AccuracyFigures& figures : GetFigures())
    {
        nlohmann::ordered_json platform;
        platform["name"] = figures.name;
        platform["mapePercent"] = figures.GetMape();
        platform["mapePercentSmall"] = figures.GetMapeSmall();
        platform["rows"] = figures.large;
        platform["rowsSmall"] = figures.small;
        summary["platforms"].push_back(platform);
    }
    summary["unfinishedRows"] = CountUnfinished();
    summary["unknownPlatforms"] = m_unknown;
    summary["unusedRows"] = data.GetSkipped();
    std::ofstream(staging.GetFile("summary.json")) << FormatJson(summary);
    staging.Commit();
}

} // namespace ns3
