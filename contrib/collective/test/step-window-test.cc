/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/step-window.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** \param waits by step, at most its number \return steps that wait for as many before them */
PlanProgram
MakeProgram(const std::vector<uint16_t>& waits)
{
    PlanStep step;
    step.kind = PlanStepKind::COPY;
    PlanProgram program;
    for (const uint16_t count : waits)
    {
        std::vector<uint32_t> after(count);
        std::iota(after.begin(), after.end(), program.GetStepCount() - count);
        program.AddStep(step, after);
    }
    program.Finish();
    return program;
}

/** \param count of steps \param most for how many each waits at most \return for how many */
std::vector<uint16_t>
MakeWaits(std::size_t count, const std::function<uint16_t()>& most)
{
    std::vector<uint16_t> waits;
    while (waits.size() < count)
    {
        waits.push_back(std::min<std::size_t>(most(), waits.size()));
    }
    return waits;
}

TEST(CollectiveStepWindow, StaysSmallWhileStepsAreDoneInOrder)
{
    const PlanProgram program = MakeProgram(MakeWaits(5000, [] { return 2; }));
    StepWindow window(program);
    for (uint32_t step = 0; step < program.GetStepCount(); step++)
    {
        const uint32_t ahead = step + 7;
        EXPECT_EQ(window.At(std::min(ahead, window.GetCount() - 1)), 2);
        window.SetDone(step);
    }
    EXPECT_EQ(window.GetFirst(), 5000U);
    EXPECT_EQ(window.GetSize(), 16U);
}

TEST(CollectiveStepWindow, HoldsAllStepsIfTheFirstIsDoneLast)
{
    const PlanProgram program = MakeProgram(MakeWaits(1000, [] { return 3; }));
    StepWindow window(program);
    for (uint32_t step = 1; step < program.GetStepCount(); step++)
    {
        window.SetDone(step);
    }
    EXPECT_EQ(window.GetFirst(), 0U);
    EXPECT_FALSE(window.IsDone(0));
    EXPECT_TRUE(window.IsDone(999));
    window.SetDone(0);
    EXPECT_EQ(window.GetFirst(), 1000U);
}

TEST(CollectiveStepWindow, EqualsAPlainArray)
{
    std::mt19937 random(5);
    for (int round = 0; round < 50; round++)
    {
        std::vector<uint16_t> plain =
            MakeWaits(1 + random() % 300, [&random] { return random() % 4; });
        const PlanProgram program = MakeProgram(plain);
        StepWindow window(program);
        for (int touch = 0; touch < 3000; touch++)
        {
            const auto step = static_cast<uint32_t>(random() % plain.size());
            ASSERT_EQ(window.IsDone(step), plain[step] == StepWindow::DONE);
            if (plain[step] == StepWindow::DONE)
            {
                continue;
            }
            ASSERT_EQ(window.At(step), plain[step]);
            if (random() % 3 == 0)
            {
                window.SetDone(step);
                plain[step] = StepWindow::DONE;
            }
            else
            {
                window.At(step)++;
                plain[step]++;
            }
        }
    }
}

} // namespace
