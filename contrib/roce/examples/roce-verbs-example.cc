/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/command-options.h"
#include "ns3/config-error.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/fabric-engine.h"
#include "ns3/node-container.h"
#include "ns3/result-exit-status.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-verbs.h"
#include "ns3/scoped-defaults.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <iostream>
#include <string>

/**
 * \file
 * \ingroup roce
 * Own messages by verbs, without collectives: host 0 sends to host 1, which has posted a receive,
 * reads from it, and tells it so by a datagram. Every completion is printed.
 */

using namespace ns3;

namespace
{

/** \param completion printed */
void
Print(const RoceCompletion& completion)
{
    static const std::string verbs[] = {"SEND", "WRITE", "READ"};
    static const std::string states[] = {"success",
                                         "retries exceeded",
                                         "flushed",
                                         "no receive",
                                         "too long"};
    std::cout << Simulator::Now().As(Time::US) << " host " << completion.localRank
              << (completion.received ? " received " : " completed ")
              << verbs[static_cast<size_t>(completion.verb)] << " of " << completion.bytes
              << " bytes, cookie " << completion.cookie << ": "
              << states[static_cast<size_t>(completion.status)] << "\n";
}

/** \param topology file or template \return whether all that was posted ended well */
ExitStatus
Play(const std::string& topology)
{
    const Topology cluster = LoadTopology(topology);
    NodeContainer nodes;
    nodes.Create(cluster.nodes.size());
    const RoceFabric fabric = RoceHelper().Install(cluster, nodes, Create<FabricContext>());
    fabric.AssignStreams(1);
    if (fabric.nics.size() < 2 || !fabric.nics[0] || !fabric.nics[1])
    {
        throw ConfigError("command line", "--topology", topology, "at least two hosts with NICs");
    }

    uint32_t ended = 0;
    Ptr<RoceVerbs> a = CreateObject<RoceVerbs>();
    Ptr<RoceVerbs> b = CreateObject<RoceVerbs>();
    a->Open(fabric.nics[0]);
    b->Open(fabric.nics[1]);
    const uint32_t qp = a->CreateQp(*b);     // reliable connection
    const uint32_t udHere = a->CreateUdQp(); // unreliable datagrams
    const uint32_t udThere = b->CreateUdQp();

    a->SetCompletionCallback(RoceVerbs::CompletionCallback([&](const RoceCompletion& completion) {
        Print(completion);
        ended += completion.status == RoceStatus::SUCCESS;
        if (completion.verb == RoceVerb::READ)
        {
            a->PostSend(udHere, {RoceVerb::SEND, 64, 4}, {1, udThere});
        }
    }));
    b->SetCompletionCallback(RoceVerbs::CompletionCallback([&](const RoceCompletion& completion) {
        Print(completion);
        ended += completion.status == RoceStatus::SUCCESS;
    }));
    b->PostRecv(a->GetPeerQp(qp), 100);
    b->PostRecv(udThere, 200);
    a->PostSend(qp, {RoceVerb::SEND, 1000000, 1});
    a->PostSend(qp, {RoceVerb::WRITE, 1000000, 2});
    a->PostSend(qp, {RoceVerb::READ, 1000000, 3});
    Simulator::Run();
    a->Dispose();
    b->Dispose();
    return ended == 6 ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto program = [&] {
        CommandOptions options("Messages of a script's own by verbs, from host 0 to host 1.");
        options.Add("topology",
                    "file or template; two hosts at least",
                    "star:hosts=2,nicRate=100Gbps");
        options.Add("engine", "event engine: fabric or default", "fabric");
        if (!options.Parse(argc, argv))
        {
            options.PrintHelp(std::cout);
            return ExitStatus::FINISHED;
        }
        FabricEngine::Select(options.Get("engine"));
        ScopedDefaults defaults;
        defaults.Set("ns3::RoceNicDevice::CongestionControl",
                     TypeIdValue(DcqcnCongestionControl::GetTypeId()));
        options.ApplyAttributes(defaults);
        const ExitStatus status = Play(options.Get("topology"));
        Simulator::Destroy();
        return status;
    };
    return RunProgram(program, std::cerr);
}
