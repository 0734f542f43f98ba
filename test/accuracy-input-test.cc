/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/accuracy-study.h"
#include "ns3/config-error.h"

#include <gtest/gtest.h>

/**
 * \file
 * What a comparison with timed collectives cannot be made of.
 */

namespace ns3
{

TEST(RailyardAccuracyInput, NoRowsAreAnError)
{
    AccuracyStudy study(AccuracyPlatforms(AccuracyPlatforms::GetShippedPath()), "");
    EXPECT_THROW(study.Run(AccuracyData()), ConfigError); // an average over none is no number
}

} // namespace ns3
