/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/dctcp-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s
constexpr double MTU = 1024;            //!< payload of a full packet, bytes

/** Attribute names and values. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** DCTCP with a window that is always full. */
class DctcpUnderTest
{
  public:
    /** \param settings attributes */
    explicit DctcpUnderTest(const Settings& settings = {})
    {
        ObjectFactory factory("ns3::DctcpCongestionControl");
        for (const auto& [name, value] : settings)
        {
            factory.Set(name, StringValue(value));
        }
        dctcp = factory.Create<DctcpCongestionControl>();
        dctcp->Start(MakeStart(G100));
        Fill();
    }

    /** Sends what the window allows. */
    void Fill()
    {
        while ((sent - acked) * MTU < dctcp->GetWindow())
        {
            sent++;
        }
    }

    /** \param marked whether the next packet, acknowledged now, carries CE */
    void Ack(bool marked)
    {
        AckEvent event;
        event.now = now += UsTicks(1);
        event.psn = acked++;
        event.nextPsn = sent;
        event.ackedBytes = 1024;
        event.markedBytes = marked ? 1024 : 0;
        event.markedPackets = marked;
        dctcp->OnAck(event);
        Fill();
    }

    Ptr<DctcpCongestionControl> dctcp; //!< under test
    uint64_t now{0};                   //!< present time, ticks
    uint64_t sent{0};                  //!< packets
    uint64_t acked{0};                 //!< packets
};

} // namespace

TEST(RoceDctcp, StartsWithThePathFullAtLineRate)
{
    DctcpUnderTest nic;
    EXPECT_EQ(nic.dctcp->GetWindowBytes(), 92586U);
    EXPECT_EQ(nic.dctcp->GetRateBps(0), G100);
    EXPECT_EQ(nic.dctcp->GetAlpha(), 1);
    EXPECT_TRUE(nic.dctcp->GetNeeds().ecn);
    EXPECT_FALSE(nic.dctcp->GetNeeds().cnp);
    EXPECT_EQ(DctcpUnderTest(Settings{{"InitialWindow", "5000"}}).dctcp->GetWindowBytes(), 5000U);
}

TEST(RoceDctcp, GrowsByOnePacketPerRoundTrip)
{
    DctcpUnderTest nic(Settings{{"InitialWindow", "20480"}});
    double window = 20 * MTU;
    for (int i = 0; i < 20; i++)
    {
        nic.Ack(false);
        window += MTU * MTU / window;
        EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), window);
    }
    EXPECT_NEAR(window, 21 * MTU, 0.03 * MTU);
}

TEST(RoceDctcp, OnlyAFullWindowGrows)
{
    DctcpUnderTest nic(Settings{{"InitialWindow", "20480"}});
    nic.sent = 10; // ten of twenty packets were there to be sent
    AckEvent event;
    event.nextPsn = 10;
    event.ackedBytes = 1024;
    nic.dctcp->OnAck(event);
    EXPECT_EQ(nic.dctcp->GetWindow(), 20 * MTU);
}

TEST(RoceDctcp, AlphaCountsMarkedBytesOfItsWindow)
{
    // Ten packets outstanding, the window does not move (alpha 0 cuts nothing).
    DctcpUnderTest nic(
        {{"InitialWindow", "10240"}, {"IncreasePackets", "0"}, {"InitialAlpha", "0"}});
    nic.Ack(false);
    for (int i = 0; i < 10; i++)
    {
        nic.Ack(i == 2 || i == 5 || i == 6);
    }
    EXPECT_DOUBLE_EQ(nic.dctcp->GetAlpha(), 0.3 / 16);
    for (int i = 0; i < 10; i++)
    {
        nic.Ack(false);
    }
    EXPECT_NEAR(nic.dctcp->GetAlpha(), 0.3 / 16 * 15 / 16, 1e-12);
}

TEST(RoceDctcp, OneCutPerWindow)
{
    DctcpUnderTest nic(
        Settings{{"InitialWindow", "20480"}, {"AlphaGain", "0"}, {"InitialAlpha", "0.4"}});
    nic.Ack(true);
    const double cut = 20 * MTU * 0.8;
    EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), cut);
    for (int i = 0; i < 19; i++)
    {
        nic.Ack(true); // sent before the cut
        EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), cut) << i;
    }
    nic.Ack(true); // the first packet sent after it
    EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), cut * 0.8);
}

TEST(RoceDctcp, ALossHalvesTheWindowOncePerWindow)
{
    DctcpUnderTest nic(Settings{{"InitialWindow", "20480"}});
    nic.Ack(false);
    const double window = nic.dctcp->GetWindow();
    nic.dctcp->OnLoss({nic.now, 1, false});
    EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), window / 2);
    nic.dctcp->OnLoss({nic.now, 5, false});
    EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), window / 2);
    nic.dctcp->OnLoss({nic.now, 40, true});
    EXPECT_DOUBLE_EQ(nic.dctcp->GetWindow(), window / 4);
}

TEST(RoceDctcp, NeverBelowOnePacket)
{
    DctcpUnderTest nic(Settings{{"InitialWindow", "4096"}});
    for (int i = 0; i < 200; i++)
    {
        nic.Ack(true);
    }
    EXPECT_EQ(nic.dctcp->GetWindowBytes(), 1024U);
}
