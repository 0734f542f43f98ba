/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shared-link.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** \param network a star \param flows hosts that send to host 0 \return bytes from each */
std::vector<uint64_t>
ReceivedBytes(const RoceTestNetwork& network, uint32_t flows)
{
    std::vector<uint64_t> bytes;
    for (uint32_t src = 1; src <= flows; src++)
    {
        bytes.push_back(network.GetReceivedBytes(src, 0));
    }
    return bytes;
}

/** \param link what is watched \param network its network \param [out] figures gets the queue */
void
WatchQueue(const SharedLink& link, RoceTestNetwork& network, LinkFigures& figures)
{
    constexpr int SAMPLES = 5000;
    FabricPort& bottleneck = network.fabric.switches[link.flows + 1]->GetPort(0);
    double squares = 0;
    for (int i = 0; i < SAMPLES; i++)
    {
        Simulator::Stop(link.window / SAMPLES);
        Simulator::Run();
        bottleneck.Advance(EngineUnderTest::Now());
        const uint64_t bytes = bottleneck.GetTotalQueueBytes();
        figures.minQueueBytes = std::min(figures.minQueueBytes, bytes);
        figures.maxQueueBytes = std::max(figures.maxQueueBytes, bytes);
        figures.queueBytes += static_cast<double>(bytes) / SAMPLES;
        squares += static_cast<double>(bytes) * static_cast<double>(bytes) / SAMPLES;
        if (link.onSample)
        {
            link.onSample(network);
        }
    }
    figures.queueDeviation =
        std::sqrt(std::max(0.0, squares - figures.queueBytes * figures.queueBytes));
}

} // namespace

LinkFigures
Play(const SharedLink& link)
{
    RoceTestOptions options;
    options.mtuBytes = link.mtuBytes;
    options.gapBytes = 20;
    options.congestionControl = link.congestionControl;
    options.configure = link.configure;
    const std::string rate = std::to_string(link.rateBps) + "bps";
    RoceTestNetwork network(StarTopology(link.flows + 1, rate, link.delay), options);
    for (uint32_t src = 1; src <= link.flows; src++)
    {
        const Time start = link.startOf ? link.startOf(src) : MilliSeconds(src > link.flows / 2);
        Simulator::Schedule(start, [&network, &link, src] {
            if (link.beforeStart)
            {
                link.beforeStart(src);
            }
            network.Send(src, 0, 1ULL << 40);
        });
    }
    network.RunFor(link.runFor - link.window);
    const std::vector<uint64_t> before = ReceivedBytes(network, link.flows);
    const uint64_t marksBefore = network.Counters().ecnMarks;
    LinkFigures figures;
    WatchQueue(link, network, figures);
    network.CheckLinkRates();
    const std::vector<uint64_t> after = ReceivedBytes(network, link.flows);
    const double goodput =
        static_cast<double>(link.rateBps) * link.mtuBytes / (link.mtuBytes + link.headerBytes);
    double packets = 0;
    for (uint32_t i = 0; i < link.flows; i++)
    {
        const auto bytes = static_cast<double>(after[i] - before[i]);
        packets += bytes / link.mtuBytes;
        figures.shares.push_back(8 * bytes / link.window.GetSeconds() / goodput);
        figures.sum += figures.shares.back();
    }
    figures.counters = network.Counters();
    figures.marked = static_cast<double>(figures.counters.ecnMarks - marksBefore) / packets;
    EXPECT_EQ(figures.counters.drops, 0U);
    EXPECT_EQ(figures.counters.timeouts, 0U);
    return figures;
}

void
PaperThresholds(RoceHelper& helper)
{
    helper.SetSwitchAttribute("EcnKmin", UintegerValue(5000));
    helper.SetSwitchAttribute("EcnKmax", UintegerValue(200000));
    helper.SetSwitchAttribute("EcnPmax", DoubleValue(0.01));
    helper.SetSwitchAttribute("EcnReferenceRate", StringValue("0bps"));
}

} // namespace ns3
