/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/timely-congestion-control.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G10 = 10000000000; //!< 10 Gb/s
constexpr double DELTA = 10e6;        //!< additive step, bit/s
constexpr uint32_t SEGMENT = 16000;   //!< bytes

/** TIMELY, with completion events for the asking. */
class TimelyUnderTest
{
  public:
    /**
     * \param lineRateBps line rate, bit/s
     * \param activeQps queue pairs that send
     * \param settings attributes
     */
    explicit TimelyUnderTest(uint64_t lineRateBps = G10,
                             uint32_t activeQps = 2,
                             const std::vector<std::pair<std::string, std::string>>& settings = {})
    {
        ObjectFactory factory("ns3::TimelyCongestionControl");
        for (const auto& [name, value] : settings)
        {
            factory.Set(name, StringValue(value));
        }
        timely = factory.Create<TimelyCongestionControl>();
        const CongestionControlStart start = MakeStart(lineRateBps, activeQps);
        timely->Start(start);
        packet = start.packetWireBytes * 8 * start.ticksPerSecond / lineRateBps;
    }

    /**
     * \param rttUs round trip time without the packet's own serialisation, µs
     * \param bytes bytes acknowledged
     */
    void Complete(uint64_t rttUs, uint64_t bytes = SEGMENT)
    {
        AckEvent event;
        event.now = now += UsTicks(20);
        event.ackedBytes = bytes;
        event.rtt = UsTicks(rttUs) + packet;
        timely->OnAck(event);
    }

    Ptr<TimelyCongestionControl> timely; //!< under test
    uint64_t packet;                     //!< serialisation of a full packet, ticks
    uint64_t now{0};                     //!< present time, ticks
};

} // namespace

TEST(RoceTimely, StartsAtItsShareOfTheLineRate)
{
    EXPECT_EQ(TimelyUnderTest(G10, 1).timely->GetRateBps(0), G10);
    EXPECT_EQ(TimelyUnderTest(G10, 4).timely->GetRateBps(0), G10 / 4);
}

TEST(RoceTimely, BelowTLowTheRateRises)
{
    TimelyUnderTest nic;
    nic.Complete(20);
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + DELTA);
    nic.Complete(49); // a rising gradient does not matter here
    EXPECT_GT(nic.timely->GetGradient(), 1.0);
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + 2 * DELTA);
}

TEST(RoceTimely, AboveTHighTheRateFalls)
{
    TimelyUnderTest nic;
    nic.Complete(1000);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), 5e9 * (1 - 0.8 * (1 - 500.0 / 1000)));
    nic.Complete(625); // a falling gradient does not matter here
    EXPECT_LT(nic.timely->GetGradient(), 0.0);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), 3e9 * (1 - 0.8 * (1 - 500.0 / 625)));
}

TEST(RoceTimely, BandLimitsBelongToTheGradient)
{
    for (uint64_t rtt : {50, 500})
    {
        TimelyUnderTest nic;
        nic.Complete(rtt); // first event: gradient 0
        EXPECT_EQ(nic.timely->GetRate(), 5e9 + DELTA);
        nic.Complete(rtt);
        EXPECT_EQ(nic.timely->GetRate(), 5e9 + 2 * DELTA);
    }
}

TEST(RoceTimely, RisingGradientLowersTheRate)
{
    TimelyUnderTest nic;
    nic.Complete(100);
    nic.Complete(108);
    const double gradient = 0.875 * 8 / 20;
    EXPECT_DOUBLE_EQ(nic.timely->GetGradient(), gradient);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), (5e9 + DELTA) * (1 - 0.8 * gradient));
    nic.Complete(109);
    const double next = (0.125 * (0.875 * 8) + 0.875 * 1) / 20;
    EXPECT_DOUBLE_EQ(nic.timely->GetGradient(), next);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(),
                     (5e9 + DELTA) * (1 - 0.8 * gradient) * (1 - 0.8 * next));
}

TEST(RoceTimely, HyperActiveIncreaseAfterFiveEvents)
{
    TimelyUnderTest nic;
    double expected = 5e9;
    for (int event = 1; event <= 8; event++)
    {
        nic.Complete(200 - event);
        expected += event >= 5 ? 5 * DELTA : DELTA;
        EXPECT_EQ(nic.timely->GetRate(), expected) << "event " << event;
    }
    nic.Complete(40); // outside the band: the row starts anew
    nic.Complete(60);
    for (int event = 1; event <= 5; event++)
    {
        const double before = nic.timely->GetRate();
        nic.Complete(60 - event);
        EXPECT_EQ(nic.timely->GetRate() - before, event >= 5 ? 5 * DELTA : DELTA)
            << "event " << event;
    }
}

TEST(RoceTimely, OneCompletionEventPerSegment)
{
    TimelyUnderTest nic;
    nic.Complete(20, 6000);
    nic.Complete(20, 6000);
    EXPECT_EQ(nic.timely->GetRate(), 5e9);
    nic.Complete(20, 4000);
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + DELTA);
    AckEvent noStamp;
    noStamp.ackedBytes = SEGMENT;
    nic.timely->OnAck(noStamp);
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + DELTA);
    nic.Complete(20, 1); // the bytes of the one without a stamp count
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + 2 * DELTA);
}

TEST(RoceTimely, SegmentsAreWholePackets)
{
    TimelyUnderTest nic; // packets of 1024 bytes, 15 of them fit a segment
    nic.Complete(20, 15 * 1024 - 1);
    EXPECT_EQ(nic.timely->GetRate(), 5e9);
    nic.Complete(20, 1);
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + DELTA);
    TimelyUnderTest small(G10, 2, {{"SegmentBytes", "100"}});
    small.Complete(20, 1023);
    EXPECT_EQ(small.timely->GetRate(), 5e9);
    small.Complete(20, 1);
    EXPECT_EQ(small.timely->GetRate(), 5e9 + DELTA);
}

TEST(RoceTimely, RateStaysBetweenFloorAndLineRate)
{
    TimelyUnderTest nic(G10, 1);
    nic.Complete(20);
    EXPECT_EQ(nic.timely->GetRateBps(0), G10);
    nic.Complete(60);
    nic.Complete(400); // 1 - beta g is below 0
    EXPECT_EQ(nic.timely->GetRateBps(0), 1000000);
}

TEST(RoceTimely, RandomRoundTripsFollowTheFormula)
{
    TimelyUnderTest nic;
    std::mt19937 random(1);
    double rate = 5e9;
    double difference = 0;
    double previous = 0;
    int row = 0;
    for (int i = 0; i < 2000; i++)
    {
        const uint64_t rtt = 40 + random() % 40 + (random() % 20 == 0 ? 600 : 0);
        nic.Complete(rtt);
        difference = 0.125 * difference + (i == 0 ? 0 : 0.875 * (rtt - previous));
        previous = rtt;
        const double g = difference / 20;
        row = rtt >= 50 && rtt <= 500 && g <= 0 ? row + 1 : 0;
        rate = rtt < 50    ? rate + DELTA
               : rtt > 500 ? rate * (1 - 0.8 * (1 - 500.0 / rtt))
               : g <= 0    ? rate + (row >= 5 ? 5 : 1) * DELTA
                           : rate * (1 - 0.8 * g);
        rate = std::min(1e10, std::max(1e6, rate));
        ASSERT_NEAR(nic.timely->GetRate(), rate, 1e-6 * rate) << "event " << i;
    }
}

TEST(RoceTimely, StatesItsNeeds)
{
    const CongestionControlNeeds burst = TimelyUnderTest().timely->GetNeeds();
    EXPECT_FALSE(burst.ecn);
    EXPECT_FALSE(burst.cnp);
    EXPECT_EQ(burst.ackEveryBytes, SEGMENT);
    EXPECT_EQ(burst.burstBytes, SEGMENT);
    const CongestionControlNeeds paced =
        TimelyUnderTest(G10, 1, {{"BurstPacing", "false"}, {"SegmentBytes", "64000"}})
            .timely->GetNeeds();
    EXPECT_EQ(paced.ackEveryBytes, 64000);
    EXPECT_EQ(paced.burstBytes, 0);
}
