/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/flow-file-writer.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/incast-traffic-pattern.h"
#include "ns3/left-to-right-traffic-pattern.h"
#include "ns3/poisson-traffic.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/text-scanner.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/** \param count number of hosts \return their ids: 100, 101, ... */
std::vector<uint32_t>
Hosts(uint32_t count)
{
    std::vector<uint32_t> hosts(count);
    std::iota(hosts.begin(), hosts.end(), 100);
    return hosts;
}

/**
 * \param pattern class of the pattern
 * \param load share of the links
 * \param duration of the arrivals
 * \return traffic of 10 KB flows, with streams of its own
 */
Ptr<PoissonTraffic>
Traffic(TypeId pattern, double load, Time duration)
{
    auto traffic = CreateObject<PoissonTraffic>();
    traffic->SetAttribute("Pattern", TypeIdValue(pattern));
    traffic->SetAttribute("Load", DoubleValue(load));
    traffic->SetAttribute("Duration", TimeValue(duration));
    traffic->SetAttribute("FlowBytes", UintegerValue(10000));
    traffic->AssignStreams(7000);
    return traffic;
}

/** \param name of a pattern \return its class */
TypeId
Pattern(const std::string& name)
{
    return TypeId::LookupByName("ns3::" + name + "TrafficPattern");
}

/** \param file flows \return payload of all of them */
double
Sum(const FlowFile& file)
{
    return std::accumulate(file.flows.begin(), file.flows.end(), 0.0, [](double sum, auto& flow) {
        return sum + static_cast<double>(flow.bytes);
    });
}

} // namespace

TEST(RoceTraffic, ArrivalsArePoisson)
{
    // 0.8 x 10 Gb/s / 80000 bit = 100,000 flows a second: a mean gap of 10 us.
    auto traffic = Traffic(Pattern("LeftToRight"), 0.8, Seconds(1));
    const FlowFile file = traffic->Draw(Hosts(20), DataRate("10Gbps"));
    const double n = file.flows.size();
    EXPECT_NEAR(n, 100000, 4 * std::sqrt(100000));
    double square = 0;
    std::vector<uint32_t> perMillisecond(1000);
    Time last;
    for (const FlowEntry& flow : file.flows)
    {
        EXPECT_GE(flow.start, last);
        EXPECT_LT(flow.start, Seconds(1));
        square += std::pow((flow.start - last).GetSeconds(), 2);
        perMillisecond[flow.start.GetMilliSeconds()]++;
        last = flow.start;
    }
    // Exponential gaps: the mean square is twice the square of the mean.
    EXPECT_NEAR(square / n / std::pow(last.GetSeconds() / n, 2), 2, 0.1);
    // Counts of a Poisson process: variance = mean.
    double variance = 0;
    for (const uint32_t count : perMillisecond)
    {
        variance += std::pow(count - n / 1000, 2) / 1000;
    }
    EXPECT_NEAR(variance / (n / 1000), 1, 0.2);
}

TEST(RoceTraffic, LoadIsThatOfTheLinksOfThePattern)
{
    const struct
    {
        const char* pattern;
        double links; // of 20 hosts
    } rows[] = {{"AllToAll", 20}, {"LeftToRight", 1}, {"Incast", 20}};

    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.pattern);
        auto traffic = Traffic(Pattern(row.pattern), 0.4, MilliSeconds(400));
        if (std::string(row.pattern) == "Incast")
        {
            Config::SetDefault("ns3::IncastTrafficPattern::FanIn", UintegerValue(7));
        }
        const FlowFile file = traffic->Draw(Hosts(20), DataRate("10Gbps"));
        const double expected = 0.4 * row.links * 10e9 / 8 * 0.4;
        EXPECT_NEAR(Sum(file) / expected, 1, 0.04);
        Config::SetDefault("ns3::IncastTrafficPattern::FanIn", UintegerValue(60));
    }
    auto slow = Traffic(Pattern("LeftToRight"), 0.4, MilliSeconds(400));
    slow->SetAttribute("LinkRate", StringValue("5Gbps"));
    EXPECT_NEAR(Sum(slow->Draw(Hosts(20), DataRate("10Gbps"))) / (0.4 * 5e9 / 8 * 0.4), 1, 0.04);
}

TEST(RoceTraffic, SizesAreThoseOfTheDistribution)
{
    auto traffic = Traffic(Pattern("AllToAll"), 0.8, Seconds(1));
    traffic->SetAttribute("FlowBytes", UintegerValue(0));
    const FlowFile file = traffic->Draw(Hosts(50), DataRate("100Gbps"));
    const double n = file.flows.size();
    ASSERT_GT(n, 100000);
    for (const auto& [bytes, probability] :
         std::map<uint64_t, double>{{10000, .15}, {80000, .53}, {1000000, .7}, {10000000, .97}})
    {
        const auto below =
            std::count_if(file.flows.begin(), file.flows.end(), [limit = bytes](const auto& flow) {
                return flow.bytes <= limit;
            });
        EXPECT_NEAR(below / n, probability, 4 * std::sqrt(0.25 / n)) << bytes;
    }
    EXPECT_NEAR(Sum(file) / n / 1711250, 1, 0.03);
}

TEST(RoceTraffic, EveryPairIsAsLikely)
{
    const struct
    {
        const char* pattern;
        std::size_t pairs; // of 6 hosts
    } rows[] = {{"AllToAll", 30}, {"LeftToRight", 9}};

    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.pattern);
        auto traffic = Traffic(Pattern(row.pattern), 10, Seconds(1));
        traffic->SetAttribute("MaxFlows", UintegerValue(90000));
        const FlowFile file = traffic->Draw(Hosts(6), DataRate("10Gbps"));
        ASSERT_EQ(file.flows.size(), 90000U);
        std::map<std::pair<uint32_t, uint32_t>, double> counts;
        for (const FlowEntry& flow : file.flows)
        {
            EXPECT_NE(flow.src, flow.dst);
            counts[{flow.src, flow.dst}]++;
        }
        ASSERT_EQ(counts.size(), row.pairs);
        const double mean = 90000.0 / row.pairs;
        for (const auto& [pair, count] : counts)
        {
            EXPECT_NEAR(count, mean, 5 * std::sqrt(mean)) << pair.first << " " << pair.second;
            if (row.pairs == 9)
            {
                EXPECT_LT(pair.first, 103U);
                EXPECT_GE(pair.second, 103U);
            }
        }
    }
}

TEST(RoceTraffic, AnIncastHasManySendersAndOneReceiver)
{
    auto incast = CreateObject<IncastTrafficPattern>();
    incast->SetAttribute("FanIn", UintegerValue(5));
    incast->AssignStreams(7);
    std::map<uint32_t, double> receivers;
    std::map<uint32_t, double> senders;
    std::vector<TrafficPair> pairs;
    for (int burst = 0; burst < 8000; burst++)
    {
        incast->Draw(8, pairs);
        ASSERT_EQ(pairs.size(), 5U);
        std::set<uint32_t> hosts{pairs[0].dst};
        for (const TrafficPair& pair : pairs)
        {
            EXPECT_EQ(pair.dst, pairs[0].dst);
            EXPECT_LT(pair.src, 8U);
            hosts.insert(pair.src);
            senders[pair.src]++;
        }
        EXPECT_EQ(hosts.size(), 6U) << "a sender twice, or the receiver among them";
        receivers[pairs[0].dst]++;
    }
    for (uint32_t host = 0; host < 8; host++)
    {
        EXPECT_NEAR(receivers[host], 1000, 150);
        EXPECT_NEAR(senders[host], 5000, 350);
    }
}

TEST(RoceTraffic, TheSeedDecides)
{
    const auto draw = [](uint64_t run, uint64_t flowBytes) {
        RngSeedManager::SetRun(run);
        auto traffic = Traffic(Pattern("AllToAll"), 0.5, MilliSeconds(10));
        traffic->SetAttribute("FlowBytes", UintegerValue(flowBytes));
        traffic->SetAttribute("MaxFlows", UintegerValue(20));
        std::ostringstream text;
        WriteFlowFile(text, traffic->Draw(Hosts(4), DataRate("100Gbps")));
        return text.str();
    };
    const std::string first = draw(1, 0);
    EXPECT_EQ(first, draw(1, 0));
    EXPECT_NE(first, draw(2, 0));
    // Other sizes: the same hosts.
    const FlowFile sized = ReadFlowFile(TextFile::FromString("a", first));
    const FlowFile fixed = ReadFlowFile(TextFile::FromString("b", draw(1, 1000)));
    for (std::size_t i = 0; i < sized.flows.size(); i++)
    {
        EXPECT_EQ(sized.flows[i].src, fixed.flows[i].src);
        EXPECT_EQ(sized.flows[i].dst, fixed.flows[i].dst);
    }
    RngSeedManager::SetRun(1);
}

TEST(RoceTraffic, AFlowFileRepeatsIt)
{
    auto traffic = Traffic(Pattern("AllToAll"), 0.5, MilliSeconds(1));
    traffic->SetAttribute("Start", TimeValue(Seconds(2)));
    const FlowFile drawn = traffic->Draw(Hosts(4), DataRate("100Gbps"));
    ASSERT_GT(drawn.flows.size(), 100U);
    std::ostringstream text;
    WriteFlowFile(text, drawn);
    const FlowFile read = ReadFlowFile(TextFile::FromString("flows.txt", text.str()));
    EXPECT_EQ(read.form, FlowFileForm::HPCC);
    EXPECT_EQ(read.DescribeIgnored(), "");
    ASSERT_EQ(read.flows.size(), drawn.flows.size());
    for (std::size_t i = 0; i < drawn.flows.size(); i++)
    {
        EXPECT_EQ(read.flows[i].src, drawn.flows[i].src);
        EXPECT_EQ(read.flows[i].dst, drawn.flows[i].dst);
        EXPECT_EQ(read.flows[i].priority, 3U);
        EXPECT_EQ(read.flows[i].bytes, drawn.flows[i].bytes);
        EXPECT_EQ(read.flows[i].start, drawn.flows[i].start);
        EXPECT_EQ(read.flows[i].line, drawn.flows[i].line);
        EXPECT_GE(read.flows[i].start, Seconds(2));
        EXPECT_LT(read.flows[i].start, MilliSeconds(2001));
    }
}

TEST(RoceTraffic, TimesKeepAllTheirDigits)
{
    EXPECT_EQ(FormatDecimalSeconds(Time(0)), "0");
    EXPECT_EQ(FormatDecimalSeconds(Seconds(2)), "2");
    EXPECT_EQ(FormatDecimalSeconds(MilliSeconds(2050)), "2.05");
    EXPECT_EQ(FormatDecimalSeconds(NanoSeconds(2000000001)), "2.000000001");
    EXPECT_EQ(FormatDecimalSeconds(PicoSeconds(1)), "0.000000000001");
}

TEST(RoceTraffic, WhatCannotBeDrawnIsRefused)
{
    const auto refusal = [](const std::string& pattern, uint32_t hosts, Time duration) {
        try
        {
            Traffic(Pattern(pattern), 0.5, duration)->Draw(Hosts(hosts), DataRate("10Gbps"));
        }
        catch (const ConfigError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal("AllToAll", 1, Seconds(1)).find("2 hosts or more"), std::string::npos);
    EXPECT_NE(refusal("LeftToRight", 5, Seconds(1)).find("an even number"), std::string::npos);
    EXPECT_NE(refusal("Incast", 60, Seconds(1)).find("fewer senders"), std::string::npos);
    EXPECT_NE(refusal("AllToAll", 10, Seconds(1000)).find("20 million"), std::string::npos);
    EXPECT_EQ(refusal("AllToAll", 10, MilliSeconds(1)), "");
}
