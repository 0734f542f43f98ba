/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/flow-statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ns3
{

namespace
{

/**
 * \param values some values
 * \param perMille a share
 * \return by its definition: the least value that at least that share of the values do not exceed
 */
double
FindQuantile(const std::vector<double>& values, std::size_t perMille)
{
    double least = *std::max_element(values.begin(), values.end());
    for (const double value : values)
    {
        const auto covered =
            std::count_if(values.begin(), values.end(), [&](double v) { return v <= value; });
        if (1000 * static_cast<std::size_t>(covered) >= perMille * values.size())
        {
            least = std::min(least, value);
        }
    }
    return least;
}

} // namespace

TEST(FabricFlowStatistics, QuantilesAreThoseOfTheDefinition)
{
    std::mt19937 random(7);
    for (const std::size_t size : {1, 2, 3, 9, 10, 11, 99, 100, 101, 999, 1000, 1001})
    {
        std::vector<double> values;
        for (std::size_t i = 0; i < size; i++)
        {
            values.push_back(1.0 + static_cast<double>(random() % 500)); // with repetitions
        }
        const FlowRatios ratios = SummarizeRatios(values);
        EXPECT_EQ(ratios.p50, FindQuantile(values, 500)) << size;
        EXPECT_EQ(ratios.p90, FindQuantile(values, 900)) << size;
        EXPECT_EQ(ratios.p95, FindQuantile(values, 950)) << size;
        EXPECT_EQ(ratios.p99, FindQuantile(values, 990)) << size;
        EXPECT_EQ(ratios.p999, FindQuantile(values, 999)) << size;
        EXPECT_EQ(ratios.max, FindQuantile(values, 1000)) << size;
    }
}

TEST(FabricFlowStatistics, LargeTimesHaveAnExactMean)
{
    UsePicoseconds();
    std::vector<Time> times;
    for (int i = 200; i >= 1; i--)
    {
        times.push_back(Seconds(40000) + NanoSeconds(i)); // the sum does not fit into 64 bits
    }
    const FlowTimes result = SummarizeTimes(times);
    EXPECT_EQ(result.mean, Seconds(40000) + PicoSeconds(100500));
    EXPECT_EQ(result.p99, Seconds(40000) + NanoSeconds(198));
    EXPECT_EQ(result.p999, Seconds(40000) + NanoSeconds(200));
    EXPECT_EQ(SummarizeTimes({}).max, Time());
}

TEST(FabricFlowStatistics, RangesOfSizesEndBelowTheirLimit)
{
    UsePicoseconds();
    FlowStatistics statistics({1000, 100000});
    statistics.Add(999, NanoSeconds(1), 1.5);
    statistics.Add(1000, NanoSeconds(2), 2.5);
    statistics.Add(99999, NanoSeconds(4), 0); // of unknown slowdown
    statistics.Add(100000, NanoSeconds(8), 3.5);
    const std::vector<FlowSizeRecord> sizes = statistics.GetBySize();
    ASSERT_EQ(sizes.size(), 3U);
    EXPECT_EQ(sizes[0].fromBytes, 0U);
    EXPECT_EQ(sizes[0].toBytes, 1000U);
    EXPECT_EQ(sizes[0].flows, 1U);
    EXPECT_EQ(sizes[1].fromBytes, 1000U);
    EXPECT_EQ(sizes[1].flows, 2U);
    EXPECT_EQ(sizes[1].completion.mean, NanoSeconds(3));
    EXPECT_EQ(sizes[1].slowdowns, 1U);
    EXPECT_EQ(sizes[1].slowdown.max, 2.5);
    EXPECT_EQ(sizes[2].fromBytes, 100000U);
    EXPECT_FALSE(sizes[2].toBytes);
    EXPECT_EQ(sizes[2].completion.max, NanoSeconds(8));
    EXPECT_EQ(statistics.GetTimes().max, NanoSeconds(8));
    EXPECT_EQ(statistics.GetSlowdowns().mean, 2.5);
}

TEST(FabricFlowStatistics, RangesWithoutFlowsAreLeftOut)
{
    FlowStatistics statistics;
    EXPECT_TRUE(statistics.GetBySize().empty());
    EXPECT_TRUE(statistics.GetHistograms().empty());
    statistics.Add(50000, MicroSeconds(1), 1);
    ASSERT_EQ(statistics.GetBySize().size(), 1U);
    EXPECT_EQ(statistics.GetBySize()[0].fromBytes, 10000U);
    EXPECT_EQ(statistics.GetBySize()[0].toBytes, 100000U);
}

TEST(FabricFlowStatistics, EveryFlowIsInOneBarOfEachHistogram)
{
    UsePicoseconds();
    std::mt19937 random(9);
    FlowStatistics statistics;
    std::vector<double> times;
    for (int i = 0; i < 2000; i++)
    {
        const int64_t ps = int64_t(1) << random() % 50 | random() % 1000000;
        times.push_back(static_cast<double>(ps) / 1000);
        statistics.Add(1, PicoSeconds(ps), 1 + i / 7.0);
    }
    uint64_t flows = 0;
    double end = 0;
    for (const HistogramRecord& bar : statistics.GetHistograms())
    {
        if (bar.quantity != "fct")
        {
            EXPECT_EQ(bar.quantity, "slowdown");
            continue;
        }
        EXPECT_GE(bar.lower, end);
        end = bar.upper;
        EXPECT_GT(bar.upper, bar.lower);
        EXPECT_LE(bar.upper, bar.lower * 1.125);
        EXPECT_EQ(*bar.flows, std::count_if(times.begin(), times.end(), [&](double ns) {
                      return ns >= bar.lower && ns < bar.upper;
                  }));
        flows += *bar.flows;
    }
    EXPECT_EQ(flows, 2000U);
}

} // namespace ns3
