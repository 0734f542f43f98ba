/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/analytic-network.h"
#include "ns3/cluster.h"
#include "ns3/result-memory.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * What an analytic network tells of its links is what its transport does with them.
 */

namespace ns3
{

namespace
{

/** Sender and receiver of a message. */
using Ends = std::pair<uint32_t, uint32_t>;

/** \ingroup tests \brief Messages of 64 MiB that begin at once on an analytic network. */
class SimultaneousMessages : private MessageEndpoint
{
  public:
    /** \param topology cluster \param messages ends of each */
    SimultaneousMessages(const Topology& topology, const std::vector<Ends>& messages)
    {
        Simulator::Destroy();
        FabricEngine::Select("fabric");
        const ScopedClusterNetwork chosen(AnalyticNetwork::GetTypeId());
        const ScopedDefault off("ns3::PxnMessageTransport::Level", "0");
        {
            Cluster cluster(topology);
            for (const auto& [src, dst] : messages)
            {
                Message message;
                message.src = src;
                message.dst = dst;
                message.bytes = 64 << 20;
                cluster.GetTransport()->SetEndpoint(dst, this);
                cluster.GetTransport()->Send(message);
            }
            Simulator::Run();
            ResultMemory memory;
            cluster.GetNetwork().RecordLinks(memory);
            links = memory.Get<LinkRecord>();
        }
        Simulator::Destroy();
    }

    double seconds{0};             //!< until the last of them is there
    std::vector<LinkRecord> links; //!< what they went over

  private:
    // From MessageEndpoint.
    void MessageReceived(const Message&) override
    {
        seconds = Simulator::Now().GetSeconds();
    }

    void MessageSent(const Message&) override
    {
    }
};

/**
 * \param links what messages went over
 * \param link one of them
 * \return what it is busy with: data, and as many bytes as acknowledge it on the way back
 */
uint64_t
GetBusyBytes(const std::vector<LinkRecord>& links, const LinkRecord& link)
{
    const auto back = std::find_if(links.begin(), links.end(), [&link](const LinkRecord& other) {
        return other.kind == link.kind && other.node == link.peer && other.port == link.peerPort;
    });
    return link.dataWireBytes + back->ackWireBytes;
}

/**
 * \param a a message alone
 * \param b another one
 * \return time of both at once, if they wait for each other on the links that are shared, s
 */
double
PredictSeconds(const SimultaneousMessages& a, const SimultaneousMessages& b)
{
    double seconds = std::max(a.seconds, b.seconds);
    for (std::size_t i = 0; i < a.links.size(); i++)
    {
        const LinkRecord& link = a.links[i];
        if (link.isShared)
        {
            const uint64_t bytes = GetBusyBytes(a.links, link) + GetBusyBytes(b.links, b.links[i]);
            seconds = std::max(seconds, 8.0 * bytes / link.rate.GetBitRate());
        }
    }
    return seconds;
}

} // namespace

TEST(RailyardAnalyticNetwork, MessagesWaitForEachOtherOnTheLinksThatItCallsShared)
{
    for (const std::string spec : {"leaf-spine:gpus=8,leaves=2,spines=1",
                                   "single-server:server=l40s",
                                   "single-server",
                                   "rail-optimized:gpus=16,spines=1"})
    {
        const Topology topology = LoadTopology(spec);
        const uint32_t gpus = topology.GetGpuCount();
        uint32_t waits = 0;
        uint32_t passes = 0;
        for (const uint32_t dst : {1U, gpus / 2, gpus - 1})
        {
            const SimultaneousMessages first(topology, {{0, dst}});
            for (uint32_t src = 0; src < gpus; src++)
            {
                const uint32_t to = (src + dst) % gpus;
                SCOPED_TRACE(spec + testing::PrintToString(std::vector{0U, dst, src, to}));
                const SimultaneousMessages second(topology, {{src, to}});
                const SimultaneousMessages both(topology, {{0, dst}, {src, to}});
                const double predicted = PredictSeconds(first, second);
                EXPECT_NEAR(both.seconds / predicted, 1, 0.03);
                (predicted > 1.5 * first.seconds ? waits : passes)++;
            }
        }
        EXPECT_GT(waits, 0U) << spec;
        EXPECT_GT(passes, 0U) << spec;
    }
}

} // namespace ns3
