/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/nvidia-dcqcn-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
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
 * \param settings attributes
 * \param lineRateBps line rate, bit/s
 * \return a reaction point, started at time 0
 */
Ptr<NvidiaDcqcnCongestionControl>
MakeNvidia(const Settings& settings = {}, uint64_t lineRateBps = G100)
{
    ObjectFactory factory("ns3::NvidiaDcqcnCongestionControl");
    for (const auto& [name, value] : settings)
    {
        factory.Set(name, StringValue(value));
    }
    auto dcqcn = factory.Create<NvidiaDcqcnCongestionControl>();
    dcqcn->Start(MakeStart(lineRateBps));
    return dcqcn;
}

/** The constants of an EagerNvidia, in ticks, bytes and bit/s. */
struct NvidiaConstants
{
    uint64_t lineRate{G100};           //!< line rate
    bool clamp{false};                 //!< CLAMP_TGT_RATE
    bool clampAfterTime{true};         //!< CLAMP_TGT_RATE_AFTER_TIME_INC
    uint64_t timeReset{UsTicks(300)};  //!< RPG_TIME_RESET
    uint64_t byteReset{32767};         //!< RPG_BYTE_RESET, 64 bytes
    uint64_t threshold{1};             //!< RPG_THRESHOLD
    uint64_t additive{5000000};        //!< RPG_AI_RATE
    uint64_t hyper{50000000};          //!< RPG_HAI_RATE
    int gd{11};                        //!< RPG_GD
    int minDecrease{50};               //!< RPG_MIN_DEC_FAC
    uint64_t minRate{1000000};         //!< RPG_MIN_RATE
    uint64_t maxRate{0};               //!< RPG_MAX_RATE
    uint64_t firstRate{0};             //!< RATE_TO_SET_ON_FIRST_CNP
    int g{1019};                       //!< DCE_TCP_G
    uint64_t alphaPeriod{UsTicks(1)};  //!< DCE_TCP_RTT
    int initialAlpha{1023};            //!< INITIAL_ALPHA_VALUE
    uint64_t reducePeriod{UsTicks(4)}; //!< RATE_REDUCE_MONITOR_PERIOD

    /** \return the same as attributes */
    Settings ToSettings() const
    {
        const auto time = [](uint64_t ticks) {
            return std::to_string(Time(ticks).GetNanoSeconds()) + "ns";
        };
        const auto rate = [](uint64_t bps) { return std::to_string(bps) + "bps"; };
        return {{"ClampTgtRate", clamp ? "true" : "false"},
                {"ClampTgtRateAfterTimeInc", clampAfterTime ? "true" : "false"},
                {"RpgTimeReset", time(timeReset)},
                {"RpgByteReset", std::to_string(byteReset)},
                {"RpgThreshold", std::to_string(threshold)},
                {"RpgAiRate", rate(additive)},
                {"RpgHaiRate", rate(hyper)},
                {"RpgGd", std::to_string(gd)},
                {"RpgMinDecFac", std::to_string(minDecrease)},
                {"RpgMinRate", rate(minRate)},
                {"RpgMaxRate", rate(maxRate)},
                {"RateToSetOnFirstCnp", rate(firstRate)},
                {"DceTcpG", std::to_string(g)},
                {"DceTcpRtt", time(alphaPeriod)},
                {"InitialAlphaValue", std::to_string(initialAlpha)},
                {"RateReduceMonitorPeriod", time(reducePeriod)}};
    }
};

/** The firmware's reaction point with clocks that fire one by one, apart from the product's code.
 */
class EagerNvidia
{
  public:
    /** \param constants the constants */
    explicit EagerNvidia(const NvidiaConstants& constants)
        : k(constants),
          line(static_cast<double>(k.lineRate)),
          top(k.maxRate ? static_cast<double>(k.maxRate) : line),
          current(line)
    {
    }

    /** \param now every clock up to and including this time fires */
    void AdvanceTo(uint64_t now)
    {
        while (limited)
        {
            const uint64_t next = std::min({alphaDue, timeDue, reduceDue});
            if (next > now)
            {
                return;
            }
            if (alphaDue == next)
            {
                MoveAlpha();
            }
            if (timeDue == next)
            {
                timeDue += k.timeReset;
                timeStage++;
                Raise();
            }
            if (limited && reduceDue == next)
            {
                reduceDue += k.reducePeriod;
                if (reduceCnp)
                {
                    Reduce(next);
                }
            }
        }
    }

    /** \param wire bytes sent, after AdvanceTo() */
    void Send(uint64_t wire)
    {
        if (!limited || k.byteReset == 0)
        {
            return;
        }
        for (bytes += wire; limited && bytes >= 64 * k.byteReset; bytes -= 64 * k.byteReset)
        {
            byteStage++;
            Raise();
        }
    }

    /** \param now time of a CNP, after AdvanceTo() */
    void Cnp(uint64_t now)
    {
        if (!limited)
        {
            limited = true;
            const double first = k.firstRate ? static_cast<double>(k.firstRate) : line;
            current = target = std::min(first, top);
            alpha = k.initialAlpha;
            alphaCnp = reduceCnp = false;
            alphaDue = now + k.alphaPeriod;
            reduceDue = now + k.reducePeriod;
            timeDue = now + k.timeReset;
            bytes = timeStage = byteStage = 0;
        }
        alphaCnp = reduceCnp = true;
    }

    NvidiaConstants k;     //!< constants
    double line;           //!< line rate
    double top;            //!< where the limiter is released
    double current;        //!< R_C
    double target{0};      //!< R_T
    double alpha{0};       //!< 1/1024
    bool limited{false};   //!< whether there is a limiter
    uint64_t timeStage{0}; //!< stage of the timer
    uint64_t byteStage{0}; //!< stage of the byte counter

  private:
    /** The end of a period of alpha. */
    void MoveAlpha()
    {
        alphaDue += k.alphaPeriod;
        alpha = alpha * (k.g / 1024.0) + (alphaCnp ? 1024 - k.g : 0);
        alpha = std::min(1023.0, std::max(1.0, alpha));
        alphaCnp = false;
    }

    /** \param now time of a cut */
    void Reduce(uint64_t now)
    {
        reduceCnp = false;
        if (k.clamp || byteStage || (timeStage && k.clampAfterTime))
        {
            target = current;
        }
        const double factor = std::max(1 - alpha / std::pow(2, k.gd), k.minDecrease / 100.0);
        current = std::max(static_cast<double>(k.minRate), current * factor);
        timeStage = byteStage = bytes = 0;
        timeDue = now + k.timeReset;
    }

    /** One increase, its stage counted. */
    void Raise()
    {
        if (timeStage > k.threshold && byteStage > k.threshold)
        {
            const uint64_t i = std::min(timeStage, byteStage) - k.threshold;
            target += static_cast<double>(i) * static_cast<double>(k.hyper);
        }
        else if (timeStage >= k.threshold || byteStage >= k.threshold)
        {
            target += static_cast<double>(k.additive);
        }
        target = std::min(target, top);
        current = (target + current) / 2;
        if (!reduceCnp && current >= top - MEGA)
        {
            limited = false;
            current = line;
        }
    }

    uint64_t alphaDue{0};  //!< when alpha's period ends
    uint64_t timeDue{0};   //!< when the timer fires next
    uint64_t reduceDue{0}; //!< when the period of cuts ends
    bool alphaCnp{false};  //!< a CNP came in alpha's period
    bool reduceCnp{false}; //!< a CNP came in the period of cuts
    uint64_t bytes{0};     //!< since the byte counter fired
};

/**
 * Plays one random history on both and compares every bit of the state after every event.
 * \param constants the constants
 * \param seed seed of the history
 * \return how often the limiter was found released after the first CNP
 */
int
CompareWithEager(const NvidiaConstants& constants, uint32_t seed)
{
    std::mt19937 random(seed);
    const auto draw = [&](uint64_t low, uint64_t high) {
        return std::uniform_int_distribution<uint64_t>(low, high)(random);
    };
    EagerNvidia eager(constants);
    const auto lazy = MakeNvidia(constants.ToSettings(), constants.lineRate);
    uint64_t now = 0;
    int released = 0;
    bool hadCnp = false;
    for (int i = 0; i < 3000; i++)
    {
        const uint64_t gaps[] = {0,
                                 draw(1, UsTicks(1)),
                                 draw(1, UsTicks(10)),
                                 constants.reducePeriod,
                                 constants.timeReset,
                                 draw(0, 19) == 0 ? draw(1, UsTicks(30000)) : UsTicks(1)};
        now += gaps[draw(0, 5)];
        eager.AdvanceTo(now);
        const uint64_t what = draw(0, 5);
        if (what == 0)
        {
            eager.Cnp(now);
            lazy->OnCnp({now});
            hadCnp = true;
        }
        else if (what < 5)
        {
            const uint32_t wire = draw(0, 9) == 0 ? draw(1, 6000000) : draw(84, 4178);
            eager.Send(wire);
            lazy->OnSend({now, 0, wire, wire});
        }
        if (draw(0, 1) == 0)
        {
            continue; // not looking must not change anything
        }
        EXPECT_EQ(lazy->IsLimited(now), eager.limited) << "event " << i;
        EXPECT_EQ(lazy->GetRateBps(now), static_cast<uint64_t>(eager.current)) << "event " << i;
        EXPECT_EQ(lazy->GetCurrentRate(now), eager.current) << "event " << i;
        if (eager.limited)
        {
            EXPECT_EQ(lazy->GetTargetRate(now), eager.target) << "event " << i;
            EXPECT_EQ(lazy->GetAlpha(now), eager.alpha) << "event " << i;
            EXPECT_EQ(lazy->GetTimeStage(now), eager.timeStage) << "event " << i;
            EXPECT_EQ(lazy->GetByteStage(now), eager.byteStage) << "event " << i;
        }
        released += hadCnp && !eager.limited;
        if (testing::Test::HasFailure())
        {
            break;
        }
    }
    return released;
}

} // namespace

TEST(RoceNvidiaDcqcn, SendsAtLineRateUntilTheFirstCut)
{
    const auto dcqcn = MakeNvidia();
    dcqcn->OnSend({UsTicks(900), 0, 100000000, 100000000});
    EXPECT_FALSE(dcqcn->IsLimited(UsTicks(1000)));
    EXPECT_EQ(dcqcn->GetNextChange(UsTicks(1000)), RoceCongestionControl::NEVER);
    dcqcn->OnCnp({UsTicks(1000)});
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(1004) - 1), G100) << "a cut waits for its period's end";
    // Alpha: one period with a CNP, three without, the last of them ending with the cut.
    double alpha = std::min(1023.0, 1023 * 1019 / 1024.0 + 5);
    for (int i = 0; i < 3; i++)
    {
        alpha *= 1019 / 1024.0;
    }
    EXPECT_DOUBLE_EQ(dcqcn->GetAlpha(UsTicks(1004)), alpha);
    EXPECT_DOUBLE_EQ(dcqcn->GetCurrentRate(UsTicks(1004)), 1e11 * (1 - alpha / 2048));
    EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(1004)), 1e11);
    EXPECT_EQ(dcqcn->GetNextChange(UsTicks(1004)), UsTicks(1304));
}

TEST(RoceNvidiaDcqcn, OneCutPerPeriodHoweverManyCnps)
{
    const auto dcqcn = MakeNvidia({{"DceTcpG", "0"}}); // alpha is 1023 in a period with a CNP
    for (uint64_t us = 0; us < 4; us++)
    {
        dcqcn->OnCnp({UsTicks(us)});
    }
    const double once = 1e11 * (1 - 1023.0 / 2048);
    EXPECT_DOUBLE_EQ(dcqcn->GetCurrentRate(UsTicks(4)), once);
    dcqcn->OnCnp({UsTicks(7)});
    EXPECT_DOUBLE_EQ(dcqcn->GetCurrentRate(UsTicks(8) - 1), once);
    EXPECT_DOUBLE_EQ(dcqcn->GetCurrentRate(UsTicks(8)), once * (1 - 1023.0 / 2048));
    EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(12)), dcqcn->GetCurrentRate(UsTicks(8)));
}

TEST(RoceNvidiaDcqcn, CutsAreBoundedByFactorAndFloor)
{
    const auto half = MakeNvidia({{"RpgGd", "10"}, {"DceTcpG", "0"}}); // 1 - 1023/1024 without it
    half->OnCnp({UsTicks(3)});
    EXPECT_EQ(half->GetRateBps(UsTicks(4)), G100) << "the grid starts with the first CNP";
    half->OnCnp({UsTicks(6)});
    EXPECT_EQ(half->GetRateBps(UsTicks(7)), G100 / 2);
    const auto none = MakeNvidia({{"RpgMinDecFac", "100"}});
    none->OnCnp({0});
    EXPECT_EQ(none->GetRateBps(UsTicks(4)), G100);
    const auto floor = MakeNvidia({{"RpgMinRate", "60Gbps"}, {"DceTcpG", "1023"}});
    floor->OnCnp({0});
    EXPECT_EQ(floor->GetRateBps(UsTicks(4)), 60000000000U);
}

TEST(RoceNvidiaDcqcn, TargetClampRules)
{
    struct Row
    {
        bool always;    //!< CLAMP_TGT_RATE
        bool afterTime; //!< CLAMP_TGT_RATE_AFTER_TIME_INC
        bool byTimer;   //!< the increase between the cuts is the timer's
        bool clamped;   //!< whether the third cut moves the target
    };

    const Row rows[] = {{false, true, true, true},
                        {false, false, true, false},
                        {false, false, false, true},
                        {false, true, false, true},
                        {true, false, true, true}};
    for (const Row& row : rows)
    {
        const auto dcqcn =
            MakeNvidia({{"ClampTgtRate", row.always ? "true" : "false"},
                        {"ClampTgtRateAfterTimeInc", row.afterTime ? "true" : "false"}});
        dcqcn->OnCnp({0});
        dcqcn->OnCnp({UsTicks(5)});
        const double target = row.always ? dcqcn->GetCurrentRate(UsTicks(4)) : 1e11;
        ASSERT_EQ(dcqcn->GetTargetRate(UsTicks(8)), target) << "no increase between two cuts";
        if (!row.byTimer)
        {
            dcqcn->OnSend({UsTicks(10), 0, 32767 * 64, 0});
        }
        const uint64_t now = UsTicks(row.byTimer ? 309 : 11);
        const double raised = dcqcn->GetCurrentRate(now);
        const double raisedTarget = dcqcn->GetTargetRate(now);
        dcqcn->OnCnp({now});
        const uint64_t cut = now + UsTicks(4);
        EXPECT_EQ(dcqcn->GetTargetRate(cut), row.clamped ? raised : raisedTarget)
            << row.always << row.afterTime << row.byTimer;
        EXPECT_LT(dcqcn->GetCurrentRate(cut), raised);
    }
}

TEST(RoceNvidiaDcqcn, IncreaseStages)
{
    const auto dcqcn = MakeNvidia(
        {{"RpgThreshold", "3"}, {"RateToSetOnFirstCnp", "10Gbps"}, {"RpgMinDecFac", "100"}});
    dcqcn->OnCnp({0});
    const uint64_t start = UsTicks(4);
    EXPECT_EQ(dcqcn->GetTargetRate(start), 10e9);
    EXPECT_EQ(dcqcn->GetTargetRate(start + UsTicks(600)), 10e9) << "two stages of fast recovery";
    EXPECT_EQ(dcqcn->GetTargetRate(start + UsTicks(900)), 10e9 + 5 * MEGA) << "additive";
    const uint64_t now = start + UsTicks(1200);
    EXPECT_EQ(dcqcn->GetTargetRate(now), 10e9 + 10 * MEGA);
    dcqcn->OnSend({now, 0, 3 * 32767 * 64, 0}); // three more events, the byte stage is not above F
    EXPECT_EQ(dcqcn->GetTargetRate(now), 10e9 + 25 * MEGA);
    dcqcn->OnSend({now, 0, 32767 * 64, 0}); // both stages are 4
    EXPECT_EQ(dcqcn->GetTargetRate(now), 10e9 + 75 * MEGA) << "hyper, i = 1";
}

TEST(RoceNvidiaDcqcn, ReleasedLimiterForgetsItsState)
{
    const auto dcqcn = MakeNvidia();
    dcqcn->OnCnp({0});
    dcqcn->OnCnp({UsTicks(5)});
    // From half the rate, the gap to the target halves each time: below 1 Mb/s after 17.
    uint64_t now = UsTicks(8);
    int increases = 0;
    while (dcqcn->IsLimited(now))
    {
        now += UsTicks(300);
        increases++;
        ASSERT_LE(increases, 20);
    }
    EXPECT_EQ(increases, 17);
    EXPECT_EQ(dcqcn->GetRateBps(now), G100);
    dcqcn->OnCnp({now});
    EXPECT_EQ(dcqcn->GetAlpha(now), 1023) << "a first CNP again";
}

TEST(RoceNvidiaDcqcn, MaximumRateReleasesTheLimiter)
{
    const auto dcqcn = MakeNvidia({{"RpgMaxRate", "20Gbps"}});
    dcqcn->OnCnp({0});
    EXPECT_EQ(dcqcn->GetRateBps(0), 20000000000U);
    EXPECT_LT(dcqcn->GetRateBps(UsTicks(4)), 11000000000U);
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(300 * 20)), G100);
}

TEST(RoceNvidiaDcqcn, LazyClocksEqualEagerOnes)
{
    std::vector<NvidiaConstants> sets(7);
    sets[1].clamp = true;
    sets[1].timeReset = UsTicks(55);
    sets[1].threshold = 5;
    sets[2].clampAfterTime = false;
    sets[2].byteReset = 64; // 4 KB
    sets[3].lineRate = 10000000001;
    sets[3].additive = 400 * 1000000;
    sets[3].timeReset = UsTicks(7);
    sets[4].firstRate = 3000000000;
    sets[4].maxRate = 50000000000;
    sets[4].hyper = 900 * 1000000;
    sets[5].gd = 10;
    sets[5].minDecrease = 20;
    sets[5].minRate = 700 * 1000000;
    sets[5].reducePeriod = UsTicks(1);
    sets[6].byteReset = 0;
    sets[6].g = 900;
    sets[6].alphaPeriod = UsTicks(3);
    sets[6].initialAlpha = 1;
    sets[6].lineRate = 1600000000000;
    int released = 0;
    for (size_t i = 0; i < sets.size(); i++)
    {
        for (uint32_t seed = 1; seed <= 3; seed++)
        {
            SCOPED_TRACE("set " + std::to_string(i) + " seed " + std::to_string(seed));
            released += CompareWithEager(sets[i], seed);
            ASSERT_FALSE(testing::Test::HasFailure());
        }
    }
    EXPECT_GT(released, 100) << "histories must cover the release of the limiter";
}

TEST(RoceNvidiaDcqcn, AsksForCnpsAtTheFirmwaresPace)
{
    const CongestionControlNeeds needs = MakeNvidia()->GetNeeds();
    EXPECT_TRUE(needs.ecn);
    EXPECT_TRUE(needs.cnp);
    EXPECT_EQ(needs.cnpInterval, UsTicks(4));
}
