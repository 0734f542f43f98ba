/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_TEST_DATA_H
#define RESULT_TEST_DATA_H

#include "picosecond-environment.h"

#include "ns3/flow-statistics.h"
#include "ns3/result-sink.h"
#include "ns3/result-summary.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

/**
 * \file
 * \ingroup tests
 * Records, summaries and folders that the tests of the results share.
 */

namespace ns3
{

/** \return a folder's name that is new in this process; the folder does not exist */
inline std::string
NewFolderName()
{
    static int count = 0;
    std::filesystem::path base = testing::TempDir();
    std::string name;
    do
    {
        name = (base / ("railyard-result-" + std::to_string(count++))).string();
    } while (std::filesystem::exists(name));
    return name;
}

/** \param path a file \return its bytes */
inline std::string
ReadFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/**
 * \param path a file
 * \param text what it shall hold
 */
inline void
WriteFile(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

/** \param id its id \return a flow of 1 MB from rank id % 4 to its neighbour, 10 us after the last
 */
inline FlowRecord
MakeFlow(uint64_t id)
{
    FlowRecord flow;
    flow.id = id;
    flow.src = id % 4;
    flow.dst = (id + 1) % 4;
    flow.bytes = 1000000;
    flow.deliveredBytes = flow.bytes;
    flow.start = MicroSeconds(10 * id);
    flow.end = flow.start + PicoSeconds(87044960);
    flow.senderEnd = *flow.end + PicoSeconds(2006720);
    flow.ideal = PicoSeconds(87044960);
    flow.collective = 7;
    flow.step = id % 6;
    flow.channel = 1;
    flow.path = "nic";
    return flow;
}

/** \return an AllReduce of 100 MB on 4 ranks that takes 3.2 ms */
inline CollectiveRecord
MakeCollective()
{
    CollectiveRecord collective;
    collective.id = 7;
    collective.kind = "AllReduce";
    collective.group = "DP";
    collective.ranks = 4;
    collective.bytes = 100000000;
    collective.algorithm = "Ring";
    collective.busFactor = 1.5;
    collective.label = "grad, \"layer 1\"";
    collective.iteration = 0;
    collective.start = MicroSeconds(5);
    collective.lastStart = MicroSeconds(6);
    collective.end = MicroSeconds(3205);
    return collective;
}

/** \return four AllReduces of 100 MB on 4 ranks, 3.2 ms each */
inline CollectiveBenchRecord
MakeBenchRow()
{
    CollectiveBenchRecord row;
    row.kind = "AllReduce";
    row.algorithm = "Ring";
    row.ranks = 4;
    row.bytes = 100000000;
    row.elements = 25000000;
    row.type = "float";
    row.operation = "sum";
    row.warmUps = 1;
    row.iterations = 4;
    row.busFactor = 1.5;
    row.start = MicroSeconds(100);
    row.end = MicroSeconds(12900);
    row.wrong = 0;
    return row;
}

/**
 * \param rank its rank
 * \param stream its stream
 * \param start begin
 * \param end end
 * \return a span named "op"
 */
inline SpanRecord
MakeSpan(uint32_t rank, const std::string& stream, Time start, Time end)
{
    SpanRecord span;
    span.rank = rank;
    span.stream = stream;
    span.name = "op";
    span.category = stream == "compute" ? "compute" : "collective";
    span.start = start;
    span.end = end;
    return span;
}

/** \return a finished run of one iteration that took 10.000000001 ms, with a date and a host */
inline RunSummary
MakeSummary()
{
    RunSummary summary;
    summary.verdict = RunVerdict::FINISHED;
    summary.simulatedTime = PicoSeconds(10000000001);
    summary.iterations = 1;
    summary.iterationTime = PicoSeconds(10000000001);
    summary.breakdown = {{"compute", MilliSeconds(8)},
                         {"exposedDp", PicoSeconds(1500000001)},
                         {"bubble", MicroSeconds(500)}};
    summary.breakdownOf = "rank 0";
    summary.input = {{"topology", "star:hosts=4"}, {"workload", "microAllReduce.txt"}};
    summary.seed = 42;
    summary.revision = "0123abcd";
    summary.engine.name = "ns3::FabricSimulatorImpl";
    summary.engine.events = 12345;
    summary.engine.wallSeconds = 1.5;
    summary.engine.FillFromHost();
    return summary;
}

/**
 * Records one of each kind, and several flows and spans.
 * \param sink where to
 * \return number of flows recorded
 */
inline uint64_t
RecordSome(ResultSink& sink)
{
    for (int32_t rank = 0; rank < 4; rank++)
    {
        NodeRecord node;
        node.node = rank;
        node.kind = "gpu";
        node.name = "gpu " + std::to_string(rank);
        node.server = rank / 2;
        node.rank = rank;
        sink.Record(node);
        sink.Record(MakeSpan(rank, "compute", MicroSeconds(0), MicroSeconds(5)));
        sink.Record(MakeSpan(rank, "dp", MicroSeconds(5), PicoSeconds(87044960)));
        RankRecord done;
        done.rank = rank;
        done.finished = true;
        done.end = PicoSeconds(87044960);
        done.compute = MicroSeconds(5);
        done.exposedCommunication = PicoSeconds(82044960);
        sink.Record(done);
        sink.Record(RankPartRecord{static_cast<uint32_t>(rank), "compute", MicroSeconds(5)});
    }
    constexpr uint64_t FLOWS = 24;
    for (uint64_t id = 0; id < FLOWS; id++)
    {
        sink.Record(MakeFlow(id));
    }
    sink.Record(MakeCollective());
    sink.Record(MakeBenchRow());
    LinkRecord link;
    link.node = 0;
    link.peer = 4;
    link.kind = "ethernet";
    link.rate = DataRate("100Gbps");
    link.window = MicroSeconds(170);
    link.dataPackets = 1000;
    link.payloadBytes = 1000000;
    link.dataWireBytes = 1062000;
    link.ackPackets = 10;
    link.ackWireBytes = 500;
    sink.Record(link);
    PortRecord port;
    port.node = 4;
    port.priority = 3;
    port.pausesSent = 1;
    port.pausedAtEnd = true;
    sink.Record(port);
    sink.Record(PauseRecord{MicroSeconds(3), 4, 2, 3, true});
    sink.Record(PauseRecord{MicroSeconds(9), 4, 2, 3, false});
    static const MetricRecord metric{"queue", "class of a port", "bytes", "bytes waiting"};
    sink.Record(metric);
    sink.Record(SeriesRecord{MicroSeconds(1), &metric, 4, 0, 3, -1, -1, 65536});
    FlowStatistics statistics;
    statistics.Add(1000000, MicroSeconds(170), 2);
    for (const FlowSizeRecord& sizes : statistics.GetBySize())
    {
        sink.Record(sizes);
    }
    for (const HistogramRecord& bar : statistics.GetHistograms())
    {
        sink.Record(bar);
    }
    sink.Record(EventRecord{MicroSeconds(2), "link-down", "link 0-4 went down"});
    return FLOWS;
}

} // namespace ns3

#endif /* RESULT_TEST_DATA_H */
