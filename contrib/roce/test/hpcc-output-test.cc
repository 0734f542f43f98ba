/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/hpcc-fct-writer.h"
#include "ns3/hpcc-qlen-writer.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

using namespace ns3;

namespace
{

const MetricRecord METRIC{"any", "port", "", "for tests"}; //!< of the samples

/** \param when ns \param node a node \param port a port \param value value \return a sample */
SeriesRecord
Sample(double when, uint32_t node, int64_t port, double value)
{
    SeriesRecord record;
    record.time = PicoSeconds(static_cast<int64_t>(when * 1000));
    record.metric = &METRIC;
    record.node = node;
    record.port = port;
    record.value = value;
    return record;
}

/** \param ns time at which the simulation ends */
void
SimulateUntil(int64_t ns)
{
    Simulator::Destroy();
    Simulator::Stop(NanoSeconds(ns));
    Simulator::Run();
}

/** \param id of a flow \param end its end at the sender, ns, -1 for none \return its record */
FlowRecord
EndedFlow(uint64_t id, int64_t end)
{
    FlowRecord record;
    record.id = id;
    record.bytes = 1000000;
    if (end >= 0)
    {
        record.end = NanoSeconds(end - 1);
        record.senderEnd = NanoSeconds(end);
    }
    return record;
}

} // namespace

TEST(RoceHpccOutput, AddressesAreThoseOfHpcc)
{
    EXPECT_EQ(HpccFctWriter::GetAddress(0), 0x0b000001U);
    EXPECT_EQ(HpccFctWriter::GetAddress(319), 0x0b013f01U);
}

TEST(RoceHpccOutput, CompletionTimesAreLinesOfEightColumns)
{
    UsePicoseconds();
    const std::string path = testing::TempDir() + "/hpcc-fct.txt";
    const std::vector<HpccFlow> flows{{1, 319, 10000, 100, Seconds(2), 90000},
                                      {2, 3, 10001, 200, Seconds(2), 12345},
                                      {2, 3, 10002, 200, Seconds(2), 1}};
    const std::map<HpccFctWriter::Form, std::string> expected{
        {HpccFctWriter::Form::HPCC,
         "0b000201 0b000301 10001 200 1000000 2000000000 100000 12345\n"
         "0b000101 0b013f01 10000 100 1000000 2000000000 200000 90000\n"},
        {HpccFctWriter::Form::CONWEAVE,
         "2 3 10001 200 1000000 2000000000 100000 12345\n"
         "1 319 10000 100 1000000 2000000000 200000 90000\n"},
    };
    for (const auto& [form, text] : expected)
    {
        HpccFctWriter writer(path, flows, form);
        writer.Record(EndedFlow(1, 2000100000));
        writer.Record(EndedFlow(0, 2000200000));
        writer.Record(EndedFlow(2, -1));
        writer.Close();
        EXPECT_EQ(ReadFile(path), text);
    }
}

TEST(RoceHpccOutput, PausesAreLinesOfFiveColumns)
{
    UsePicoseconds();
    const std::string path = testing::TempDir() + "/hpcc-pfc.txt";
    HpccPfcWriter writer(path, {{7, false, 1}, {320, true, 4}});
    writer.Record(Sample(2000055540.9, 1, 3, 1));
    writer.Record(Sample(2000060000, 0, 0, 1));
    writer.Record(Sample(2000070000, 1, 3, 0));
    writer.Close();
    EXPECT_EQ(ReadFile(path), "2000055540 320 1 4 1\n2000060000 7 0 1 1\n2000070000 320 1 4 0\n");
}

TEST(RoceHpccOutput, QueueLengthsAreBlocksOfHistograms)
{
    UsePicoseconds();
    const std::string path = testing::TempDir() + "/hpcc-qlen.txt";
    // Looks at 199,999,900 to 200,000,200 ns, the first one not before the end.
    HpccQlenWriter writer(path,
                          {{0, false, 1}, {9, true, 1}, {8, true, 2}},
                          {NanoSeconds(199999900), NanoSeconds(200000150)});
    writer.Record(Sample(199999950, 2, 1, 2500));  // from the second look on
    writer.Record(Sample(200000100, 2, 1, 999));   // seen by the look at that time
    writer.Record(Sample(200000100.1, 1, 0, 1000));
    writer.Record(Sample(200000150, 2, 1, 0));
    writer.Record(Sample(200000250, 1, 0, 0));
    SimulateUntil(300000000);
    writer.Close();
    EXPECT_EQ(ReadFile(path),
              "time: 200000000\n8 1 2\n8 2 1 0 1\n9 1 2\n"
              "time: 200000200\n8 1 4\n8 2 3 0 1\n9 1 3 1\n");
    Simulator::Destroy();
}

TEST(RoceHpccOutput, QueueLengthsAreWhatALookEvery100NsWouldSee)
{
    UsePicoseconds();
    const std::string path = testing::TempDir() + "/hpcc-qlen-random.txt";
    std::mt19937 random(3);
    std::map<int64_t, uint64_t> depths{{0, 0}}; // bytes by time, ns
    constexpr int64_t END = 50000;
    HpccQlenWriter writer(path, {{5, true, 1}}, {NanoSeconds(1234), {}});
    for (int64_t ns = 10; ns < END; ns += 1 + random() % 150)
    {
        depths[ns] = random() % 4000;
        writer.Record(Sample(ns, 0, 0, depths[ns]));
    }
    SimulateUntil(END);
    writer.Close();
    std::map<uint64_t, uint64_t> counts;
    int64_t last = 0;
    for (int64_t ns = 1234; ns <= END; ns += 100)
    {
        counts[std::prev(depths.upper_bound(ns))->second / 1000]++;
        last = ns;
    }
    std::ostringstream expected;
    expected << "time: " << last << "\n5 1 " << counts[0] << " " << counts[1] << " " << counts[2]
             << " " << counts[3] << "\n";
    EXPECT_EQ(ReadFile(path), expected.str());
    Simulator::Destroy();
}

TEST(RoceHpccOutput, AnIdleNetworkIsLookedAtUntilTheEnd)
{
    UsePicoseconds();
    const std::string path = testing::TempDir() + "/hpcc-qlen-idle.txt";
    HpccQlenWriter writer(path, {{5, true, 1}}, {NanoSeconds(0), NanoSeconds(1000)});
    writer.Record(Sample(150, 0, 0, 5000));
    writer.Record(Sample(250, 0, 0, 0));
    SimulateUntil(300);
    writer.Close();
    EXPECT_EQ(ReadFile(path), "time: 0\n5 1 1\ntime: 1000\n5 1 10 0 0 0 0 1\n");
    Simulator::Destroy();
}
