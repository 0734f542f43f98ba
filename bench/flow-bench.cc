/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages per second of the transports without packets: AllReduce of 1 GiB on rings over the rails
// of 64 to 1,024 GPUs, and random traffic and direct AllToAll in a fat tree, where every message
// changes the rates of others.

#include "ns3/analytic-message-transport.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-observer.h"
#include "ns3/flow-message-transport.h"
#include "ns3/huge-pages.h"
#include "ns3/topology-loader.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <numeric>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;

namespace
{

/** \return framing of RoCE with an MTU of 4096, store-and-forward */
MessageRouterSettings
GetSettings()
{
    MessageRouterSettings settings;
    settings.ethernet.headerBytes = 82;
    settings.ethernet.messageHeaderBytes = 16;
    settings.ethernet.alignmentBytes = 4;
    settings.ethernet.storeAndForward = true;
    settings.ethernet.ackBytes = 86;
    settings.nvlink.unitBytes = 65536;
    return settings;
}

/** \param state gets counters \param messages that were carried \param wallSeconds that it took */
void
Report(benchmark::State& state, uint64_t messages, double wallSeconds)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.SetIterationTime(wallSeconds);
    state.counters["messages"] = messages;
    state.counters["nsPerMessage"] = 1e9 * wallSeconds / messages;
    state.counters["simulatedUs"] = Simulator::Now().GetMicroSeconds();
    state.counters["peakRssBytes"] = 1024.0 * usage.ru_maxrss;
}

/** \param state gets the rates that were computed \param transport any \param messages carried */
void
ReportRates(benchmark::State& state, const Ptr<MessageTransport>& transport, uint64_t messages)
{
    if (const auto flows = DynamicCast<FlowMessageTransport>(transport))
    {
        state.counters["ratesPerMessage"] =
            static_cast<double>(flows->GetAllocator().GetComputedCount()) / messages;
    }
}

/** \return wall time of Simulator::Run(), s */
double
Simulate()
{
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/** \brief Counts messages. */
class MessageCounter : public MessageEndpoint
{
  public:
    void MessageReceived(const Message&) override
    {
        received++;
    }

    void MessageSent(const Message&) override
    {
    }

    uint64_t received{0}; //!< messages that arrived
};

/** \brief Knows how many messages a collective took. */
class CollectiveCounter : public CollectiveObserver
{
  public:
    bool ObservesMessages() const override
    {
        return false;
    }

    void CollectiveEnded(const CollectiveInstance& instance) override
    {
        messages = instance.messages;
    }

    uint64_t messages{0}; //!< of the collective, 0 until it has ended
};

/**
 * A collective of many messages.
 * \tparam Transport fidelity
 * \param state argument: number of GPUs
 * \param spec topology of at least these
 * \param kind collective
 * \param bytes its size
 */
template <typename Transport>
void
RunCollective(benchmark::State& state, const std::string& spec, CollectiveKind kind, uint64_t bytes)
{
    for (auto _ : state)
    {
        FabricEngine::Select("fabric");
        const auto gpus = static_cast<uint32_t>(state.range(0));
        const Topology topology = LoadTopology(spec);
        const auto transport = CreateObject<Transport>();
        transport->SetNetwork(topology, GetSettings());
        const auto engine = CollectiveHelper().Install(transport);
        std::vector<uint32_t> ranks(gpus);
        std::iota(ranks.begin(), ranks.end(), 0);
        CollectiveCall call;
        call.group =
            engine->AddGroup(CollectiveHelper::MakeGroup(topology, "all", "DP", ranks));
        call.kind = kind;
        call.bytes = bytes;
        CollectiveCounter counter;
        engine->AddObserver(&counter);
        for (const uint32_t rank : ranks)
        {
            engine->Join(rank, call, [] {});
        }
        const double wallSeconds = Simulate();
        if (counter.messages == 0 || !transport->FindLostBytes(true).empty())
        {
            state.SkipWithError("the collective did not finish");
        }
        Report(state, counter.messages, wallSeconds);
        ReportRates(state, transport, counter.messages);
        engine->Dispose();
        transport->Dispose();
        Simulator::Destroy();
    }
}

/** AllReduce of 1 GiB. \tparam Transport fidelity \param state argument: number of GPUs */
template <typename Transport>
void
AllReduce(benchmark::State& state)
{
    RunCollective<Transport>(state,
                             "rail-optimized:gpus=" + std::to_string(state.range(0)),
                             CollectiveKind::ALL_REDUCE,
                             1ULL << 30);
}

/** AllToAll of 16 MiB. \tparam Transport fidelity \param state argument: number of hosts */
template <typename Transport>
void
AllToAll(benchmark::State& state)
{
    RunCollective<Transport>(state,
                             "fat-tree:k=8,linkRate=400Gbps,nicRate=400Gbps",
                             CollectiveKind::ALL_TO_ALL,
                             16ULL << 20);
}

/**
 * 100 random messages of 1 MB on average from each of 128 hosts.
 * \tparam Transport fidelity
 * \param state argument: time in which they begin, ms; 20 ms is a tenth of what the NICs carry
 */
template <typename Transport>
void
RandomTraffic(benchmark::State& state)
{
    const auto window = static_cast<uint32_t>(state.range(0));
    for (auto _ : state)
    {
        FabricEngine::Select("fabric");
        const auto transport = CreateObject<Transport>();
        transport->SetNetwork(LoadTopology("fat-tree:k=8,linkRate=400Gbps,nicRate=400Gbps"),
                              GetSettings());
        MessageCounter counter;
        std::mt19937 random(1);
        const uint32_t hosts = transport->GetRankCount();
        for (uint32_t host = 0; host < hosts; host++)
        {
            transport->SetEndpoint(host, &counter);
            for (uint32_t i = 0; i < 100; i++)
            {
                const uint32_t dst = (host + 1 + random() % (hosts - 1)) % hosts;
                const uint64_t bytes = 1 + random() % 2000000;
                Simulator::Schedule(NanoSeconds(random() % (1000000 * window)), [=] {
                    Message message;
                    message.src = host;
                    message.dst = dst;
                    message.bytes = bytes;
                    transport->Send(message);
                });
            }
        }
        const double wallSeconds = Simulate();
        Report(state, counter.received, wallSeconds);
        ReportRates(state, transport, counter.received);
        transport->Dispose();
        Simulator::Destroy();
    }
}

BENCHMARK(AllReduce<FlowMessageTransport>)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(AllReduce<AnalyticMessageTransport>)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(AllToAll<FlowMessageTransport>)
    ->Arg(64)
    ->Arg(128)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(RandomTraffic<FlowMessageTransport>)
    ->Arg(20)
    ->Arg(4)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(RandomTraffic<AnalyticMessageTransport>)
    ->Arg(20)
    ->Arg(4)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

} // namespace

int
main(int argc, char** argv)
{
    PreferHugePages(); // as all programs do
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
