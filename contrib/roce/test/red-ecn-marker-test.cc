/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/red-ecn-marker.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr EcnThresholds H09{400000, 1600000, 0.2}; //!< case H09 (a)

/**
 * \param random source
 * \param queueBytes queue length
 * \return share of 100,000 packets that are marked
 */
template <typename Random>
double
MeasureShare(Random& random, uint64_t queueBytes)
{
    const RedEcnMarker marker(H09);
    int marks = 0;
    for (int i = 0; i < 100000; i++)
    {
        marks += marker.ShouldMark(queueBytes, random);
    }
    return marks / 100000.0;
}

/** \param random a source; checks the four queue lengths of H09 (a) */
template <typename Random>
void
CheckH09(Random& random)
{
    EXPECT_EQ(MeasureShare(random, 400000), 0.0);
    EXPECT_NEAR(MeasureShare(random, 1000000), 0.100, 0.004);
    EXPECT_NEAR(MeasureShare(random, 1600000), 0.200, 0.006);
    EXPECT_EQ(MeasureShare(random, 2000000), 1.0);
}

} // namespace

TEST(RoceRedEcnMarker, H09MarkedShares)
{
    RngStream stream(1, 2, 3);
    CheckH09(stream);
    Ptr<UniformRandomVariable> variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(7);
    CheckH09(*variable);
}

TEST(RoceRedEcnMarker, ProbabilityFollowsTheFormula)
{
    const RedEcnMarker marker(H09);
    EXPECT_EQ(marker.GetProbability(0), 0.0);
    EXPECT_EQ(marker.GetProbability(400000), 0.0);
    EXPECT_DOUBLE_EQ(marker.GetProbability(400001), 0.2 / 1200000);
    EXPECT_DOUBLE_EQ(marker.GetProbability(700000), 0.05);
    EXPECT_DOUBLE_EQ(marker.GetProbability(1600000), 0.2);
    EXPECT_EQ(marker.GetProbability(1600001), 1.0);
}

TEST(RoceRedEcnMarker, EqualThresholdsMarkAsDctcpDoes)
{
    const RedEcnMarker marker(EcnThresholds{30000, 30000, 1.0});
    EXPECT_EQ(marker.GetProbability(30000), 0.0);
    EXPECT_EQ(marker.GetProbability(30001), 1.0);
}

TEST(RoceRedEcnMarker, DefaultMarksNothing)
{
    EXPECT_EQ(RedEcnMarker().GetProbability(UINT64_MAX), 0.0);
}

TEST(RoceRedEcnMarker, DrawsOnlyWhereTheAnswerIsOpen)
{
    const RedEcnMarker marker(H09);
    RngStream used(1, 2, 3);
    RngStream fresh(1, 2, 3);
    marker.ShouldMark(400000, used);
    marker.ShouldMark(1600001, used);
    EXPECT_EQ(used.RandU01(), fresh.RandU01());
    marker.ShouldMark(1000000, used);
    EXPECT_NE(used.RandU01(), fresh.RandU01());
}

TEST(RoceRedEcnMarker, H10ThresholdsScaleWithTheRate)
{
    const EcnThresholds fast = EcnThresholds::ScaleByRate(DataRate(400000000000));
    EXPECT_EQ(fast.kminBytes, 1600000);
    EXPECT_EQ(fast.kmaxBytes, 6400000);
    EXPECT_EQ(fast.pmax, 0.2);
    const EcnThresholds slow = EcnThresholds::ScaleByRate(DataRate(10000000000));
    EXPECT_EQ(slow.kminBytes, 40000);
    EXPECT_EQ(slow.kmaxBytes, 160000);
}
