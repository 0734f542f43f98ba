/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-under-test.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace ns3;

namespace
{

using Notes = std::vector<NotingDevice::Note>; //!< frames with times

constexpr uint64_t US = 1000000; //!< ticks
/** Serialisation of a frame of 1062 bytes and its gap of 20 at 100 Gb/s, ticks. */
constexpr uint64_t SER = 86560;
constexpr uint32_t FRAME = 1062; //!< bytes

TEST(FabricPort, IdlePortSendsAtOnce)
{
    PortUnderTest port;
    port.SendAt(5 * US, 1, FRAME);
    port.Run();
    EXPECT_EQ(port.Sender().departures, (Notes{{1, 5 * US}}));
    EXPECT_EQ(port.Receiver().arrivals, (Notes{{1, 5 * US + SER + US}}));
    const FabricPortCounters counters = port.Port().GetCounters();
    EXPECT_EQ(counters.packets[0], 1U);
    EXPECT_EQ(counters.wireBytes[0], FRAME + 20U);
    EXPECT_EQ(counters.payloadBytes, FRAME);
    EXPECT_EQ(counters.maxQueueBytes, FRAME);
    EXPECT_EQ(port.Context().counters.packetHops, 1U);
}

TEST(FabricPort, BacklogKeepsTheLinkBusyAtOneEventPerFrame)
{
    for (const bool tracked : {false, true})
    {
        PortOptions options;
        options.tracked = tracked;
        PortUnderTest port(options);
        port.SendAt(0, 0, FRAME);
        EngineUnderTest::At(10, [&] {
            for (uint64_t id = 1; id < 1000; id++)
            {
                port.Send(id, FRAME);
            }
        });
        port.Run();
        ASSERT_EQ(port.Receiver().arrivals.size(), 1000U);
        for (uint64_t id = 0; id < 1000; id++)
        {
            const NotingDevice::Note expected{id, (id + 1) * SER + US};
            ASSERT_EQ(port.Receiver().arrivals[id], expected) << id;
        }
        if (!tracked)
        {
            // A refill per window of 16 frames, and what begins and ends it all.
            EXPECT_LE(Simulator::GetEventCount(), 1000U + 1000 / 16 + 8);
        }
    }
}

TEST(FabricPort, HigherPriorityOvertakesWhatHasNotStarted)
{
    for (const size_t backlog : {3, 16, 100})
    {
        PortUnderTest port;
        EngineUnderTest::At(0, [&] {
            for (uint64_t id = 0; id < backlog; id++)
            {
                port.Send(id, FRAME, 1);
            }
        });
        port.SendAt(SER + 1, 1000, FRAME, 6); // frame 1 has just started
        port.SendAt(SER + 2, 1001, FRAME, 4);
        port.SendAt(SER + 3, 1002, FRAME, 6);
        port.SendAt(SER + 4, 1003, 64, FabricPort::CONTROL);
        port.Run();
        std::vector<uint64_t> order;
        for (const auto& note : port.Receiver().arrivals)
        {
            order.push_back(note.id);
        }
        std::vector<uint64_t> expected = {0, 1, 1003, 1000, 1002, 1001};
        for (uint64_t id = 2; id < backlog; id++)
        {
            expected.push_back(id);
        }
        EXPECT_EQ(order, expected);
        const auto arrivals = port.GetArrivals();
        const uint64_t control = 84 * 80; // 80 ticks per byte
        EXPECT_EQ(arrivals.at(1003), 2 * SER + control + US);
        EXPECT_EQ(arrivals.at(1001), 5 * SER + control + US);
        EXPECT_EQ(arrivals.at(backlog - 1), (backlog + 3) * SER + control + US);
    }
}

TEST(FabricPort, AFrameThatStartsAtTheVeryTickIsNotOvertaken)
{
    PortUnderTest port;
    port.SendAt(0, 0, FRAME, 1);
    port.SendAt(0, 1, FRAME, 1);
    port.SendAt(SER, 2, FRAME, 7);
    port.SendAt(3 * SER - 1, 3, FRAME, 1);
    port.SendAt(3 * SER, 4, FRAME, 7);
    port.Run();
    EXPECT_EQ(port.Sender().departures,
              (Notes{{0, 0}, {1, SER}, {2, 2 * SER}, {3, 3 * SER}, {4, 4 * SER}}));
}

TEST(FabricPort, PauseHoldsExactlyWhatHasNotStartedAndResumesExactly)
{
    for (const bool tracked : {false, true})
    {
        PortOptions options;
        options.tracked = tracked;
        PortUnderTest port(options);
        for (uint64_t id = 0; id < 40; id++)
        {
            port.SendAt(0, id, FRAME, 3);
        }
        port.SendAt(3 * SER, 100, FRAME, 2); // another class goes on
        port.SendAt(5 * US, 101, FRAME, 2);
        port.PauseAt(2 * SER, 3, 100 * US); // frame 2 starts at that tick
        port.PauseAt(9 * US, 3, 9 * US);
        port.SendAt(8 * US, 40, FRAME, 3);
        port.Run();
        const auto& departures = port.Sender().departures;
        ASSERT_EQ(departures.size(), 43U);
        EXPECT_EQ(departures[2], (NotingDevice::Note{2, 2 * SER}));
        EXPECT_EQ(departures[3], (NotingDevice::Note{100, 3 * SER}));
        EXPECT_EQ(departures[4], (NotingDevice::Note{101, 5 * US}));
        for (uint64_t id = 3; id <= 40; id++)
        {
            EXPECT_EQ(departures[id + 2], (NotingDevice::Note{id, 9 * US + (id - 3) * SER}));
        }
        EXPECT_EQ(port.Sender().resumptions, (std::vector<uint64_t>{9 * US}));
        const FabricPortCounters counters = port.Port().GetCounters();
        EXPECT_EQ(counters.pauses, 1U);
        EXPECT_EQ(counters.pausedTicks, 9 * US - 2 * SER);
    }
}

TEST(FabricPort, PauseExpiresAtItsEnd)
{
    PortUnderTest port;
    port.PauseAt(0, 3, 7 * US);
    port.PauseAt(0, 5, 4 * US);
    port.SendAt(US, 0, FRAME, 3);
    port.SendAt(US, 1, FRAME, 5);
    port.SendAt(US, 2, FRAME, 5);
    EngineUnderTest::At(4 * US - 1, [&] { EXPECT_EQ(port.Port().GetPausedMask(), 0x28U); });
    EngineUnderTest::At(4 * US + 1, [&] { EXPECT_EQ(port.Port().GetPausedMask(), 0x08U); });
    port.Run();
    EXPECT_EQ(port.Sender().departures, (Notes{{1, 4 * US}, {2, 4 * US + SER}, {0, 7 * US}}));
    EXPECT_EQ(port.Sender().resumptions, (std::vector<uint64_t>{4 * US, 7 * US}));
}

TEST(FabricPort, PauseMayBeProlongedOrShortened)
{
    PortUnderTest port;
    port.PauseAt(0, 3, 4 * US);
    port.PauseAt(2 * US, 3, 9 * US); // refreshed
    port.PauseAt(3 * US, 3, 6 * US); // a later frame with less time counts
    port.SendAt(US, 0, FRAME);
    port.Run();
    EXPECT_EQ(port.Sender().departures, (Notes{{0, 6 * US}}));
    EXPECT_EQ(port.Port().GetCounters().pauses, 1U) << "a refresh is not another pause";
    EXPECT_EQ(port.Port().GetCounters().pausedTicks, 6 * US);
}

TEST(FabricPort, ControlPassesAPausedPort)
{
    PortUnderTest port;
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        port.PauseAt(0, priority, 5 * US);
        port.SendAt(US, priority, FRAME, priority);
    }
    port.SendAt(2 * US, 8, 64, FabricPort::CONTROL);
    port.Run();
    const auto& departures = port.Sender().departures;
    EXPECT_EQ(departures[0], (NotingDevice::Note{8, 2 * US}));
    for (uint64_t i = 1; i < 9; i++)
    {
        // All classes resume at the same tick, class 0 first: it starts before the others resume.
        const uint64_t id = i == 1 ? 0 : 9 - i;
        EXPECT_EQ(departures[i], (NotingDevice::Note{id, 5 * US + (i - 1) * SER}));
    }
}

TEST(FabricPort, RecallKeepsOrderAndFractionsOfTicks)
{
    // 3 ticks per 4 bytes and the like: a recall at every opportunity must not change departures
    // of a single class.
    PortOptions options;
    options.rateBps = 123456789123;
    options.gapBytes = 0;
    std::vector<Notes> results;
    for (const bool disturbed : {false, true})
    {
        PortUnderTest port(options);
        for (uint64_t id = 0; id < 300; id++)
        {
            port.SendAt(id * 3000, id, 64 + 37 * (id % 29), 3);
        }
        for (uint64_t ts = 1; disturbed && ts < 7 * US; ts += 3001)
        {
            port.PauseAt(ts, 5, ts + 1500); // recalls all, holds nothing
        }
        port.Run();
        results.push_back(port.Receiver().arrivals);
    }
    EXPECT_EQ(results[0], results[1]);
}

TEST(FabricPort, FramesAreCountedWhenTheyStart)
{
    for (const bool tracked : {false, true})
    {
        PortOptions options;
        options.tracked = tracked;
        PortUnderTest port(options);
        for (uint64_t id = 0; id < 4; id++)
        {
            port.SendAt(US, id, FRAME, id % 2);
        }
        const auto expectQueue = [&](uint64_t ts, uint64_t total, uint64_t ofClass0) {
            EngineUnderTest::At(ts, [&port, total, ofClass0] {
                port.Port().Advance(EngineUnderTest::Now());
                EXPECT_EQ(port.Port().GetTotalQueueBytes(), total * FRAME);
                EXPECT_EQ(port.Port().GetQueueBytes(0), ofClass0 * FRAME);
            });
        };
        expectQueue(US + 1, 3, 1); // 0 started; then 1, 3, 2
        expectQueue(US + SER - 1, 3, 1);
        expectQueue(US + SER, 2, 1);
        expectQueue(US + 2 * SER, 1, 1);
        expectQueue(US + 3 * SER, 0, 0);
        port.Run();
        if (tracked)
        {
            EXPECT_EQ(port.Sender().noticed, port.Sender().departures);
        }
    }
}

TEST(FabricPort, TrackingMayBeSwitchedAtAnyTime)
{
    PortUnderTest port;
    for (uint64_t id = 0; id < 100; id++)
    {
        port.SendAt(0, id, FRAME);
    }
    EngineUnderTest::At(10 * SER + 5, [&] { port.Port().SetTracked(true); });
    EngineUnderTest::At(50 * SER + 5, [&] { port.Port().SetTracked(false); });
    port.Run();
    const auto& departures = port.Sender().departures;
    for (uint64_t id = 0; id < 100; id++)
    {
        EXPECT_EQ(departures[id], (NotingDevice::Note{id, id * SER}));
    }
    for (uint64_t id = 11; id <= 50; id++)
    {
        EXPECT_EQ(port.Sender().noticed[id].when, id * SER);
    }
}

TEST(FabricPort, CutThroughStartsWhenTheHeadCame)
{
    PortUnderTest port;
    const auto forward = [&](uint64_t now, uint64_t id, uint64_t ready) {
        EngineUnderTest::At(now, [&port, now, id, ready] {
            port.Port().Enqueue(port.NewFrame(id, FRAME), now, ready);
        });
    };
    forward(US, 0, US - SER);                 // its last bit leaves as it comes
    forward(US + SER / 2, 1, US - SER / 2);   // waits for frame 0
    forward(4 * US, 2, 4 * US - 3 * SER);     // came at a third of the rate: no underrun
    forward(4 * US + 1, 3, 4 * US + 1 - SER); // behind the last bit of frame 2
    port.Run();
    EXPECT_EQ(port.Receiver().arrivals,
              (Notes{{0, US + US}, {1, US + SER + US}, {2, 4 * US + US}, {3, 4 * US + SER + US}}));
}

TEST(FabricPort, TapSeesEveryFrameAtItsTime)
{
    class Tap : public FabricTap
    {
      public:
        std::vector<NotingDevice::Note> sent;     //!< frames that left
        std::vector<NotingDevice::Note> received; //!< frames that arrived

        void FrameSent(const FabricPacket& packet, uint64_t when) override
        {
            EXPECT_EQ(when, EngineUnderTest::Now());
            sent.push_back({packet.cookie, when});
        }

        void FrameReceived(const FabricPacket& packet, uint64_t when) override
        {
            EXPECT_EQ(when, EngineUnderTest::Now());
            received.push_back({packet.cookie, when});
        }
    };

    Tap sender;
    Tap receiver;
    PortUnderTest port;
    port.Port().SetTap(&sender);
    port.Receiver().GetPort(0).SetTap(&receiver);
    for (uint64_t id = 0; id < 50; id++)
    {
        port.SendAt(id * 40000, id, FRAME, id % 4);
    }
    port.PauseAt(US, 2, 2 * US);
    EngineUnderTest::At(40 * SER + 7, [&] { port.Port().SetTap(nullptr); });
    port.Run();
    EXPECT_EQ(sender.sent.size(), 41U);
    sender.sent.resize(41);
    EXPECT_TRUE(
        std::equal(sender.sent.begin(), sender.sent.end(), port.Sender().departures.begin()));
    EXPECT_TRUE(sender.received.empty());
    EXPECT_EQ(receiver.received, port.Receiver().arrivals);
    EXPECT_TRUE(receiver.sent.empty());
}

TEST(FabricPort, LossesFollowTheRateAndAreCounted)
{
    PortOptions options;
    options.lossRate = 0.05;
    PortUnderTest port(options);
    constexpr uint64_t COUNT = 20000;
    for (uint64_t id = 0; id < COUNT; id++)
    {
        port.SendAt(id * SER, id, FRAME);
    }
    port.Run();
    const FabricPortCounters counters = port.Port().GetCounters();
    EXPECT_EQ(counters.packets[0], COUNT) << "a lost frame was sent all the same";
    EXPECT_EQ(counters.lost + port.Receiver().arrivals.size(), COUNT);
    EXPECT_EQ(port.Context().counters.linkLosses, counters.lost);
    const double mean = options.lossRate * COUNT;
    const double sigma = std::sqrt(mean * (1 - options.lossRate));
    EXPECT_NEAR(static_cast<double>(counters.lost), mean, 5 * sigma);
    EXPECT_EQ(port.Context().counters.packetHops, port.Receiver().arrivals.size());
}

TEST(FabricPort, BitErrorsStrikeLongFramesMoreAndAreToldFromLosses)
{
    // A frame of n bytes is intact with probability (1 - BER)^(8 n); the gap does not count.
    constexpr uint64_t COUNT = 20000;
    double previous = 0;
    for (const uint32_t bytes : {64U, 1000U, 4000U})
    {
        PortOptions options;
        options.bitErrorRate = 1e-5;
        options.lossRate = 0.01;
        PortUnderTest port(options);
        for (uint64_t id = 0; id < COUNT; id++)
        {
            port.SendAt(id * 400000, id, bytes);
        }
        port.Run();
        const FabricPortCounters counters = port.Port().GetCounters();
        EXPECT_EQ(counters.lost + port.Receiver().arrivals.size(), COUNT);
        EXPECT_EQ(port.Context().counters.linkLosses, counters.lost);
        EXPECT_EQ(port.Context().counters.linkCorruptions, counters.corrupted);
        const double frames = COUNT * 0.99; // those that are not lost
        const double expected = 1 - std::pow(1 - options.bitErrorRate, 8.0 * bytes);
        const double sigma = std::sqrt(frames * expected * (1 - expected));
        EXPECT_NEAR(static_cast<double>(counters.corrupted), frames * expected, 5 * sigma);
        const auto others = static_cast<double>(counters.lost - counters.corrupted);
        EXPECT_NEAR(others, 200, 5 * std::sqrt(200));
        EXPECT_GT(static_cast<double>(counters.corrupted), 2 * previous);
        previous = static_cast<double>(counters.corrupted);
    }
}

TEST(FabricPort, BothDirectionsAreIndependent)
{
    PortUnderTest port;
    for (uint64_t id = 0; id < 100; id++)
    {
        port.SendAt(0, id, FRAME);
        EngineUnderTest::At(0, [&port, id] {
            port.Receiver().GetPort(0).Enqueue(port.NewFrame(id, FRAME), EngineUnderTest::Now());
        });
    }
    port.PauseAt(10 * SER, 3, 3 * US);
    port.Run();
    EXPECT_EQ(port.Sender().arrivals.back().when, 100 * SER + US);
    EXPECT_EQ(port.Receiver().arrivals.back().when, 3 * US + 89 * SER + US);
}

TEST(FabricPort, CountsByPriority)
{
    PortUnderTest test;
    test.PauseAt(1000, 3, 5000); // runs out
    test.PauseAt(2000, 5, 9000);
    test.PauseAt(8000, 5, 20000);  // refreshed
    test.PauseAt(12000, 5, 12000); // ended
    test.PauseAt(13000, 5, 13000); // said again
    test.PauseAt(30000, 5, 32000);
    test.PauseAt(40000, 4, 99000); // lasts
    EngineUnderTest::At(50000, [&] {
        test.Port().CountMark(4);
        test.Port().CountDrop(4);
        test.Port().CountPauseSent(4, true);
        test.Port().CountPauseSent(4, false);
        test.Port().CountPauseSent(4, true);
        const FabricPriorityCounters three = test.Port().GetPriorityCounters(3);
        EXPECT_EQ(three.pausesReceived, 1U);
        EXPECT_EQ(three.resumesReceived, 0U);
        EXPECT_EQ(three.pausedTicks, 4000U);
        EXPECT_EQ(three.longestPauseTicks, 4000U);
        EXPECT_FALSE(three.paused);
        const FabricPriorityCounters five = test.Port().GetPriorityCounters(5);
        EXPECT_EQ(five.pausesReceived, 3U);
        EXPECT_EQ(five.resumesReceived, 2U);
        EXPECT_EQ(five.pausedTicks, 12000U);
        EXPECT_EQ(five.longestPauseTicks, 10000U);
        EXPECT_FALSE(five.paused);
        const FabricPriorityCounters four = test.Port().GetPriorityCounters(4);
        EXPECT_EQ(four.pausedTicks, 10000U) << "so far";
        EXPECT_EQ(four.longestPauseTicks, 10000U);
        EXPECT_TRUE(four.paused);
        EXPECT_EQ(four.marks, 1U);
        EXPECT_EQ(four.drops, 1U);
        EXPECT_EQ(four.pausesSent, 2U);
        EXPECT_EQ(four.resumesSent, 1U);
        const FabricPortCounters all = test.Port().GetCounters();
        EXPECT_EQ(all.pauses, 4U);
        EXPECT_EQ(all.pausedTicks, 11000U + 2000 + 10000) << "while any class was paused";
        EXPECT_EQ(all.marks, 1U);
        EXPECT_EQ(all.drops, 1U);
    });
    test.Run();
    EXPECT_EQ(test.Port().GetPriorityCounters(4).pausedTicks, 59000U);
}

TEST(FabricPort, DeepestQueueOfAPriority)
{
    PortUnderTest test;
    test.Send(1, 1000, 3); // leaves at once
    EXPECT_EQ(test.Port().GetPriorityCounters(3).maxQueueBytes, 0U);
    test.Send(2, 1000, 3);
    test.Send(3, 500, 3);
    test.Send(4, 700, 5);
    test.Send(5, 900, 5);
    test.Run();
    EXPECT_EQ(test.Port().GetPriorityCounters(3).maxQueueBytes, 1500U);
    EXPECT_EQ(test.Port().GetPriorityCounters(5).maxQueueBytes, 1600U);
    EXPECT_EQ(test.Port().GetPriorityCounters(4).maxQueueBytes, 0U);
    EXPECT_EQ(test.Port().GetCounters().maxQueueBytes, 3100U);
}

} // namespace
