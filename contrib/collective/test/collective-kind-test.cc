/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-kind.h"

#include <gtest/gtest.h>

namespace ns3
{

TEST(CollectiveKind, BusbwFactorsAreThoseOfNcclTests)
{
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::ALL_REDUCE, 8), 1.75);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::ALL_GATHER, 8), 0.875);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::REDUCE_SCATTER, 8), 0.875);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::ALL_TO_ALL, 8), 0.875);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::BROADCAST, 8), 1);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::SEND_RECV, 2), 1);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::REDUCE, 8), 1);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::ALL_TO_ALL_V, 8), 0.875);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::GATHER, 8), 0.875);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::SCATTER, 8), 0.875);
    EXPECT_DOUBLE_EQ(GetBusbwFactor(CollectiveKind::ALL_REDUCE, 1), 0);
}

} // namespace ns3
