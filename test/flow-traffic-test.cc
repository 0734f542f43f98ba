/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include "ns3/flow-file.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3
{

/** Flows that are drawn, in runs like those of flow files. */
class RailyardFlowTraffic : public FlowRunUnderTest
{
  protected:
    /** Flows of every result, in order, without what their names depend on. */
    const std::string FLOWS = "SELECT src_rank, dst_rank, payload_bytes, start_ns, end_ns, "
                              "sender_end_ns FROM flows ORDER BY flow";
};

TEST_F(RailyardFlowTraffic, TheDrawnFlowsRepeatTheRun)
{
    const std::vector<std::string> network{"--topology=leaf-spine:hosts=8,leaves=2,spines=2,"
                                           "nicRate=100Gbps"};
    std::vector<std::string> drawn = network;
    drawn.insert(drawn.end(), {"--traffic=web-search", "--load=0.6", "--duration=1ms"});
    const RunSummary first = Simulate(drawn);
    EXPECT_EQ(first.verdict, RunVerdict::FINISHED);
    EXPECT_TRUE(Mentions(first.notes, {"flows were drawn", "pattern AllToAll", "load 0.6"}));
    // 0.6 x 8 x 100 Gb/s / (8 x 1.71 MB) in 1 ms: 35 flows.
    EXPECT_GT(first.flows.count, 15U);
    EXPECT_LT(first.flows.count, 60U);
    const std::string flows = Ask(FLOWS);
    const std::string file = Write("again.txt", Read("out/flows.txt"));
    EXPECT_EQ(ReadFlowFile(file).flows.size(), first.flows.count);

    std::vector<std::string> again = network;
    again.push_back("--flows=" + file);
    EXPECT_EQ(Simulate(again).network.packetHops, first.network.packetHops);
    EXPECT_EQ(Ask(FLOWS), flows);

    drawn.push_back("--seed=2");
    Simulate(drawn);
    EXPECT_NE(Ask(FLOWS), flows);
}

TEST_F(RailyardFlowTraffic, LeftToRightCrossesTheBottleneckOfADumbbell)
{
    Simulate({"--topology=dumbbell:hosts=8,nicRate=100Gbps,bottleneckRate=25Gbps",
              "--traffic=web-search",
              "--pattern=LeftToRight",
              "--duration=4ms",
              "--set=ns3::PoissonTraffic::FlowBytes=20000"});
    EXPECT_EQ(Ask("SELECT count(*) FROM flows WHERE src_rank >= 4 OR dst_rank < 4"), "0");
    // A load of 0.5 is that of the slowest link: 312 flows of 20 KB in 4 ms.
    const int count = std::stoi(Ask("SELECT count(*) FROM flows"));
    EXPECT_GT(count, 312 - 5 * 18);
    EXPECT_LT(count, 312 + 5 * 18);
}

TEST_F(RailyardFlowTraffic, IncastsComeInBursts)
{
    Simulate({"--topology=star:hosts=6,nicRate=100Gbps",
              "--traffic=web-search",
              "--pattern=Incast",
              "--load=0.3",
              "--duration=1ms",
              "--set=ns3::PoissonTraffic::FlowBytes=50000",
              "--set=ns3::IncastTrafficPattern::FanIn=5"});
    EXPECT_EQ(Ask("SELECT count(*) FROM (SELECT count(*) AS n, count(DISTINCT dst_rank) AS d, "
                  "count(DISTINCT src_rank) AS s FROM flows GROUP BY flow / 5) "
                  "WHERE n <> 5 OR d <> 1 OR s <> 5"),
              "0");
    EXPECT_GT(std::stoi(Ask("SELECT count(*) FROM flows")), 20);
}

TEST_F(RailyardFlowTraffic, BadOptionsAreRefused)
{
    const std::string star = "--topology=star:hosts=4";
    const auto refuses = [&](const std::vector<std::string>& options, const std::string& says) {
        std::vector<std::string> all{star};
        all.insert(all.end(), options.begin(), options.end());
        const std::string refusal = GetRefusal(all);
        EXPECT_NE(refusal.find(says), std::string::npos) << refusal;
        EXPECT_FALSE(Exists("out")) << says;
    };
    refuses({"--load=0.5"}, "--load: read '0.5', expected --traffic beside it");
    refuses({"--set=PoissonTraffic::Load=0.5"}, "Load: read '0.5', expected --traffic beside it");
    refuses({"--set=IncastTrafficPattern::FanIn=2"}, "FanIn: read '2', expected --traffic beside");
    refuses({"--set=FlowMessageTransport::MostFilled=8"}, "--network=flow has it");
    refuses({"--traffic=web-serch"}, "web-search");
    refuses({"--traffic=" + Write("bad", "0 0\n10 99\n")}, "line 2: read '99'");
    refuses({"--traffic=web-search", "--load=0"}, "--load: read '0'");
    refuses({"--traffic=web-search", "--load=x"}, "--load: read 'x'");
    refuses({"--traffic=web-search", "--pattern=Incest"}, "Incast");
    refuses({"--traffic=web-search", "--pattern=Incast"}, "FanIn: read '60'");
    refuses({"--traffic=web-search", "--duration=5"}, "--duration: read '5'");
    refuses({"--traffic=web-search", "--duration=0s"}, "at least one flow");
    refuses({"--traffic=web-search", "--flows=" + WriteIncast(3)}, "either --flows or --traffic");
    const std::string nvlink = GetRefusal({"--topology=single-server", "--traffic=web-search"});
    EXPECT_NE(nvlink.find("a topology with Ethernet links"), std::string::npos) << nvlink;
}

} // namespace ns3
