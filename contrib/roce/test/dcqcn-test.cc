/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/data-rate.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iomanip>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s
constexpr double MEGA = 1e6;            //!< bit/s per Mb/s

/** Attribute names and values. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/**
 * \param lineRateBps line rate, bit/s
 * \param settings attributes
 * \return a reaction point, started at time 0
 */
Ptr<DcqcnCongestionControl>
MakeDcqcn(uint64_t lineRateBps, const Settings& settings = {})
{
    ObjectFactory factory("ns3::DcqcnCongestionControl");
    factory.Set("AdditiveIncrease", StringValue("40Mbps")); // the paper's, at any rate
    factory.Set("HyperIncrease", StringValue("200Mbps"));
    for (const auto& [name, value] : settings)
    {
        factory.Set(name, StringValue(value));
    }
    Ptr<DcqcnCongestionControl> dcqcn = factory.Create<DcqcnCongestionControl>();
    dcqcn->Start(MakeStart(lineRateBps));
    return dcqcn;
}

/** The constants of an EagerDcqcn, in ticks, bytes and bit/s. */
struct EagerConstants
{
    uint64_t lineRate{G100};             //!< line rate
    uint64_t alphaTimer{UsTicks(55)};    //!< alpha timer
    uint64_t increaseTimer{UsTicks(55)}; //!< increase timer
    uint64_t decreaseInterval{0};        //!< smallest time between cuts
    uint64_t byteCounter{10000000};      //!< byte counter, 0 = none
    uint64_t fastStages{5};              //!< F
    double gain{1.0 / 256};              //!< g
    double additive{40 * MEGA};          //!< R_AI
    double hyper{200 * MEGA};            //!< R_HAI
    double floor{1 * MEGA};              //!< smallest rate
    bool alphaFromStart{true};           //!< whether the alpha timer runs before the first CNP

    /** \return the same as attributes */
    Settings ToSettings() const
    {
        const auto time = [](uint64_t ticks)
        { return std::to_string(Time(ticks).GetNanoSeconds()) + "ns"; };
        const auto rate = [](double bps)
        { return std::to_string(static_cast<uint64_t>(bps)) + "bps"; };
        std::ostringstream exactGain;
        exactGain << std::setprecision(17) << gain;
        return {{"AlphaTimer", time(alphaTimer)},
                {"IncreaseTimer", time(increaseTimer)},
                {"MinimumDecreaseInterval", time(decreaseInterval)},
                {"ByteCounter", std::to_string(byteCounter)},
                {"FastRecoveryStages", std::to_string(fastStages)},
                {"AlphaGain", exactGain.str()},
                {"AdditiveIncrease", rate(additive)},
                {"HyperIncrease", rate(hyper)},
                {"MinRate", rate(floor)},
                {"AlphaTimerBeforeFirstCnp", alphaFromStart ? "true" : "false"}};
    }
};

/**
 * The reaction point with timers that fire one by one, written from the paper's figure 7 and
 * apart from the product's code.
 */
class EagerDcqcn
{
  public:
    /** \param constants the constants */
    explicit EagerDcqcn(const EagerConstants& constants)
        : k(constants),
          current(static_cast<double>(constants.lineRate)),
          target(current),
          alphaRuns(constants.alphaFromStart),
          alphaDue(constants.alphaTimer),
          increaseDue(constants.increaseTimer)
    {
    }

    /** \param now every timer up to and including this time fires */
    void AdvanceTo(uint64_t now)
    {
        while (increaseDue <= now || (alphaRuns && alphaDue <= now))
        {
            if (alphaRuns && alphaDue <= increaseDue)
            {
                alpha = (1 - k.gain) * alpha;
                alphaDue += k.alphaTimer;
                continue;
            }
            timerStage++;
            RaiseRate();
            increaseDue += k.increaseTimer;
        }
    }

    /** \param wire bytes sent, after AdvanceTo() */
    void Send(uint64_t wire)
    {
        if (k.byteCounter == 0)
        {
            return;
        }
        for (bytes += wire; bytes >= k.byteCounter; bytes -= k.byteCounter)
        {
            byteStage++;
            RaiseRate();
        }
    }

    /** \param now time of a CNP, after AdvanceTo() */
    void Cnp(uint64_t now)
    {
        if (hasCut && now < lastCut + k.decreaseInterval)
        {
            return;
        }
        target = current;
        current = std::max(k.floor, current * (1 - alpha / 2));
        alpha = (1 - k.gain) * alpha + k.gain;
        timerStage = byteStage = bytes = 0;
        increaseDue = now + k.increaseTimer;
        alphaDue = now + k.alphaTimer;
        alphaRuns = true;
        lastCut = now;
        hasCut = true;
    }

    EagerConstants k;       //!< constants
    double current;         //!< R_C
    double target;          //!< R_T
    double alpha{1};        //!< alpha
    uint64_t timerStage{0}; //!< T
    uint64_t byteStage{0};  //!< BC

  private:
    /** One increase event, its stage counted. */
    void RaiseRate()
    {
        if (timerStage < k.fastStages && byteStage < k.fastStages)
        {
            // Fast recovery keeps the target.
        }
        else if (timerStage > k.fastStages && byteStage > k.fastStages)
        {
            const uint64_t i = std::min(timerStage, byteStage) - k.fastStages;
            target += static_cast<double>(i) * k.hyper;
        }
        else
        {
            target += k.additive;
        }
        target = std::min(target, static_cast<double>(k.lineRate));
        current = (target + current) / 2;
    }

    bool alphaRuns;       //!< whether the alpha timer runs
    uint64_t alphaDue;    //!< when it fires next
    uint64_t increaseDue; //!< when the increase timer fires next
    uint64_t bytes{0};    //!< since the byte counter fired
    uint64_t lastCut{0};  //!< time of the last cut
    bool hasCut{false};   //!< whether there was one
};

/**
 * Plays one random history on both and compares every bit of the state after every event.
 * \param constants the constants
 * \param seed seed of the history
 * \param events its length
 */
void
CompareWithEager(const EagerConstants& constants, uint32_t seed, int events)
{
    std::mt19937 random(seed);
    const auto draw = [&](uint64_t low, uint64_t high)
    { return std::uniform_int_distribution<uint64_t>(low, high)(random); };
    EagerDcqcn eager(constants);
    Ptr<DcqcnCongestionControl> lazy = MakeDcqcn(constants.lineRate, constants.ToSettings());
    uint64_t now = 0;
    for (int i = 0; i < events; i++)
    {
        // Gaps: same time, packets apart, timers apart, exactly a timer, idle, very long idle.
        const uint64_t gaps[] = {0,
                                 draw(1, UsTicks(1)),
                                 draw(1, UsTicks(120)),
                                 constants.increaseTimer,
                                 draw(1, UsTicks(20000)),
                                 draw(0, 99) == 0 ? UsTicks(12000000) : UsTicks(1)};
        now += gaps[draw(0, 5)];
        eager.AdvanceTo(now);
        switch (draw(0, 3))
        {
        case 0:
            eager.Cnp(now);
            lazy->OnCnp({now});
            break;
        case 1:
            break;
        default:
            const uint32_t wire = draw(0, 9) == 0 ? draw(1, 30000000) : draw(84, 4178);
            eager.Send(wire);
            lazy->OnSend({now, 0, wire, wire});
            break;
        }
        if (draw(0, 1) == 0)
        {
            continue; // Not looking must not change anything.
        }
        ASSERT_EQ(lazy->GetRateBps(now), static_cast<uint64_t>(eager.current)) << "event " << i;
        ASSERT_EQ(lazy->GetCurrentRate(now), eager.current) << "event " << i;
        ASSERT_EQ(lazy->GetTargetRate(now), eager.target) << "event " << i;
        ASSERT_EQ(lazy->GetAlpha(now), eager.alpha) << "event " << i;
        ASSERT_EQ(lazy->GetTimerStage(now), eager.timerStage) << "event " << i;
        ASSERT_EQ(lazy->GetByteStage(), eager.byteStage) << "event " << i;
    }
}

/** A row of the stage table: counters after a cut, and what the next timer event has to do. */
struct StageRow
{
    const char* name;      //!< what it shows
    uint64_t timerStages;  //!< timer events before
    uint64_t byteStages;   //!< byte events before
    double targetStepMbps; //!< growth of the target in the event that follows, Mb/s
};

} // namespace

TEST(RoceDcqcn, H09ThreeCnpsHalveTheRateThreeTimes)
{
    for (const char* interval : {"0ns", "4us", "50us"})
    {
        Ptr<DcqcnCongestionControl> dcqcn =
            MakeDcqcn(G100, {{"MinimumDecreaseInterval", interval}});
        const uint64_t step = UsTicks(50);
        uint64_t now = 0;
        for (uint64_t rate : {50000000000ULL, 25000000000ULL, 12500000000ULL})
        {
            dcqcn->OnCnp({now});
            EXPECT_EQ(dcqcn->GetRateBps(now), rate);
            EXPECT_EQ(dcqcn->GetTargetRate(now), 2.0 * rate);
            EXPECT_EQ(dcqcn->GetAlpha(now), 1.0);
            now += step;
        }
    }
}

TEST(RoceDcqcn, H09CutUsesTheAlphaBeforeItsUpdate)
{
    // Ten expirations of the alpha timer, from the start or from a first CNP, then a CNP.
    for (bool firstCnp : {false, true})
    {
        Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100, {{"IncreaseTimer", "1s"}});
        if (firstCnp)
        {
            dcqcn->OnCnp({0});
        }
        const uint64_t now = UsTicks(550);
        const double before = dcqcn->GetCurrentRate(now);
        EXPECT_NEAR(dcqcn->GetAlpha(now), 0.961617, 5e-7);
        dcqcn->OnCnp({now});
        EXPECT_NEAR(dcqcn->GetCurrentRate(now) / before, 0.519191, 5e-7);
        EXPECT_NEAR(dcqcn->GetAlpha(now), 0.961767, 5e-7);
    }
}

TEST(RoceDcqcn, AlphaTimerFiresNotBeforeItsPeriod)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100);
    dcqcn->OnCnp({UsTicks(7)});
    EXPECT_EQ(dcqcn->GetAlpha(UsTicks(62) - 1), 1.0);
    EXPECT_EQ(dcqcn->GetAlpha(UsTicks(62)), 255.0 / 256);
}

TEST(RoceDcqcn, AlphaTimerMayWaitForTheFirstCnp)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100, {{"AlphaTimerBeforeFirstCnp", "false"}});
    EXPECT_EQ(dcqcn->GetAlpha(UsTicks(1000000)), 1.0);
    dcqcn->OnCnp({UsTicks(1000000)});
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(1000000)), G100 / 2);
    EXPECT_EQ(dcqcn->GetAlpha(UsTicks(1000055)), 255.0 / 256);
}

TEST(RoceDcqcn, CnpWithinTheDecreaseIntervalChangesNothing)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100, {{"MinimumDecreaseInterval", "4us"}});
    dcqcn->OnCnp({UsTicks(10)});
    dcqcn->OnCnp({UsTicks(14) - 1});
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(14) - 1), G100 / 2);
    // The ignored CNP did not restart the increase timer either.
    EXPECT_EQ(dcqcn->GetTimerStage(UsTicks(65)), 1);
    dcqcn->OnCnp({UsTicks(65)});
    EXPECT_EQ(dcqcn->GetTimerStage(UsTicks(65)), 0);
}

TEST(RoceDcqcn, StartsAtLineRateAndStaysThere)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(400000000000);
    EXPECT_EQ(dcqcn->GetRateBps(0), 400000000000);
    dcqcn->OnSend({UsTicks(300), 1, 50000000, 50000000});
    EXPECT_EQ(dcqcn->GetByteStage(), 5);
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(300)), 400000000000);
}

TEST(RoceDcqcn, FastRecoveryHalvesTheGapToTheTarget)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100);
    dcqcn->OnCnp({0});
    dcqcn->OnCnp({0});
    double expected = 25e9;
    for (uint64_t stage = 1; stage < 5; stage++)
    {
        EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(55 * stage) - 1), expected);
        expected = (50e9 + expected) / 2;
        EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(55 * stage)), expected);
        EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(55 * stage)), 50e9);
    }
}

TEST(RoceDcqcn, StageTable)
{
    const StageRow rows[] = {
        {"fast recovery, one by one", 0, 0, 0},
        {"fast recovery, last stage", 3, 4, 0},
        {"additive by the timer alone", 4, 0, 40},
        {"additive by the byte counter alone", 0, 5, 40},
        {"additive, byte counter at F", 9, 5, 40},
        {"additive, timer reaches F", 4, 9, 40},
        {"hyper, i = 1", 5, 9, 200},
        {"hyper, i = 1 by the byte counter", 20, 6, 200},
        {"hyper, i = 3", 7, 30, 600},
        {"hyper, i = 10", 30, 15, 2000},
    };
    for (const StageRow& row : rows)
    {
        Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(10 * G100, {{"MinRate", "1bps"}});
        for (int i = 0; i < 8; i++)
        {
            dcqcn->OnCnp({0}); // far enough below line rate for every step
        }
        dcqcn->OnSend({0, 0, static_cast<uint32_t>(row.byteStages * 10000000), 0});
        const uint64_t before = UsTicks(55 * row.timerStages);
        const uint64_t after = UsTicks(55 * (row.timerStages + 1));
        ASSERT_EQ(dcqcn->GetTimerStage(before), row.timerStages) << row.name;
        ASSERT_EQ(dcqcn->GetByteStage(), row.byteStages) << row.name;
        const double target = dcqcn->GetTargetRate(before);
        const double current = dcqcn->GetCurrentRate(before);
        EXPECT_EQ(dcqcn->GetTargetRate(after), target + row.targetStepMbps * MEGA) << row.name;
        EXPECT_EQ(dcqcn->GetCurrentRate(after), (dcqcn->GetTargetRate(after) + current) / 2)
            << row.name;
    }
}

TEST(RoceDcqcn, ByteCounterCountsWireBytesAndCarriesTheRest)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100, {{"ByteCounter", "3000"}});
    dcqcn->OnCnp({0});
    dcqcn->OnSend({1, 0, 1106, 1024});
    dcqcn->OnSend({2, 1, 1106, 1024});
    EXPECT_EQ(dcqcn->GetByteStage(), 0);
    dcqcn->OnSend({3, 2, 1106, 1024}); // 3318: 318 are left
    EXPECT_EQ(dcqcn->GetByteStage(), 1);
    EXPECT_EQ(dcqcn->GetCurrentRate(3), 75e9);
    dcqcn->OnSend({4, 3, 2681, 2599});
    EXPECT_EQ(dcqcn->GetByteStage(), 1);
    dcqcn->OnSend({5, 4, 1, 1});
    EXPECT_EQ(dcqcn->GetByteStage(), 2);
    dcqcn->OnSend({6, 5, 2999, 2917});
    dcqcn->OnCnp({7}); // counts anew
    dcqcn->OnSend({8, 6, 2999, 2917});
    EXPECT_EQ(dcqcn->GetByteStage(), 0);
}

TEST(RoceDcqcn, RateStaysAboveTheFloor)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100);
    for (int i = 0; i < 100; i++)
    {
        dcqcn->OnCnp({0});
    }
    EXPECT_EQ(dcqcn->GetRateBps(0), 1000000);
}

TEST(RoceDcqcn, LazyTimersEqualEagerOnes)
{
    std::vector<EagerConstants> sets(6);
    sets[1].alphaTimer = UsTicks(1); // the HPCC family's settings
    sets[1].increaseTimer = UsTicks(300);
    sets[1].fastStages = 1;
    sets[1].decreaseInterval = UsTicks(4);
    sets[1].byteCounter = 0;
    sets[2].lineRate = 10000000001; // an odd mantissa, small byte counter
    sets[2].byteCounter = 4096;
    sets[2].hyper = 1 * MEGA;
    sets[3].additive = 1; // hardly rises
    sets[3].hyper = 1;
    sets[4].lineRate = 1600000000000;
    sets[4].additive = 5 * MEGA;
    sets[4].alphaFromStart = false;
    sets[5].gain = 0; // alpha stays 1
    sets[5].floor = 5000 * MEGA;
    for (std::size_t i = 0; i < sets.size(); i++)
    {
        for (uint32_t seed = 1; seed <= 4; seed++)
        {
            SCOPED_TRACE("set " + std::to_string(i) + " seed " + std::to_string(seed));
            CompareWithEager(sets[i], seed, 3000);
        }
    }
}

TEST(RoceDcqcn, LongIdleTimeIsSkippedExactly)
{
    // 46 days after a cut: 7e10 expirations of each timer, of which few are played.
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100);
    dcqcn->OnCnp({0});
    const uint64_t period = UsTicks(55);
    const uint64_t expirations = UsTicks(4000000000000) / period; // 4e6 s fit picoseconds
    EXPECT_EQ(dcqcn->GetRateBps(expirations * period), G100);
    EXPECT_EQ(dcqcn->GetTimerStage(expirations * period), expirations);
    EXPECT_EQ(dcqcn->GetTimerStage(expirations * period + period - 1), expirations);
    EXPECT_EQ(dcqcn->GetTimerStage(expirations * period + period), expirations + 1);
    EXPECT_LT(dcqcn->GetAlpha(expirations * period + period), 1e-300);
    dcqcn->OnCnp({expirations * period + period});
    EXPECT_NEAR(dcqcn->GetAlpha(expirations * period + period), 1.0 / 256, 1e-15);
}

TEST(RoceDcqcn, RateTraceTellsWhenARateChanged)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100);
    std::vector<std::pair<uint64_t, uint64_t>> seen;
    dcqcn->TraceConnectWithoutContext(
        "Rate",
        Callback<void, uint64_t, uint64_t>([&seen](uint64_t when, uint64_t rate)
                                           { seen.emplace_back(when, rate); }));
    dcqcn->OnCnp({UsTicks(5)});
    dcqcn->GetRateBps(UsTicks(120));
    const std::vector<std::pair<uint64_t, uint64_t>> expected = {{UsTicks(5), 50000000000},
                                                                 {UsTicks(60), 75000000000},
                                                                 {UsTicks(115), 87500000000}};
    EXPECT_EQ(seen, expected);
}

TEST(RoceDcqcn, StepsGrowWithTheLineRateByDefault)
{
    for (const uint64_t lineRate : {40000000000ULL, 100000000000ULL, 800000000000ULL})
    {
        for (const bool byDefault : {true, false})
        {
            Ptr<DcqcnCongestionControl> dcqcn =
                MakeDcqcn(lineRate,
                          {{"AdditiveIncrease", byDefault ? "0bps" : "40Mbps"},
                           {"ByteCounter", "0"},
                           {"FastRecoveryStages", "1"}});
            dcqcn->OnCnp({UsTicks(1)});
            const double step = byDefault ? static_cast<double>(lineRate) / 1000 : 40 * MEGA;
            dcqcn->OnCnp({UsTicks(2)}); // the target is half the line rate
            const double target = dcqcn->GetTargetRate(UsTicks(2));
            EXPECT_DOUBLE_EQ(dcqcn->GetTargetRate(UsTicks(2 + 55)), target + step);
        }
    }
}

TEST(RoceDcqcn, TargetOfARowOfCnps)
{
    for (const bool clamp : {true, false})
    {
        Ptr<DcqcnCongestionControl> dcqcn =
            MakeDcqcn(G100, {{"ClampTargetRate", clamp ? "true" : "false"}});
        dcqcn->OnCnp({UsTicks(1)});
        EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(1)), 1e11);
        const double before = dcqcn->GetCurrentRate(UsTicks(51));
        dcqcn->OnCnp({UsTicks(51)});
        EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(51)), clamp ? before : 1e11);
        const double risen = dcqcn->GetCurrentRate(UsTicks(107)); // one increase
        EXPECT_GT(risen, before / 2);
        dcqcn->OnCnp({UsTicks(107)});
        EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(107)), risen) << "there was an increase";
    }
}

TEST(RoceDcqcn, TellsWhenItsRateRisesNext)
{
    Ptr<DcqcnCongestionControl> dcqcn = MakeDcqcn(G100);
    EXPECT_EQ(dcqcn->GetNextChange(0), RoceCongestionControl::NEVER) << "at line rate";
    dcqcn->OnCnp({UsTicks(3)});
    for (uint64_t lap = 1; lap < 20; lap++)
    {
        const uint64_t next = dcqcn->GetNextChange(UsTicks(3 + 55 * (lap - 1)));
        EXPECT_EQ(next, UsTicks(3 + 55 * lap));
        const uint64_t rate = dcqcn->GetRateBps(next - 1);
        EXPECT_GT(dcqcn->GetRateBps(next), rate);
    }
}

TEST(RoceDcqcn, AsksForEcnAndCnps)
{
    const CongestionControlNeeds needs = MakeDcqcn(G100)->GetNeeds();
    EXPECT_TRUE(needs.ecn);
    EXPECT_TRUE(needs.cnp);
    EXPECT_EQ(needs.ackEveryBytes, 0);
    EXPECT_EQ(needs.burstBytes, 0);
}
