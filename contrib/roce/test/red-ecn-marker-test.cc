/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/switch-ecn-marker.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

constexpr EcnThresholds H09{400000, 1600000, 0.2}; //!< case H09 (a)

/**
 * \param marker a switch
 * \param port a port of it
 * \param queueBytes queue length
 * \return share of 100,000 packets that are marked
 */
double
MeasureShare(SwitchEcnMarker& marker, uint32_t port, uint64_t queueBytes)
{
    int marks = 0;
    for (int i = 0; i < 100000; i++)
    {
        marks += marker.ShouldMark(port, queueBytes);
    }
    return marks / 100000.0;
}

} // namespace

TEST(RoceSwitchEcnMarker, H09MarkedShares)
{
    SwitchEcnMarker marker;
    marker.AddPort();
    EXPECT_EQ(MeasureShare(marker, 0, 10000000), 0.0) << "not started";
    marker.Start({H09, DataRate(0)}, {100000000000});
    EXPECT_EQ(MeasureShare(marker, 0, 400000), 0.0);
    EXPECT_NEAR(MeasureShare(marker, 0, 1000000), 0.100, 0.004);
    EXPECT_NEAR(MeasureShare(marker, 0, 1600000), 0.200, 0.006);
    EXPECT_EQ(MeasureShare(marker, 0, 2000000), 1.0);
}

TEST(RoceSwitchEcnMarker, PortsFollowTheirRatesUnlessSetOneByOne)
{
    SwitchEcnMarker marker;
    for (int i = 0; i < 3; i++)
    {
        marker.AddPort();
    }
    marker.SetThresholds(1, {7, 8, 0.5});
    const EcnSettings settings{{1000, 4000, 0.2}, DataRate(25000000000)};
    marker.Start(settings, {100000000000, 100000000000, 5000000000});
    EXPECT_EQ(marker.GetThresholds(0).kminBytes, 4000U);
    EXPECT_EQ(marker.GetThresholds(0).kmaxBytes, 16000U);
    EXPECT_EQ(marker.GetThresholds(0).pmax, 0.2);
    EXPECT_EQ(marker.GetThresholds(1).kminBytes, 7U);
    EXPECT_EQ(marker.GetThresholds(2).kminBytes, 200U);
}

TEST(RoceSwitchEcnMarker, PortsDrawByThemselvesAndOnlyWhereTheAnswerIsOpen)
{
    // Port 0 of one switch draws alone; that of the other among certain answers and other draws.
    const auto play = [](bool busy) {
        SwitchEcnMarker marker;
        marker.AddPort();
        marker.AddPort();
        EXPECT_EQ(marker.AssignStreams(5), 2);
        marker.Start({H09, DataRate(0)}, {1, 1});
        std::vector<bool> marks;
        for (int i = 0; i < 200; i++)
        {
            if (busy)
            {
                EXPECT_FALSE(marker.ShouldMark(0, 400000));
                EXPECT_TRUE(marker.ShouldMark(0, 1600001));
                marker.ShouldMark(1, 1000000);
            }
            marks.push_back(marker.ShouldMark(0, 1000000));
        }
        return marks;
    };
    EXPECT_EQ(play(true), play(false));
    EXPECT_NE(play(true), std::vector<bool>(200, false));
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
