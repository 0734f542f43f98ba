/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shared-link.h"

#include "ns3/double.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

/**
 * \file
 * Where congestion controls come to rest on a shared link, against the closed forms of their
 * papers.
 *
 * Links have 20 bytes of preamble and gap per frame, which rates and windows of the congestion
 * controls count and queues do not: a packet of 1000 bytes is 1062 in a queue, 1082 on the wire.
 */

using namespace ns3;

namespace
{

constexpr uint64_t G10 = 10000000000;   //!< 10 Gb/s
constexpr uint64_t G40 = 40000000000;   //!< 40 Gb/s
constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s
constexpr double FRAME = 1062;          //!< of 1000 bytes, in a queue
constexpr double WIRE = 1082;           //!< the same on the wire
constexpr double ACK_WIRE = 86;         //!< an acknowledgement on the wire
constexpr uint32_t TELEMETRY = 42;      //!< header of in-band telemetry

/**
 * \param rateBps of all links
 * \param delay of each
 * \param telemetry bytes of its header
 * \return round trip of a packet and its acknowledgement over two links each, s
 */
double
BaseRtt(double rateBps, Time delay, double telemetry = 0)
{
    return 4 * delay.GetSeconds() + 2 * 8 * (WIRE + ACK_WIRE + 2 * telemetry) / rateBps;
}

/** \param bytes threshold \return sets it, as DCTCP wants it */
std::function<void(RoceHelper&)>
MarkAbove(uint64_t bytes)
{
    return [bytes](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(bytes));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(bytes));
        helper.SetSwitchAttribute("EcnPmax", DoubleValue(1));
        helper.SetSwitchAttribute("EcnReferenceRate", StringValue("0bps"));
    };
}

/** \param figures what was seen \param tolerance of each flow's share, relative */
void
ExpectFair(const LinkFigures& figures, double tolerance)
{
    for (const double share : figures.shares)
    {
        EXPECT_NEAR(share * figures.shares.size() / figures.sum, 1, tolerance);
    }
}

/** \ingroup tests \brief Tests by number of flows. */
class RoceEquilibrium : public testing::TestWithParam<uint32_t>
{
};

/** \ingroup tests \brief Utilisation of the formula, and a queue that is next to empty. */
class RoceHpccEquilibrium : public RoceEquilibrium
{
};

INSTANTIATE_TEST_SUITE_P(Flows, RoceHpccEquilibrium, testing::Values(2U, 16U, 64U));

TEST_P(RoceHpccEquilibrium, UtilisationAndQueue)
{
    const uint32_t flows = GetParam();
    SharedLink link{"ns3::HpccCongestionControl", G100, flows, MilliSeconds(6), MilliSeconds(3)};
    link.mtuBytes = 1000;
    link.delay = MicroSeconds(3); // T = 12.4 us
    link.headerBytes = 82 + TELEMETRY;
    double utilization = 0;
    uint64_t samples = 0;
    link.onSample = [&](RoceTestNetwork& network) {
        for (uint32_t src = 1; src <= flows; src++)
        {
            const RoceQueuePair& qp = network.fabric.nics[src]->GetQueuePair(0);
            const auto hpcc = DynamicCast<HpccCongestionControl>(qp.congestionControl);
            utilization += hpcc->GetUtilization();
            samples++;
        }
    };
    const LinkFigures figures = Play(link);
    // U* = eta + N R_AI / C with R_AI = C / 2000. U counts what stands in the queue, throughput
    // not.
    const double expected = 0.95 + flows / 2000.0;
    EXPECT_NEAR(utilization / samples, expected, 0.005);
    const double bdp = G100 / 8 * BaseRtt(G100, link.delay, TELEMETRY);
    EXPECT_LE(figures.sum, expected + 0.002);
    EXPECT_GE(figures.sum, expected - figures.queueBytes / bdp - 0.002);
    EXPECT_LT(figures.queueBytes, 4 * FRAME);
    EXPECT_LT(figures.maxQueueBytes, 0.15 * bdp);
    ExpectFair(figures, 0.25); // W_AI is small: fairness takes thousands of round trips
}

/** \ingroup tests \brief Theorem 1: N beta bytes stand in the queue. */
class RocePowerTcpEquilibrium : public RoceEquilibrium
{
};

INSTANTIATE_TEST_SUITE_P(Flows, RocePowerTcpEquilibrium, testing::Values(2U, 4U, 8U, 16U));

TEST_P(RocePowerTcpEquilibrium, QueueIsTheSumOfTheAdditiveIncreases)
{
    const uint32_t flows = GetParam();
    for (const bool telemetry : {true, false})
    {
        SCOPED_TRACE(telemetry ? "PowerTCP" : "theta-PowerTCP");
        ScopedDefaults defaults;
        defaults.Set("ns3::PowerTcpCongestionControl::Telemetry",
                     StringValue(telemetry ? "true" : "false"));
        SharedLink link{"ns3::PowerTcpCongestionControl",
                        G100,
                        flows,
                        MilliSeconds(10),
                        MilliSeconds(3)};
        link.mtuBytes = 1000;
        link.delay = MicroSeconds(3);
        const uint32_t header = telemetry ? TELEMETRY : 0;
        link.headerBytes = 82 + header;
        const LinkFigures figures = Play(link);
        const double beta = G100 / 8 * BaseRtt(G100, link.delay, header) / 10;
        const double inQueue = (FRAME + header) / (WIRE + header);
        EXPECT_NEAR(figures.queueBytes / (flows * beta * inQueue), 1, 0.1);
        EXPECT_NEAR(figures.sum, 1, 0.001);
        ExpectFair(figures, 0.05);
    }
}

TEST_P(RocePowerTcpEquilibrium, ThetaFlowsThatStartAtOneInstantComeToRest)
{
    const uint32_t flows = GetParam();
    ScopedDefaults defaults;
    defaults.Set("ns3::PowerTcpCongestionControl::Telemetry", StringValue("false"));
    SharedLink link{"ns3::PowerTcpCongestionControl",
                    G100,
                    flows,
                    MilliSeconds(2),
                    MilliSeconds(1)};
    link.mtuBytes = 1000;
    link.delay = MicroSeconds(3);
    link.startOf = [](uint32_t) { return Time(0); };
    const LinkFigures figures = Play(link);
    const double beta = G100 / 8 * BaseRtt(G100, link.delay, 0) / 10;
    EXPECT_NEAR(figures.queueBytes / (flows * beta), 1, 0.05);
    EXPECT_LT(figures.queueDeviation, 0.2 * beta);
    EXPECT_NEAR(figures.sum, 1, 0.001);
    ExpectFair(figures, 0.05);
}

/** \ingroup tests \brief Longest queue: K + N packets. */
class RoceDctcpEquilibrium : public RoceEquilibrium
{
};

INSTANTIATE_TEST_SUITE_P(Flows, RoceDctcpEquilibrium, testing::Values(2U, 8U, 16U));

TEST_P(RoceDctcpEquilibrium, LongestQueueAndFullLink)
{
    const uint32_t flows = GetParam();
    constexpr uint32_t K = 40; // packets; C RTT is 36, so that K > C RTT / 7
    SharedLink link{"ns3::DctcpCongestionControl", G10, flows, MilliSeconds(60), MilliSeconds(40)};
    link.mtuBytes = 1000;
    link.delay = MicroSeconds(7);
    link.configure = MarkAbove(K * 1062);
    const LinkFigures figures = Play(link);
    // K + N where all flows grow in step; flows out of step stay below.
    EXPECT_LE(figures.maxQueueBytes / FRAME, K + flows + 2);
    EXPECT_GE(figures.maxQueueBytes / FRAME, K + flows / 2.0);
    EXPECT_GT(figures.minQueueBytes, 0U);
    EXPECT_NEAR(figures.sum, 1, 0.001);
    ExpectFair(figures, 0.5); // windows of five to nine packets, marked in step
}

/**
 * Plays flows that start together, each at a rate of its own.
 * \param link flows and link, with a congestion control that has an InitialRate
 * \param rateOf first rate of a flow, bit/s
 * \return what was seen
 */
LinkFigures
PlayFrom(SharedLink& link, const std::function<uint64_t(uint32_t flow)>& rateOf)
{
    std::unique_ptr<ScopedDefaults> first;
    link.startOf = [](uint32_t) { return Time(0); };
    link.beforeStart = [&](uint32_t flow) {
        first = nullptr;
        first = std::make_unique<ScopedDefaults>();
        first->Set(link.congestionControl + "::InitialRate",
                   StringValue(std::to_string(rateOf(flow)) + "bps"));
    };
    return Play(link);
}

/** \ingroup tests \brief The one fixed point of Patched TIMELY. */
class RocePatchedTimelyEquilibrium : public RoceEquilibrium
{
};

INSTANTIATE_TEST_SUITE_P(Flows, RocePatchedTimelyEquilibrium, testing::Values(2U, 10U, 20U));

TEST_P(RocePatchedTimelyEquilibrium, QueueOfTheFormulaAndFairShares)
{
    const uint32_t flows = GetParam();
    for (const bool burst : {true, false})
    {
        SCOPED_TRACE(burst ? "bursts" : "packets");
        ScopedDefaults defaults;
        defaults.Set("ns3::PatchedTimelyCongestionControl::BurstPacing",
                     StringValue(burst ? "true" : "false"));
        SharedLink link{"ns3::PatchedTimelyCongestionControl",
                        G10,
                        flows,
                        MilliSeconds(150),
                        MilliSeconds(50)};
        link.mtuBytes = 1000;
        const LinkFigures figures = PlayFrom(link, [flows](uint32_t flow) -> uint64_t {
            return G10 / flows * (flow % 2 ? 7 : 3) / 5;
        });
        // RTT* = T_low (1 + N delta / (beta C)), of which a packet's serialisation is taken off.
        const double rtt = 50e-6 * (1 + flows * 10e6 / (0.008 * G10));
        const double idle = BaseRtt(G10, link.delay) - WIRE * 8 / G10;
        const double expected = (rtt - idle) * G10 / 8 * FRAME / WIRE;
        EXPECT_NEAR(figures.queueBytes / expected, 1, 0.1);
        EXPECT_GT(figures.sum, 0.99);
        ExpectFair(figures, 0.1);
    }
}

/** \param burst whether segments leave as bursts \return shares of flows from 7 and 3 Gb/s on */
LinkFigures
PlayTimely(bool burst)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::TimelyCongestionControl::BurstPacing",
                 StringValue(burst ? "true" : "false"));
    SharedLink link{"ns3::TimelyCongestionControl", G10, 2, MilliSeconds(300), MilliSeconds(100)};
    link.mtuBytes = 1000;
    return PlayFrom(link, [](uint32_t flow) -> uint64_t {
        return flow == 1 ? 7000000000 : 3000000000;
    });
}

TEST(RoceEquilibrium, TimelyWithPacedPacketsStaysUnfair)
{
    const LinkFigures figures = PlayTimely(false);
    EXPECT_GT(std::abs(figures.shares[0] - figures.shares[1]), 0.3);
    EXPECT_GT(figures.sum, 0.9);
}

TEST(RoceEquilibrium, TimelyWithBurstsBecomesFair)
{
    const LinkFigures figures = PlayTimely(true);
    EXPECT_LT(std::abs(figures.shares[0] - figures.shares[1]), 0.15);
    EXPECT_GT(figures.sum, 0.8);
}

/** \ingroup tests \brief The delay that Swift aims at. */
class RoceSwiftEquilibrium : public RoceEquilibrium
{
};

INSTANTIATE_TEST_SUITE_P(Flows, RoceSwiftEquilibrium, testing::Values(2U, 8U, 64U));

TEST_P(RoceSwiftEquilibrium, DelayIsTheTargetOfItsWindow)
{
    const uint32_t flows = GetParam();
    SharedLink link{"ns3::SwiftCongestionControl", G100, flows, MilliSeconds(20), MilliSeconds(5)};
    link.mtuBytes = 1000;
    double target = 0;
    uint64_t samples = 0;
    link.onSample = [&](RoceTestNetwork& network) {
        for (uint32_t src = 1; src <= flows; src++)
        {
            const RoceQueuePair& qp = network.fabric.nics[src]->GetQueuePair(0);
            const auto swift = DynamicCast<SwiftCongestionControl>(qp.congestionControl);
            target += swift->GetTargetDelay() * 1e-12;
            samples++;
        }
    };
    const LinkFigures figures = Play(link);
    const double delay = figures.queueBytes * WIRE / FRAME * 8 / G100 + BaseRtt(G100, link.delay);
    EXPECT_NEAR(delay / (target / samples), 1, 0.05);
    EXPECT_NEAR(figures.sum, 1, 0.001);
    ExpectFair(figures, 0.15);
}

TEST(RoceEquilibrium, SwiftPacesBelowOnePacket)
{
    // 100 flows of one packet each would fill 100 x 1062 bytes of the queue: 85 us at 10 Gb/s.
    ScopedDefaults defaults;
    defaults.Set("ns3::SwiftCongestionControl::FlowScaleRange", StringValue("20us"));
    SharedLink link{"ns3::SwiftCongestionControl", G10, 100, MilliSeconds(25), MilliSeconds(10)};
    link.mtuBytes = 1000;
    const LinkFigures figures = Play(link);
    EXPECT_LT(figures.queueBytes, 70 * FRAME);
    EXPECT_GT(figures.sum, 0.9);
}

TEST(RoceEquilibrium, FixedWindowsFillTheQueueWithTheirRest)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedWindowCongestionControl::Window", StringValue("100000"));
    SharedLink link{"ns3::FixedWindowCongestionControl", G100, 4, MilliSeconds(3), MilliSeconds(1)};
    link.mtuBytes = 1000;
    const LinkFigures figures = Play(link);
    const double path = G100 / 8 * BaseRtt(G100, link.delay) / WIRE; // packets
    EXPECT_NEAR(figures.queueBytes / FRAME, 400 - path, 2);
    EXPECT_NEAR(figures.sum, 1, 0.001);
    ExpectFair(figures, 0.01);
}

TEST(RoceEquilibrium, FixedRatesHold)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedRateCongestionControl::Rate", StringValue("12500Mbps"));
    SharedLink link{"ns3::FixedRateCongestionControl", G100, 4, MilliSeconds(3), MilliSeconds(1)};
    link.mtuBytes = 1000;
    const LinkFigures figures = Play(link);
    EXPECT_NEAR(figures.sum, 0.5, 0.001);
    ExpectFair(figures, 0.002);
}

TEST(RoceEquilibrium, NvidiaDcqcnHoldsTheQueueBelowKmax)
{
    for (const uint32_t flows : {2, 8})
    {
        const LinkFigures figures = Play(
            {"ns3::NvidiaDcqcnCongestionControl", G100, flows, MilliSeconds(60), MilliSeconds(30)});
        EXPECT_GT(figures.sum, 0.98);
        EXPECT_LT(figures.queueBytes, 1600000);
        EXPECT_EQ(figures.counters.pfcPauses, 0U);
        EXPECT_GT(figures.counters.cnps, 100U);
        ExpectFair(figures, 0.35); // 5 Mb/s per 300 us: fairness takes seconds
    }
}

/** \param flows their number \param delay of each link \return DCQCN at 40 Gb/s */
LinkFigures
PlayDcqcn(uint32_t flows, Time delay)
{
    SharedLink link{"ns3::DcqcnCongestionControl",
                    G40,
                    flows,
                    MilliSeconds(200),
                    MilliSeconds(100)};
    link.mtuBytes = 1000;
    link.configure = PaperThresholds;
    link.delay = delay;
    return Play(link);
}

TEST(RoceEquilibrium, DcqcnLoopDelayMakesTenFlowsOscillateNotTwo)
{
    // From a mark to the change at the queue there are four links: 84 us and 48 us.
    const LinkFigures ten = PlayDcqcn(10, MicroSeconds(21));
    const LinkFigures tenNear = PlayDcqcn(10, MicroSeconds(1));
    const LinkFigures two = PlayDcqcn(2, MicroSeconds(12));
    EXPECT_EQ(ten.minQueueBytes, 0U);
    EXPECT_GT(ten.maxQueueBytes, 200000U) << "the fluid's limit cycle: 0 to 234 KB";
    EXPECT_NEAR(ten.sum, 0.949, 0.05) << "the fluid's utilisation";
    EXPECT_GT(ten.queueDeviation, 1.3 * ten.queueBytes);
    EXPECT_GT(tenNear.sum, 0.985);
    EXPECT_GT(two.sum, 0.98);
    EXPECT_LT(two.maxQueueBytes, 120000U);
}

TEST(RoceEquilibrium, AThirdDcqcnFlowGetsItsShare)
{
    SharedLink link{"ns3::DcqcnCongestionControl", G40, 3, MilliSeconds(300), MilliSeconds(100)};
    link.mtuBytes = 1000;
    link.configure = PaperThresholds;
    link.startOf = [](uint32_t flow) { return MilliSeconds(flow == 3 ? 100 : 0); };
    const LinkFigures figures = Play(link); // measured from 100 ms after it joined
    EXPECT_GT(figures.sum, 0.98);
    ExpectFair(figures, 0.1);
}

} // namespace
