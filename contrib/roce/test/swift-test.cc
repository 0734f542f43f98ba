/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/swift-congestion-control.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s
constexpr double US = 1e6;              //!< ticks

/** Attribute names and values. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** Swift, with acknowledgements for the asking. */
class SwiftUnderTest
{
  public:
    /**
     * \param settings attributes
     * \param switches on the way
     */
    explicit SwiftUnderTest(const Settings& settings = {}, uint32_t switches = 0)
    {
        ObjectFactory factory("ns3::SwiftCongestionControl");
        for (const auto& [name, value] : settings)
        {
            factory.Set(name, StringValue(value));
        }
        swift = factory.Create<SwiftCongestionControl>();
        CongestionControlStart start = MakeStart(G100);
        start.switchCount = switches;
        swift->Start(start);
    }

    /**
     * \param delayUs round trip, µs
     * \param afterUs time since the last one, µs
     * \param packets acknowledged
     */
    void Ack(uint64_t delayUs, uint64_t afterUs = 1, uint64_t packets = 1)
    {
        AckEvent event;
        event.now = now += UsTicks(afterUs);
        event.ackedBytes = 1024 * packets;
        event.rtt = UsTicks(delayUs);
        swift->OnAck(event);
    }

    Ptr<SwiftCongestionControl> swift; //!< under test
    uint64_t now{0};                   //!< present time, ticks
};

} // namespace

TEST(RoceSwift, StartsWithThePathFull)
{
    SwiftUnderTest nic;
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), 100000.0 / 1106);
    EXPECT_EQ(nic.swift->GetWindowBytes(), static_cast<uint64_t>(100000.0 * 1024 / 1106));
    EXPECT_EQ(nic.swift->GetRateBps(0), G100);
    EXPECT_EQ(SwiftUnderTest(Settings{{"InitialWindow", "5"}}).swift->GetWindow(), 5);
}

TEST(RoceSwift, TargetScalesWithWindowAndHops)
{
    const double alpha = 100 * US / (1 / std::sqrt(0.1) - 1 / std::sqrt(100.0));
    for (const double window : {0.5, 1.0, 4.0, 25.0, 90.0})
    {
        SwiftUnderTest nic(Settings{{"InitialWindow", std::to_string(window)}});
        EXPECT_NEAR(nic.swift->GetTargetDelay(),
                    20 * US + alpha * (1 / std::sqrt(window) - 0.1),
                    1);
    }
    EXPECT_NEAR(SwiftUnderTest(Settings{{"InitialWindow", "100"}}).swift->GetTargetDelay(),
                20 * US,
                1);
    EXPECT_NEAR(SwiftUnderTest(Settings{{"InitialWindow", "400"}}).swift->GetTargetDelay(),
                20 * US,
                1);
    EXPECT_NEAR(SwiftUnderTest(Settings{{"InitialWindow", "0.1"}}).swift->GetTargetDelay(),
                120 * US,
                1);
    EXPECT_NEAR(SwiftUnderTest(Settings{{"InitialWindow", "0.05"}}).swift->GetTargetDelay(),
                120 * US,
                1);
    SwiftUnderTest far(Settings{{"InitialWindow", "100"}, {"HopScale", "1500ns"}}, 5);
    EXPECT_NEAR(far.swift->GetTargetDelay(), 27.5 * US, 1);
}

TEST(RoceSwift, BelowTheTargetTheWindowGrows)
{
    SwiftUnderTest nic(Settings{{"InitialWindow", "8"}, {"FlowScaleRange", "0us"}});
    nic.Ack(19);
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), 8 + 1 / 8.0);
    nic.Ack(19, 1, 4);
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), 8.125 + 4 / 8.125);
    SwiftUnderTest small(Settings{{"InitialWindow", "0.25"}, {"FlowScaleRange", "0us"}});
    small.Ack(19);
    EXPECT_DOUBLE_EQ(small.swift->GetWindow(), 1.25);
}

TEST(RoceSwift, AtTheTargetItFallsOncePerRoundTrip)
{
    SwiftUnderTest nic(Settings{{"InitialWindow", "50"}, {"FlowScaleRange", "0us"}});
    nic.Ack(25);
    double window = 50 * (1 - 0.8 * 5 / 25.0);
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), window);
    nic.Ack(25, 24);
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), window) << "a round trip is 25 us";
    nic.Ack(25, 1);
    window *= 1 - 0.8 * 5 / 25.0;
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), window);
    nic.Ack(400, 400); // 1 - 0.8 * 380 / 400 is below 1 - max_mdf
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), window / 2);
    const double before = nic.swift->GetWindow();
    nic.Ack(20, 30); // exactly the target: a decrease by nothing
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), before);
    nic.Ack(25, 1); // it does not count as one
    EXPECT_LT(nic.swift->GetWindow(), before);
}

TEST(RoceSwift, BelowOnePacketItPaces)
{
    SwiftUnderTest nic(Settings{{"InitialWindow", "0.25"}, {"FlowScaleRange", "0us"}});
    EXPECT_EQ(nic.swift->GetWindowBytes(), 1024U);
    // One packet of 1106 bytes per 8 us / 0.25.
    EXPECT_EQ(nic.swift->GetRateBps(0), 276500000U);
    nic.Ack(100, 100);
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), 0.125);
    EXPECT_EQ(nic.swift->GetRateBps(nic.now), 11060000U) << "per 100 us / 0.125";
    nic.Ack(10, 100);
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), 1.125);
    EXPECT_EQ(nic.swift->GetRateBps(nic.now), G100);
    EXPECT_EQ(nic.swift->GetWindowBytes(), 1152U);
}

TEST(RoceSwift, LossesAndTimeouts)
{
    SwiftUnderTest nic(Settings{{"InitialWindow", "64"}});
    nic.Ack(8);
    const double window = nic.swift->GetWindow();
    nic.swift->OnLoss({nic.now, 1, false});
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), window / 2);
    nic.swift->OnLoss({nic.now + UsTicks(7), 1, false});
    EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), window / 2) << "within a round trip";
    for (int timeout = 1; timeout <= 5; timeout++)
    {
        nic.now += UsTicks(1000);
        nic.swift->OnLoss({nic.now, 1, true});
        const double expected = timeout < 5 ? window / std::pow(2, timeout + 1) : 0.01;
        EXPECT_DOUBLE_EQ(nic.swift->GetWindow(), expected) << timeout;
    }
    nic.Ack(8);
    nic.swift->OnLoss({nic.now + UsTicks(1000), 1, true});
    EXPECT_GT(nic.swift->GetWindow(), 0.1) << "an acknowledgement ends the row of timeouts";
}

TEST(RoceSwift, StaysWithinItsBounds)
{
    SwiftUnderTest nic(Settings{{"MaxWindow", "12"}, {"MinWindow", "0.5"}});
    EXPECT_EQ(nic.swift->GetWindow(), 12);
    nic.Ack(8);
    EXPECT_EQ(nic.swift->GetWindow(), 12);
    for (int i = 0; i < 50; i++)
    {
        nic.Ack(900, 1000);
    }
    EXPECT_EQ(nic.swift->GetWindow(), 0.5);
    // By default it ends where the line is full at the largest target: 120 us.
    SwiftUnderTest wide(Settings{{"InitialWindow", "100000"}});
    EXPECT_NEAR(wide.swift->GetWindow(), 120e-6 * 1e11 / 8 / 1106, 0.01);
}
