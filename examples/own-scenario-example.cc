/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/result-exit-status.h"
#include "ns3/scenario-options.h"
#include "ns3/topology-loader.h"

#include <iostream>

using namespace ns3;

ExitStatus
Simulate(int argc, char* argv[])
{
    ScenarioOptions options("AllReduce of 10 MB among all GPUs.",
                            "leaf-spine:gpus=8,leaves=2,spines=2",
                            "Dcqcn",
                            "");
    if (!options.Parse(argc, argv)) // --help, --list, --attributes=ns3::RoceNicDevice
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    const auto defaults = options.Apply(); // engine, congestion control, --set; as long as it lives
    Cluster cluster(LoadTopology(options.Get("topology")));

    std::vector<uint32_t> ranks(cluster.GetTopology().GetGpuCount());
    for (uint32_t rank = 0; rank < ranks.size(); rank++)
    {
        ranks[rank] = rank;
    }
    Ptr<CollectiveEngine> engine = CollectiveHelper().Install(cluster.GetTransport());
    CollectiveCall call;
    call.group = engine->AddGroup(
        CollectiveHelper::MakeGroup(cluster.GetTopology(), "all", "DP", ranks));
    call.kind = CollectiveKind::ALL_REDUCE;
    call.bytes = 10000000;
    std::size_t done = 0;
    for (uint32_t rank : ranks)
    {
        engine->Join(rank, call, [rank, &done] {
            std::cout << "rank " << rank << " done at " << Simulator::Now().As(Time::US) << "\n";
            done++;
        });
    }
    Simulator::Stop(options.GetStopTime().IsZero() ? Seconds(10) : options.GetStopTime());
    Simulator::Run();
    std::cout << cluster.GetNetworkSummary().packetHops << " packet-hops\n";
    engine->Dispose();
    Simulator::Destroy();
    return done == ranks.size() ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
}

int
main(int argc, char* argv[])
{
    // A ConfigError becomes one line on standard error and exit status 2.
    return RunProgram([&] { return Simulate(argc, argv); }, std::cerr);
}
