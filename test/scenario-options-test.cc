/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"
#include "scenario-test-helper.h"

#include "ns3/attribute-text.h"
#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/config-error.h"
#include "ns3/kernel-op.h"
#include "ns3/load-balancer.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/result-memory.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/run-recorder.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/sqlite-database.h"
#include "ns3/topology-loader.h"
#include "ns3/training-options.h"
#include "ns3/training-run.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"
#include "ns3/workload-reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <map>
#include <sstream>

/**
 * \file
 * Options of the programs, what a summary says of them, and runs that end from outside.
 */

namespace ns3
{

namespace
{

using nlohmann::json;

/** \param name full name of an attribute \return its default */
std::string
GetDefault(const std::string& name)
{
    return AttributeText(TextValue("test", "", name)).GetDefault();
}

/** Runs of flows by the command line. */
class RailyardScenarioOptions : public FlowRunUnderTest
{
  protected:
    /** \return the summary of the last run */
    json ReadSummary() const
    {
        return json::parse(Read("out/summary.json"));
    }
};

} // namespace

TEST_F(RailyardScenarioOptions, SummaryHasWhatHoldsGivenOrNot)
{
    Simulate({"--topology=" + WriteStar(2),
              "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n"),
              "--seed=4",
              "--set=RoceNicDevice::MtuBytes=2048",
              "--set=ns3::RoceNicDevice::AckInterval=2"});
    const json input = ReadSummary().at("input");
    EXPECT_EQ(input.at("congestionControl"), "Dcqcn");
    EXPECT_EQ(input.at("loadBalancer"), "Ecmp");
    EXPECT_EQ(input.at("engine"), "fabric");
    EXPECT_EQ(input.at("seed"), "4");
    EXPECT_EQ(input.at("ns3::RoceNicDevice::MtuBytes"), "2048");
    EXPECT_EQ(input.at("ns3::RoceNicDevice::AckInterval"), "2");
    EXPECT_NE(input.at("topology").get<std::string>().find("star-2"), std::string::npos);
}

TEST_F(RailyardScenarioOptions, ConfigurationFileShowsInTheSummary)
{
    Simulate({"--topology=" + WriteStar(2),
              "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n"),
              "--config=" + Write("config", "CC_MODE 7\nRANDOM_SEED 9\n")});
    const json input = ReadSummary().at("input");
    EXPECT_EQ(input.at("congestionControl"), "Timely");
    EXPECT_EQ(input.at("seed"), "9");
}

TEST_F(RailyardScenarioOptions, ShippedFilesAreNamedWithoutTheirFolder)
{
    Simulate({});
    EXPECT_EQ(ReadSummary().at("input").at("flows"), "examples/flows/incast-7-to-1.txt");
}

TEST_F(RailyardScenarioOptions, LoadBalancerIsChosenByShortName)
{
    const FlowRunOptions run = Parse({"--loadBalancer=Spray"}, "out");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice::LoadBalancer"), "Spray");
    EXPECT_NE(GetRefusal({"--loadBalancer=spray"}).find("did you mean Spray?"), std::string::npos);
    EXPECT_NE(GetRefusal({"--congestionControl=dcqcn"}).find("did you mean Dcqcn?"),
              std::string::npos);
}

TEST_F(RailyardScenarioOptions, HelpListsWhatIsThere)
{
    FlowOptions options;
    std::ostringstream help;
    options.PrintHelp(help);
    for (const TypeId& base : {RoceCongestionControl::GetTypeId(), LoadBalancer::GetTypeId()})
    {
        EXPECT_NE(help.str().find(TypeCatalogue(base).DescribeNames()), std::string::npos);
    }
}

TEST_F(RailyardScenarioOptions, RunIsTheBodyOfAMain)
{
    const auto run = [](std::vector<std::string> words, const std::function<ExitStatus()>& body) {
        words.insert(words.begin(), "program");
        std::vector<char*> argv;
        for (std::string& word : words)
        {
            argv.push_back(word.data());
        }
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        const int status = ScenarioOptions("usage", "star:hosts=2", "Dcqcn")
                               .Run(static_cast<int>(argv.size()), argv.data(), body);
        return std::to_string(status) + testing::internal::GetCapturedStdout().substr(0, 5) +
               testing::internal::GetCapturedStderr();
    };
    int calls = 0;
    const auto body = [&calls] {
        calls++;
        Simulator::Schedule(Seconds(1), [] { FAIL() << "beyond the end"; });
        Simulator::Run();
        EXPECT_EQ(Simulator::Now(), MicroSeconds(3));
        EXPECT_EQ(GetDefault("ns3::RoceNicDevice::MtuBytes"), "1024");
        return ExitStatus::UNFINISHED;
    };
    EXPECT_EQ(run({"--help"}, body), "0usage");
    EXPECT_EQ(run({"--engine=steam"}, body).substr(0, 8), "2error: ");
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(run({"--stop=3us", "--set=ns3::RoceNicDevice::MtuBytes=1024"}, body), "1");
    EXPECT_EQ(calls, 1);
    EXPECT_NE(GetDefault("ns3::RoceNicDevice::MtuBytes"), "1024");
    EXPECT_EQ(run({}, []() -> ExitStatus { throw std::runtime_error("why"); }),
              "3error: internal: why\n");
}

TEST_F(RailyardScenarioOptions, OneRunDoesNotChangeTheNext)
{
    const std::string mtu = GetDefault("ns3::RoceNicDevice::MtuBytes");
    const std::string timer = GetDefault("ns3::DcqcnCongestionControl::AlphaTimer");
    {
        FlowRun run(Parse({"--topology=" + WriteStar(2),
                           "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n"),
                           "--congestionControl=Timely",
                           "--loadBalancer=Spray",
                           "--set=RoceNicDevice::MtuBytes=2048",
                           "--config=" + Write("config", "ENABLE_PFC 0\nCC_MODE 1\n"
                                                         "ALPHA_RESUME_INTERVAL 2\n")},
                          "out"));
        run.Run();
        EXPECT_EQ(GetDefault("ns3::RoceNicDevice::MtuBytes"), "2048");
        EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice::Pfc"), "false");
    }
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice::MtuBytes"), mtu);
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice::Pfc"), "true");
    EXPECT_EQ(GetDefault("ns3::RoceMessageTransport::UseWrite"), "true");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice::LoadBalancer"), "Ecmp");
    EXPECT_EQ(GetDefault("ns3::DcqcnCongestionControl::AlphaTimer"), timer);
}

TEST_F(RailyardScenarioOptions, BadAttributeValuesAreRefused)
{
    for (const char* bad : {"RoceNicDevice::MtuBytes=abc",
                            "RoceSwitchDevice::BufferBytes=abc",
                            "DcqcnCongestionControl::AlphaGain=zz",
                            "DcqcnCongestionControl::AlphaTimer=55",
                            "RoceSwitchDevice::LoadBalancer=Sprai"})
    {
        const std::string message = GetRefusal({std::string("--set=ns3::") + bad});
        EXPECT_NE(message.find("expected"), std::string::npos) << bad;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

/** Every default that is listed can be given as it is listed. */
TEST_F(RailyardScenarioOptions, ListedDefaultsCanBeGiven)
{
    std::size_t count = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const std::string group = type.GetGroupName();
        const bool ours = group == "Roce" || group == "Nvlink" || group == "Collective" ||
                          group == "Fabric" || group == "Railyard";
        // ns-3's test runner holds the types of all suites.
        const bool test = type.GetName() == "ns3::AttributeSample";
        for (std::size_t j = 0; ours && !test && j < type.GetAttributeN(); j++)
        {
            const AttributeText attribute(type, j);
            const TypeId::AttributeInformation info = type.GetAttribute(j);
            const std::string text = attribute.GetDefault();
            EXPECT_EQ(attribute.Read(TextValue("test", "", text))->SerializeToString(info.checker),
                      info.initialValue->SerializeToString(info.checker))
                << attribute.GetFullName() << " " << text;
            EXPECT_NE(info.help, "") << attribute.GetFullName();
            count++;
        }
    }
    EXPECT_GT(count, 40U);
}

TEST_F(RailyardScenarioOptions, EveryKindIsListedAndCanBeMade)
{
    std::ostringstream list;
    TypeCatalogue::PrintAll(list);
    for (const char* kind : {"ns3::RoceCongestionControl: Dcqcn, ",
                             "ns3::LoadBalancer: Adaptive, ",
                             "ns3::CollectiveAlgorithm: ",
                             "ns3::TopologyStructure: ",
                             "ns3::PipelineSchedule: Gpipe, OneForwardOneBackward",
                             "ns3::WorkloadReader: Gpt, Simai",
                             "ns3::KernelOp: "})
    {
        EXPECT_NE(list.str().find(kind), std::string::npos) << kind << "\n" << list.str();
    }
    EXPECT_EQ(TypeCatalogue(KernelOp::GetTypeId()).CreateAll<KernelOp>().size(),
              KernelOp::GetAll().size());
}

TEST_F(RailyardScenarioOptions, SignalEndsTheRunWithItsResults)
{
    for (const char* engine : {"fabric", "default"})
    {
        FlowRun run(Parse({"--topology=" + WriteStar(2),
                           "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n"),
                           std::string("--engine=") + engine},
                          "out"));
        Simulator::Schedule(MicroSeconds(100), [] { std::raise(SIGTERM); });
        const RunSummary summary = run.Run();
        EXPECT_EQ(summary.verdict, RunVerdict::INTERRUPTED);
        EXPECT_EQ(summary.simulatedTime, MicroSeconds(100));
        EXPECT_TRUE(Mentions(summary.unfinished, {"interrupted by SIGTERM at 100.000 us"}));
        EXPECT_FALSE(Mentions(summary.unfinished, {"not conserved"}));
        EXPECT_EQ(ReadSummary().at("verdict"), "interrupted");
        EXPECT_EQ(Ask("SELECT count(*) FROM flows WHERE delivered_bytes > 0"), "1");
    }
    struct sigaction now = {};
    sigaction(SIGTERM, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL); // as before the run
}

TEST_F(RailyardScenarioOptions, EverySignalThatEndsProgramsIsCaught)
{
    for (const auto& [number, name] : std::map<int, std::string>{{SIGINT, "SIGINT"},
                                                                  {SIGHUP, "SIGHUP"},
                                                                  {SIGQUIT, "SIGQUIT"}})
    {
        std::signal(number, SIG_DFL); // under nohup SIGHUP is ignored, and stays so
        {
            FlowRun run(Parse({"--topology=" + WriteStar(2),
                               "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n")},
                              "out"));
            Simulator::Schedule(MicroSeconds(100), [signal = number] { std::raise(signal); });
            EXPECT_TRUE(Mentions(run.Run().unfinished, {"interrupted by " + name}));
        }
        EXPECT_FALSE(Exists("out/.partial"));
    }
}

TEST_F(RailyardScenarioOptions, PacketsAreCountedAtAnyEnd)
{
    const std::string topology =
        Write("topology",
              "4 1 3\n3\n0 3 100Gbps 1us 0.001\n1 3 100Gbps 1us 0.001\n2 3 100Gbps 1us 0.001\n");
    const std::string flows =
        Write("flows", "2\n1 0 3 100 9000000 0\n2 0 3 100 9000000 0\n");
    for (const std::string pfc : {"true", "false"})
    {
        FlowRun run(Parse({"--topology=" + topology,
                           "--flows=" + flows,
                           "--congestionControl=No",
                           "--set=ns3::RoceSwitchDevice::BufferBytes=400000",
                           "--set=ns3::RoceSwitchDevice::Pfc=" + pfc},
                          "out"));
        Cluster& cluster = run.GetCluster();
        for (uint32_t us = 10; us < 1500; us += 50)
        {
            Simulator::Schedule(MicroSeconds(us), [&cluster] {
                EXPECT_EQ(cluster.FindLostPackets(), "") << Simulator::Now();
            });
        }
        Simulator::Schedule(MicroSeconds(500), [&cluster] {
            cluster.GetContext().counters.packets += 100000;
            EXPECT_NE(cluster.FindLostPackets().find("packets were created"), std::string::npos);
            cluster.GetContext().counters.packets -= 200000;
            EXPECT_NE(cluster.FindLostPackets(), "");
            cluster.GetContext().counters.packets += 100000;
        });
        const RunSummary summary = run.Run();
        EXPECT_FALSE(Mentions(summary.unfinished, {"packets are not conserved"}));
        EXPECT_GT(summary.network.linkLosses, 0U);
        EXPECT_GT(pfc == "true" ? summary.network.pfcPauses : summary.network.drops, 0U);
    }
}

TEST_F(RailyardScenarioOptions, BytesAreCountedAtAnyEnd)
{
    FlowRun run(Parse({"--topology=" + WriteStar(2),
                       "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n"),
                       "--stop=100us"},
                      "out"));
    EXPECT_EQ(run.GetCluster().FindLostBytes(false), "");
    Simulator::Schedule(MicroSeconds(50), [&run] {
        EXPECT_EQ(run.GetCluster().FindLostBytes(false), "");
        EXPECT_NE(run.GetCluster().FindLostBytes(true), "");
        run.GetCluster().GetContext().counters.payloadBytesDelivered++; // one too many
    });
    const RunSummary summary = run.Run();
    EXPECT_TRUE(Mentions(summary.unfinished, {"not conserved", "reached their receivers"}));
}

TEST_F(RailyardScenarioOptions, CountersOfTheFabricsAddUp)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(3),
                                         "--flows=" + WriteIncast(2)});
    ASSERT_EQ(summary.network.fabrics.size(), 2U);
    const FabricSummary& ethernet = summary.network.fabrics[0];
    EXPECT_EQ(ethernet.name, "ethernet");
    EXPECT_GT(ethernet.ackPacketHops, 0U);
    EXPECT_EQ(std::to_string(ethernet.wireBytes), Ask("SELECT sum(wire_bytes) FROM links"));
    EXPECT_EQ(summary.network.fabrics[1].dataPacketHops, 0U);
    EXPECT_EQ(ReadSummary().at("network").at("fabrics").at("ethernet").at("wireBytes"),
              ethernet.wireBytes);
}

TEST_F(RailyardScenarioOptions, LossesOnLinksAreNoDrops)
{
    const std::string topology =
        Write("topology", "3 1 2\n2\n0 2 100Gbps 1us 0\n2 1 100Gbps 1us 0.01\n");
    const RunSummary summary = Simulate({"--topology=" + topology,
                                         "--flows=" + Write("flows", "1\n0 1 3 100 4000000 0\n")});
    EXPECT_EQ(summary.network.drops, 0U);
    EXPECT_GT(summary.network.linkLosses, 0U);
    EXPECT_EQ(std::to_string(summary.network.linkLosses),
              Ask("SELECT sum(lost_packets) FROM links"));
}

TEST_F(RailyardScenarioOptions, BitErrorsAreToldFromOtherLosses)
{
    const RunSummary summary =
        Simulate({"--topology=star:hosts=2,nicRate=100Gbps,lossRate=0.005,bitErrorRate=1e-6",
                  "--flows=" + Write("flows", "1\n0 1 3 100 4000000 0\n")});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_GT(summary.network.linkCorruptions, 0U);
    EXPECT_GT(summary.network.linkLosses, summary.network.linkCorruptions);
    EXPECT_EQ(std::to_string(summary.network.linkLosses) + " " +
                  std::to_string(summary.network.linkCorruptions),
              Ask("SELECT sum(lost_packets), sum(corrupted_packets) FROM links"));
}

namespace
{

/** Changes layout and batch of models, as --tp and its like do. */
class LayoutChange
{
  public:
    /** \param attribute of ns3::WorkloadReader \param value its value */
    void Set(const std::string& attribute, uint64_t value)
    {
        m_defaults.Set("ns3::WorkloadReader::" + attribute, UintegerValue(value));
    }

  private:
    ScopedDefaults m_defaults; //!< as long as the object lives
};

} // namespace

TEST(RailyardLayoutOptions, ChangeTheModelsLayout)
{
    LayoutChange change;
    change.Set("TensorParallel", 4);
    change.Set("PipelineParallel", 2);
    change.Set("DataParallel", 8);
    change.Set("GlobalBatch", 64);
    const Workload workload =
        WorkloadReader::ReadFile(TrainingRun::GetShippedWorkload(), {64, 8});
    EXPECT_EQ(workload.layout.GetSizes().ranks, 64U);
    EXPECT_EQ(workload.layout.GetSizes().tensorParallel, 4U);
    EXPECT_EQ(workload.stages.size(), 2U);
    EXPECT_EQ(workload.microBatches, 8U);
    EXPECT_TRUE(workload.warnings.empty());
}

TEST(RailyardLayoutOptions, AreRefusedWhereTheFileFixesTheLayout)
{
    const std::string path =
        WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                      {"a -1 0 ALLREDUCE 1000 0 NONE 0 0 NONE 0 0"});
    EXPECT_NO_THROW(WorkloadReader::ReadFile(path, {4, 4}));
    LayoutChange change;
    change.Set("DataParallel", 2);
    EXPECT_THROW(WorkloadReader::ReadFile(path, {4, 4}), ConfigError);
}

TEST(RailyardTrainingWarnings, IdleGpusMissingGpuAndTensorGroupsOverNics)
{
    TrainingInput input{"leaf-spine:gpus=4,leaves=2,spines=2",
                        WriteWorkload("model_parallel_NPU_group: 2 ep: 1 pp: 1 ga: 1 all_gpus: 2",
                                      {"a -1 0 ALLREDUCE 100000 0 NONE 0 0 NONE 0 0"})};
    const TrainingOutcome outcome = RunTraining(input);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(outcome.HasWarning("it runs on GPUs 0-1, the others are idle"));
    EXPECT_TRUE(outcome.HasWarning("tensor parallel groups of 2 ranks communicate over NICs"));
    input.topology = "rail-optimized:gpus=8";
    EXPECT_FALSE(RunTraining(input).HasWarning("tensor parallel"));
}

TEST(RailyardTrainingWarnings, KernelTimesOfADefaultGpuAreSaid)
{
    const std::string topology = "star:hosts=16";
    const TrainingOutcome outcome =
        RunTraining({topology, TrainingRun::GetShippedWorkload(), "fabric", "No", MicroSeconds(1)});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(outcome.HasWarning("kernel times are those of the H100"));
    const json input = json::parse(ReadTestFile(outcome.folder + "/summary.json")).at("input");
    EXPECT_EQ(input.at("gpu"), "H100");
    EXPECT_EQ(input.at("workload"), "examples/workloads/gpt-7b.json");
    EXPECT_EQ(input.at("topology"), topology);
    EXPECT_EQ(input.at("congestionControl"), "No");
}

namespace
{

/** Options of a training run, as long as the object lives. */
class TrainingOptionsUnderTest
{
  public:
    /** \param words the command line \return the run */
    TrainingRunOptions MakeRun(std::vector<std::string> words)
    {
        Simulator::Destroy();
        words.insert(words.begin(), "program");
        std::vector<char*> argv;
        for (std::string& word : words)
        {
            argv.push_back(word.data());
        }
        m_options.Parse(static_cast<int>(argv.size()), argv.data());
        return m_options.MakeRun();
    }

  private:
    TrainingOptions m_options; //!< kept: errors name what it holds
};

} // namespace

TEST(RailyardTrainingOptions, OptionsWinOverTheirAttributes)
{
    const std::vector<std::string> set{"--set=ns3::WorkloadExecutor::Iterations=5",
                                       "--set=ns3::KernelTable::Path=mine.db",
                                       "--set=ns3::WorkloadReader::TensorParallel=4"};
    {
        const TrainingRunOptions run = TrainingOptionsUnderTest().MakeRun(set);
        EXPECT_EQ(run.iterations, 5U);
        EXPECT_EQ(run.kernelTable, "mine.db");
        EXPECT_EQ(GetDefault("ns3::WorkloadReader::TensorParallel"), "4");
    }
    std::vector<std::string> all = set;
    all.insert(all.end(), {"--iterations=2", "--kernelTable=other.db", "--tp=2"});
    {
        const TrainingRunOptions run = TrainingOptionsUnderTest().MakeRun(all);
        EXPECT_EQ(run.iterations, 2U);
        EXPECT_EQ(run.kernelTable, "other.db");
        EXPECT_EQ(GetDefault("ns3::WorkloadReader::TensorParallel"), "2");
    }
    EXPECT_EQ(TrainingOptionsUnderTest().MakeRun({}).iterations, 1U);
    EXPECT_THROW(TrainingOptionsUnderTest().MakeRun({"--workload="}), ConfigError);
    EXPECT_THROW(TrainingOptionsUnderTest().MakeRun({"--iterations=0"}), ConfigError);
}

TEST(RailyardTrainingOptions, PathOfTheKernelTableIsAnAttribute)
{
    const ScopedDefault path("ns3::KernelTable::Path", "/nowhere/table.db");
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=16", TrainingRun::GetShippedWorkload()});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("/nowhere/table.db"), std::string::npos) << outcome.error;
}

TEST(RailyardTrainingOptions, WhatHasNoEffectIsSaid)
{
    const std::string workload =
        WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                      {"a -1 0 ALLREDUCE 1000 0 NONE 0 0 NONE 0 0"});
    for (const std::string option : {"--gpu=XYZ", "--kernelTable=/nowhere"})
    {
        const std::string out = WriteTestFile("no-effect", "") + "-out";
        TrainingRun run(TrainingOptionsUnderTest().MakeRun({"--topology=" + WriteFourGpuStar(),
                                                            "--workload=" + workload,
                                                            "--out=" + out,
                                                            option}));
        const std::vector<std::string> warnings = run.Run().warnings;
        EXPECT_EQ(std::count_if(warnings.begin(),
                                warnings.end(),
                                [](const std::string& line) {
                                    return line.find("--kernelTable have no effect") !=
                                           std::string::npos;
                                }),
                  1);
    }
}

TEST(RailyardTrainingRefusals, AreOneLineBeforeTheRun)
{
    const std::string sizes = "model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4";
    const auto error = [](const std::string& workload) {
        const TrainingOutcome outcome = RunTraining({WriteFourGpuStar(), workload});
        EXPECT_EQ(outcome.status, 2);
        return outcome.error;
    };
    const std::string reduce = WriteWorkload(sizes, {"a -1 0 ALLREDUCE 1000000 0 NONE 0 0 NONE 0 0"});
    {
        const ScopedDefault few("ns3::FirstFitSelector::Algorithms", "RingAllGather");
        EXPECT_NE(error(reduce).find("no algorithm supports AllReduce of 1000000 bytes"),
                  std::string::npos);
    }
    const std::string large =
        WriteWorkload(sizes, {"a -1 0 ALLREDUCE 100000000 0 NONE 0 0 NONE 0 0"});
    {
        const ScopedDefault slices("ns3::SteppedRingAlgorithm::SliceBytes", "1");
        EXPECT_NE(error(large).find("slices of 36 bytes or more"), std::string::npos);
    }
    EXPECT_NE(error(WriteWorkload(sizes,
                                  {"a -1 999999999999999 NONE 0 999999999999999 NONE 0 "
                                   "999999999999999 NONE 0 0"}))
                  .find("the simulated time has no room for more"),
              std::string::npos);
}

/** Two groups of the same ranks share channels: messages of both are under way at once. */
TEST(RailyardRunRecorder, GroupsOnTheSameChannelsAreKeptApart)
{
    Simulator::Destroy();
    ResultMemory memory;
    {
        Cluster cluster(LoadTopology("star:hosts=2,nicRate=100Gbps"));
        const Ptr<CollectiveEngine> engine = CollectiveHelper().Install(cluster.GetTransport());
        RunRecorder recorder(memory, cluster, nullptr);
        engine->AddObserver(&recorder);
        for (const uint64_t bytes : {8000, 2000})
        {
            CollectiveCall call;
            call.group = engine->AddGroup(CollectiveHelper::MakeGroup(
                cluster.GetTopology(), "group of " + std::to_string(bytes), "DP", {0, 1}));
            call.bytes = bytes;
            for (uint32_t rank = 0; rank < 2; rank++)
            {
                engine->Join(rank, call, [] {});
            }
        }
        Simulator::Run();
        recorder.RecordUnfinished();
        engine->RemoveObserver(&recorder);
        engine->Dispose();
    }
    Simulator::Destroy();
    std::map<int64_t, uint64_t> bytes;
    for (const FlowRecord& flow : memory.Get<FlowRecord>())
    {
        EXPECT_TRUE(flow.end && flow.senderEnd);
        EXPECT_EQ(flow.deliveredBytes, flow.bytes);
        bytes[flow.collective] += flow.bytes;
    }
    EXPECT_EQ(bytes, (std::map<int64_t, uint64_t>{{0, 16000}, {1, 4000}}));
}

TEST(RailyardTrainingFlows, MessagesOverNicsHaveIdealTimesAndRetransmissions)
{
    const TrainingOutcome outcome = RunTraining(
        {WriteFourGpuStar("0.01"),
         WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                       {"a -1 0 ALLREDUCE 4000000 0 ALLREDUCE 4000000 0 NONE 0 0"})});
    ASSERT_EQ(outcome.status, 0);
    SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
    auto flows = database.Prepare("SELECT count(*), sum(ideal_ns IS NULL), sum(slowdown < 1), "
                                  "sum(retransmitted_packets) FROM flows");
    ASSERT_TRUE(flows.Step());
    EXPECT_GT(flows.GetInteger(0), 20);
    EXPECT_EQ(flows.GetInteger(1), 0);
    EXPECT_EQ(flows.GetInteger(2), 0);
    EXPECT_GT(flows.GetInteger(3), 0);
    EXPECT_EQ(flows.GetInteger(3),
              static_cast<int64_t>(outcome.summary.network.retransmittedPackets));
}

} // namespace ns3
