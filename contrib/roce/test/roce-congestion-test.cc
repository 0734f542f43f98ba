/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dcqcn-reference.h"
#include "nic-under-test.h"
#include "roce-test-network.h"
#include "shared-link.h"

#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * Congestion control as NICs and switches play it together.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

TEST(RoceCongestion, NotificationIntervalAtTheNic)
{
    NicOptions options;
    options.congestionControl = "ns3::DcqcnCongestionControl";
    options.mtuBytes = 4096;
    NicUnderTest test(options);
    test.wire->drop = [](FabricPacket& packet, uint32_t from) {
        if (packet.GetClass() == FrameClass::DATA)
        {
            EXPECT_EQ(packet.ecn, static_cast<uint8_t>(EcnCodepoint::ECT0));
            packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
        }
        return false;
    };
    const uint64_t lineRate = options.rateBps;
    std::vector<std::pair<uint64_t, uint64_t>> rates;
    test.Post(2000000); // the first packet leaves
    EXPECT_EQ(test.Qp().congestionControl->GetRateBps(0), lineRate);
    test.Qp().congestionControl->TraceConnectWithoutContext(
        "Rate",
        Callback<void, uint64_t, uint64_t>(
            [&](uint64_t when, uint64_t rate) { rates.emplace_back(when, rate); }));
    EngineUnderTest::At(160 * US, [] { Simulator::Stop(); });
    Simulator::Run();
    const auto cnps = test.wire->Select(1, FrameClass::CONTROL);
    ASSERT_EQ(cnps.size(), 4U) << "at once, then every 50 us";
    EXPECT_EQ(test.context->counters.cnps, 4U);
    const uint64_t frame = 4096 + 62;
    EXPECT_EQ(cnps[0].when, 2 * test.Ser(frame) + US + test.Ser(78) + US / 2)
        << "answers the first marked packet";
    for (size_t i = 0; i < cnps.size(); i++)
    {
        EXPECT_EQ(cnps[i].opcode, RoceOpcode::CNP);
        EXPECT_EQ(cnps[i].frameBytes, 78U);
        EXPECT_EQ(cnps[i].priority, 6U);
        if (i > 0)
        {
            EXPECT_GE(cnps[i].when - cnps[i - 1].when, 50 * US);
            EXPECT_LE(cnps[i].when - cnps[i - 1].when, 55 * US);
        }
    }
    // Every CNP cuts: alpha is near 1, so the rate about halves each time.
    ASSERT_GE(rates.size(), 4U);
    EXPECT_EQ(rates[0].second, lineRate / 2);
    EXPECT_LT(test.Qp().congestionControl->GetRateBps(EngineUnderTest::Now()), lineRate / 8);
    // Packets leave at that rate.
    const auto data = test.Data();
    const auto first = std::find_if(data.begin(), data.end(), [&](const auto& f) {
        return f.when > rates[0].first + 5 * US;
    });
    ASSERT_NE(first, data.end());
    EXPECT_EQ((first + 1)->when - first->when, 2 * test.Ser(frame));
}

TEST(RoceCongestion, WithoutCongestionControlNothingIsMarked)
{
    RoceTestOptions options;
    RoceTestNetwork network(StarTopology(9, "100Gbps", MicroSeconds(1)), options);
    for (uint32_t src = 1; src < 9; src++)
    {
        network.Send(src, 0, 500000);
    }
    network.Run();
    EXPECT_EQ(network.Counters().ecnMarks, 0U);
    EXPECT_EQ(network.Counters().cnps, 0U);
}

/** \ingroup tests \brief Thresholds and sizes that the fluid model of DCQCN needs. */
struct FluidModel
{
    double rateBps;      //!< of the link
    double flows;        //!< N
    double packetBytes;  //!< on the wire
    double increaseBps;  //!< R_AI
    double kmin;         //!< bytes
    double kmax;         //!< bytes
    double pmax;         //!< at kmax

    /**
     * Fixed point of the fluid model (Zhu et al., CoNEXT 2016, with the paper's timers):
     * a^2 alpha / ((b + d) (c + e)) = tau^2 R_AI R.
     * \return length of the queue, bytes
     */
    double GetQueue() const
    {
        const double rate = rateBps / flows / 8 / packetBytes;
        const double step = increaseBps / 8 / packetBytes;
        const double counter = 10e6 / packetBytes;
        constexpr double tau = 50e-6;
        constexpr double timer = 55e-6;
        constexpr double stages = 5;
        const auto excess = [&](double p) {
            const auto unmarked = [p](double packets) { return std::pow(1 - p, packets); };
            const double a = 1 - unmarked(tau * rate);
            const double b = p / (unmarked(-counter) - 1);
            const double c = b * unmarked(stages * counter);
            const double d = p / (unmarked(-timer * rate) - 1);
            const double e = d * unmarked(stages * timer * rate);
            const double alpha = 1 - unmarked(timer * rate);
            return a * a * alpha / ((b + d) * (c + e)) - tau * tau * step * rate;
        };
        double low = 1e-7;
        double high = 0.03;
        for (int i = 0; i < 100; i++)
        {
            const double middle = (low + high) / 2;
            (excess(middle) < 0 ? low : high) = middle;
        }
        return kmin + (kmax - kmin) * low / pmax;
    }
};

TEST(RoceCongestion, FluidModelGivesThePublishedFixedPoints)
{
    for (const auto& [flows, queueKb] :
         {std::make_pair(2, 20.15), std::make_pair(8, 93.77), std::make_pair(10, 122.6)})
    {
        const FluidModel model{40e9, 1.0 * flows, 1000, 40e6, 5000, 200000, 0.01};
        EXPECT_NEAR(model.GetQueue() / 1000, queueKb, 0.05);
    }
}

/** \ingroup tests \brief Flows into one link. */
struct DcqcnCase
{
    uint64_t gbps;   //!< rate of the link
    uint32_t flows;  //!< their number
    int64_t runMs;   //!< measured from 100 ms on: long enough for fair shares
    bool fluidHolds; //!< the queue neither runs empty nor full, so that the fluid's root holds
};

/** \ingroup tests \brief DCQCN with the constants and thresholds of its paper. */
class RoceDcqcnFixedPoint : public testing::TestWithParam<DcqcnCase>
{
};

INSTANTIATE_TEST_SUITE_P(RateAndFlows,
                         RoceDcqcnFixedPoint,
                         testing::Values(DcqcnCase{40, 2, 600, false},
                                         DcqcnCase{40, 4, 600, true},
                                         DcqcnCase{40, 8, 600, false},
                                         DcqcnCase{40, 10, 1200, false},
                                         DcqcnCase{100, 2, 500, false},
                                         DcqcnCase{100, 8, 500, true}));

TEST_P(RoceDcqcnFixedPoint, QueueAndUtilisationOfAnIndependentModel)
{
    const auto [gbps, flows, runMs, fluidHolds] = GetParam();
    const uint64_t rate = gbps * 1000000000;
    ScopedDefaults paper;
    paper.Set("ns3::DcqcnCongestionControl::AdditiveIncrease", StringValue("40Mbps"));
    paper.Set("ns3::DcqcnCongestionControl::HyperIncrease", StringValue("200Mbps"));
    const LinkFigures figures = Play({"ns3::DcqcnCongestionControl",
                                      rate,
                                      flows,
                                      MilliSeconds(runMs),
                                      MilliSeconds(runMs - 100),
                                      1000,
                                      PaperThresholds});
    EXPECT_EQ(figures.counters.pfcPauses, 0U);
    // From a mark to the change at the queue: four links of 1 us, the packet on two, a CNP on two.
    const double delay = 4e-6 + 8.0 * (2 * 1082 + 2 * 98) / static_cast<double>(rate);
    const DcqcnReference::Figures reference = DcqcnReference::Play({static_cast<double>(rate),
                                                                    flows,
                                                                    1082,
                                                                    delay,
                                                                    5000,
                                                                    200000,
                                                                    0.01,
                                                                    40e6,
                                                                    0.6});
    EXPECT_NEAR(figures.queueBytes / reference.queueBytes, 1, 0.1);
    EXPECT_NEAR(figures.sum / reference.utilisation, 1, 0.01);
    for (const double share : figures.shares)
    {
        EXPECT_NEAR(share * flows / figures.sum, 1, 0.05);
    }
    // With few flows packets come in lumps; with 8 and 10 at 40 Gb/s the fluid's phase margin is
    // near its least, 5 degrees, and the queue swings: the mean is not the root.
    const FluidModel fluid{static_cast<double>(rate), 1.0 * flows, 1082, 40e6, 5000, 200000, 0.01};
    if (fluidHolds)
    {
        EXPECT_NEAR(figures.queueBytes / fluid.GetQueue(), 1, 0.1);
    }
}

TEST(RoceCongestion, H24DcqcnLeavesPartOfALinkUnusedForAsLongAsAlphaDecays)
{
    // Two flows that start at the rate of the link with alpha 1, for the 20 ms that 200 MB take:
    // alpha falls by 1/256 per 55 us, so for some 10 ms every mark about halves a rate.
    constexpr uint32_t SEEDS = 8;
    ScopedDefaults defaults;
    defaults.Set("ns3::DcqcnCongestionControl::AdditiveIncrease", StringValue("100Mbps"));
    defaults.Set("ns3::DcqcnCongestionControl::HyperIncrease", StringValue("500Mbps"));
    double used = 0;
    double reference = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
    {
        RngSeedManager::SetRun(seed);
        SharedLink link{"ns3::DcqcnCongestionControl",
                        100000000000,
                        2,
                        MilliSeconds(20),
                        MilliSeconds(20),
                        4096,
                        PaperThresholds};
        link.startOf = [](uint32_t) { return Time(0); };
        const double utilisation = Play(link).sum;
        EXPECT_LT(utilisation, 0.9);
        used += utilisation / SEEDS;
        DcqcnReference::Setting setting{100e9, 2, 4178, 5e-6, 5000, 200000, 0.01, 100e6, 0.02};
        setting.settled = false;
        setting.seed = seed;
        reference += DcqcnReference::Play(setting).utilisation / SEEDS;
    }
    RngSeedManager::SetRun(1);
    EXPECT_NEAR(used / reference, 1, 0.02);
}

TEST(RoceCongestion, TimelyShrinksTheQueueWithoutLossAndMarks)
{
    const LinkFigures figures =
        Play({"ns3::TimelyCongestionControl", 10000000000, 2, MilliSeconds(40), MilliSeconds(20)});
    // TIMELY has no fixed point; it holds the link well used while its rates still rise.
    EXPECT_GT(figures.sum, 0.6);
    EXPECT_LE(figures.sum, 1.0);
    EXPECT_NEAR(figures.shares[0], figures.shares[1], 0.1);
    EXPECT_LT(figures.queueBytes, 62500) << "50 us, TLow";
    EXPECT_EQ(figures.counters.ecnMarks, 0U);
    EXPECT_EQ(figures.counters.cnps, 0U);
}

TEST(RoceCongestion, WithoutCongestionControlPfcSharesALinkByPort)
{
    const LinkFigures figures =
        Play({"ns3::NoCongestionControl",
              100000000000,
              4,
              MilliSeconds(3),
              MilliSeconds(1),
              4096,
              [](RoceHelper& helper) {
                  helper.SetSwitchAttribute("BufferBytes", UintegerValue(2000000));
              }});
    EXPECT_NEAR(figures.sum, 1, 0.001);
    for (const double share : figures.shares)
    {
        EXPECT_NEAR(share, 0.25, 0.02);
    }
    EXPECT_GT(figures.counters.pfcPauses, 0U);
}

TEST(RoceCongestion, EcnThresholdsFollowTheRateOfThePort)
{
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(1000));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(4000));
        helper.SetSwitchAttribute("EcnReferenceRate", StringValue("25Gbps"));
    };
    Topology topology = StarTopology(3, "100Gbps", MicroSeconds(1));
    topology.links[1].rate = DataRate("400Gbps");
    RoceTestNetwork network(topology, options);
    RoceSwitchDevice& hub = *network.fabric.switches[3];
    EXPECT_EQ(hub.GetEcnThresholds(0).kminBytes, 4000U);
    EXPECT_EQ(hub.GetEcnThresholds(1).kmaxBytes, 64000U);
    hub.SetEcnThresholds(2, {7, 8, 0.5});
    EXPECT_EQ(hub.GetEcnThresholds(2).kminBytes, 7U);
    EXPECT_EQ(hub.GetEcnThresholds(0).kminBytes, 4000U);
    hub.SetAttribute("EcnReferenceRate", StringValue("0bps"));
    EXPECT_EQ(hub.GetEcnThresholds(1).kmaxBytes, 4000U) << "0: the same at every rate";
}

} // namespace
