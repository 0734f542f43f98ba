/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packet-hops per second on the four workloads of the published comparison, each with and without
// DCQCN. A packet-hop is one frame, data or control, crossing one link.

#include "packet-scenario.h"

#include "ns3/fabric-engine.h"
#include "ns3/huge-pages.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace ns3;

namespace
{

constexpr uint64_t KIB = 1024;
constexpr uint64_t MIB = 1024 * KIB;
constexpr uint32_t HOSTS = 128;

/** Every host sends to one other, nobody to itself. \param s scenario */
void
Permutation(PacketScenario& s)
{
    std::mt19937_64 random(1);
    std::vector<uint32_t> order(HOSTS);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = HOSTS - 1; i > 0; i--)
    {
        std::swap(order[i], order[random() % i]); // Sattolo: one cycle, no fixed point
    }
    for (uint32_t i = 0; i < HOSTS; i++)
    {
        s.Send({i, order[i], 0, 16 * MIB, 0});
    }
}

/** 32 hosts spread over the tree send to host 0. \param s scenario */
void
Incast(PacketScenario& s)
{
    for (uint32_t i = 0; i < 32; i++)
    {
        s.Send({3 + 4 * i - (i == 31 ? 0 : 1), 0, 0, 16 * MIB, 0});
    }
}

/** Ring AllReduce of 16 MiB: 255 dependent steps of 128 KiB. \param s scenario */
void
Ring(PacketScenario& s)
{
    s.OnReceived([](const Message& m, MessageTransport& transport) {
        if (m.tag + 1 < 255)
        {
            transport.Send({m.dst, (m.dst + 1) % HOSTS, 0, 128 * KIB, m.tag + 1});
        }
    });
    for (uint32_t i = 0; i < HOSTS; i++)
    {
        s.Send({i, (i + 1) % HOSTS, 0, 128 * KIB, 0});
    }
}

/** All to all, 64 KiB per pair, 8 outstanding per source. \param s scenario */
void
AllToAll(PacketScenario& s)
{
    const auto send = [](uint32_t src, uint64_t k, MessageTransport& transport) {
        if (k < HOSTS)
        {
            transport.Send(
                {src, static_cast<uint32_t>((src + k) % HOSTS), 0, 64 * KIB, k});
        }
    };
    s.OnSent([send](const Message& m, MessageTransport& transport) {
        send(m.src, m.tag + 8, transport);
    });
    for (uint32_t src = 0; src < HOSTS; src++)
    {
        for (uint32_t k = 1; k <= 8; k++)
        {
            s.Send({src, (src + k) % HOSTS, 0, 64 * KIB, k});
        }
    }
}

/**
 * \param state benchmark state
 * \param traffic posts the first messages
 * \param congestionControl TypeId name
 */
void
Measure(benchmark::State& state,
        void (*traffic)(PacketScenario&),
        const std::string& congestionControl)
{
    PacketFigures figures;
    for (auto _ : state)
    {
        FabricEngine::Select("fabric");
        PacketScenario scenario("fat-tree:k=8,linkRate=400Gbps,nicRate=400Gbps,delay=1us",
                                congestionControl);
        traffic(scenario);
        figures = scenario.Run();
        state.SetIterationTime(figures.wallSeconds);
    }
    state.counters["packets"] = figures.packets;
    state.counters["packetHops"] = figures.packetHops;
    state.counters["events"] = figures.events;
    state.counters["pauses"] = figures.pauses;
    state.counters["simulatedUs"] = figures.simulatedUs;
    state.counters["peakRssBytes"] = figures.peakRssBytes;
    state.counters["packetHopsPerSecond"] = figures.packetHops / figures.wallSeconds;
    state.counters["nsPerPacketHop"] = 1e9 * figures.wallSeconds / figures.packetHops;
}

/** Registers every workload with every congestion control. */
void
Register()
{
    const std::vector<std::pair<std::string, void (*)(PacketScenario&)>> workloads = {
        {"perm", Permutation},
        {"incast", Incast},
        {"ring", Ring},
        {"a2a", AllToAll}};
    for (const auto& [name, traffic] : workloads)
    {
        for (const std::string cc : {"No", "Dcqcn"})
        {
            const std::string type = "ns3::" + cc + "CongestionControl";
            benchmark::RegisterBenchmark((name + "/" + cc).c_str(),
                                         [traffic = traffic, type](benchmark::State& state) {
                                             Measure(state, traffic, type);
                                         })
                ->UseManualTime()
                ->Iterations(1)
                ->Unit(benchmark::kMillisecond);
        }
    }
}

} // namespace

int
main(int argc, char** argv)
{
    PreferHugePages(); // as all programs do
    Register();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
