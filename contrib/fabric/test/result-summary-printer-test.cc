/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/flow-statistics.h"
#include "ns3/result-collective-tally.h"
#include "ns3/result-summary-printer.h"

namespace ns3
{

namespace
{

/** \param summary a summary \return what is printed of it */
std::string
Print(const RunSummary& summary)
{
    std::ostringstream out;
    SummaryPrinter(out).Print(summary, "out");
    return out.str();
}

} // namespace

TEST(FabricSummaryPrinter, PrintsARun)
{
    UsePicoseconds();
    RunSummary summary = MakeSummary();
    ResultCollectiveTally tally;
    tally.Add(MakeCollective());
    summary.collectives = tally.GetSummaries();
    summary.communication = {{"DP", MilliSeconds(3), PicoSeconds(1500000001)}};
    summary.network.payloadBytesDelivered = 600000000;
    summary.network.pfcPauses = 7;
    summary.kernelTable = {10, 2, 1};
    summary.engine.peakRssBytes = 12000000;
    summary.notes = {"a note"};
    EXPECT_EQ(Print(summary),
              R"(verdict           finished
simulated time    10.000 ms
iteration time    10.000 ms (1 iteration)

breakdown of an iteration, rank 0
  compute      8.000 ms  80.0 %
  exposedDp    1.500 ms  15.0 %
  bubble     500.000 us   5.0 %

communication
         total   exposed    hidden  hidden
  DP  3.000 ms  1.500 ms  1.500 ms  50.0 %

collectives (mean time, of it waiting for the last rank to join; bytes and busbw as in nccl-tests)
  kind       group  ranks      bytes  count      time  of it waiting  algbw GB/s  busbw GB/s
  AllReduce  DP         4  100000000      1  3.200 ms       1.000 us       31.25       46.88

network           0 packets, 0 packet-hops, 600.00 MB delivered
                  0 drops, 0 losses on links, 0 retransmissions, 0 timeouts
                  0 ECN marks, 0 CNPs, 7 PFC pauses, 0 PFC resumes
kernel times      10 exact, 2 interpolated, 1 roofline
engine            ns3::FabricSimulatorImpl, 12345 events, 1.5 s wall time, peak memory 12.00 MB

notes
  a note

results           out
)");
}

TEST(FabricSummaryPrinter, PrintsFlowStatistics)
{
    UsePicoseconds();
    RunSummary summary;
    summary.flows.count = 3;
    summary.flows.unfinished = 1;
    summary.flows.completion = SummarizeTimes({NanoSeconds(10), MicroSeconds(20)});
    summary.flows.slowdown = SummarizeRatios({1.0, 2.5});
    EXPECT_NE(Print(summary).find(R"(
flows: 2 of 3 finished
                        mean        p50        p90        p95        p99      p99.9        max
  completion time  10.005 us  10.000 ns  20.000 us  20.000 us  20.000 us  20.000 us  20.000 us
  slowdown             1.750      1.000      2.500      2.500      2.500      2.500      2.500
)"),
              std::string::npos)
        << Print(summary);
}

TEST(FabricSummaryPrinter, UnknownSlowdownIsNoNumber)
{
    UsePicoseconds();
    RunSummary summary;
    summary.flows.count = 1;
    summary.flows.completion = SummarizeTimes({NanoSeconds(10)});
    EXPECT_NE(Print(summary).find("\n  slowdown                 -          -"), std::string::npos)
        << Print(summary);
}

TEST(FabricSummaryPrinter, NothingFinishedHasNoTimes)
{
    UsePicoseconds();
    RunSummary summary;
    summary.flows.count = 7;
    summary.flows.unfinished = 7;
    CollectiveRecord record = MakeCollective();
    record.end.reset();
    ResultCollectiveTally tally;
    tally.Add(record);
    summary.collectives = tally.GetSummaries();
    const std::string text = Print(summary);
    EXPECT_NE(text.find("flows: 0 of 7 finished\n\nnetwork"), std::string::npos) << text;
    EXPECT_EQ(text.find("slowdown"), std::string::npos) << text;
    EXPECT_EQ(text.find("kernel times"), std::string::npos) << text;
    EXPECT_NE(text.find("0     -              -           -           -\n"), std::string::npos)
        << text;
}

TEST(FabricSummaryPrinter, IgnoredKeysHaveALineEach)
{
    UsePicoseconds();
    RunSummary summary;
    summary.configuration = {{"CC_MODE", "3", 1, "RoceNicDevice::CongestionControl", ""}};
    EXPECT_EQ(Print(summary).find("ignored"), std::string::npos);
    summary.configuration.push_back({"HAS_WIN", "1", 2, "", "no window"});
    summary.configuration.push_back({"PMAX_MAP", "1 2 3", 3, "", "none"});
    EXPECT_NE(Print(summary).find("\nignored keys of the configuration\n  HAS_WIN 1: no window\n"
                                  "  PMAX_MAP 1 2 3: none\n"),
              std::string::npos)
        << Print(summary);
}

TEST(FabricSummaryPrinter, WarningsStandAtTheTop)
{
    UsePicoseconds();
    RunSummary summary;
    summary.warnings = {"a warning"};
    const std::string text = Print(summary);
    EXPECT_LT(text.find("a warning"), text.find("\nnetwork")) << text;
}

TEST(FabricSummaryPrinter, H20ShareOfNothingIsZeroPercent)
{
    UsePicoseconds();
    RunSummary summary;
    summary.breakdown = {{"compute", Time()}, {"exposedTp", Time()}};
    summary.communication = {{"TP", Time(), Time()}};
    std::string text = Print(summary);
    EXPECT_NE(text.find("exposedTp  0.000 ns  0.0 %"), std::string::npos) << text;
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
}

TEST(FabricSummaryPrinter, CutsLongLists)
{
    UsePicoseconds();
    RunSummary summary;
    for (int i = 0; i < 25; i++)
    {
        summary.unfinished.push_back("rank " + std::to_string(i) + " waits");
    }
    std::string text = Print(summary);
    EXPECT_NE(text.find("rank 19 waits\n  ... and 5 more in summary.json\n"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("rank 20 waits"), std::string::npos);
}

} // namespace ns3
