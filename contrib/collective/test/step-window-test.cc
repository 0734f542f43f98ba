/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/step-window.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

TEST(CollectiveStepWindow, StaysSmallWhileStepsAreDoneInOrder)
{
    const std::vector<uint16_t> waits(5000, 2);
    StepWindow window(waits);
    for (uint32_t step = 0; step < waits.size(); step++)
    {
        const uint32_t ahead = step + 7;
        EXPECT_EQ(window.At(std::min(ahead, window.GetCount() - 1)), 2);
        window.SetDone(step);
    }
    EXPECT_EQ(window.GetFirst(), 5000U);
    EXPECT_EQ(window.GetSize(), 32U);
}

TEST(CollectiveStepWindow, HoldsAllStepsIfTheFirstIsDoneLast)
{
    const std::vector<uint16_t> waits(1000, 3);
    StepWindow window(waits);
    for (uint32_t step = 1; step < waits.size(); step++)
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
        std::vector<uint16_t> plain(1 + random() % 300);
        for (uint16_t& waits : plain)
        {
            waits = random() % 4;
        }
        const std::vector<uint16_t> waits = plain;
        StepWindow window(waits);
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
