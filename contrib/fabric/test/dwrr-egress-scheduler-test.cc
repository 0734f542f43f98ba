/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-under-test.h"

#include "ns3/config-error.h"
#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>
#include <tuple>

/**
 * \file
 * Deficit weighted round robin against closed forms; the port's model test has random traffic.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000;   //!< ticks
constexpr uint64_t BYTE_TICKS = 80; //!< of a wire byte at 100 Gb/s
constexpr uint32_t GAP = 20;       //!< around frames, bytes

/** \param weights attribute \param quantumBytes attribute \return a scheduler with them */
Ptr<EgressScheduler>
MakeDwrr(const std::string& weights, uint32_t quantumBytes)
{
    Ptr<DwrrEgressScheduler> scheduler = CreateObject<DwrrEgressScheduler>();
    scheduler->SetAttribute("Weights", StringValue(weights));
    scheduler->SetAttribute("Quantum", UintegerValue(quantumBytes));
    scheduler->Configure("leaf0");
    return scheduler;
}

/** \ingroup tests \brief A class that always has frames, all of one size. */
struct Load
{
    uint32_t priority;  //!< class
    uint32_t bytes;     //!< size of its frames without gap
    double weight;      //!< relative to the least one

    /** \return bytes that a frame takes of the link */
    uint32_t GetWireBytes() const
    {
        return bytes + GAP;
    }
};

/** \ingroup tests \brief A port with deficit round robin whose classes all have frames at once. */
class LoadedPort : public PortUnderTest
{
  public:
    /**
     * \param options of the port
     * \param loads its classes
     * \param scheduler of the port
     * \param wireBytes what all classes together have to send, in proportion to their weights
     */
    LoadedPort(const PortOptions& options,
               const std::vector<Load>& loads,
               Ptr<EgressScheduler> scheduler,
               uint64_t wireBytes)
        : PortUnderTest(options),
          m_loads(loads)
    {
        Port().SetScheduler(scheduler);
        double weights = 0;
        for (const Load& load : loads)
        {
            weights += load.weight;
        }
        EngineUnderTest::At(0, [this, wireBytes, weights] {
            for (size_t i = 0; i < m_loads.size(); i++)
            {
                const double share = wireBytes * m_loads[i].weight / weights;
                for (double sent = 0; sent < share; sent += m_loads[i].GetWireBytes())
                {
                    Send(i, m_loads[i].bytes, m_loads[i].priority);
                }
            }
        });
    }

    /**
     * \param i a class
     * \param j another one
     * \param from ticks
     * \param to ticks
     * \return the largest difference of bytes by weight that the two had over any time from then
     * to then: |S_i / w_i - S_j / w_j|
     */
    double GetUnfairness(size_t i, size_t j, uint64_t from, uint64_t to)
    {
        double difference = 0;
        double least = 0;
        double most = 0;
        for (const auto& departure : Sender().departures)
        {
            if (departure.when < from || departure.when > to ||
                (departure.id != i && departure.id != j))
            {
                continue;
            }
            const Load& load = m_loads[departure.id];
            difference += (departure.id == i ? 1.0 : -1.0) * load.GetWireBytes() / load.weight;
            least = std::min(least, difference);
            most = std::max(most, difference);
        }
        return most - least;
    }

    /** \return when the first class had sent its last frame: until then all had some, ticks */
    uint64_t GetEndOfLoad()
    {
        std::vector<uint64_t> last(m_loads.size());
        for (const auto& departure : Sender().departures)
        {
            last[departure.id] = departure.when;
        }
        return *std::min_element(last.begin(), last.end());
    }

    /** \param i a class \param from ticks \param to ticks \return wire bytes that it sent */
    uint64_t GetSentBytes(size_t i, uint64_t from, uint64_t to)
    {
        uint64_t bytes = 0;
        for (const auto& departure : Sender().departures)
        {
            const bool counts = departure.id == i && departure.when >= from && departure.when <= to;
            bytes += counts ? m_loads[i].GetWireBytes() : 0;
        }
        return bytes;
    }

    /** Expects every frame to begin when the one before it has left. */
    void ExpectNoGaps()
    {
        uint64_t free = 0;
        for (const auto& departure : Sender().departures)
        {
            ASSERT_EQ(departure.when, free);
            free += m_loads[departure.id].GetWireBytes() * BYTE_TICKS;
        }
    }

  private:
    const std::vector<Load> m_loads; //!< classes
};

/** \param a a class \param b another one \param quantum bytes \return the theorem's bound, bytes */
double
GetBound(const Load& a, const Load& b, uint32_t quantum)
{
    return quantum + a.GetWireBytes() / a.weight + b.GetWireBytes() / b.weight;
}

/** \ingroup tests \brief Weights as text, classes, quantum. */
using ShareCase = std::tuple<std::string, std::vector<Load>, uint32_t>;

TEST(FabricDwrrEgressScheduler, SharesFollowWeightsWithinTheBound)
{
    const std::vector<ShareCase> cases{
        {"3:1,4:1", {{3, 4158, 1}, {4, 4158, 1}}, 4200},
        {"3:1,4:1", {{3, 64, 1}, {4, 9000, 1}}, 4200},
        {"3:1,4:4", {{3, 1480, 1}, {4, 1480, 4}}, 1500},
        {"3:1,4:4", {{3, 9000, 1}, {4, 64, 4}}, 100},
        {"3:2,4:8", {{3, 1000, 1}, {4, 777, 4}}, 5000},
        {"0:10,3:30,5:60", {{0, 1480, 1}, {3, 4158, 3}, {5, 700, 6}}, 4200},
        {"0:10,3:30,5:60", {{0, 9000, 1}, {3, 64, 3}, {5, 1500, 6}}, 64},
        {"0:60,3:10,5:30", {{0, 64, 6}, {3, 1499, 1}, {5, 2048, 3}}, 12000},
    };
    for (const auto& [text, loads, quantum] : cases)
    {
        for (const std::string engine : {"fabric", "default"})
        {
            SCOPED_TRACE(text + " " + std::to_string(quantum) + " " + engine);
            PortOptions options;
            options.engine = engine;
            LoadedPort port(options, loads, MakeDwrr(text, quantum), 2000000);
            port.Run();
            port.ExpectNoGaps();
            const uint64_t end = port.GetEndOfLoad();
            for (size_t i = 0; i < loads.size(); i++)
            {
                for (size_t j = i + 1; j < loads.size(); j++)
                {
                    EXPECT_LE(port.GetUnfairness(i, j, 1, end), // the first one met no other
                              GetBound(loads[i], loads[j], quantum));
                }
            }
            EXPECT_GT(end, 1500000 * BYTE_TICKS) << "most was sent before any class ran dry";
        }
    }
}

TEST(FabricDwrrEgressScheduler, TurnsAreThoseOfThePaper)
{
    // Frames of 1000 wire bytes; class 4 sends four in its turn, class 3 one.
    LoadedPort port({}, {{3, 980, 1}, {4, 980, 4}}, MakeDwrr("3:1,4:4", 1000), 20000);
    port.Run();
    std::string order;
    for (const auto& departure : port.Sender().departures)
    {
        order += departure.id == 0 ? '3' : '4';
    }
    EXPECT_EQ(order, "34444344443444434444");
}

TEST(FabricDwrrEgressScheduler, ATurnGoesOnWhenTheNextFrameComesInTime)
{
    // Class 4 may send 3000 bytes in its turn; its second frame comes while the first one leaves.
    const uint64_t frame = 1000 * BYTE_TICKS;
    for (const uint64_t second : {frame - 1, frame + 1})
    {
        PortUnderTest port;
        port.Port().SetScheduler(MakeDwrr("3:1,4:1", 3000));
        port.SendAt(0, 4, 980, 4);
        port.SendAt(1, 3, 980, 3);
        port.SendAt(second, 44, 980, 4);
        port.Run();
        const std::vector<NotingDevice::Note> early{{4, 0}, {44, frame}, {3, 2 * frame}};
        const std::vector<NotingDevice::Note> late{{4, 0}, {3, frame}, {44, 2 * frame}};
        EXPECT_EQ(port.Sender().departures, second < frame ? early : late);
    }
}

TEST(FabricDwrrEgressScheduler, WaitsNoLongerThanOneTurnOfEveryOtherClass)
{
    const std::vector<Load> loads{{4, 1480, 1}, {5, 1480, 2}};
    LoadedPort port({}, loads, MakeDwrr("3:1,4:1,5:2", 3000), 3000000);
    std::mt19937 random(7);
    std::vector<uint64_t> sent;
    for (uint64_t ts = 0; ts < 150 * US; ts += 3 * US + random() % US)
    {
        const uint64_t id = 2 + sent.size();
        EngineUnderTest::At(ts, [&port, id] { port.Send(id, 980, 3); });
        sent.push_back(ts);
    }
    port.Run();
    // The frame on the wire, then 3000 and 6000 bytes and what was left of the turn before.
    const uint64_t bound = (1500 + 3000 + 1500 + 6000 + 1500) * BYTE_TICKS;
    uint64_t longest = 0;
    for (const auto& departure : port.Sender().departures)
    {
        if (departure.id >= 2)
        {
            longest = std::max(longest, departure.when - sent[departure.id - 2]);
        }
    }
    EXPECT_LE(longest, bound);
    EXPECT_GT(longest, 3000 * BYTE_TICKS);
}

TEST(FabricDwrrEgressScheduler, StrictClassesWaitForTheFrameOnTheWireOnly)
{
    const std::vector<Load> loads{{0, 1480, 1}, {7, 1480, 2}};
    for (const uint32_t strict : {1U, 6U, FabricPort::CONTROL}) // below or above the others
    {
        LoadedPort port({}, loads, MakeDwrr("0:1,7:2", 3000), 1000000);
        std::vector<uint64_t> sent;
        for (uint64_t ts = 0; ts < 70 * US; ts += 777777)
        {
            const uint64_t id = 2 + sent.size();
            EngineUnderTest::At(ts, [&port, id, strict] { port.Send(id, 64, strict); });
            sent.push_back(ts);
        }
        port.Run();
        for (const auto& departure : port.Sender().departures)
        {
            if (departure.id >= 2)
            {
                EXPECT_LE(departure.when - sent[departure.id - 2], 1500 * BYTE_TICKS);
            }
        }
    }
}

TEST(FabricDwrrEgressScheduler, APauseIsNotMadeUpFor)
{
    const std::vector<Load> loads{{3, 1480, 1}, {4, 980, 1}};
    const uint32_t quantum = 3000;
    LoadedPort port({}, loads, MakeDwrr("3:1,4:1", quantum), 4000000);
    const uint64_t begin = 20 * US;
    const uint64_t end = 60 * US;
    port.PauseAt(begin, 3, end);
    port.Run();
    port.ExpectNoGaps();
    EXPECT_EQ(port.GetSentBytes(0, begin + 1, end - 1), 0U);
    EXPECT_LE(port.GetUnfairness(0, 1, 1, begin - 1), GetBound(loads[0], loads[1], quantum));
    EXPECT_LE(port.GetUnfairness(0, 1, end + 1, port.GetEndOfLoad()),
              GetBound(loads[0], loads[1], quantum));
    EXPECT_GT(port.GetSentBytes(0, end, port.GetEndOfLoad()), 500000U);
}

TEST(FabricDwrrEgressScheduler, PausesAgainAndAgainGiveNoCredit)
{
    // Class 3 is cut off in almost each of its turns; if it kept what it lost it would one day send
    // it all at once.
    const std::vector<Load> loads{{3, 1480, 1}, {4, 1480, 1}};
    const uint32_t quantum = 15000;
    LoadedPort port({}, loads, MakeDwrr("3:1,4:1", quantum), 6000000);
    std::mt19937 random(3);
    for (uint64_t ts = 0; ts < 100 * US; ts += 770000)
    {
        port.PauseAt(ts, 3, ts + 100000 + random() % 300000);
    }
    port.Run();
    port.ExpectNoGaps();
    // Over any time: nowhere did class 3 get more than its share, and a bound.
    double ahead = 0;
    double most = 0;
    for (const auto& departure : port.Sender().departures)
    {
        if (departure.when > port.GetEndOfLoad())
        {
            break;
        }
        ahead = std::max(0.0, ahead + (departure.id == 0 ? 1500 : -1500));
        most = std::max(most, ahead);
    }
    EXPECT_LE(most, GetBound(loads[0], loads[1], quantum));
    EXPECT_GT(port.GetSentBytes(0, 0, 100 * US), 100000U);
}

TEST(FabricDwrrEgressScheduler, TakesDecisionsBackExactly)
{
    std::mt19937 random(11);
    Ptr<EgressScheduler> straight = MakeDwrr("0:3,2:1,5:7", 900);
    Ptr<EgressScheduler> wavering = MakeDwrr("0:3,2:1,5:7", 900);
    std::vector<FabricPacket> frames(EgressScheduler::CLASSES);
    std::vector<FabricPacketList> queues(EgressScheduler::CLASSES);
    const auto decide = [&](EgressScheduler& scheduler) {
        const uint32_t ready = 1 + random() % 0x1ff;
        for (size_t i = 0; i < frames.size(); i++)
        {
            frames[i].frameBytes = 64 + random() % 2000;
            queues[i].head = &frames[i];
        }
        return scheduler.Select(ready, queues.data(), GAP);
    };
    for (int step = 0; step < 3000; step++)
    {
        const uint32_t tries = random() % (EgressScheduler::MAX_UNDO + 1);
        for (uint32_t i = 0; i < tries; i++)
        {
            decide(*wavering);
        }
        wavering->Undo(tries);
        const std::mt19937 before = random;
        const uint32_t expected = decide(*straight);
        random = before;
        ASSERT_EQ(decide(*wavering), expected) << "step " << step;
    }
}

TEST(FabricDwrrEgressScheduler, BadWeightsAreOneLine)
{
    for (const std::string text : {"",         "8:1",     "3",       "3:0",       "3:1,",
                                   "3:1,,4:1", "4-3:1",   "x:1",     "3:70000",   "3:1 ",
                                   "-1:2",     "3:1:2",   ":1",      "3:",        "3:1;4:1",
                                   "0-9:1",    "3:1,3:2", "0-4:1,2:2", "3:99999999999"})
    {
        try
        {
            MakeDwrr(text, 1000);
            FAIL() << "accepted: " << text;
        }
        catch (const ConfigError& error)
        {
            const std::string line = error.what();
            EXPECT_NE(line.find("ns3::DwrrEgressScheduler::Weights"), std::string::npos) << line;
            EXPECT_NE(line.find("leaf0"), std::string::npos) << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        }
    }
    EXPECT_NO_THROW(MakeDwrr("0-7:1", 1000));
    EXPECT_NO_THROW(MakeDwrr("7:65535", 1));
}

} // namespace
