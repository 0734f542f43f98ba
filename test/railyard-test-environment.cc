/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/nstime.h"

#include <gtest/gtest.h>

/**
 * \file
 * Sets the time resolution before the first test: once some simulation has run, ns-3 no longer
 * converts the times that attributes hold.
 */

namespace
{

/** \ingroup tests \brief Picoseconds for all tests of the program. */
class RailyardTestEnvironment : public testing::Environment
{
  public:
    void SetUp() override
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
    }
};

/** Registers itself; GoogleTest owns it. */
[[maybe_unused]] const auto* g_railyardEnvironment =
    testing::AddGlobalTestEnvironment(new RailyardTestEnvironment);

} // namespace
