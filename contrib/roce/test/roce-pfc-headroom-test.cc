/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-under-test.h"

#include "ns3/roce-wire.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::pfctest;

namespace
{

/**
 * The worst case for headroom: host 0 sends to host 1, whose port is stuck; hosts 2 and 3 send to
 * host 0 more than fits, so that our PAUSE waits for a whole frame; when it reaches host 0, a frame
 * has just started there.
 * \param maxFrameBytes what the switch believes to be the largest frame
 * \param latency time that a frame takes through the switch, ticks: of 1000 bytes or a multiple
 * \return frames lost
 */
uint64_t
DropsInTheWorstCase(uint32_t maxFrameBytes, uint64_t latency = 0)
{
    PfcUnderTest test({{"MaxFrameBytes", maxFrameBytes}});
    test.hub->SetAttribute("Latency", TimeValue(TimeStep(latency)));
    test.hub->Configure();
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 300);
    test.hosts[2]->SendAt(0, 0, 150);
    test.hosts[3]->SendAt(0, 0, 150);
    test.Run();
    EXPECT_GE(test.Counters().pfcPauses, 1U);
    const uint64_t drops = test.Counters().drops;
    EXPECT_EQ(test.hosts[1]->arrivals.size() + drops, 300U);
    EXPECT_EQ(test.hosts[0]->arrivals.size(), 300U);
    EXPECT_EQ(test.hub->GetPort(1).GetCounters().drops, drops);
    return drops;
}

TEST(RocePfc, HeadroomFollowsTheFormula)
{
    // 2 r d + L_rev + PFC + L_fwd, all with preamble and gap.
    struct Case
    {
        uint64_t rateBps;
        uint64_t delay;
        uint32_t gap;
        uint32_t frame;
        uint64_t expected;
    };

    const std::vector<Case> cases = {
        {100000000000, US, 20, 1086, 27296},
        {100000000000, US, 20, 4158, 33440},
        {400000000000, US / 2, 20, 4158, 58440},
        {400000000000, US / 2, 20, 9062, 68248},
        {100000000000, DELAY, 0, FRAME, 27000},
        {40000000000, 1500000, 20, 1534, 15000 + 2 * 1554 + 84},
    };
    for (const Case& c : cases)
    {
        EngineUnderTest engine;
        auto context = Create<FabricContext>();
        std::vector<Ptr<FrameHost>> hosts = {CreateObject<FrameHost>(), CreateObject<FrameHost>()};
        for (const auto& host : hosts)
        {
            host->SetFabric(context);
            CreateObject<Node>()->AddDevice(host);
            host->AddPort();
        }
        FabricPort::Connect(hosts[0]->GetPort(0),
                            hosts[1]->GetPort(0),
                            {c.rateBps, c.delay, c.gap, 0});
        EXPECT_EQ(Pfc::GetHeadroomBytes(hosts[0]->GetPort(0), c.frame), c.expected);
    }
}

TEST(RocePfc, HeadroomCountsAPauseOfEveryClassAndTheLatency)
{
    PfcUnderTest test({});
    const FabricPort& port = test.hub->GetPort(0);
    EXPECT_EQ(Pfc::GetHeadroomBytes(port, FRAME, 1), 27000U);
    EXPECT_EQ(Pfc::GetHeadroomBytes(port, FRAME, 3), 27000U + 2 * 64);
    EXPECT_EQ(Pfc::GetHeadroomBytes(port, FRAME, 1, US), 27000U + 12500);
    EXPECT_EQ(test.hub->GetHeadroomBytes(0), 27000U);
    test.hub->SetAttribute("LosslessPriorities", UintegerValue(0xff));
    EXPECT_EQ(test.hub->GetHeadroomBytes(0), 27000U + 7 * 64);
}

TEST(RocePfc, DefaultHeadroomHoldsTheLargestFrame)
{
    UintegerValue bytes;
    CreateObject<RoceSwitchDevice>()->GetAttribute("MaxFrameBytes", bytes);
    uint32_t largest = 0;
    for (uint32_t opcode = 0; opcode < 256; opcode++)
    {
        const auto code = static_cast<RoceOpcode>(opcode);
        largest = std::max(largest, RoceWire::FrameBytes(code, 4096));
    }
    EXPECT_EQ(bytes.Get(), largest);
}

TEST(RocePfc, MinimumHeadroomLosesNothing)
{
    EXPECT_EQ(DropsInTheWorstCase(FRAME), 0U);
}

TEST(RocePfc, HeadroomHoldsWhatComesDuringTheLatency)
{
    EXPECT_EQ(DropsInTheWorstCase(FRAME, 13 * SER), 0U);
    EXPECT_EQ(DropsInTheWorstCase(FRAME - 1, 13 * SER), 1U) << "again to the last byte";
}

TEST(RocePfc, HeadroomShortByAByteLosesAFrame)
{
    // The case uses the headroom to its last byte: the formula has no slack.
    EXPECT_EQ(DropsInTheWorstCase(FRAME - 1), 1U);
    EXPECT_EQ(DropsInTheWorstCase(FRAME / 2), 1U);
    EXPECT_EQ(DropsInTheWorstCase(FRAME / 2 - 1), 2U);
}

/**
 * The worst case with two lossless classes: a frame of 1000 bytes has just started in front of our
 * PAUSE frames when class 5 reaches its threshold, and class 3 does 16 bytes later: its PAUSE waits
 * for the one of class 5. When it arrives 26 frames have left host 0 and a 27th has started.
 * \param maxFrameBytes what the switch believes to be the largest frame
 * \return frames lost
 */
uint64_t
DropsWithTwoClasses(uint32_t maxFrameBytes)
{
    constexpr uint64_t BYTE = 80;               // ticks
    constexpr uint64_t LINK = 12450 * BYTE;     // delay
    constexpr uint64_t BEGIN = 35630 * BYTE;    // class 3 is 28 bytes below its threshold to be
    constexpr uint64_t FULL = BEGIN + 36 * SER; // class 5 has sent what brings it to its own
    const uint64_t headroom = 24900 + 2 * maxFrameBytes + 2 * 64;
    PfcUnderTest test({{"MaxFrameBytes", maxFrameBytes},
                       {"LosslessPriorities", 1U << 3 | 1U << 5},
                       {"BufferBytes", 784000 + 8 * headroom}},
                      0.05,
                      LINK);
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hub->GetPort(1).Pause(5, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 35);
    test.hosts[0]->SendAt(0, 1, 1, 3, 630);
    test.hosts[0]->SendAt(BEGIN, 1, 36, 5);
    test.hosts[0]->SendAt(BEGIN, 1, 1, 3, 16);
    test.hosts[0]->SendAt(BEGIN, 1, 60);
    test.hosts[2]->SendAt(FULL - 30 * SER - 1, 0, 60, 1);
    test.Run();
    EXPECT_GE(test.sent.size(), 4U);
    EXPECT_EQ(test.sent[0].when, FULL + LINK);
    EXPECT_EQ(test.sent[0].priority, 5U);
    EXPECT_EQ(test.sent[1].when, FULL + LINK + 16 * BYTE);
    EXPECT_EQ(test.sent[1].priority, 3U);
    EXPECT_EQ(test.hosts[0]->arrivals.size(), 60U);
    EXPECT_EQ(test.hosts[1]->arrivals.size() + test.Counters().drops, 133U);
    return test.Counters().drops;
}

TEST(RocePfc, HeadroomOfTwoClassesHoldsWhatTheLaterPauseLetsThrough)
{
    EXPECT_EQ(DropsWithTwoClasses(FRAME), 0U);
    EXPECT_EQ(DropsWithTwoClasses(FRAME - 14), 0U) << "27,000 bytes, all of them used";
    EXPECT_EQ(DropsWithTwoClasses(FRAME - 15), 1U);
}

} // namespace
