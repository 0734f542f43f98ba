/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/flow-file.h"
#include "ns3/text-scanner.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** \param text a flow file \param options what it must fit \return what it holds */
FlowFile
Read(const std::string& text, const FlowFileOptions& options = {})
{
    return ReadFlowFile(TextFile::FromString("flow.txt", text), options);
}

/** A bad file. */
struct BadRow
{
    const char* name; //!< what is wrong
    const char* text; //!< the file
    const char* says; //!< part of the error
};

} // namespace

TEST(RoceFlowFile, Hpcc)
{
    const FlowFile file = Read("2\n2 1 3 100 200000000 2\n3 1 0 65535 1 2.000000001\n");
    EXPECT_EQ(file.form, FlowFileForm::HPCC);
    ASSERT_EQ(file.flows.size(), 2);
    EXPECT_EQ(file.flows[0].src, 2);
    EXPECT_EQ(file.flows[0].dst, 1);
    EXPECT_EQ(file.flows[0].priority, 3);
    EXPECT_EQ(file.flows[0].dstPort, 100);
    EXPECT_EQ(file.flows[0].bytes, 200000000);
    EXPECT_EQ(file.flows[0].start, Seconds(2));
    EXPECT_EQ(file.flows[0].line, 2);
    EXPECT_FALSE(file.flows[0].stop);
    EXPECT_EQ(file.flows[1].start, NanoSeconds(2000000001));
    EXPECT_EQ(file.DescribeIgnored(), "");
}

TEST(RoceFlowFile, ConWeave)
{
    const FlowFile file = Read("1\r\n\r\n  5\t6 3 4096 2.5 \r\n");
    EXPECT_EQ(file.form, FlowFileForm::CONWEAVE);
    ASSERT_EQ(file.flows.size(), 1);
    EXPECT_EQ(file.flows[0].bytes, 4096);
    EXPECT_EQ(file.flows[0].dstPort, 0);
    EXPECT_EQ(file.flows[0].start, MilliSeconds(2500));
}

TEST(RoceFlowFile, Ns3RdmaCountsPackets)
{
    FlowFileOptions options;
    options.packetBytes = 1024;
    const FlowFile file = Read("1\n2 1 3 10000000 2.0 9.5", options);
    EXPECT_EQ(file.form, FlowFileForm::NS3_RDMA);
    EXPECT_EQ(file.flows[0].bytes, 10240000000);
    EXPECT_EQ(file.flows[0].start, Seconds(2));
    EXPECT_EQ(file.flows[0].stop, MilliSeconds(9500));
}

TEST(RoceFlowFile, SizesBeyond32Bits)
{
    EXPECT_EQ(Read("1\n0 1 3 100 1000000000000 0.1").flows[0].bytes, 1000000000000);
}

TEST(RoceFlowFile, NoFlows)
{
    EXPECT_TRUE(Read("0\n").flows.empty());
    EXPECT_EQ(Read("0\n1 2 3 100 5 2\nnotes").ignoredFlows, 1);
}

TEST(RoceFlowFile, TellsWhatLiesBehindTheFlows)
{
    const FlowFile file =
        Read("1\n0 1 3 100 5 2\n0 2 3 100 5 1\n0 3 3 100 0 1\n\nnotes\n5 of them");
    EXPECT_EQ(file.flows.size(), 1);
    EXPECT_EQ(file.ignoredFlows, 2);
    EXPECT_EQ(file.ignoredLines, 2);
    EXPECT_EQ(file.DescribeIgnored(),
              "the first line announces 1 flows: ignored 2 more flow lines and 2 other lines");
}

TEST(RoceFlowFile, BadFiles)
{
    const BadRow rows[] = {
        {"header is no number", "x\n", "line 1: read 'x', expected number of flows"},
        {"header has two words", "1 2\n", "line 1: read '1 2'"},
        {"fewer flows", "3\n0 1 3 100 5 2\n0 1 3 100 5 2", "line 1: read '3', expected 2, the"},
        {"notes too early",
         "2\n0 1 3 100 5 2\nnotes\n",
         "line 3: read 'notes', expected the source of flow 2 of the 2"},
        {"column missing", "1\n0 1 3 100\n", "line 2: read '0 1 3 100', expected 6 fields"},
        {"column too many", "1\n0 1 3 100 5 2 7\n", "line 2"},
        {"forms mixed", "2\n0 1 3 5 2\n0 1 3 100 5 2\n", "line 3"},
        {"id is no number", "1\n0 x 3 100 5 2\n", "line 2: read 'x', expected destination"},
        {"negative id", "1\n0 -1 3 100 5 2\n", "line 2: read '-1'"},
        {"flow to itself",
         "1\n4 4 3 100 5 2\n",
         "line 2: read '4 4 3 100 5 2', expected a flow "
         "between two different nodes"},
        {"priority", "1\n0 1 8 100 5 2\n", "line 2: read '8', expected priority"},
        {"port", "1\n0 1 3 65536 5 2\n", "line 2: read '65536'"},
        {"size 0", "1\n0 1 3 100 0 2\n", "line 2: read '0', expected bytes"},
        {"size with a fraction", "1\n0 1 3 100 5.5 x\n", "line 2"},
        {"packets overflow", "1\n0 1 3 18446744073709551615 2.0 3.0\n", "line 2"},
        {"start", "1\n0 1 3 100 5 2s\n", "line 2: read '2s', expected start time"},
        {"unsorted",
         "2\n0 1 3 100 5 2.5\n0 1 3 100 5 2.4\n",
         "line 3: read '2.4', expected a start time that is not before the flow above (2.5 s)"},
    };
    for (const BadRow& row : rows)
    {
        try
        {
            Read(row.text);
            ADD_FAILURE() << row.name << ": no error";
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(row.says), std::string::npos)
                << row.name << ": " << error.what();
        }
    }
}

TEST(RoceFlowFile, NodesMustBeHosts)
{
    FlowFileOptions options;
    options.isHost = {true, true, false};
    EXPECT_EQ(Read("1\n0 1 3 100 5 2", options).flows.size(), 1);
    for (const char* text : {"1\n0 2 3 100 5 2", "1\n0 3 3 100 5 2", "1\n2 0 3 100 5 2"})
    {
        EXPECT_THROW(Read(text, options), ConfigError) << text;
    }
}

TEST(RoceFlowFile, RealFiles)
{
    RAILYARD_NEED_SHARED_FILES();

    struct Row
    {
        const char* path;
        FlowFileForm form;
        std::size_t flows;
        uint64_t ignoredFlows;
        uint64_t ignoredLines;
    };

    const Row rows[] = {
        {"hpcc/flow.txt", FlowFileForm::HPCC, 2, 254, 5},
        {"hpcc/flow_tcp_0.txt", FlowFileForm::HPCC, 0, 0, 0},
        {"ns3-datacenter/flow.txt", FlowFileForm::HPCC, 5, 205, 0},
        {"ns3-datacenter/flow-burstExp-10.txt", FlowFileForm::HPCC, 11, 0, 0},
        {"ns3-datacenter/flow-burstExp-256.txt", FlowFileForm::HPCC, 266, 0, 0},
        {"ns3-datacenter/flow-fairnessExp.txt", FlowFileForm::HPCC, 4, 0, 0},
        {"ns3-rdma/flow.txt", FlowFileForm::NS3_RDMA, 2, 0, 2},
        {"ns3-rdma/flow_tcp_0.txt", FlowFileForm::HPCC, 0, 0, 0},
    };
    for (const Row& row : rows)
    {
        SCOPED_TRACE(row.path);
        const FlowFile file = ReadFlowFile(SharedDir() + "/data/realfiles/" + row.path);
        EXPECT_EQ(file.form, row.form);
        EXPECT_EQ(file.flows.size(), row.flows);
        EXPECT_EQ(file.ignoredFlows, row.ignoredFlows);
        EXPECT_EQ(file.ignoredLines, row.ignoredLines);
    }
}
