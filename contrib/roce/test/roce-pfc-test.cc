/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-under-test.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::pfctest;

namespace
{

TEST(RocePfc, QuantaAre512BitTimes)
{
    PfcUnderTest test({});
    EXPECT_EQ(Pfc::GetTicks(test.hub->GetPort(0), 1), 5120U);
    EXPECT_EQ(Pfc::GetTicks(test.hub->GetPort(0), 65535), 335539200U);
}

TEST(RocePfc, PauseAndResumeReachThePeerAndTheTraces)
{
    PfcUnderTest test({{"ResumeOffset", 2 * FRAME}});
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 200);
    test.Run();
    ASSERT_EQ(test.sent.size(), 2 * test.Counters().pfcPauses);
    for (size_t i = 0; i < test.sent.size(); i++)
    {
        EXPECT_EQ(test.sent[i].port, 0U);
        EXPECT_EQ(test.sent[i].priority, 3U);
        EXPECT_EQ(test.sent[i].pause, i % 2 == 0);
    }
    EXPECT_TRUE(test.received.empty());
    // Host 0 stops one PAUSE frame and one delay after the decision, no sooner and no later, and
    // starts again likewise.
    const uint64_t stop = test.sent[0].when + 64 * 80 + DELAY;
    const uint64_t start = test.sent[1].when + 64 * 80 + DELAY;
    const auto& departures = test.hosts[0]->departures;
    for (const uint64_t departure : departures)
    {
        EXPECT_TRUE(departure <= stop || departure >= start);
    }
    EXPECT_NE(std::find(departures.begin(), departures.end(), start), departures.end());
    const auto last = std::find_if(departures.begin(), departures.end(), [&](uint64_t departure) {
        return departure > stop;
    });
    EXPECT_GT(*(last - 1) + SER, stop) << "it stopped in time, not before";
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 200U);
    EXPECT_EQ(test.hosts[1]->arrivals.front(), 50 * US + SER + DELAY);
}

TEST(RocePfc, PauseIsRefreshedAsLongAsItLasts)
{
    for (const uint64_t quanta : {400, 1000, 20000})
    {
        PfcUnderTest test({{"PauseQuanta", quanta}});
        test.hub->GetPort(1).Pause(3, 100 * US, 0);
        test.hosts[0]->SendAt(0, 1, 200);
        test.Run();
        ASSERT_GE(test.sent.size(), 2U);
        EXPECT_EQ(test.Counters().drops, 0U);
        EXPECT_EQ(test.Counters().pfcPauses, test.sent.size() / 2);
        const uint64_t length = test.sent[1].when - test.sent[0].when;
        const uint64_t period = quanta * 5120 / 2;
        EXPECT_GE(test.Counters().pfcRefreshes, length / period);
        EXPECT_GE(length, 90 * US);
        const uint64_t stop = test.sent[0].when + 64 * 80 + DELAY;
        for (const uint64_t departure : test.hosts[0]->departures)
        {
            EXPECT_TRUE(departure <= stop || departure >= test.sent[1].when);
        }
    }
}

TEST(RocePfc, WithoutRefreshThePauseWouldExpire)
{
    // The same as above with a peer that does not hear refreshes: it sends again and loses frames.
    PfcUnderTest test({{"PauseQuanta", 1000}});
    int pauses = 0;
    test.hosts[0]->ignore = [&](const PfcFrame& frame) {
        return frame.quanta[3] > 0 && pauses++ > 0;
    };
    test.hub->GetPort(1).Pause(3, 100 * US, 0);
    test.hosts[0]->SendAt(0, 1, 200);
    test.Run();
    EXPECT_GT(test.Counters().drops, 0U);
}

TEST(RocePfc, LostResumeIsRepairedByExpiry)
{
    PfcUnderTest test({{"PauseQuanta", 4000}});
    int resumes = 0;
    test.hosts[0]->ignore = [&](const PfcFrame& frame) {
        return frame.quanta[3] == 0 && resumes++ == 0;
    };
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 200);
    test.Run();
    EXPECT_EQ(test.Counters().drops, 0U);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 200U);
    // Host 0 starts again exactly when the time of the last PAUSE is over.
    ASSERT_GE(test.sent.size(), 2U);
    const uint64_t refreshes = (test.sent[1].when - test.sent[0].when) / (2000 * 5120);
    const uint64_t last = test.sent[0].when + refreshes * 2000 * 5120;
    const uint64_t expiry = last + 64 * 80 + DELAY + 4000 * 5120;
    const auto& departures = test.hosts[0]->departures;
    EXPECT_NE(std::find(departures.begin(), departures.end(), expiry), departures.end());
}

TEST(RocePfc, LostPauseIsRepairedByTheRefresh)
{
    // Headroom for 5 us more than the formula asks for; the refresh comes after 2.69 us.
    PfcUnderTest test({{"PauseQuanta", 1050}, {"MaxFrameBytes", 33000}, {"BufferBytes", 2000000}});
    int pauses = 0;
    test.hosts[0]->ignore = [&](const PfcFrame& frame) {
        return frame.quanta[3] > 0 && pauses++ == 0;
    };
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 400);
    test.Run();
    EXPECT_GT(pauses, 1);
    EXPECT_EQ(test.Counters().drops, 0U);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 400U);
}

TEST(RocePfc, ClassesArePausedOneByOne)
{
    PfcUnderTest test({{"LosslessPriorities", 1U << 3 | 1U << 5}});
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 100, 3);
    test.hosts[0]->SendAt(0, 2, 100, 5);
    test.Run();
    for (const auto& note : test.sent)
    {
        EXPECT_EQ(note.priority, 3U);
    }
    EXPECT_GE(test.sent.size(), 2U);
    EXPECT_EQ(test.hosts[2]->arrivals.back(), 102 * SER + 2 * DELAY) << "class 5 is never held";
    EXPECT_EQ(test.Counters().drops, 0U);
}

TEST(RocePfc, PauseSpreadsFromSwitchToHostsAndIsTraced)
{
    // Host 1 pauses the switch: obeyed by the switch's port 1 and traced.
    PfcUnderTest test({});
    EngineUnderTest::At(US, [&] { Pfc::Send(test.hosts[1]->GetPort(0), 3, 1000); });
    EngineUnderTest::At(3 * US, [&] { Pfc::Send(test.hosts[1]->GetPort(0), 3, 0); });
    test.hosts[0]->SendAt(0, 1, 100);
    test.Run();
    ASSERT_EQ(test.received.size(), 2U);
    EXPECT_EQ(test.received[0].port, 1U);
    EXPECT_EQ(test.received[0].when, US + 64 * 80 + DELAY);
    EXPECT_TRUE(test.received[0].pause);
    EXPECT_FALSE(test.received[1].pause);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 100U);
}

TEST(RocePfc, WithoutPfcTheClassIsLossy)
{
    PfcUnderTest test({});
    Ptr<RoceSwitchDevice> hub = test.hub;
    hub->SetAttribute("Pfc", BooleanValue(false));
    hub->SetAttribute("BufferBytes", UintegerValue(40 * FRAME));
    hub->Configure();
    hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 100);
    test.Run();
    EXPECT_TRUE(test.sent.empty());
    EXPECT_EQ(test.Counters().drops, 80U) << "the queue may hold half of the memory";
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 20U);
}

using Signals = std::vector<std::tuple<uint32_t, bool>>; //!< port, and whether it is a pause

/**
 * Hosts 0 and 1 send to each other and host 2 to host 3, through stuck ports. When the first two go
 * on, one more frame of some hosts arrives. T = (892 - s) / 20 frames of 1000 bytes.
 * \param early frames that hosts 0, 1 and 2 have sent before
 * \param late whether host 1 sends one at that tick, as host 0 does
 * \return PAUSE and RESUME frames of the switch
 */
Signals
SignalsOfOneTick(const std::vector<uint32_t>& early, bool late)
{
    PfcUnderTest test({{"ResumeOffset", 0}});
    constexpr uint64_t TICK = 50 * US;
    for (uint32_t i = 0; i < 3; i++)
    {
        const uint32_t dst = i ^ 1;
        test.hub->GetPort(dst).Pause(3, i < 2 ? TICK : 2 * TICK, 0);
        test.hosts[i]->SendAt(0, dst, early[i]);
    }
    test.hosts[0]->SendAt(TICK - SER - DELAY, 1, 1);
    test.hosts[1]->SendAt(TICK - SER - DELAY, 0, late);
    test.Run();
    EXPECT_EQ(test.hosts[0]->arrivals.size(), early[1] + late);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), early[0] + 1);
    Signals signals;
    for (const auto& note : test.sent)
    {
        signals.emplace_back(note.port, note.pause);
    }
    return signals;
}

TEST(RocePfc, ArrivalAndDepartureOfOneTickTreatBothSidesAlike)
{
    // Both classes reach the threshold at the tick at which both lose a frame: none is paused. The
    // class of host 2 is, so that the switch looks at every departure.
    EXPECT_EQ(SignalsOfOneTick({38, 38, 39}, true), (Signals{{2, true}, {2, false}}));
    EXPECT_EQ(SignalsOfOneTick({40, 40, 0}, true), Signals{});
}

TEST(RocePfc, PauseAndResumeOfOneTickDoNotCross)
{
    // Host 1 is paused and resumes at the tick at which host 0 reaches the threshold.
    EXPECT_EQ(SignalsOfOneTick({40, 41, 0}, false), (Signals{{1, true}, {1, false}}));
}

/** What became of hosts 0 and 1 that were paused for a while. */
struct PausedHosts
{
    uint64_t paused{0};    //!< when host 0 was told to pause, ticks
    uint64_t resumed{0};   //!< when it was told to go on, ticks
    uint64_t end{0};       //!< last arrival, ticks
    uint64_t refreshes{0}; //!< pauses sent again
    bool alike{false};     //!< both hosts were told the same at the same time
};

/**
 * Hosts 0 and 1 send more to each other than fits while the ports of both are stuck.
 * \param stuck until when, ticks
 * \return what became of them
 */
PausedHosts
PauseBothHosts(uint64_t stuck)
{
    PfcUnderTest test({{"ResumeOffset", 0}, {"PauseQuanta", 20000}});
    PausedHosts result;
    for (uint32_t i = 0; i < 2; i++)
    {
        test.hub->GetPort(i).Pause(3, stuck, 0);
        test.hosts[i]->SendAt(0, 1 - i, 80);
    }
    test.Run();
    EXPECT_EQ(test.hosts[0]->arrivals.size(), 80U);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 80U);
    EXPECT_GE(test.sent.size(), 4U);
    result.paused = test.sent[0].when;
    result.resumed = test.sent[2].when;
    result.alike = test.sent[1].when == result.paused && test.sent[3].when == result.resumed &&
                   test.sent[0].port != test.sent[1].port && test.sent[2].port != test.sent[3].port;
    result.end = std::max(test.hosts[0]->arrivals.back(), test.hosts[1]->arrivals.back());
    result.refreshes = test.Counters().pfcRefreshes;
    return result;
}

TEST(RocePfc, ResumeAtTheTickOfARefreshIsTheLastWord)
{
    const PausedHosts before = PauseBothHosts(40 * US);
    EXPECT_TRUE(before.alike);
    const uint64_t refresh = before.paused + 20000 * 5120 / 2;
    ASSERT_LT(before.resumed, refresh);
    // The same, with the ports stuck for so much longer that both resume when they are refreshed.
    const uint64_t shift = refresh - before.resumed;
    const PausedHosts after = PauseBothHosts(40 * US + shift);
    EXPECT_TRUE(after.alike);
    EXPECT_EQ(after.resumed, refresh);
    EXPECT_EQ(after.refreshes, 0U);
    EXPECT_EQ(after.end, before.end + shift);
}

} // namespace
