/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/object-factory.h"
#include "ns3/patched-timely-congestion-control.h"
#include "ns3/string.h"

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

/** Attribute names and values. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** Patched TIMELY, with completion events for the asking. */
class PatchedUnderTest
{
  public:
    /** \param settings attributes */
    explicit PatchedUnderTest(const Settings& settings = {})
    {
        ObjectFactory factory("ns3::PatchedTimelyCongestionControl");
        for (const auto& [name, value] : settings)
        {
            factory.Set(name, StringValue(value));
        }
        timely = factory.Create<PatchedTimelyCongestionControl>();
        const CongestionControlStart start = MakeStart(G10, 2);
        timely->Start(start);
        packet = start.packetWireBytes * 8 * start.ticksPerSecond / G10;
    }

    /** \param rttUs round trip time without the packet's own serialisation, µs */
    void Complete(uint64_t rttUs)
    {
        AckEvent event;
        event.now = now += UsTicks(20);
        event.ackedBytes = 16000;
        event.rtt = UsTicks(rttUs) + packet;
        timely->OnAck(event);
    }

    Ptr<PatchedTimelyCongestionControl> timely; //!< under test
    uint64_t packet;                            //!< serialisation of a full packet, ticks
    uint64_t now{0};                            //!< present time, ticks
};

} // namespace

TEST(RocePatchedTimely, FollowsGradientAndQueueWithinTheBand)
{
    PatchedUnderTest nic;
    nic.Complete(75); // first event: g = 0, w = 1/2, e = 1/2
    double rate = DELTA / 2 + 5e9 * (1 - 0.008 * 0.5 * 0.5);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), rate);
    nic.Complete(77);
    const double gradient = 0.875 * 2 / 20;
    const double weight = 2 * gradient + 0.5;
    EXPECT_DOUBLE_EQ(nic.timely->GetGradient(), gradient);
    rate = DELTA * (1 - weight) + rate * (1 - 0.008 * weight * 27 / 50.0);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), rate);
}

TEST(RocePatchedTimely, WeightIsClamped)
{
    PatchedUnderTest nic;
    nic.Complete(100);
    double rate = nic.timely->GetRate();
    nic.Complete(120); // g = 0.875: w = 1, no increase
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), rate * (1 - 0.008 * 70 / 50.0));
    nic.Complete(60);
    nic.Complete(60); // g is still below -1/4: w = 0, no decrease
    rate = nic.timely->GetRate();
    nic.Complete(55);
    ASSERT_LT(nic.timely->GetGradient(), -0.25);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), rate + DELTA);
}

TEST(RocePatchedTimely, OutsideTheBandItIsTimelyWithItsOwnBeta)
{
    PatchedUnderTest nic;
    nic.Complete(30);
    EXPECT_EQ(nic.timely->GetRate(), 5e9 + DELTA);
    nic.Complete(1000);
    EXPECT_DOUBLE_EQ(nic.timely->GetRate(), (5e9 + DELTA) * (1 - 0.008 * 0.5));
}

TEST(RocePatchedTimely, RestsAtItsFixedPoint)
{
    // delta = beta R e with R = 5 Gb/s: e = 1/4, RTT* = 62.5 us.
    PatchedUnderTest nic;
    nic.Complete(62);
    EXPECT_GT(nic.timely->GetRate(), 5e9);
    PatchedUnderTest high;
    high.Complete(63);
    EXPECT_LT(high.timely->GetRate(), 5e9);
    PatchedUnderTest moved(Settings{{"RttReference", "100us"}});
    moved.Complete(124);
    EXPECT_GT(moved.timely->GetRate(), 5e9);
    PatchedUnderTest movedHigh(Settings{{"RttReference", "100us"}});
    movedHigh.Complete(126);
    EXPECT_LT(movedHigh.timely->GetRate(), 5e9);
}

TEST(RocePatchedTimely, RandomRoundTripsFollowTheFormula)
{
    PatchedUnderTest nic;
    std::mt19937 random(1);
    double rate = 5e9;
    double difference = 0;
    double previous = 0;
    for (int i = 0; i < 2000; i++)
    {
        const uint64_t rtt = 40 + random() % 40 + (random() % 20 == 0 ? 600 : 0);
        nic.Complete(rtt);
        difference = 0.125 * difference + (i == 0 ? 0 : 0.875 * (rtt - previous));
        previous = rtt;
        const double w = std::min(1.0, std::max(0.0, 2 * difference / 20 + 0.5));
        rate = rtt < 50    ? rate + DELTA
               : rtt > 500 ? rate * (1 - 0.008 * (1 - 500.0 / rtt))
                           : DELTA * (1 - w) + rate * (1 - 0.008 * w * (rtt - 50.0) / 50);
        rate = std::min(1e10, std::max(1e6, rate));
        ASSERT_NEAR(nic.timely->GetRate(), rate, 1e-6 * rate) << "event " << i;
    }
}

TEST(RocePatchedTimely, PacesBurstsOrPackets)
{
    EXPECT_EQ(PatchedUnderTest().timely->GetNeeds().burstBytes, 16000U);
    const auto packets = PatchedUnderTest(Settings{{"BurstPacing", "false"}}).timely->GetNeeds();
    EXPECT_EQ(packets.burstBytes, 0U);
    EXPECT_EQ(packets.ackEveryBytes, 16000U);
}
