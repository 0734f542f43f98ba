/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/scenario-options.h"
#include "ns3/topology-loader.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    ScenarioOptions options("AllReduce of 10 MB among all GPUs.",
                            "leaf-spine:gpus=8,leaves=2,spines=2",
                            "Dcqcn");
    // Answers --help and --list, applies --set and the other options, then calls what follows.
    return options.Run(argc, argv, [&options] {
        Cluster cluster(LoadTopology(options.Get("topology")));
        const auto all = CollectiveHelper::MakeGroup(cluster.GetTopology(), "all", "DP");
        auto engine = CollectiveHelper().Install(cluster.GetTransport());
        CollectiveCall call;
        call.group = engine->AddGroup(all);
        call.kind = CollectiveKind::ALL_REDUCE;
        call.bytes = 10000000;
        std::size_t done = 0;
        for (uint32_t rank : all.ranks)
        {
            engine->Join(rank, call, [rank, &done] {
                std::cout << "rank " << rank << " done at " << Simulator::Now().As(Time::US) << "\n";
                done++;
            });
        }
        Simulator::Run();
        std::cout << cluster.GetNetworkSummary().packetHops << " packet-hops\n";
        engine->Dispose();
        return done == all.ranks.size() ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
    });
}
