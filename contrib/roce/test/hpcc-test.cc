/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/hpcc-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s
constexpr uint64_t US = 1000000;        //!< ticks
constexpr double BDP = 100000;          //!< bytes that 100 Gb/s carry in 8 us

/** Attribute names and values. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** HPCC with a path of ports that do what the test says. */
class HpccUnderTest
{
  public:
    /**
     * \param settings attributes
     * \param rates of the path's ports, bit/s
     * \param lineRateBps rate of the NIC port, bit/s
     */
    explicit HpccUnderTest(const Settings& settings = {},
                           const std::vector<uint64_t>& rates = {G100},
                           uint64_t lineRateBps = G100)
    {
        ObjectFactory factory("ns3::HpccCongestionControl");
        factory.Set("AdditiveIncrease", StringValue("80Mbps")); // 80 bytes in 8 us
        for (const auto& [name, value] : settings)
        {
            factory.Set(name, StringValue(value));
        }
        hpcc = factory.Create<HpccCongestionControl>();
        hpcc->Start(MakeStart(lineRateBps));
        for (size_t i = 0; i < rates.size(); i++)
        {
            stack.hops.push_back({0, 0, 0, rates[i], i});
        }
    }

    /**
     * The ports sent a share of their rate for a while, then the packet answered here.
     * \param ticks for how long
     * \param shares of each port's rate
     * \param queues left behind, bytes
     */
    void Ack(uint64_t ticks,
             const std::vector<double>& shares,
             const std::vector<uint64_t>& queues = {})
    {
        for (size_t i = 0; i < stack.hops.size(); i++)
        {
            TelemetryHop& hop = stack.hops[i];
            hop.when += ticks;
            hop.sentBytes += static_cast<uint64_t>(shares[i] * hop.rateBps / 8 * ticks * 1e-12);
            hop.queueBytes = i < queues.size() ? queues[i] : 0;
        }
        AckEvent event;
        event.now = stack.hops.empty() ? 0 : stack.hops[0].when + 4 * US;
        event.psn = psn++;
        event.nextPsn = psn + outstanding;
        event.ackedBytes = 1024;
        event.telemetry = &stack;
        hpcc->OnAck(event);
    }

    Ptr<HpccCongestionControl> hpcc; //!< under test
    TelemetryStack stack;            //!< of the next packet
    uint64_t psn{0};                 //!< of the next packet
    uint64_t outstanding{1000000};   //!< packets on their way: W_c stays while it is large
};

} // namespace

TEST(RoceHpcc, StartsWithTheBandwidthDelayProductAtLineRate)
{
    HpccUnderTest path;
    EXPECT_DOUBLE_EQ(path.hpcc->GetWireWindow(), BDP);
    EXPECT_EQ(path.hpcc->GetRateBps(0), G100);
    EXPECT_EQ(path.hpcc->GetWindowBytes(), 92585U); // payload: 1024 of 1106
    EXPECT_TRUE(path.hpcc->GetNeeds().telemetry);
    path.Ack(US, {1.0}, {500000}); // nothing to compare with
    EXPECT_DOUBLE_EQ(path.hpcc->GetWireWindow(), BDP);
}

TEST(RoceHpcc, UtilisationIsSmoothedOverTheBaseRoundTrip)
{
    HpccUnderTest path;
    path.Ack(US, {1.0});
    path.Ack(2 * US, {0.5});
    double u = 0.75 * 1 + 0.25 * 0.5; // tau / T = 2 / 8
    EXPECT_NEAR(path.hpcc->GetUtilization(), u, 1e-9);
    path.Ack(4 * US, {0.5}, {40000}); // the smaller of the two queues counts: 0
    u = 0.5 * u + 0.5 * 0.5;
    EXPECT_NEAR(path.hpcc->GetUtilization(), u, 1e-9);
    path.Ack(4 * US, {0.5}, {30000}); // 30 of 100 KB
    u = 0.5 * u + 0.5 * (0.5 + 0.3);
    EXPECT_NEAR(path.hpcc->GetUtilization(), u, 1e-9);
    path.Ack(40 * US, {0.2}); // longer than T: nothing is left of the past
    EXPECT_NEAR(path.hpcc->GetUtilization(), 0.2, 1e-9);
}

TEST(RoceHpcc, TheBusiestPortCounts)
{
    HpccUnderTest path({}, {G100, 4 * G100, G100 / 4, 16 * G100});
    path.Ack(US, {0.1, 0.1, 0.1, 0.1});
    path.Ack(8 * US, {0.3, 0.9, 0.2, 0.1});
    EXPECT_NEAR(path.hpcc->GetUtilization(), 0.9, 1e-6);
    path.Ack(8 * US, {0.3, 0.1, 0.2, 0.1}, {0, 0, 10000, 0});
    EXPECT_NEAR(path.hpcc->GetUtilization(), 0.3, 1e-6) << "the queue was empty before";
    path.Ack(8 * US, {0.3, 0.1, 0.2, 0.1}, {0, 0, 10000, 0});
    EXPECT_NEAR(path.hpcc->GetUtilization(), 0.2 + 0.4, 1e-6) << "25 KB fit the slow port's T";
}

TEST(RoceHpcc, AnyRateAndAnyNumberOfHops)
{
    const std::vector<uint64_t> rates{1600000000000,
                                      12345678901,
                                      800000000000,
                                      1000000000,
                                      1600000000000,
                                      400000000000,
                                      800000000000,
                                      40000000000};
    for (size_t busy = 0; busy < rates.size(); busy++)
    {
        HpccUnderTest path({}, rates, 1600000000000);
        // Far beyond 24 bits of nanoseconds and 20 bits of 128 bytes.
        for (TelemetryHop& hop : path.stack.hops)
        {
            hop.sentBytes = uint64_t{1} << 50;
        }
        std::vector<double> shares(rates.size(), 0.1);
        path.Ack(1000000 * US, shares);
        shares[busy] = 0.7;
        path.Ack(8 * US, shares);
        EXPECT_NEAR(path.hpcc->GetUtilization(), 0.7, 0.001) << "port " << busy;
        path.Ack(100000 * US, shares);
        EXPECT_NEAR(path.hpcc->GetUtilization(), 0.7, 0.001) << "port " << busy;
    }
}

TEST(RoceHpcc, WindowFollowsTheReferenceNotItself)
{
    HpccUnderTest path;
    path.Ack(US, {1.0});
    for (int i = 0; i < 5; i++)
    {
        path.Ack(8 * US, {1.9});
        // All acknowledgements of a round trip react to the same reference.
        EXPECT_NEAR(path.hpcc->GetWireWindow(), BDP * 0.95 / 1.9 + 80, 0.01);
        EXPECT_DOUBLE_EQ(path.hpcc->GetReferenceWindow(), BDP);
    }
    EXPECT_EQ(path.hpcc->GetRateBps(0), static_cast<uint64_t>(path.hpcc->GetWireWindow() * 1e6));
}

TEST(RoceHpcc, ReferenceMovesOnceARoundTrip)
{
    HpccUnderTest path;
    path.outstanding = 3;
    path.Ack(US, {1.0}); // packets up to 3 are out
    for (int i = 0; i < 3; i++)
    {
        path.Ack(8 * US, {1.9});
        EXPECT_DOUBLE_EQ(path.hpcc->GetReferenceWindow(), BDP) << i;
    }
    path.Ack(8 * US, {1.9}); // the first of those sent after
    EXPECT_NEAR(path.hpcc->GetReferenceWindow(), BDP / 2 + 80, 0.01);
    path.Ack(8 * US, {1.9});
    EXPECT_NEAR(path.hpcc->GetWireWindow(), (BDP / 2 + 80) / 2 + 80, 0.01);
}

TEST(RoceHpcc, AdditiveStepsThenAMultiplicativeOne)
{
    HpccUnderTest path;
    path.outstanding = 0; // every acknowledgement is a round trip
    path.Ack(US, {1.0});
    path.Ack(8 * US, {3.8}); // W_c = 25 KB + 80
    double reference = BDP / 4 + 80;
    for (uint32_t stage = 0; stage < 5; stage++)
    {
        EXPECT_EQ(path.hpcc->GetStage(), stage);
        path.Ack(8 * US, {0.475});
        reference += 80;
        EXPECT_NEAR(path.hpcc->GetReferenceWindow(), reference, 0.01);
    }
    path.Ack(8 * US, {0.475}); // the sixth doubles
    EXPECT_NEAR(path.hpcc->GetReferenceWindow(), reference * 2 + 80, 0.01);
    EXPECT_EQ(path.hpcc->GetStage(), 0U);
}

TEST(RoceHpcc, NeverAboveTheLineRateNorBelowTheFloor)
{
    HpccUnderTest path(Settings{{"MinRate", "1Gbps"}});
    path.outstanding = 0;
    path.Ack(US, {1.0});
    for (int i = 0; i < 30; i++)
    {
        path.Ack(8 * US, {0.01});
    }
    EXPECT_DOUBLE_EQ(path.hpcc->GetWireWindow(), BDP);
    for (int i = 0; i < 30; i++)
    {
        path.Ack(8 * US, {0.99}, {5000000});
    }
    EXPECT_EQ(path.hpcc->GetRateBps(0), 1000000000U);
}

TEST(RoceHpcc, AnotherPathIsNotCompared)
{
    HpccUnderTest path({}, {G100, G100});
    path.Ack(US, {0.5, 0.5});
    path.Ack(8 * US, {0.5, 0.5});
    const double before = path.hpcc->GetUtilization();
    const double window = path.hpcc->GetWireWindow();
    path.stack.hops[1].port = 77;
    path.Ack(8 * US, {3.0, 3.0}); // through another port
    EXPECT_EQ(path.hpcc->GetUtilization(), before);
    EXPECT_EQ(path.hpcc->GetWireWindow(), window);
    path.Ack(8 * US, {0.4, 0.4}); // as before
    EXPECT_NEAR(path.hpcc->GetUtilization(), 0.4, 1e-9);
    path.stack.hops[0].when -= 16 * US; // overtaken
    path.Ack(8 * US, {0.4, 0.4});
    EXPECT_NEAR(path.hpcc->GetUtilization(), 0.4, 1e-9);
}

TEST(RoceHpcc, SettlesAtTheUtilisationOfTheFormula)
{
    // N queue pairs with the same window keep a port busy: W N = U B T, U* = eta + N R_AI / B.
    for (const double flows : {2.0, 16.0, 40.0})
    {
        HpccUnderTest path(Settings{{"BaseRtt", "13us"}, {"AdditiveIncrease", "0bps"}});
        path.outstanding = 0;
        path.Ack(US, {1.0});
        for (int i = 0; i < 400; i++)
        {
            const double load = path.hpcc->GetWireWindow() * flows / 162500;
            path.Ack(13 * US, {load});
        }
        EXPECT_NEAR(path.hpcc->GetUtilization(), 0.95 + flows / 2000, 0.005);
    }
}
