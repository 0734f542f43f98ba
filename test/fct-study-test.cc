/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/cluster.h"
#include "ns3/config-error.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/double.h"
#include "ns3/fabric-engine.h"
#include "ns3/fct-study.h"
#include "ns3/left-to-right-traffic-pattern.h"
#include "ns3/no-congestion-control.h"
#include "ns3/patched-timely-congestion-control.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/timely-congestion-control.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3
{

namespace
{

constexpr int64_t WIRE_PS = 1082 * 800; //!< of a full packet at 10 Gb/s

/** Sets engine, attributes and seed, and takes them back. */
class RailyardFct : public testing::Test
{
  protected:
    RailyardFct()
    {
        FabricEngine::Select("fabric");
        FctStudy::SetPaperAttributes(m_defaults);
    }

    ~RailyardFct() override
    {
        RngSeedManager::SetRun(1);
    }

    /**
     * \param bytes of every flow
     * \param load of the bottleneck
     * \return a run without congestion control, 10 ms after 1 ms
     */
    FctRunOptions MakeRun(uint64_t bytes, double load)
    {
        m_defaults.Set("ns3::RoceNicDevice::CongestionControl",
                       TypeIdValue(NoCongestionControl::GetTypeId()));
        FctRunOptions run;
        run.topology = LoadTopology("dumbbell:hosts=20,nicRate=10Gbps,delay=1us");
        run.warmUp = MilliSeconds(1);
        run.queueInterval = MicroSeconds(5);
        run.traffic = CreateObject<PoissonTraffic>();
        run.traffic->SetAttribute("Pattern", TypeIdValue(LeftToRightTrafficPattern::GetTypeId()));
        run.traffic->SetAttribute("FlowBytes", UintegerValue(bytes));
        run.traffic->SetAttribute("Load", DoubleValue(load));
        run.traffic->SetAttribute("Duration", TimeValue(MilliSeconds(11)));
        return run;
    }

    ScopedDefaults m_defaults; //!< attributes
};

} // namespace

TEST_F(RailyardFct, AFlowAloneTakesAsLongAsItsPacketsAndItsWay)
{
    const FctRunResult result = FctRun(MakeRun(20000, 0.05)).Run();
    ASSERT_FALSE(result.completions.empty());
    // 20 packets leave the NIC, the last one is sent twice more; three links of 1 us.
    EXPECT_EQ(result.completions.front(), PicoSeconds(22 * WIRE_PS + 3000000));
    EXPECT_EQ(result.unfinished, 0U);
    EXPECT_EQ(result.queueBytes.front(), 0U);
}

TEST_F(RailyardFct, OnlySmallFlowsAfterTheWarmUpAreMeasured)
{
    FctRunOptions run = MakeRun(20000, 0.5);
    const FctRunResult all = FctRun(run).Run();
    EXPECT_LT(all.completions.size(), all.flows);
    EXPECT_NEAR(all.completions.size(), all.flows * 10.0 / 11, 25);
    EXPECT_TRUE(std::is_sorted(all.completions.begin(), all.completions.end()));
    EXPECT_NEAR(all.queueBytes.size(), 2000, 20);
    EXPECT_GT(all.queueBytes.back(), 1062U) << "two flows never met";
    EXPECT_GT(all.mostActive, 1U);
    run.smallFlowBytes = 20000;
    EXPECT_TRUE(FctRun(run).Run().completions.empty());
}

TEST_F(RailyardFct, TheClockStartsWhenAFlowIsPosted)
{
    // One sender: what is posted while it sends waits, or shares, and takes longer than alone.
    FctRunOptions run = MakeRun(90000, 0.6);
    run.topology = LoadTopology("dumbbell:hosts=2,nicRate=10Gbps,delay=1us");
    const FctRunResult result = FctRun(run).Run();
    const double alone = 92 * WIRE_PS / 1000.0 + 3000;
    EXPECT_NEAR(result.completions.front().GetNanoSeconds(), alone, 2);
    EXPECT_GT(result.completions.back().GetNanoSeconds(), 1.9 * alone);
    EXPECT_LE(result.queueBytes.back(), 2 * 1062U) << "one sender makes no queue behind its NIC";
}

TEST_F(RailyardFct, ATopologyWithoutBottleneckIsRefused)
{
    FctRunOptions run = MakeRun(20000, 0.5);
    for (const char* topology : {"star:hosts=4", "leaf-spine:hosts=4,leaves=2,spines=1"})
    {
        run.topology = LoadTopology(topology);
        EXPECT_THROW(FctRun{run}, ConfigError) << topology;
    }
}

TEST_F(RailyardFct, HostsOfSeveralNicsHaveABondOfThem)
{
    FctRunOptions run = MakeRun(20000, 0.5);
    run.topology = LoadTopology("dumbbell:hosts=4,nicRate=10Gbps,nicsPerGpu=2");
    run.traffic->SetAttribute("Duration", TimeValue(MicroSeconds(1100)));
    const FctRunResult result = FctRun(run).Run();
    EXPECT_GT(result.flows, 10U);
    const Cluster cluster(run.topology); // as that of the run
    EXPECT_EQ(cluster.GetTopology().nodes[0].nics, 1U) << "its ports are a bond";
}

TEST_F(RailyardFct, DcqcnComesBeforePatchedTimelyBeforeTimely)
{
    // What contrib/roce/doc/flow-completion.md claims of loads from 0.6 on: the order of medians and
    // of 90th percentiles, and the latter of DCQCN within 15 % of the paper's.
    FctStudyOptions options;
    options.duration = MilliSeconds(800);
    options.seeds = 1;
    const FctStudy study(options);
    for (const double load : {0.6, 0.8, 1.0})
    {
        SCOPED_TRACE(load);
        const FctRow dcqcn = study.Measure(DcqcnCongestionControl::GetTypeId(), load);
        const FctRow patched = study.Measure(PatchedTimelyCongestionControl::GetTypeId(), load);
        const FctRow timely = study.Measure(TimelyCongestionControl::GetTypeId(), load);
        for (const FctRow& row : {dcqcn, patched, timely})
        {
            SCOPED_TRACE(row.control);
            EXPECT_GT(row.samples, 200U);
            EXPECT_EQ(row.samples, dcqcn.samples) << "other flows";
            EXPECT_EQ(row.unfinished, 0U);
            ASSERT_TRUE(row.published);
        }
        EXPECT_LT(dcqcn.median.value, patched.median.value);
        EXPECT_LT(patched.median.value, timely.median.value);
        EXPECT_LT(dcqcn.p90.value, patched.p90.value);
        // At 1 both kinds of TIMELY wait behind a full memory (the paper has 7384 us for both), and
        // the seeds of DCQCN differ by more than 15 %.
        if (load < 1)
        {
            EXPECT_LT(patched.p90.value, timely.p90.value);
            EXPECT_NEAR(dcqcn.p90.value / dcqcn.published->p90, 1, 0.15);
        }
    }
}

TEST_F(RailyardFct, OtherNetworksAndSizesHaveNoPublishedRow)
{
    FctStudyOptions options;
    options.duration = MilliSeconds(1);
    options.warmUp = Time(0);
    options.seeds = 1;
    const TypeId dcqcn = DcqcnCongestionControl::GetTypeId();
    EXPECT_TRUE(FctStudy(options).Measure(dcqcn, 0.8).published);
    options.sizes = "web-search";
    EXPECT_FALSE(FctStudy(options).Measure(dcqcn, 0.8).published);
    options.sizes = FctStudyOptions().sizes;
    options.topology = "dumbbell:hosts=4,nicRate=10Gbps,delay=1us";
    EXPECT_FALSE(FctStudy(options).Measure(dcqcn, 0.8).published);
}

TEST_F(RailyardFct, ARowWithoutFlowsSaysSo)
{
    FctRow row;
    row.control = "Dcqcn";
    row.load = 0.8;
    row.published = FctStudy::FindPublished("Dcqcn", 0.8);
    std::ostringstream table;
    FctStudy::Print(table, row, false);
    EXPECT_NE(table.str().find("no flow"), std::string::npos) << table.str();
    EXPECT_EQ(table.str().find("%"), std::string::npos) << table.str();
    std::ostringstream csv;
    FctStudy::Print(csv, row, true);
    EXPECT_EQ(csv.str().find("Dcqcn,0.80,0,0,0,,,40.0,,,190.2,"), 0U) << csv.str();

    row.samples = 3; // of one seed alone
    row.median.value = 12;
    row.load = 0.25;
    std::ostringstream alone;
    FctStudy::Print(alone, row, false);
    EXPECT_NE(alone.str().find("12.0 "), std::string::npos) << alone.str();
    EXPECT_EQ(alone.str().find("+-"), std::string::npos) << alone.str();
    EXPECT_NE(alone.str().find(" 0.250 "), std::string::npos) << alone.str();
}

TEST_F(RailyardFct, StandardErrorOfTheMean)
{
    EXPECT_FALSE(FctEstimate::GetStandardError({}));
    EXPECT_FALSE(FctEstimate::GetStandardError({5}));
    EXPECT_DOUBLE_EQ(*FctEstimate::GetStandardError({1, 2, 3, 4, 5}), std::sqrt(2.5 / 5));
}

TEST_F(RailyardFct, RowsHaveTheColumnsOfTheirHeading)
{
    FctRow row;
    row.control = "Timely";
    row.load = 0.8;
    row.samples = 12;
    row.published = FctStudy::FindPublished("Timely", 0.8);
    row.median = {251, 3};
    row.p90 = {7359, 10};
    for (const bool csv : {true, false})
    {
        std::ostringstream heading;
        std::ostringstream text;
        FctStudy::PrintHeading(heading, csv);
        FctStudy::Print(text, row, csv);
        const auto commas = [](const std::string& s) {
            return std::count(s.begin(), s.end(), ',');
        };
        if (csv)
        {
            EXPECT_EQ(commas(text.str()), commas(heading.str())) << text.str();
            EXPECT_NE(text.str().find("Timely,0.80,12,0,0,251.000,3.000,125.5,"), std::string::npos);
            continue;
        }
        const std::string last = heading.str().substr(heading.str().find('\n') + 1);
        EXPECT_EQ(text.str().size(), last.size()) << text.str();
        EXPECT_NE(text.str().find("+100 %"), std::string::npos) << text.str();
        EXPECT_NE(text.str().find("+0 %"), std::string::npos) << text.str();
    }
    for (const char* control : {"Dcqcn", "PatchedTimely", "Timely"})
    {
        for (const double load : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0})
        {
            EXPECT_TRUE(FctStudy::FindPublished(control, load)) << control << load;
        }
    }
    EXPECT_FALSE(FctStudy::FindPublished("Dcqcn", 0.5));
    EXPECT_FALSE(FctStudy::FindPublished("Hpcc", 0.8));
}

} // namespace ns3
