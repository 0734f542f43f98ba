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

/** \param config a configuration \param key a key \return why it is ignored, empty if it is not */
std::string
GetReason(const HpccConfig& config, const std::string& key)
{
    const auto found =
        std::find_if(config.ignored.begin(),
                     config.ignored.end(),
                     [&](const HpccIgnoredKey& ignored) { return ignored.key == key; });
    return found == config.ignored.end() ? "" : found->reason;
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
    EXPECT_TRUE(config.ignored.empty());
}

TEST(RoceHpccConfig, IgnoredKeysHaveAReason)
{
    const HpccConfig config = Read("HAS_WIN 1\nMY_KEY 1 2 3\nL2_CHUNK_SIZE 4000\nCC_MODE 1\n");
    ASSERT_EQ(config.ignored.size(), 3);
    EXPECT_NE(GetReason(config, "HAS_WIN"), "");
    EXPECT_NE(GetReason(config, "L2_CHUNK_SIZE"), "");
    EXPECT_EQ(config.ignored[1].key, "MY_KEY");
    EXPECT_EQ(config.ignored[1].value, "1 2 3");
    EXPECT_EQ(config.ignored[1].reason, "unknown key");
    EXPECT_EQ(config.ignored[1].line, 2);
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
        for (const HpccIgnoredKey& ignored : config.ignored)
        {
            EXPECT_NE(ignored.reason, "unknown key") << ignored.key;
        }
    }
    const HpccConfig simai =
        ReadHpccConfig(SharedDir() + "/data/realfiles/simai/config/SimAI.conf");
    EXPECT_EQ(simai.payloadBytes, 9000);
    EXPECT_EQ(simai.thresholds.at(200000000000).pmax, 0.8);
    EXPECT_FALSE(simai.stopTime);
}
