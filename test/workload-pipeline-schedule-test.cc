/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/object-factory.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/type-catalogue.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ns3
{

namespace
{

/**
 * \param name class of a schedule
 * \return a schedule
 */
Ptr<PipelineSchedule>
CreateSchedule(const std::string& name)
{
    ObjectFactory factory;
    factory.SetTypeId(name);
    return factory.Create<PipelineSchedule>();
}

/**
 * \param steps steps
 * \return them as text: "F0 F1 B0 B1"
 */
std::string
Write(const std::vector<PipelineStep>& steps)
{
    std::string text;
    for (const PipelineStep& step : steps)
    {
        text += (text.empty() ? "" : " ") + std::string(step.forward ? "F" : "B") +
                std::to_string(step.microBatch);
    }
    return text;
}

} // namespace

TEST(RailyardPipelineSchedule, OneForwardOneBackward)
{
    const auto schedule = CreateSchedule("ns3::OneForwardOneBackwardSchedule");
    EXPECT_EQ(Write(schedule->Plan(0, 3, 4)), "F0 F1 F2 B0 F3 B1 B2 B3");
    EXPECT_EQ(Write(schedule->Plan(1, 3, 4)), "F0 F1 B0 F2 B1 F3 B2 B3");
    EXPECT_EQ(Write(schedule->Plan(2, 3, 4)), "F0 B0 F1 B1 F2 B2 F3 B3");
    EXPECT_EQ(Write(schedule->Plan(0, 4, 1)), "F0 B0");
    EXPECT_EQ(Write(schedule->Plan(0, 1, 2)), "F0 B0 F1 B1");
}

TEST(RailyardPipelineSchedule, Gpipe)
{
    const auto schedule = CreateSchedule("ns3::GpipeSchedule");
    EXPECT_EQ(Write(schedule->Plan(0, 3, 3)), "F0 F1 F2 B0 B1 B2");
}

TEST(RailyardPipelineSchedule, EveryScheduleDoesEveryMicroBatchOnceEachWayForwardFirst)
{
    uint32_t schedules = 0;
    for (const TypeId& type : TypeCatalogue(PipelineSchedule::GetTypeId()).GetTypes())
    {
        schedules++;
        const auto schedule = CreateSchedule(type.GetName());
        for (uint32_t stages : {1, 2, 5})
        {
            for (uint32_t stage = 0; stage < stages; stage++)
            {
                std::set<uint32_t> forward;
                std::set<uint32_t> backward;
                for (const PipelineStep& step : schedule->Plan(stage, stages, 7))
                {
                    if (step.forward)
                    {
                        EXPECT_TRUE(forward.insert(step.microBatch).second) << type.GetName();
                    }
                    else
                    {
                        EXPECT_EQ(forward.count(step.microBatch), 1u) << type.GetName();
                        EXPECT_TRUE(backward.insert(step.microBatch).second) << type.GetName();
                    }
                }
                EXPECT_EQ(forward.size(), 7u);
                EXPECT_EQ(backward.size(), 7u);
            }
        }
    }
    EXPECT_GE(schedules, 2u);
}

} // namespace ns3
