/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "random-scenario.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/** \return the seeds to run: first and one behind the last, from RAILYARD_SEEDS=FIRST:END if set */
std::pair<uint64_t, uint64_t>
GetSeeds()
{
    const char* text = std::getenv("RAILYARD_SEEDS");
    char* colon = nullptr;
    const uint64_t first = text ? std::strtoull(text, &colon, 10) : 0;
    const bool given = colon && *colon == ':';
    return {given ? first : 0, given ? std::strtoull(colon + 1, nullptr, 10) : 100};
}

/** \ingroup tests \brief A scenario by its seed. */
class RoceRandomScenario : public testing::TestWithParam<uint64_t>
{
};

} // namespace

TEST_P(RoceRandomScenario, HoldsWhatMustHold)
{
    const uint64_t seed = GetParam();
    const RandomScenario scenario(seed);
    SCOPED_TRACE(scenario.description + "\nagain: RAILYARD_SEEDS=" + std::to_string(seed) + ":" +
                 std::to_string(seed + 1) +
                 " build/bin/roce-gtest --gtest_filter='*RoceRandomScenario*'");
    const ScenarioOutcome first = PlayScenario(scenario, "fabric");
    const ScenarioOutcome second = PlayScenario(scenario, "fabric");
    EXPECT_EQ(first, second) << "two runs differ";
    const ScenarioOutcome other = PlayScenario(scenario, "default");
    EXPECT_EQ(first, other) << "the engines differ";
    if (std::getenv("RAILYARD_SEEDS"))
    {
        std::cout << scenario.description << "\n    " << first << "\n";
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds,
                         RoceRandomScenario,
                         testing::Range(GetSeeds().first, GetSeeds().second),
                         [](const auto& info) { return std::to_string(info.param); });
