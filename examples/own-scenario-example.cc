/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/config.h"
#include "ns3/topology-loader.h"

#include <iostream>

using namespace ns3;

int
main()
{
    FabricEngine::Select("fabric"); // the fast event engine, picosecond resolution
    Config::SetDefault("ns3::RoceNicDevice::CongestionControl",
                       TypeIdValue(TypeId::LookupByName("ns3::DcqcnCongestionControl")));
    Cluster cluster(LoadTopology("leaf-spine:gpus=8,leaves=2,spines=2"));

    Ptr<CollectiveEngine> engine = CollectiveHelper().Install(cluster.GetTransport());
    const uint32_t group = engine->AddGroup(
        CollectiveHelper::MakeGroup(cluster.GetTopology(), "all", "DP", {0, 1, 2, 3, 4, 5, 6, 7}));
    CollectiveCall call;
    call.group = group;
    call.kind = CollectiveKind::ALL_REDUCE;
    call.bytes = 10000000;
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        engine->Join(rank, call, [rank] {
            std::cout << "rank " << rank << " done at " << Simulator::Now().As(Time::US) << "\n";
        });
    }
    Simulator::Run();
    std::cout << cluster.GetNetworkSummary().packetHops << " packet-hops\n";
    Simulator::Destroy();
    return 0;
}
