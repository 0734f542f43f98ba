/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/text-scanner.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** \param text a distribution \return what it says */
FlowSizeDistribution
Parse(const std::string& text)
{
    return FlowSizeDistribution::Read(TextFile::FromString("sizes", text));
}

} // namespace

TEST(RoceFlowSizes, SharesInPercentOrOfOne)
{
    for (const char* text : {"0 0\n1000 50\n3000 100\n", "0 0\r\n\r\n# half\n1000\t.5\n3000 1.0"})
    {
        const FlowSizeDistribution sizes = Parse(text);
        EXPECT_DOUBLE_EQ(sizes.GetMean(), 0.5 * 500 + 0.5 * 2000);
        EXPECT_EQ(sizes.GetQuantile(0), 1U) << "no flow is empty";
        EXPECT_EQ(sizes.GetQuantile(0.25), 500U);
        EXPECT_EQ(sizes.GetQuantile(0.5), 1000U);
        EXPECT_EQ(sizes.GetQuantile(0.75), 2000U);
        EXPECT_EQ(sizes.GetQuantile(1), 3000U);
    }
    EXPECT_EQ(Parse("1000 0\n2000 1").GetQuantile(0.0004), 1000U);
    EXPECT_EQ(Parse("1000 0\n2000 1").GetQuantile(0.0006), 1001U);
}

TEST(RoceFlowSizes, StepsAreSingleSizes)
{
    const FlowSizeDistribution sizes = Parse("1000 0\n1000 30\n5000 30\n5000 100\n");
    EXPECT_DOUBLE_EQ(sizes.GetMean(), 0.3 * 1000 + 0.7 * 5000);
    EXPECT_EQ(sizes.GetQuantile(0.01), 1000U);
    EXPECT_EQ(sizes.GetQuantile(0.3), 1000U);
    EXPECT_EQ(sizes.GetQuantile(0.300001), 5000U);
    // A first line above 0 is such a step as well.
    EXPECT_EQ(Parse("1000 30\n5000 100\n").GetQuantile(0.2), 1000U);
    EXPECT_DOUBLE_EQ(Parse("1000 30\n5000 100\n").GetMean(), 0.3 * 1000 + 0.7 * 3000);
    EXPECT_EQ(Parse("1000 1").GetQuantile(0.5), 1000U);
    EXPECT_EQ(FlowSizeDistribution::Constant(500000).GetQuantile(0.9), 500000U);
    EXPECT_DOUBLE_EQ(FlowSizeDistribution::Constant(500000).GetMean(), 500000);
}

TEST(RoceFlowSizes, BadFilesAreRefused)
{
    const struct
    {
        const char* text;
        const char* says;
    } rows[] = {
        {"\n", "an empty file"},
        {"# nothing\n", "expected bytes and cumulative probability"},
        {"0 0\n1000\n3000 100\n", "line 2: read '1000'"},
        {"0 0 3\n3000 100\n", "line 1: read '0 0 3'"},
        {"0 0\n1000 50\n3000 99\n", "line 3: read '99', expected 1 or 100 in the last line"},
        {"0 0\n1000 50\n3000 1\n", "line 2: read '50'"},
        {"0 0\n1000 50\n900 100\n", "line 3: read '900', expected a size that is not below"},
        {"0 0\n1000 50\n2000 40\n3000 100\n", "line 3: read '40', expected a cumulative"},
        {"0 0\n-5 50\n3000 100\n", "line 2: read '-5'"},
        {"0 0\nnan 50\n3000 100\n", "line 2: read 'nan'"},
        {"0 0\n1e300 100\n", "line 2: read '1e300'"},
        {"0 0\n0.4 100\n", "line 2: read '0.4', expected a distribution with flows of 1 byte"},
    };

    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.text);
        try
        {
            Parse(row.text);
            ADD_FAILURE() << "is not refused";
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(row.says), std::string::npos) << error.what();
        }
    }
}

TEST(RoceFlowSizes, ShippedOnesHaveNames)
{
    const FlowSizeDistribution sizes =
        FlowSizeDistribution::Read(FlowSizeDistribution::Find("web-search"));
    EXPECT_NEAR(sizes.GetMean(), 1711250, 1e-3);
    EXPECT_EQ(sizes.GetQuantile(0.53), 80000U);
    EXPECT_EQ(FlowSizeDistribution::Find("own/sizes"), "own/sizes");
    EXPECT_EQ(FlowSizeDistribution::Find("sizes.txt"), "sizes.txt");
    try
    {
        FlowSizeDistribution::Find("web-serch");
        ADD_FAILURE() << "is not refused";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("web-search"), std::string::npos) << error.what();
    }
}

TEST(RoceFlowSizes, RealFilesHaveTheMeansOfTheirSources)
{
    RAILYARD_NEED_SHARED_FILES();

    const struct
    {
        const char* file;
        double mean; // bytes, computed from the file's points apart from this code
    } rows[] = {
        {"conweave/cdf/DCTCP_CDF.txt", 1711250},
        {"conweave/cdf/AliStorage2019.txt", 40869.8},
        {"conweave/cdf/Solar2022.txt", 39423.50452},
        {"conweave/cdf/FbHdp2015.txt", 121848.942005},
        {"conweave/cdf/GoogleRPC2008.txt", 2967.891015},
        {"conweave/cdf/search.txt", 1710004.445},
        {"conweave/cdf/webserver.txt", 66121},
        {"conweave/cdf/mining.txt", 7487883.716043},
        {"conweave/cdf/cachefollower.txt", 712573.5},
        {"ns3-datacenter/websearch.txt", 1711222.5},
    };

    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.file);
        const auto sizes = FlowSizeDistribution::Read(SharedDir() + "/data/realfiles/" + row.file);
        EXPECT_NEAR(sizes.GetMean() / row.mean, 1, 1e-9);
        double sum = 0;
        constexpr int DRAWS = 200000;
        for (int i = 0; i < DRAWS; i++)
        {
            sum += static_cast<double>(sizes.GetQuantile((i + 0.5) / DRAWS));
        }
        EXPECT_NEAR(sum / DRAWS / row.mean, 1, 1e-3) << "what is drawn has another mean";
    }
}
