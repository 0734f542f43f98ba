/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include <gtest/gtest.h>
#include <map>

namespace ns3
{

/** Flows travel in the traffic class that column priority of their file names. */
class RailyardFlowPriority : public FlowRunUnderTest
{
};

TEST_F(RailyardFlowPriority, FlowsTravelInTheClassThatTheyName)
{
    // All of one pair, in both directions: flows of different classes share no connection.
    const std::string flows = Write("flows",
                                    "5\n1 0 5 100 50000 0\n0 1 3 100 50000 0\n0 1 5 100 50000 0\n"
                                    "1 0 3 100 50000 0\n1 0 5 100 50000 0\n");
    FlowRun run(Parse({"--topology=" + WriteStar(2),
                       "--flows=" + flows,
                       "--set=RoceSwitchDevice::LosslessPriorities=40"},
                      "out"));
    const RunSummary summary = run.Run();
    EXPECT_TRUE(summary.warnings.empty());
    EXPECT_EQ(Ask("SELECT channel FROM flows ORDER BY flow"), "0 1 2 1 2");
    const RoceFabric& fabric = run.GetCluster().GetRoceFabric();
    const std::map<uint32_t, uint32_t> expected{{0, 5}, {1, 3}, {2, 5}}; // class by channel
    for (uint32_t rank = 0; rank < 2; rank++)
    {
        ASSERT_EQ(fabric.nics[rank]->GetQueuePairCount(), expected.size());
        for (uint32_t i = 0; i < expected.size(); i++)
        {
            const RoceQueuePair& qp = fabric.nics[rank]->GetQueuePair(i);
            EXPECT_EQ(qp.settings.priority, expected.at(qp.parameters.channel));
        }
    }
}

TEST_F(RailyardFlowPriority, PfcPausesTheClassThatFlowsName)
{
    const std::string topology = "--topology=" + WriteStar(9);
    std::string text = "8\n";
    for (uint32_t host = 1; host <= 8; host++)
    {
        text += std::to_string(host) + " 0 1 100 1000000 0\n";
    }
    const std::vector<std::string> arguments{topology,
                                             "--flows=" + Write("flows", text),
                                             "--congestionControl=No",
                                             "--set=RoceSwitchDevice::BufferBytes=3000000"};
    const RunSummary lossy = Simulate(arguments);
    EXPECT_EQ(lossy.verdict, RunVerdict::FINISHED);
    EXPECT_GT(lossy.network.drops, 0U);
    EXPECT_EQ(lossy.network.pfcPauses, 0U);
    ASSERT_EQ(lossy.warnings.size(), 1U);
    EXPECT_TRUE(Mentions(lossy.warnings, {"class 1", "PFC does not protect", "drop packets"}));

    std::vector<std::string> both = arguments;
    both.push_back("--set=RoceSwitchDevice::LosslessPriorities=2");
    const RunSummary lossless = Simulate(both);
    EXPECT_EQ(lossless.network.drops, 0U);
    EXPECT_GT(lossless.network.pfcPauses, 0U);
    EXPECT_TRUE(lossless.warnings.empty());
    EXPECT_EQ(Ask("SELECT DISTINCT priority FROM pauses"), "1");
}

TEST_F(RailyardFlowPriority, ClassesThatTheNicsCannotTakeAreSaid)
{
    const std::vector<std::string> arguments{"--topology=" + WriteStar(2),
                                             "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n")};
    std::vector<std::string> other = arguments;
    other.push_back("--set=RoceNicDevice::Priority=2");
    EXPECT_TRUE(Mentions(Simulate(other).warnings, {"Priority (2) has no effect", "flows"}));
    EXPECT_TRUE(Simulate(arguments).warnings.empty());
    std::vector<std::string> without = arguments;
    without.push_back("--set=RoceNicDevice::DscpMap=24-31:2");
    const std::string refusal = GetRefusal(without);
    for (const std::string word : {"line 2", "priority 3", "RoceNicDevice::DscpMap", "24-31:2"})
    {
        EXPECT_NE(refusal.find(word), std::string::npos) << refusal;
    }
}

TEST_F(RailyardFlowPriority, OnlyClassesThatFlowsTravelInNeedADscp)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(2),
                                         "--flows=" + Write("flows", "1\n0 1 2 100 5000 0\n"),
                                         "--congestionControl=Hpcc",
                                         "--set=RoceSwitchDevice::LosslessPriorities=4",
                                         "--set=RoceNicDevice::DscpMap=24-31:2"});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_TRUE(summary.warnings.empty());
}

} // namespace ns3
