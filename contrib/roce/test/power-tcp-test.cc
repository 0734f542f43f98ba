/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/object-factory.h"
#include "ns3/power-tcp-congestion-control.h"
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

/** PowerTCP with a path of one port that does what the test says. */
class PowerUnderTest
{
  public:
    /** \param settings attributes */
    explicit PowerUnderTest(const Settings& settings = {})
    {
        ObjectFactory factory("ns3::PowerTcpCongestionControl");
        for (const auto& [name, value] : settings)
        {
            factory.Set(name, StringValue(value));
        }
        power = factory.Create<PowerTcpCongestionControl>();
        power->Start(MakeStart(G100));
        stack.hops.push_back({0, 0, 0, G100, 1});
    }

    /** Sends the next packet. */
    void Send()
    {
        power->OnSend({now, sent++, 1106, 1024});
    }

    /**
     * The port sent for a while, then the packet answered here.
     * \param ticks for how long
     * \param bytes that it sent
     * \param queue left behind, bytes
     */
    void Ack(uint64_t ticks, uint64_t bytes, uint64_t queue)
    {
        stack.hops[0].when += ticks;
        stack.hops[0].sentBytes += bytes;
        stack.hops[0].queueBytes = queue;
        Answer(ticks, 8 * US, &stack);
    }

    /**
     * An acknowledgement.
     * \param ticks since the last one
     * \param rtt round trip, ticks
     * \param telemetry what it brings back
     */
    void Answer(uint64_t ticks, uint64_t rtt, const TelemetryStack* telemetry)
    {
        AckEvent event;
        event.now = now += ticks;
        event.psn = acked++;
        event.nextPsn = sent;
        event.ackedBytes = 1024;
        event.rtt = rtt;
        event.telemetry = telemetry;
        power->OnAck(event);
    }

    Ptr<PowerTcpCongestionControl> power; //!< under test
    TelemetryStack stack;                 //!< of the next packet
    uint64_t now{0};                      //!< present time, ticks
    uint64_t sent{0};                     //!< packets
    uint64_t acked{0};                    //!< packets
};

} // namespace

TEST(RocePowerTcp, StartsAtLineRate)
{
    PowerUnderTest path;
    EXPECT_DOUBLE_EQ(path.power->GetWireWindow(), BDP);
    EXPECT_EQ(path.power->GetRateBps(0), G100);
    EXPECT_DOUBLE_EQ(path.power->GetAdditiveIncrease(), BDP / 10);
    EXPECT_TRUE(path.power->GetNeeds().telemetry);
    EXPECT_FALSE(PowerUnderTest(Settings{{"Telemetry", "false"}}).power->GetNeeds().telemetry);
}

TEST(RocePowerTcp, PowerIsCurrentTimesVoltage)
{
    PowerUnderTest path;
    path.Ack(US, 12500, 0);
    path.Ack(8 * US, 100000, 50000); // current: 100 KB sent, 50 KB queued in 8 us; voltage 1.5
    EXPECT_NEAR(path.power->GetPower(), 1.5 * 1.5, 1e-9);
    path.Ack(2 * US, 25000, 50000); // the queue stays: current 1, voltage 1.5; weight 1/4
    EXPECT_NEAR(path.power->GetPower(), 0.75 * 2.25 + 0.25 * 1.5, 1e-9);
    path.Ack(8 * US, 100000, 0); // half of what was sent was queued before: current 0.5
    EXPECT_NEAR(path.power->GetPower(), 0.5, 1e-9);
    path.Ack(8 * US, 10000, 0); // below the floor
    EXPECT_NEAR(path.power->GetPower(), 0.5, 1e-9);
}

TEST(RocePowerTcp, TheStrongestPortCounts)
{
    PowerUnderTest path;
    path.stack.hops.push_back({0, 0, 0, 4 * G100, 2});
    path.Ack(8 * US, 100000, 0);
    path.stack.hops[1].when += 16 * US;
    path.stack.hops[1].sentBytes += 100000; // a quarter
    path.Ack(8 * US, 80000, 0);
    EXPECT_NEAR(path.power->GetPower(), 0.8, 1e-9);
}

TEST(RocePowerTcp, WindowFollowsTheWindowAtTheTimeOfSending)
{
    PowerUnderTest path;
    for (int i = 0; i < 4; i++)
    {
        path.Send();
    }
    path.Ack(US, 12500, 0); // nothing to compare with; packets up to 3 are out
    path.Ack(8 * US, 200000, 0);
    const double first = 0.9 * (BDP / 2 + BDP / 10) + 0.1 * BDP;
    EXPECT_NEAR(path.power->GetWireWindow(), first, 1e-6);
    path.Send(); // packet 4
    path.Ack(8 * US, 200000, 0);
    const double second = 0.9 * (BDP / 2 + BDP / 10) + 0.1 * first;
    EXPECT_NEAR(path.power->GetWireWindow(), second, 1e-6);
    path.Ack(8 * US, 200000, 0);
    const double third = 0.9 * (BDP / 2 + BDP / 10) + 0.1 * second;
    EXPECT_NEAR(path.power->GetWireWindow(), third, 1e-6);
    path.Send();                 // packet 5
    path.Ack(8 * US, 200000, 0); // packet 4: a round trip; its window was that of its start
    const double fourth = 0.9 * (BDP / 2 + BDP / 10) + 0.1 * third;
    EXPECT_NEAR(path.power->GetWireWindow(), fourth, 1e-6);
    path.Send();
    path.Ack(8 * US, 200000, 0); // packet 5, sent before the last round trip began
    const double fifth = 0.9 * (BDP / 2 + BDP / 10) + 0.1 * fourth;
    EXPECT_NEAR(path.power->GetWireWindow(), fifth, 1e-6);
    path.Ack(8 * US, 200000, 0); // packet 6, sent after it
    EXPECT_NEAR(path.power->GetWireWindow(), 0.9 * (fourth / 2 + BDP / 10) + 0.1 * fifth, 1e-6);
    EXPECT_EQ(path.power->GetRateBps(0), static_cast<uint64_t>(path.power->GetWireWindow() * 1e6));
}

TEST(RocePowerTcp, GainIsSpreadOverARoundTripTime)
{
    for (const bool whole : {false, true})
    {
        PowerUnderTest path(Settings{{"WholeGainPerAck", whole ? "true" : "false"}});
        for (int i = 0; i < 5; i++)
        {
            path.Send();
        }
        path.Ack(8 * US, 100000, 0);
        path.Ack(2 * US, 50000, 0); // a quarter of tau: power 3/4 + 2/4
        const double gain = whole ? 0.9 : 0.9;
        EXPECT_NEAR(path.power->GetPower(), 1.25, 1e-9);
        EXPECT_NEAR(path.power->GetWireWindow(),
                    gain * (BDP / 1.25 + BDP / 10) + (1 - gain) * BDP,
                    1e-6);
        const double window = path.power->GetWireWindow();
        path.Ack(2 * US, 31250, 0); // power stays
        const double next = whole ? 0.9 : 0.9 / 4;
        EXPECT_NEAR(path.power->GetWireWindow(),
                    next * (BDP / 1.25 + BDP / 10) + (1 - next) * window,
                    1e-6);
    }
}

TEST(RocePowerTcp, ThetaPowerComesFromTheRoundTrip)
{
    PowerUnderTest path(Settings{{"Telemetry", "false"}});
    path.Answer(US, 8 * US, nullptr);
    path.Answer(8 * US, 12 * US, nullptr); // theta' = 4 / 8, theta / tau = 1.5
    EXPECT_NEAR(path.power->GetPower(), 1.5 * 1.5, 1e-9);
    path.Answer(4 * US, 12 * US, nullptr);
    EXPECT_NEAR(path.power->GetPower(), 0.5 * 2.25 + 0.5 * 1.5, 1e-9);
}

TEST(RocePowerTcp, ThetaMovesTheWindowOnceARoundTrip)
{
    PowerUnderTest path(Settings{{"Telemetry", "false"}});
    path.Send();
    path.Answer(US, 8 * US, nullptr); // packet 0, nothing to compare with
    path.Send();
    path.Send();
    path.Send();
    path.Answer(8 * US, 16 * US, nullptr); // packet 1: theta' = 1, theta / tau = 2
    const double first = 0.9 * (BDP / 4 + BDP / 10) + 0.1 * BDP;
    EXPECT_NEAR(path.power->GetWireWindow(), first, 1e-6);
    path.Answer(8 * US, 16 * US, nullptr); // packet 2 was sent before that, and is not the last one
    EXPECT_NEAR(path.power->GetWireWindow(), first, 1e-6);
    path.Answer(8 * US, 16 * US, nullptr); // packet 3 is, and was sent with the first window
    const double second = 0.9 * (BDP / 2 + BDP / 10) + 0.1 * first;
    EXPECT_NEAR(path.power->GetWireWindow(), second, 1e-6);
    path.Send();
    path.Answer(8 * US, 16 * US, nullptr); // packet 4 was sent with the present one
    EXPECT_NEAR(path.power->GetWireWindow(), 0.9 * (second / 2 + BDP / 10) + 0.1 * second, 1e-6);
}

TEST(RocePowerTcp, RestsInItsEquilibrium)
{
    // One queue pair alone: window b tau + beta, queue beta (theorem 1).
    for (const char* telemetry : {"true", "false"})
    {
        PowerUnderTest path(Settings{{"Telemetry", telemetry}});
        const double beta = BDP / 10;
        for (int i = 0; i < 60; i++)
        {
            path.Send();
            const double queue = std::max(0.0, path.power->GetWireWindow() - BDP);
            path.stack.hops[0].when += 8 * US;
            path.stack.hops[0].sentBytes += 100000;
            path.stack.hops[0].queueBytes = static_cast<uint64_t>(queue);
            path.Answer(8 * US, 8 * US + static_cast<uint64_t>(queue * 80), &path.stack);
        }
        EXPECT_NEAR(path.power->GetWireWindow(), BDP + beta, 0.01 * beta);
    }
}
