/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s

/**
 * \param type TypeId name
 * \param attribute its attribute
 * \param value of the attribute
 * \return a congestion control, started
 */
Ptr<RoceCongestionControl>
MakeFixed(const std::string& type, const std::string& attribute, const std::string& value)
{
    ObjectFactory factory(type);
    factory.Set(attribute, StringValue(value));
    Ptr<RoceCongestionControl> control = factory.Create<RoceCongestionControl>();
    control->Start(MakeStart(G100));
    return control;
}

/** \param control hears of all that may happen */
void
Disturb(RoceCongestionControl& control)
{
    const uint64_t now = UsTicks(5);
    AckEvent ack;
    ack.now = now;
    ack.ackedBytes = ack.markedBytes = 1024;
    ack.markedPackets = 1;
    ack.rtt = UsTicks(700);
    control.OnAck(ack);
    control.OnCnp({now});
    control.OnLoss({now, 3, true});
}

} // namespace

TEST(RoceFixedRate, NothingChangesIt)
{
    const auto control = MakeFixed("ns3::FixedRateCongestionControl", "Rate", "12345678901bps");
    Disturb(*control);
    EXPECT_EQ(control->GetRateBps(UsTicks(9)), 12345678901U);
    EXPECT_EQ(control->GetWindowBytes(), RoceCongestionControl::UNLIMITED);
    EXPECT_EQ(control->GetNextChange(UsTicks(9)), RoceCongestionControl::NEVER);
}

TEST(RoceFixedRate, LineRateBoundsIt)
{
    for (const char* rate : {"0bps", "100Gbps", "400Gbps"})
    {
        const auto control = MakeFixed("ns3::FixedRateCongestionControl", "Rate", rate);
        EXPECT_EQ(control->GetRateBps(0), G100) << rate;
    }
}

TEST(RoceFixedWindow, NothingChangesIt)
{
    const auto control = MakeFixed("ns3::FixedWindowCongestionControl", "Window", "30000");
    Disturb(*control);
    EXPECT_EQ(control->GetWindowBytes(), 30000U);
    EXPECT_EQ(control->GetRateBps(UsTicks(9)), G100);
    EXPECT_EQ(control->GetNeeds().ackEveryBytes, 1U);
}

TEST(RoceFixedWindow, DefaultFillsTheIdlePath)
{
    const auto control = MakeFixed("ns3::FixedWindowCongestionControl", "Window", "0");
    // 8 us at 100 Gb/s are 100,000 bytes on the wire, 1024 of 1106 of them payload.
    EXPECT_EQ(control->GetWindowBytes(), 92586U);
}
