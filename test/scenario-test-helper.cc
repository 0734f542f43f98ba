/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/cluster.h"
#include "ns3/routed-network.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-observer.h"
#include "ns3/config.h"
#include "ns3/fabric-engine.h"
#include "ns3/result-exit-status.h"
#include "ns3/result-memory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-wire.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/topology-loader.h"
#include "ns3/training-run.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/** \return a path that was not used before */
std::string
NewPath()
{
    static uint32_t count = 0;
    return testing::TempDir() + "/scenario-" + std::to_string(count++);
}

/** Starts a new simulation. \param engine event engine */
void
StartAnew(const std::string& engine)
{
    Simulator::Destroy();
    FabricEngine::Select(engine);
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
}

/** \ingroup tests \brief Counts what every rank sends and receives, and keeps the collective. */
class VolumeObserver : public CollectiveObserver
{
  public:
    /** \param outcome gets the numbers \param ranks ranks of the cluster */
    VolumeObserver(CollectiveOutcome& outcome, uint32_t ranks)
        : m_outcome(outcome)
    {
        outcome.sent.resize(ranks);
        outcome.received.resize(ranks);
    }

    void MessageEnded(const CollectiveInstance&, const CollectiveMessage& message) override
    {
        m_outcome.sent[message.src] += message.bytes;
        m_outcome.received[message.dst] += message.bytes;
    }

    void CollectiveEnded(const CollectiveInstance& instance) override
    {
        m_outcome.duration = instance.GetDuration();
        m_outcome.busbwGBps = instance.GetBusbwGBps();
    }

  private:
    CollectiveOutcome& m_outcome; //!< numbers
};

/** \param lines some lines \param text part of a line \return true if a line has it */
bool
Mention(const std::vector<std::string>& lines, const std::string& text)
{
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

/** \param outcome of a run that was not refused: what must hold for all of them */
void
CheckOutcome(const TrainingOutcome& outcome)
{
    const RunSummary& summary = outcome.summary;
    EXPECT_EQ(outcome.status == 0, summary.verdict == RunVerdict::FINISHED);
    EXPECT_EQ(outcome.status == 0, summary.unfinished.empty());
    EXPECT_NO_THROW(summary.Check());
    Time sum;
    for (const TimePart& part : summary.breakdown)
    {
        EXPECT_GE(part.duration, Time(0)) << part.name;
        sum += part.duration;
    }
    EXPECT_EQ(sum, summary.iterationTime);
    for (const CommunicationSummary& kind : summary.communication)
    {
        EXPECT_LE(kind.exposed, kind.total) << kind.name;
    }
    for (const char* file : {"summary.json", "results.db", "timeline.json"})
    {
        EXPECT_TRUE(std::filesystem::exists(outcome.folder + "/" + file)) << file;
    }
}

} // namespace

const CollectiveSummary&
TrainingOutcome::GetCollective(const std::string& group, uint64_t bytes) const
{
    for (const CollectiveSummary& collective : summary.collectives)
    {
        if (collective.group == group && collective.bytes == bytes)
        {
            return collective;
        }
    }
    ADD_FAILURE() << "no collective of " << bytes << " bytes in a group " << group;
    static const CollectiveSummary none;
    return none;
}

Time
TrainingOutcome::GetPart(const std::string& part) const
{
    for (const TimePart& each : summary.breakdown)
    {
        if (each.name == part)
        {
            return each.duration;
        }
    }
    return Time(0);
}

bool
TrainingOutcome::HasNote(const std::string& text) const
{
    return Mention(summary.notes, text);
}

bool
TrainingOutcome::HasWarning(const std::string& text) const
{
    return Mention(summary.warnings, text);
}

TrainingOutcome
RunTraining(const TrainingInput& input)
{
    TrainingOutcome outcome;
    outcome.folder = input.out.empty() ? NewPath() : input.out;
    std::ostringstream errors;
    outcome.status = RunProgram(
        [&] {
            StartAnew(input.engine);
            const ScopedDefault control(
                "ns3::RoceNicDevice::CongestionControl",
                ScenarioOptions::FindCongestionControl(input.congestionControl).GetName());
            TrainingRunOptions options;
            options.topology = input.topology;
            options.workload = input.workload;
            options.stopTime = input.stop;
            options.results.path = outcome.folder;
            TrainingRun run(options);
            outcome.summary = run.Run();
            return GetExitStatus(outcome.summary.verdict);
        },
        errors);
    outcome.error = errors.str();
    if (outcome.status == 2)
    {
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
        EXPECT_FALSE(std::filesystem::exists(outcome.folder + "/results.db"));
    }
    else
    {
        EXPECT_EQ(outcome.error, "");
        CheckOutcome(outcome);
    }
    return outcome;
}

CollectiveOutcome
RunCollective(const CollectiveInput& input)
{
    CollectiveOutcome outcome;
    StartAnew("fabric");
    std::map<std::string, std::string> defaults = input.defaults;
    defaults.emplace("ns3::RoceNicDevice::CongestionControl",
                     ScenarioOptions::FindCongestionControl("No").GetName());
    if (!input.algorithm.empty())
    {
        defaults["ns3::FirstFitSelector::Algorithms"] = "ns3::" + input.algorithm + "Algorithm";
    }
    std::deque<ScopedDefault> scoped;
    for (const auto& [name, value] : defaults)
    {
        scoped.emplace_back(name, value);
    }
    {
        Cluster cluster(input.topology);
        outcome.topology = cluster.GetTopology();
        const MessageFraming framing = RoutedNetwork::GetRoceFraming();
        outcome.mtuBytes = framing.payloadBytes;
        outcome.headerBytes = framing.headerBytes;
        const Ptr<CollectiveEngine> engine = CollectiveHelper().Install(cluster.GetTransport());
        VolumeObserver observer(outcome, cluster.GetTransport()->GetRankCount());
        engine->AddObserver(&observer);
        const CollectiveGroup group = CollectiveHelper::MakeGroup(
            outcome.topology,
            "test",
            "TEST",
            input.ranks.empty() ? CountRanks(outcome.topology.GetGpuCount()) : input.ranks);
        CollectiveCall call;
        call.group = engine->AddGroup(group);
        call.kind = input.kind;
        call.bytes = input.bytes;
        outcome.channels = engine->GetPlan(group, call).plan->GetChannels().size();
        uint32_t done = 0;
        for (const uint32_t rank : group.ranks)
        {
            Simulator::ScheduleWithContext(rank, Time(0), [&engine, &call, &done, rank] {
                engine->Join(rank, call, [&done] { done++; });
            });
        }
        Simulator::Run();
        EXPECT_EQ(done, group.ranks.size());
        EXPECT_EQ(cluster.FindLostBytes(true), "");
        EXPECT_EQ(cluster.FindLostPackets(), "");
        outcome.delivered = cluster.GetNetworkSummary().payloadBytesDelivered;
        ResultMemory memory;
        cluster.GetNetwork().RecordLinks(memory);
        outcome.links = memory.Get<LinkRecord>();
        outcome.notes = cluster.GetNotes();
        engine->Dispose();
    }
    Simulator::Destroy();
    return outcome;
}

CollectiveOutcome
RunCollective(const std::string& topology,
              const std::vector<uint32_t>& ranks,
              CollectiveKind kind,
              uint64_t bytes)
{
    return RunCollective({LoadTopology(topology), bytes, kind, ranks});
}

RailyardNetworkCase::RailyardNetworkCase()
{
    ClusterNetwork::Select(ClusterNetwork::Find(TextValue("test", "network", GetParam())));
}

RailyardNetworkCase::~RailyardNetworkCase()
{
    ClusterNetwork::Select(PacketNetwork::GetTypeId());
}

bool
RailyardNetworkCase::HasPackets()
{
    return GetParam() == std::string("packet");
}

std::vector<uint32_t>
CountRanks(uint32_t count)
{
    std::vector<uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

bool
ParseWords(CommandOptions& options, std::vector<std::string> words)
{
    words.insert(words.begin(), "program");
    std::vector<char*> argv;
    for (std::string& word : words)
    {
        argv.push_back(word.data());
    }
    return options.Parse(static_cast<int>(argv.size()), argv.data());
}

std::string
WriteTestFile(const std::string& name, const std::string& text)
{
    const std::string path = testing::TempDir() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string
WriteWorkload(const std::string& sizes, const std::vector<std::string>& rows)
{
    std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD " + sizes + "\n" + std::to_string(rows.size()) + "\n";
    for (const std::string& row : rows)
    {
        text += row + "\n";
    }
    return WriteTestFile("workload.txt", text);
}

std::string
WriteFourGpuStar(const std::string& lossRate)
{
    return WriteTestFile("four-gpus.topology",
                         "5 4 0 1 4 H100\n4\n"
                         "0 4 400Gbps 0.001ms " +
                             lossRate +
                             "\n1 4 400Gbps 0.001ms 0\n"
                             "2 4 400Gbps 0.001ms 0\n3 4 400Gbps 0.001ms 0\n");
}

std::string
ReadTestFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string
ReadComparableSummary(const std::string& folder)
{
    auto summary = nlohmann::ordered_json::parse(ReadTestFile(folder + "/summary.json"));
    EXPECT_EQ(summary.erase("engine"), 1u);
    return summary.dump(1);
}

ScopedDefault::ScopedDefault(const std::string& name, const std::string& value)
    : m_name(name)
{
    const std::size_t split = name.rfind("::");
    TypeId::AttributeInformation info;
    const bool found = TypeId::LookupByName(name.substr(0, split))
                           .LookupAttributeByName(name.substr(split + 2), &info);
    EXPECT_TRUE(found) << name;
    m_old = info.initialValue;
    Config::SetDefault(name, StringValue(value));
}

ScopedDefault::~ScopedDefault()
{
    Config::SetDefault(m_name, *m_old);
}

ScopedDirectory::ScopedDirectory(const std::string& name)
    : m_old(std::filesystem::current_path()),
      m_path(testing::TempDir() + "/" + name)
{
    std::filesystem::create_directories(m_path);
    std::filesystem::current_path(m_path);
}

ScopedDirectory::~ScopedDirectory()
{
    std::filesystem::current_path(m_old);
}

} // namespace ns3
