/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"
#include "test-paths.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/hpcc-defaults.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** \param type a TypeId \param attribute of it \return its default, as text */
std::string
GetDefault(const std::string& type, const std::string& attribute)
{
    TypeId::AttributeInformation info;
    EXPECT_TRUE(TypeId::LookupByName(type).LookupAttributeByName(attribute, &info)) << attribute;
    return info.initialValue->SerializeToString(info.checker);
}

/** A run whose topology anybody may change. */
class EditableFlowRun : public FlowRun
{
  public:
    using FlowRun::FlowRun;
    using ScenarioRun::EditTopology;
};

/** \param run a run \param node a switch \param port a port of it \return its ECN thresholds */
EcnThresholds
GetThresholds(FlowRun& run, uint32_t node, uint32_t port)
{
    return run.GetCluster().GetRoceFabric().switches[node]->GetEcnThresholds(port);
}

} // namespace

/** Configuration files of the HPCC family, from the command line to the attributes. */
class RailyardFlowConfig : public FlowRunUnderTest
{
  protected:
    /** \param name of a real file \return its path */
    static std::string Real(const std::string& name)
    {
        return SharedDir() + "/data/realfiles/" + name;
    }

    /** \return path of a star of 2 hosts with 400 Gbps */
    std::string WriteFastStar() const
    {
        return Write("fast", "3 1 2\n2\n0 2 400Gbps 1us 0\n1 2 400Gbps 1us 0\n");
    }
};

TEST_F(RailyardFlowConfig, KeysBecomeAttributes)
{
    const std::string config = Write("config",
                                     "PACKET_PAYLOAD_SIZE 1000\nL2_ACK_INTERVAL 4000\nCC_MODE 1\n"
                                     "ALPHA_RESUME_INTERVAL 2\nRP_TIMER 900\nRATE_AI 50Mb/s\n"
                                     "BUFFER_SIZE 32\nENABLE_QCN 0\nENABLE_PFC 0\nCNP_INTERVAL 7\n"
                                     "RANDOM_SEED 5\nSIMULATOR_STOP_TIME 4.5\n"
                                     "CLAMP_TARGET_RATE 0\n");
    const FlowRunOptions run = Parse({"--config=" + config}, "out");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "MtuBytes"), "1000");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "AckInterval"), "4");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "CongestionControl"),
              "ns3::DcqcnCongestionControl");
    EXPECT_EQ(Time(GetDefault("ns3::RoceNicDevice", "CnpInterval")), MicroSeconds(7));
    const std::string dcqcn = "ns3::DcqcnCongestionControl";
    EXPECT_EQ(Time(GetDefault(dcqcn, "AlphaTimer")), MicroSeconds(2));
    EXPECT_EQ(Time(GetDefault(dcqcn, "IncreaseTimer")), MicroSeconds(900));
    EXPECT_EQ(GetDefault(dcqcn, "AdditiveIncrease"), "50000000bps");
    EXPECT_EQ(GetDefault(dcqcn, "ClampTargetRate"), "false");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "BufferBytes"), "33554432");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "Ecn"), "false");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "Pfc"), "false");
    EXPECT_EQ(run.stopTime, Seconds(4.5));
    EXPECT_EQ(RngSeedManager::GetRun(), 5U);
    EXPECT_TRUE(run.warnings.empty());
}

TEST_F(RailyardFlowConfig, TheCommandLineWins)
{
    const std::string config = Write("config",
                                     "PACKET_PAYLOAD_SIZE 1000\nCC_MODE 1\nMIN_RATE 70Mb/s\n"
                                     "RP_TIMER 900\nRANDOM_SEED 5\nSIMULATOR_STOP_TIME 4\n");
    const FlowRunOptions run = Parse({"--set=RoceNicDevice::MtuBytes=2048",
                                      "--set=TimelyCongestionControl::MinRate=80Mbps",
                                      "--congestionControl=Timely",
                                      "--seed=9",
                                      "--stop=3ms",
                                      "--config=" + config},
                                     "out");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "MtuBytes"), "2048");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "CongestionControl"),
              "ns3::TimelyCongestionControl");
    EXPECT_EQ(GetDefault("ns3::TimelyCongestionControl", "MinRate"), "80000000bps");
    EXPECT_EQ(GetIgnored(run.configuration, "MIN_RATE"),
              "70Mb/s: --set of ns3::TimelyCongestionControl::MinRate is given");
    EXPECT_EQ(GetIgnored(run.configuration, "PACKET_PAYLOAD_SIZE"),
              "1000: --set of ns3::RoceNicDevice::MtuBytes is given");
    EXPECT_EQ(GetIgnored(run.configuration, "RP_TIMER"),
              "900: ns3::TimelyCongestionControl has no such constant");
    EXPECT_EQ(GetIgnored(run.configuration, "CC_MODE"), "1: --congestionControl is given");
    EXPECT_EQ(GetIgnored(run.configuration, "RANDOM_SEED"), "5: --seed is given");
    EXPECT_EQ(run.stopTime, MilliSeconds(3));
    EXPECT_EQ(RngSeedManager::GetRun(), 9U);
}

/** Nor are they checked, and what follows from them follows from what is set. */
TEST_F(RailyardFlowConfig, OverruledKeysAreNotRead)
{
    const std::string set = "--set=RoceNicDevice::MtuBytes=1024";
    for (const std::string payload : {"100", "9000"})
    {
        const std::string config = "--config=" + Write("config", "PACKET_PAYLOAD_SIZE " + payload +
                                                                     "\nL2_ACK_INTERVAL 8192\n");
        const FlowRunOptions run = Parse({config, set}, "out");
        EXPECT_TRUE(run.warnings.empty());
        EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "AckInterval"), "8");
        EXPECT_EQ(GetIgnored(run.configuration, "PACKET_PAYLOAD_SIZE"),
                  payload + ": --set of ns3::RoceNicDevice::MtuBytes is given");
    }
    const std::string mode = "--config=" + Write("config", "LB_MODE 9\n");
    EXPECT_NE(GetRefusal({mode}), "");
    const FlowRunOptions drill =
        Parse({mode, "--set=RoceSwitchDevice::LoadBalancer=ns3::DrillLoadBalancer"}, "out");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "LoadBalancer"), "ns3::DrillLoadBalancer");
}

TEST_F(RailyardFlowConfig, ThresholdsOfTheFileAreNotSetBeside)
{
    const std::string set = "--set=ns3::RoceSwitchDevice::EcnKmin=1000";
    for (const std::string keys : {"KMIN_MAP 1 100000000000 400\nKMAX_MAP 1 100000000000 1600\n"
                                   "PMAX_MAP 1 100000000000 0.2\n",
                                   "KMIN 10\nKMAX 40\nPMAX 0.2\n"})
    {
        const std::string refusal = GetRefusal({"--config=" + Write("config", keys), set});
        EXPECT_NE(refusal.find("EcnKmin"), std::string::npos) << refusal;
        EXPECT_NE(refusal.find("has thresholds for every port"), std::string::npos) << refusal;
    }
    const FlowRunOptions run =
        Parse({"--config=" + Write("config", "PACKET_PAYLOAD_SIZE 1000\n"), set}, "out");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "EcnKmin"), "1000");
}

TEST_F(RailyardFlowConfig, WhatIsOtherwiseIsSaid)
{
    const std::string config = Write("config",
                                     "PACKET_PAYLOAD_SIZE 9000\nLINK_DOWN 0 0 0\n"
                                     "ACK_HIGH_PRIO 1\nUSE_DYNAMIC_PFC_THRESHOLD 0\nHAS_WIN 1\n"
                                     "VAR_WIN 1\nMY_OWN_KEY 7\n");
    const FlowRunOptions run = Parse({"--config=" + config}, "out");
    EXPECT_EQ(run.warnings.size(), 3U);
    EXPECT_TRUE(Mentions(run.warnings, {"PACKET_PAYLOAD_SIZE 9000", "4096"}));
    EXPECT_TRUE(Mentions(run.warnings, {"ACK_HIGH_PRIO"}));
    EXPECT_TRUE(Mentions(run.warnings, {"USE_DYNAMIC_PFC_THRESHOLD"}));
    EXPECT_EQ(GetIgnored(run.configuration, "HAS_WIN"),
              "1: a window is that of the congestion control, where it has one");
    EXPECT_NE(GetIgnored(run.configuration, "VAR_WIN"), "");
    EXPECT_EQ(GetIgnored(run.configuration, "MY_OWN_KEY"), "7: unknown key");
    ASSERT_EQ(run.configuration.size(), 7U);
    EXPECT_EQ(run.configuration[0].effect, "RoceNicDevice::MtuBytes");
    EXPECT_EQ(run.configuration[0].ignored, "");
    EXPECT_EQ(run.configuration[6].key, "MY_OWN_KEY");
    EXPECT_EQ(run.configuration[6].line, 7U);
}

TEST_F(RailyardFlowConfig, IrnAndLoadBalancersOfConWeave)
{
    const FlowRunOptions held =
        Parse({"--config=" + Write("config", "ENABLE_IRN 1\nENABLE_PFC 0\nLB_MODE 2\n")}, "out");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "LossRecovery"),
              "ns3::SelectiveRepeatLossRecovery");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "Pfc"), "false");
    EXPECT_EQ(GetDefault("ns3::RoceSwitchDevice", "LoadBalancer"), "ns3::DrillLoadBalancer");
    EXPECT_EQ(GetIgnored(held.configuration, "LB_MODE"), "");
    const std::string conweave = "--config=" + Write("other", "ENABLE_IRN 0\nLB_MODE 9\n");
    EXPECT_NE(GetRefusal({conweave}).find("LB_MODE: read '9 (ns3::ConweaveLoadBalancer)'"),
              std::string::npos)
        << GetRefusal({conweave});
    const FlowRunOptions run = Parse({conweave, "--loadBalancer=Ecmp"}, "out");
    EXPECT_EQ(GetDefault("ns3::RoceNicDevice", "LossRecovery"), "ns3::GoBackNLossRecovery");
    EXPECT_EQ(GetIgnored(run.configuration, "LB_MODE"), "9: --loadBalancer is given");
}

TEST_F(RailyardFlowConfig, ConWeaveConfigurationRuns)
{
    const std::string topology = WriteStar(4);
    Write("L_50", "3\n0 3 3 50000 2.000001\n1 3 3 50000 2.000001\n2 3 3 4000 2.000002\n");
    const std::string config =
        Write("config",
              "TOPOLOGY_FILE config/" + topology.substr(topology.find_last_of('/') + 1) +
                  "\nFLOW_FILE config/L_50\nFLOW_INPUT_FILE mix/output/1/1_in.txt\n"
                  "CNP_OUTPUT_FILE mix/output/1/1_out_cnp.txt\n"
                  "FCT_OUTPUT_FILE mix/output/1/1_out_fct.txt\n"
                  "PFC_OUTPUT_FILE mix/output/1/1_out_pfc.txt\n"
                  "QLEN_MON_FILE mix/output/1/1_out_qlen.txt\n"
                  "VOQ_MON_FILE mix/output/1/1_out_voq.txt\n"
                  "VOQ_MON_DETAIL_FILE mix/output/1/1_out_voq_per_dst.txt\n"
                  "UPLINK_MON_FILE mix/output/1/1_out_uplink.txt\n"
                  "CONN_MON_FILE mix/output/1/1_out_conn.txt\n"
                  "EST_ERROR_MON_FILE mix/output/1/1_out_est_error.txt\n"
                  "QLEN_MON_START 2000000000\nQLEN_MON_END 2010000000\n"
                  "SW_MONITORING_INTERVAL 10000\nFLOWGEN_START_TIME 2.0\n"
                  "FLOWGEN_STOP_TIME 2.1\nBUFFER_SIZE 9\nCC_MODE 1\nLB_MODE 6\n"
                  "ENABLE_PFC 0\nENABLE_IRN 1\nCONWEAVE_TX_EXPIRY_TIME 1000000\n"
                  "CONWEAVE_REPLY_TIMEOUT_EXTRA 4\nALPHA_RESUME_INTERVAL 1\n"
                  "RATE_DECREASE_INTERVAL 4\nCLAMP_TARGET_RATE 0\nRP_TIMER 300\n"
                  "FAST_RECOVERY_TIMES 1\nEWMA_GAIN 0.00390625\nRATE_AI 40Mb/s\n"
                  "RATE_HAI 100Mb/s\nMIN_RATE 100Mb/s\nHAS_WIN 1\nVAR_WIN 1\nLOAD 50\n"
                  "RANDOM_SEED 1\nKMAX_MAP 1 100000000000 400\nKMIN_MAP 1 100000000000 100\n"
                  "PMAX_MAP 1 100000000000 0.2\n");
    const RunSummary summary = Simulate({"--config=" + config});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_EQ(summary.network.payloadBytesDelivered, 104000U);
    for (const ConfigurationKey& key : summary.configuration)
    {
        EXPECT_NE(key.ignored, "unknown key") << key.key;
    }
    EXPECT_EQ(GetIgnored(summary.configuration, "CONWEAVE_TX_EXPIRY_TIME"),
              "1000000: ConWeave's load balancer is not offered");
    EXPECT_NE(GetIgnored(summary.configuration, "UPLINK_MON_FILE").find("--series"),
              std::string::npos);
    EXPECT_NE(Read("out/1_out_fct.txt").find("2 3 10000 100 4000 2000002000 "), std::string::npos);
    // A look every 100 ns from 2 s to 2.01 s.
    EXPECT_EQ(Read("out/1_out_qlen.txt").rfind("time: 2000000000\n4 1 1\n", 0), 0U);
    EXPECT_NE(Read("out/1_out_qlen.txt").find("time: 2010000000\n4 1 100001\n"),
              std::string::npos);
}

TEST_F(RailyardFlowConfig, FilesOfAConfigurationAreFoundAroundIt)
{
    const std::string topology = WriteStar(2); // beside the configuration, whatever its folder is
    const std::string name = topology.substr(topology.find_last_of('/') + 1);
    Write("flows", "1\n0 1 3 100 5000 0\n");
    const std::string config = Write("config",
                                     "TOPOLOGY_FILE some/where/" + name +
                                         "\nFLOW_FILE /no/such/place/flows\n");
    const RunSummary summary = Simulate({"--config=" + config});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_EQ(summary.network.payloadBytesDelivered, 5000U);
    EXPECT_EQ(summary.configuration.size(), 2U);
    EXPECT_NE(Read("out/summary.json").find("{\"key\": \"TOPOLOGY_FILE\", \"value\": \"some/where/"),
              std::string::npos);
    const std::string missing = Write("missing", "FLOW_FILE mix/none.txt\n");
    EXPECT_NE(GetRefusal({"--config=" + missing}).find("FLOW_FILE: read 'mix/none.txt'"),
              std::string::npos)
        << GetRefusal({"--config=" + missing});
    const FlowRunOptions given =
        Parse({"--config=" + missing, "--flows=" + FlowRun::GetShippedFlows()}, "out");
    EXPECT_EQ(GetIgnored(given.configuration, "FLOW_FILE"), "mix/none.txt: --flows is given");
}

TEST_F(RailyardFlowConfig, MissingCongestionControlIsRefused)
{
    const std::string config = "--config=" + Write("config", "CC_MODE 10\n");
    const std::string message = GetRefusal({config});
    for (const char* word : {"CC_MODE", "10 (ns3::HpccPintCongestionControl)", "expected",
                             "1 (ns3::DcqcnCongestionControl)", "--congestionControl"})
    {
        EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
    }
    EXPECT_FALSE(Exists("out"));
    EXPECT_EQ(GetRefusal({config, "--congestionControl=Timely"}), "");
}

TEST_F(RailyardFlowConfig, ErrorRateIsForLinksWithoutOne)
{
    const std::string topology =
        Write("topology", "3 1 2\n2\n0 2 100Gbps 1us 0\n2 1 100Gbps 1us 0.001\n");
    const std::string config = Write("config", "ERROR_RATE_PER_LINK 0.01\n");
    FlowRun run(Parse({"--topology=" + topology,
                       "--flows=" + Write("flows", "1\n0 1 3 10000000 0\n"),
                       "--config=" + config},
                      "out"));
    const std::vector<TopologyLink>& links = run.GetCluster().GetTopology().links;
    EXPECT_EQ(links[0].lossRate, 0.01);
    EXPECT_EQ(links[1].lossRate, 0.001);
    EXPECT_GT(run.Run().network.linkLosses, 0U);
}

TEST_F(RailyardFlowConfig, H10MissingThresholdsAreScaledAndNoted)
{
    const std::string maps = "KMAX_MAP 2 25000000000 400 100000000000 1600\n"
                             "KMIN_MAP 2 25000000000 100 100000000000 400\n"
                             "PMAX_MAP 2 25000000000 0.2 100000000000 0.2\n";
    FlowRun run(Parse({"--topology=" + WriteFastStar(),
                       "--flows=" + Write("flows", "1\n0 1 3 1000 0\n"),
                       "--config=" + Write("config", maps)},
                      "out"));
    const EcnThresholds thresholds = GetThresholds(run, 2, 1);
    EXPECT_EQ(thresholds.kminBytes, 1600000U);
    EXPECT_EQ(thresholds.kmaxBytes, 6400000U);
    EXPECT_EQ(thresholds.pmax, 0.2);
    const RunSummary summary = run.Run();
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_TRUE(Mentions(summary.notes,
                         {"KMIN_MAP, KMAX_MAP and PMAX_MAP", "400 Gbps", "1600 KB", "6400 KB"}));
}

TEST_F(RailyardFlowConfig, H10ThresholdsOfTheFileAreUsedAsTheyAre)
{
    const std::string maps = "KMAX_MAP 1 400000000000 3200\nKMIN_MAP 1 400000000000 800\n"
                             "PMAX_MAP 1 400000000000 0.5\n";
    FlowRun run(Parse({"--topology=" + WriteFastStar(),
                       "--flows=" + Write("flows", "1\n0 1 3 1000 0\n"),
                       "--config=" + Write("config", maps)},
                      "out"));
    const EcnThresholds thresholds = GetThresholds(run, 2, 0);
    EXPECT_EQ(thresholds.kminBytes, 800000U);
    EXPECT_EQ(thresholds.kmaxBytes, 3200000U);
    EXPECT_EQ(thresholds.pmax, 0.5);
    EXPECT_FALSE(Mentions(run.Run().notes, {"scaled"}));
}

TEST_F(RailyardFlowConfig, H10RealFatTreeRuns)
{
    RAILYARD_NEED_SHARED_FILES();
    // From pod to pod, so that links of 400 Gbps are crossed.
    const std::string flows =
        Write("flows", "2\n0 319 3 100 1000000 0.001\n300 5 3 100 5000 0.001\n");
    const RunSummary summary = Simulate({"--topology=" + Real("hpcc/fat.txt"),
                                         "--flows=" + flows,
                                         "--config=" + Real("hpcc/config.txt")});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_TRUE(Mentions(summary.notes, {"400 Gbps", "1600 KB", "6400 KB", "Pmax 0.2"}));
    EXPECT_GT(std::stoi(Ask("SELECT count(*) FROM links WHERE rate_bps = 400000000000 AND "
                            "data_packets > 0")),
              1);
}

TEST_F(RailyardFlowConfig, RealHpccFilesRun)
{
    RAILYARD_NEED_SHARED_FILES();
    const RunSummary summary = Simulate({"--config=" + Real("hpcc/config.txt")});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_EQ(summary.network.payloadBytesDelivered, 400000000U);
    EXPECT_EQ(summary.configuration.size(), 47U);
    EXPECT_TRUE(Mentions(summary.notes, {"fct.txt, pfc.txt, qlen.txt"}));
    EXPECT_EQ(Read("out/fct.txt").rfind("0b000", 0), 0U);
    EXPECT_TRUE(Mentions(summary.notes, {"flow.txt", "ignored 254 more flow lines"}));
    // The flows are from nodes 2 and 3 to node 1, at 2 s.
    EXPECT_EQ(Ask("SELECT s.name, d.name, f.start_ns FROM flows f JOIN nodes s ON s.rank = "
                  "f.src_rank JOIN nodes d ON d.rank = f.dst_rank ORDER BY f.flow"),
              "node 2 node 1 2000000000.0 node 3 node 1 2000000000.0");
}

TEST_F(RailyardFlowConfig, RealNs3RdmaFilesRun)
{
    RAILYARD_NEED_SHARED_FILES();
    // Two flows of 10 GB from 2 s on: the stop time of the file, 3.01 s, is before their end.
    const RunSummary summary =
        Simulate({"--config=" + Real("ns3-rdma/config.txt"), "--stop=2.005s"});
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_GT(summary.network.payloadBytesDelivered, 10000000U); // at 40 Gbps 25 MB at most
    EXPECT_TRUE(Mentions(summary.unfinished, {"node 1 waits for", "of 10000000000 bytes"}));
    EXPECT_NE(GetIgnored(summary.configuration, "TCP_FLOW_FILE"), "");
    EXPECT_EQ(GetIgnored(summary.configuration, "KMAX"), "");
}

TEST_F(RailyardFlowConfig, TheTopologyCannotBeChangedOnceThereIsACluster)
{
    EditableFlowRun run(Parse({"--topology=" + WriteStar(2), "--flows=" + WriteIncast(1)}, "out"));
    EXPECT_DEATH(run.EditTopology(), "the cluster has been built");
}

TEST_F(RailyardFlowConfig, RealConWeaveDatacenterAndSimaiFilesRun)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string flows =
        Write("flows", "3\n0 15 3 500000 0.001\n4 15 3 4000 0.001\n15 0 3 700 0.0015\n");
    const std::vector<std::vector<std::string>> inputs{
        {"--topology=" + Real("conweave/config/fat_k4_100G_OS2.txt")},
        {"--topology=" + Real("conweave/config/leaf_spine_128_100G_OS2.txt")},
        {"--topology=" + Real("ns3-datacenter/topology.txt"),
         "--config=" + Real("ns3-datacenter/config-fairness.txt")},
        {"--topology=" + Real("astra-ns3/128_nodes_16_switch_topology.txt"),
         "--config=" + Real("astra-ns3/config.txt")},
        {"--topology=" +
             Real("simai-generated-topologies/Spectrum-X_16g_8gps_400Gbps_H100"),
         "--config=" + Real("simai/config/SimAI.conf")},
    };
    for (std::vector<std::string> arguments : inputs)
    {
        SCOPED_TRACE(arguments[0]);
        arguments.push_back("--flows=" + flows);
        const RunSummary summary = Simulate(arguments);
        EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
        EXPECT_EQ(summary.network.payloadBytesDelivered, 504700U);
    }
}

TEST_F(RailyardFlowConfig, RealFlowsOfATerabyteAreStopped)
{
    RAILYARD_NEED_SHARED_FILES();
    const RunSummary summary = Simulate({"--topology=" + Real("ns3-datacenter/topology.txt"),
                                         "--flows=" + Real("ns3-datacenter/flow-fairnessExp.txt"),
                                         "--config=" + Real("ns3-datacenter/config-fairness.txt"),
                                         "--stop=3ms"});
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_EQ(summary.simulatedTime, MilliSeconds(3));
    EXPECT_TRUE(Mentions(summary.unfinished, {"node 32 waits for", "of 1000000000000 bytes"}));
    EXPECT_GT(summary.network.payloadBytesDelivered, 5000000U);
}

} // namespace ns3
