/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/double.h"
#include "ns3/hpcc-config-reader.h"
#include "ns3/text-scanner.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/** \param text a configuration \return what it says */
HpccConfig
Read(const std::string& text)
{
    return ReadHpccConfig(TextFile::FromString("config.txt", text));
}

/** \param config a configuration \param key a key \return what comes of it */
HpccKeyUse
GetUse(const HpccConfig& config, const std::string& key)
{
    const auto found = std::find_if(config.keys.begin(),
                                    config.keys.end(),
                                    [&](const HpccKeyUse& use) { return use.key == key; });
    return found == config.keys.end() ? HpccKeyUse() : *found;
}

/** \param config a configuration \param key a constant, which it has \return its value */
template <class Value>
auto
GetConstant(const HpccConfig& config, const std::string& key)
{
    for (const HpccConstant& constant : config.constants)
    {
        if (constant.key == key)
        {
            return DynamicCast<const Value>(constant.value)->Get();
        }
    }
    ADD_FAILURE() << key;
    return Value().Get();
}

/** A bad file. */
struct BadRow
{
    const char* text; //!< the file
    const char* says; //!< part of the error
};

} // namespace

TEST(RoceHpccConfig, TypedKeys)
{
    const HpccConfig config = Read("CC_MODE 1\n"
                                   "ALPHA_RESUME_INTERVAL 1\n"
                                   "RP_TIMER 900 \r\n"
                                   "RATE_DECREASE_INTERVAL 0.5\n"
                                   "\n"
                                   "EWMA_GAIN 0.00390625\n"
                                   "RATE_AI 50Mb/s\n"
                                   "BUFFER_SIZE 32\n"
                                   "SIMULATOR_STOP_TIME 4.00\n"
                                   "QLEN_MON_START 2000000000\n"
                                   "LINK_DOWN 100 3 4\n"
                                   "ENABLE_QCN 1 {0: disable, 1: enable}\n"
                                   "# a comment\n"
                                   "TOPOLOGY_FILE mix/fat.txt\n");
    EXPECT_EQ(config.ccMode, 1);
    EXPECT_EQ(GetConstant<TimeValue>(config, "ALPHA_RESUME_INTERVAL"), MicroSeconds(1));
    EXPECT_EQ(GetConstant<TimeValue>(config, "RP_TIMER"), MicroSeconds(900));
    EXPECT_EQ(GetConstant<TimeValue>(config, "RATE_DECREASE_INTERVAL"), NanoSeconds(500));
    EXPECT_EQ(GetConstant<DoubleValue>(config, "EWMA_GAIN"), 1.0 / 256);
    EXPECT_EQ(GetConstant<DataRateValue>(config, "RATE_AI"), DataRate(50000000));
    EXPECT_EQ(config.constants.size(), 5);
    EXPECT_EQ(config.bufferBytes, 33554432);
    EXPECT_EQ(config.stopTime, Seconds(4));
    EXPECT_EQ(config.queueStart, Seconds(2));
    ASSERT_TRUE(config.linkDown);
    EXPECT_EQ(config.linkDown->when, MicroSeconds(100));
    EXPECT_EQ(config.linkDown->b, 4);
    EXPECT_EQ(config.qcn, true);
    EXPECT_EQ(config.topologyFile, "mix/fat.txt");
    EXPECT_TRUE(std::all_of(config.keys.begin(), config.keys.end(), [](const HpccKeyUse& use) {
        return use.reason.empty() && !use.effect.empty();
    }));
}

TEST(RoceHpccConfig, IgnoredKeysHaveAReason)
{
    const HpccConfig config = Read("HAS_WIN 1\nMY_KEY 1 2 3\nL2_CHUNK_SIZE 4000\nCC_MODE 1\n");
    ASSERT_EQ(config.keys.size(), 4);
    EXPECT_NE(GetUse(config, "HAS_WIN").reason, "");
    EXPECT_NE(GetUse(config, "L2_CHUNK_SIZE").reason, "");
    EXPECT_EQ(GetUse(config, "CC_MODE").reason, "");
    EXPECT_EQ(config.keys[1].key, "MY_KEY");
    EXPECT_EQ(config.keys[1].value, "1 2 3");
    EXPECT_EQ(config.keys[1].reason, "unknown key");
    EXPECT_EQ(config.keys[1].line, 2);
}

TEST(RoceHpccConfig, EveryKeySetsSomethingOrSaysWhyNot)
{
    // The keys of HPCC, SimAI, ConWeave, ns3-rdma and ASTRA-sim's ns-3.
    const std::map<std::string, std::string> used{
        {"ENABLE_QCN", "1"}, {"PACKET_PAYLOAD_SIZE", "1000"}, {"L2_ACK_INTERVAL", "1"},
        {"TOPOLOGY_FILE", "t"}, {"FLOW_FILE", "f"},
        {"SIMULATOR_STOP_TIME", "4"}, {"ALPHA_RESUME_INTERVAL", "1"}, {"RP_TIMER", "1"},
        {"EWMA_GAIN", "0.1"}, {"FAST_RECOVERY_TIMES", "1"}, {"RATE_AI", "1Mb/s"},
        {"RATE_HAI", "1Mb/s"}, {"MIN_RATE", "1Mb/s"}, {"CLAMP_TARGET_RATE", "0"},
        {"ERROR_RATE_PER_LINK", "0"}, {"CC_MODE", "1"}, {"RATE_DECREASE_INTERVAL", "4"},
        {"FCT_OUTPUT_FILE", "f"}, {"PFC_OUTPUT_FILE", "p"}, {"QLEN_MON_FILE", "q"},
        {"QLEN_MON_START", "0"}, {"QLEN_MON_END", "1"}, {"MI_THRESH", "0"}, {"U_TARGET", "0.95"},
        {"LINK_DOWN", "0 0 0"}, {"BUFFER_SIZE", "32"}, {"KMAX_MAP", "0"}, {"KMIN_MAP", "0"},
        {"PMAX_MAP", "0"}, {"ENABLE_PFC", "1"}, {"ENABLE_IRN", "1"}, {"LB_MODE", "0"},
        {"RANDOM_SEED", "1"}, {"CNP_INTERVAL", "50"}, {"BYTE_COUNTER", "1"}, {"DCTCP_GAIN", "0.1"},
        {"PACKET_LEVEL_ECMP", "0"}, {"KMIN", "1"}, {"KMAX", "2"}, {"PMAX", "1"},
    };
    const std::map<std::string, std::string> ignored{
        {"USE_DYNAMIC_PFC_THRESHOLD", "1"}, {"PAUSE_TIME", "5"}, {"DATA_RATE", "1Gbps"},
        {"LINK_DELAY", "1us"}, {"L2_CHUNK_SIZE", "1"}, {"L2_BACK_TO_ZERO", "0"},
        {"TRACE_FILE", "t"}, {"FLOW_INPUT_FILE", "f"}, {"TRACE_OUTPUT_FILE", "t"},
        {"HAS_WIN", "1"}, {"GLOBAL_T", "1"},
        {"VAR_WIN", "1"}, {"FAST_REACT", "1"}, {"INT_MULTI", "1"}, {"RATE_BOUND", "1"},
        {"ACK_HIGH_PRIO", "0"}, {"DCTCP_RATE_AI", "1Gb/s"}, {"ENABLE_TRACE", "1"},
        {"MULTI_RATE", "0"}, {"SAMPLE_FEEDBACK", "0"}, {"PINT_LOG_BASE", "1.05"},
        {"PINT_PROB", "1"}, {"BW_MON_FILE", "b"}, {"BW_MON_INTERVAL", "1"}, {"CNP_MON_FILE", "c"},
        {"RATE_MON_FILE", "r"}, {"MON_START", "0"}, {"MON_END", "1"}, {"QP_MON_INTERVAL", "1"},
        {"QLEN_MON_INTERVAL", "1"}, {"NIC_TOTAL_PAUSE_TIME", "0"}, {"FLOWGEN_START_TIME", "2"},
        {"FLOWGEN_STOP_TIME", "2.1"}, {"LOAD", "50"}, {"SW_MONITORING_INTERVAL", "10000"},
        {"VOQ_MON_FILE", "v"}, {"VOQ_MON_DETAIL_FILE", "v"}, {"UPLINK_MON_FILE", "u"},
        {"CONN_MON_FILE", "c"}, {"EST_ERROR_MON_FILE", "e"}, {"CNP_OUTPUT_FILE", "c"},
        {"CONWEAVE_TX_EXPIRY_TIME", "1"}, {"CONWEAVE_REPLY_TIMEOUT_EXTRA", "4"},
        {"NP_SAMPLING_INTERVAL", "0"}, {"CLAMP_TARGET_RATE_AFTER_TIMER", "0"},
        {"L2_WAIT_FOR_ACK", "0"}, {"FLOW_LEVEL_ECMP", "1"}, {"SEND_IN_CHUNKS", "0"},
        {"TCP_FLOW_FILE", "t"}, {"APP_START_TIME", "1"}, {"APP_STOP_TIME", "1"},
        {"HEADROOM_FACTOR", "3"},
    };
    for (const bool isUsed : {true, false})
    {
        for (const auto& [key, value] : isUsed ? used : ignored)
        {
            std::string text;
            text += key;
            text += " " + value + "\n";
            if (key == "KMIN" || key == "KMAX" || key == "PMAX")
            {
                text = "KMIN 1\nKMAX 2\nPMAX 1\n"; // all or none
            }
            const HpccKeyUse use = GetUse(Read(text), key);
            EXPECT_EQ(use.effect.empty(), !isUsed) << key;
            EXPECT_EQ(use.reason.empty(), isUsed) << key;
            EXPECT_NE(use.reason, "unknown key") << key;
        }
    }
}

TEST(RoceHpccConfig, LoadBalancersOfConWeave)
{
    EXPECT_EQ(GetHpccLoadBalancer(Read("LB_MODE 0\n"))->GetName(), "ns3::EcmpLoadBalancer");
    EXPECT_EQ(GetHpccLoadBalancer(Read("LB_MODE 2\n"))->GetName(), "ns3::DrillLoadBalancer");
    EXPECT_EQ(GetHpccLoadBalancer(Read("LB_MODE 3\n"))->GetName(), "ns3::CongaLoadBalancer");
    EXPECT_EQ(GetHpccLoadBalancer(Read("LB_MODE 6\n"))->GetName(), "ns3::FlowletLoadBalancer");
    EXPECT_EQ(GetHpccLoadBalancer(Read("PACKET_LEVEL_ECMP 1\n"))->GetName(),
              "ns3::SprayLoadBalancer");
    EXPECT_FALSE(GetHpccLoadBalancer(Read("PACKET_LEVEL_ECMP 0\n")));
    EXPECT_FALSE(GetHpccLoadBalancer(Read("CC_MODE 1\n")));
    try
    {
        GetHpccLoadBalancer(Read("LB_MODE 9\n"));
        FAIL() << "no ConWeave in this build";
    }
    catch (const ConfigError& error)
    {
        const std::string message = error.what();
        for (const char* word : {"LB_MODE", "9 (ns3::ConweaveLoadBalancer)",
                                 "2 (ns3::DrillLoadBalancer)", "--loadBalancer"})
        {
            EXPECT_NE(message.find(word), std::string::npos) << message;
        }
    }
}

TEST(RoceHpccConfig, StopTimeBeyondTheRangeIsNone)
{
    EXPECT_FALSE(Read("SIMULATOR_STOP_TIME 40000000000000.00\n").stopTime);
    EXPECT_FALSE(Read("LINK_DOWN 0 0 0\n").linkDown);
}

TEST(RoceHpccConfig, ThresholdMaps)
{
    const HpccConfig config = Read("KMAX_MAP 2 25000000000 400 40000000000 800\n"
                                   "KMIN_MAP 2 40000000000 200 25000000000 100\n"
                                   "PMAX_MAP 2 25000000000 0.2 40000000000 1\n");
    ASSERT_EQ(config.thresholds.size(), 2);
    bool scaled = true;
    const EcnThresholds thresholds = ThresholdsFor(DataRate("40Gbps"), config, scaled);
    EXPECT_FALSE(scaled);
    EXPECT_EQ(thresholds.kminBytes, 200000);
    EXPECT_EQ(thresholds.kmaxBytes, 800000);
    EXPECT_EQ(thresholds.pmax, 1.0);
}

TEST(RoceHpccConfig, FlatThresholdsCountPackets)
{
    const HpccConfig config = Read("KMAX 1000\nKMIN 40\nPMAX 1.0\n");
    bool scaled = true;
    const EcnThresholds thresholds = ThresholdsFor(DataRate("40Gbps"), config, scaled);
    EXPECT_FALSE(scaled);
    EXPECT_EQ(thresholds.kminBytes, 40 * 1030);
    EXPECT_EQ(thresholds.kmaxBytes, 1000 * 1030);
}

TEST(RoceHpccConfig, BadFiles)
{
    const BadRow rows[] = {
        {"CC_MODE\n", "line 1: read 'CC_MODE', expected CC_MODE with 1 value, not 0"},
        {"\nCC_MODE 1 2\n", "line 2: read 'CC_MODE 1 2', expected CC_MODE with 1 value, not 2"},
        {"CC_MODE x\n", "line 1: read 'x'"},
        {"CC_MODE 1\nRP_TIMER 5\nCC_MODE 1\n", "line 3: read 'CC_MODE 1', expected each key once"},
        {"RP_TIMER 0\n", "line 1: read '0', expected RP_TIMER"},
        {"ALPHA_RESUME_INTERVAL 0\n", "line 1: read '0'"},
        {"RATE_AI 50MB/s\n", "line 1: read '50MB/s'"},
        {"EWMA_GAIN 1/16\n", "line 1: read '1/16'"},
        {"EWMA_GAIN 1.5\n", "line 1: read '1.5'"},
        {"ENABLE_QCN 2\n", "line 1: read '2'"},
        {"SIMULATOR_STOP_TIME never\n", "line 1: read 'never'"},
        {"LINK_DOWN 5 3\n", "expected LINK_DOWN with 3 values, not 2"},
        {"LINK_DOWN 5 3 3\n", "line 1: read '3'"},
        {"KMIN_MAP\n", "expected KMIN_MAP with 1 value, not 0"},
        {"KMIN_MAP 2 25000000000 100\n", "expected KMIN_MAP with 5 values, not 3"},
        {"KMIN_MAP 1 25000000000 100 50000000000 200\n", "with 3 values, not 5"},
        {"KMIN_MAP 2 25000000000 100 25000000000 100\n", "with each rate once"},
        {"KMIN_MAP 1 25000000000 100\nPMAX_MAP 1 25000000000 0.2\n",
         "line 1: read '25000000000', expected a rate that KMAX_MAP has too"},
        {"KMIN_MAP 1 25000000000 100\nKMAX_MAP 1 25000000000 50\nPMAX_MAP 1 25000000000 0.2\n",
         "line 1: read '100', expected at most the value of KMAX_MAP for 25000000000, 50"},
        {"PMAX_MAP 1 25000000000 20\n", "line 1: read '20', expected marking probability"},
        {"KMIN 5\n", "KMIN, KMAX, PMAX"},
        {"KMIN 5\nKMAX 4\nPMAX 1\n", "KMIN, KMAX, PMAX"},
    };
    for (const BadRow& row : rows)
    {
        try
        {
            Read(row.text);
            ADD_FAILURE() << "no error: " << row.text;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(row.says), std::string::npos)
                << error.what() << "\nshould say " << row.says;
        }
    }
}

TEST(RoceHpccConfig, CongestionControlOfTheFile)
{
    const HpccConfig config = Read("CC_MODE 1\nALPHA_RESUME_INTERVAL 1\nRP_TIMER 300\n"
                                   "EWMA_GAIN 0.0625\nFAST_RECOVERY_TIMES 1\nRATE_AI 20Mb/s\n"
                                   "RATE_DECREASE_INTERVAL 4\nMIN_RATE 100Mb/s\n");
    Ptr<Object> control = MakeCongestionControlFactory(config).Create<Object>();
    ASSERT_TRUE(DynamicCast<DcqcnCongestionControl>(control));
    TimeValue time;
    control->GetAttribute("IncreaseTimer", time);
    EXPECT_EQ(time.Get(), MicroSeconds(300));
    control->GetAttribute("MinimumDecreaseInterval", time);
    EXPECT_EQ(time.Get(), MicroSeconds(4));
    DoubleValue gain;
    control->GetAttribute("AlphaGain", gain);
    EXPECT_EQ(gain.Get(), 0.0625);
    UintegerValue stages;
    control->GetAttribute("FastRecoveryStages", stages);
    EXPECT_EQ(stages.Get(), 1);
    DataRateValue rate;
    control->GetAttribute("HyperIncrease", rate);
    EXPECT_EQ(rate.Get(), DataRate(0)) << "the default where the file says nothing";
}

TEST(RoceHpccConfig, CongestionControlsByMode)
{
    const std::pair<const char*, const char*> rows[] = {
        {"L2_ACK_INTERVAL 1\n", "ns3::DcqcnCongestionControl"},
        {"CC_MODE 3\nRATE_AI 50Mb/s\nU_TARGET 0.95\nMI_THRESH 0\nMIN_RATE 100Mb/s\n",
         "ns3::HpccCongestionControl"},
        {"CC_MODE 7\n", "ns3::TimelyCongestionControl"},
        {"CC_MODE 8\nEWMA_GAIN 0.0625\nRATE_AI 50Mb/s\n", "ns3::DctcpCongestionControl"},
        {"CC_MODE 12\nRP_TIMER 900\n", "ns3::NoCongestionControl"}};
    for (const auto& [text, name] : rows)
    {
        EXPECT_EQ(MakeCongestionControlFactory(Read(text)).GetTypeId().GetName(), name);
        EXPECT_TRUE(MakeCongestionControlFactory(Read(text)).Create<Object>()) << name;
    }
    try
    {
        MakeCongestionControlFactory(Read("CC_MODE 99\n"));
        FAIL() << "no error";
    }
    catch (const ConfigError& error)
    {
        const std::string text = error.what();
        EXPECT_EQ(text.find("config.txt: CC_MODE: read '99', expected a congestion control of "
                            "this version: 1 (ns3::DcqcnCongestionControl)"),
                  0)
            << text;
    }
}

TEST(RoceHpccConfig, H10RateWithoutThresholds)
{
    RAILYARD_NEED_SHARED_FILES();
    const HpccConfig config = ReadHpccConfig(SharedDir() + "/data/realfiles/hpcc/config.txt");
    bool scaled = false;
    const EcnThresholds fast = ThresholdsFor(DataRate("400Gbps"), config, scaled);
    EXPECT_TRUE(scaled);
    EXPECT_EQ(fast.kminBytes, 1600000);
    EXPECT_EQ(fast.kmaxBytes, 6400000);
    EXPECT_EQ(fast.pmax, 0.2);
    const std::string says = DescribeScaledThresholds(DataRate("400Gbps"), config);
    EXPECT_NE(says.find("KMIN_MAP, KMAX_MAP and PMAX_MAP have no entry for 400 Gbps: scaled by "
                        "rate to Kmin 1600 KB, Kmax 6400 KB, Pmax 0.2"),
              std::string::npos)
        << says;
    for (const char* rate : {"40Gbps", "10Gbps"})
    {
        ThresholdsFor(DataRate(rate), config, scaled);
        EXPECT_TRUE(scaled) << rate;
    }
    const EcnThresholds given = ThresholdsFor(DataRate("100Gbps"), config, scaled);
    EXPECT_FALSE(scaled);
    EXPECT_EQ(given.kminBytes, 400000);
    EXPECT_EQ(given.kmaxBytes, 1600000);
}

TEST(RoceHpccConfig, RealFiles)
{
    RAILYARD_NEED_SHARED_FILES();
    for (const char* path : {"hpcc/config.txt",
                             "ns3-datacenter/config-burst.txt",
                             "ns3-datacenter/config-fairness.txt",
                             "ns3-rdma/config.txt",
                             "astra-ns3/config.txt",
                             "simai/config/SimAI.conf"})
    {
        SCOPED_TRACE(path);
        const HpccConfig config = ReadHpccConfig(SharedDir() + "/data/realfiles/" + path);
        EXPECT_TRUE(config.flatThresholds || config.thresholds.size() >= 3);
        EXPECT_TRUE(config.payloadBytes);
        for (const HpccKeyUse& use : config.keys)
        {
            EXPECT_NE(use.reason, "unknown key") << use.key;
        }
    }
    const HpccConfig simai =
        ReadHpccConfig(SharedDir() + "/data/realfiles/simai/config/SimAI.conf");
    EXPECT_EQ(simai.payloadBytes, 9000);
    EXPECT_EQ(simai.thresholds.at(200000000000).pmax, 0.8);
    EXPECT_FALSE(simai.stopTime);
}
