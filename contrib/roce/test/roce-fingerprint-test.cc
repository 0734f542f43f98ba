/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

/**
 * \file
 * Runs are the same whatever the engine, whoever looks on, however often they are repeated.
 */

using namespace ns3;

namespace
{

/** \ingroup tests \brief What of a run must not change. */
struct RunFigures
{
    uint64_t fingerprint{0}; //!< hash over all arrivals
    FabricCounters counters; //!< totals
    Time last;               //!< last arrival of a message
};

/** \ingroup tests \brief Looks at every frame and does nothing. */
class SilentTap : public FabricTap
{
  public:
    uint64_t frames{0}; //!< frames seen

    void FrameSent(const FabricPacket&, uint64_t) override
    {
        frames++;
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
        frames++;
    }
};

/** How a run is looked at. */
enum class Look
{
    NONE,    //!< not at all
    TAPPED,  //!< a tap at every third port
    TRACKED, //!< departures of all ports are events
};

/** \ingroup tests \brief A kind of run, by name. */
class RoceFingerprint : public testing::TestWithParam<const char*>
{
  protected:
    /**
     * \param engine event engine
     * \param look how it is looked at
     * \return its figures
     */
    static RunFigures Play(const std::string& engine, Look look = Look::NONE)
    {
        const std::string kind = GetParam();
        RoceTestOptions options;
        options.engine = engine;
        options.gapBytes = 20;
        options.fingerprint = true;
        if (kind == "permutation")
        {
            options.congestionControl = "ns3::DcqcnCongestionControl";
            options.mtuBytes = 4096;
            options.write = true;
            options.configure = [](RoceHelper& helper) {
                helper.SetSwitchAttribute("EcnKmin", UintegerValue(5000));
                helper.SetSwitchAttribute("EcnKmax", UintegerValue(40000));
            };
            return Finish(LoadTopology("fat-tree:k=4,nicRate=100Gbps,delay=1us"), options, look);
        }
        Topology topology = StarTopology(17, "100Gbps", MicroSeconds(1));
        if (kind == "lossy")
        {
            for (TopologyLink& link : topology.links)
            {
                link.lossRate = 0.002;
            }
            options.ackInterval = 4;
            options.configure = [](RoceHelper& helper) {
                helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(6));
                helper.SetSwitchAttribute("Pfc", BooleanValue(false));
                helper.SetSwitchAttribute("BufferBytes", UintegerValue(300000));
            };
        }
        else
        {
            options.configure = [](RoceHelper& helper) {
                helper.SetSwitchAttribute("BufferBytes", UintegerValue(1500000));
            };
        }
        return Finish(topology, options, look);
    }

  private:
    /**
     * \param topology the cluster
     * \param options what the network is like
     * \param look how it is looked at
     * \return figures of a run in which everyone sends 200 KB
     */
    static RunFigures Finish(const Topology& topology, const RoceTestOptions& options, Look look)
    {
        SilentTap tap;
        RoceTestNetwork network(topology, options);
        const std::vector<FabricPort*> ports = network.GetPorts();
        for (size_t i = 0; i < ports.size(); i++)
        {
            if (look == Look::TAPPED && i % 3 == 0)
            {
                ports[i]->SetTap(&tap);
            }
            if (look == Look::TRACKED)
            {
                ports[i]->SetTracked(true);
            }
        }
        const uint32_t hosts = topology.GetGpuCount();
        for (uint32_t i = 0; i < hosts; i++)
        {
            if (hosts == 16)
            {
                network.Send(i, (i * 5 + 6) % hosts, 1000000);
                network.Send(i, (i + 8) % hosts, 200000);
            }
            else if (i > 0)
            {
                network.Send(i, 0, 200000);
            }
        }
        network.Run();
        EXPECT_EQ(tap.frames > 0, look == Look::TAPPED);
        return {network.context->GetFingerprint(), network.Counters(), network.GetLastReceived()};
    }
};

INSTANTIATE_TEST_SUITE_P(Runs, RoceFingerprint, testing::Values("incast", "permutation", "lossy"));

/** \param a a run \param b another one, which must be the same */
void
ExpectSame(const RunFigures& a, const RunFigures& b)
{
    EXPECT_EQ(a.fingerprint, b.fingerprint);
    EXPECT_EQ(a.last, b.last);
    EXPECT_EQ(a.counters.packets, b.counters.packets);
    EXPECT_EQ(a.counters.packetHops, b.counters.packetHops);
    EXPECT_EQ(a.counters.drops, b.counters.drops);
    EXPECT_EQ(a.counters.linkLosses, b.counters.linkLosses);
    EXPECT_EQ(a.counters.ecnMarks, b.counters.ecnMarks);
    EXPECT_EQ(a.counters.cnps, b.counters.cnps);
    EXPECT_EQ(a.counters.pfcPauses, b.counters.pfcPauses);
    EXPECT_EQ(a.counters.timeouts, b.counters.timeouts);
}

TEST_P(RoceFingerprint, RunsRepeat)
{
    const RunFigures first = Play("fabric");
    ExpectSame(first, Play("fabric"));
    const std::string kind = GetParam();
    EXPECT_EQ(first.counters.pfcPauses > 0, kind == "incast");
    EXPECT_EQ(first.counters.ecnMarks > 0, kind == "permutation");
    EXPECT_EQ(first.counters.cnps > 0, kind == "permutation");
    EXPECT_EQ(first.counters.linkLosses > 0, kind == "lossy");
    EXPECT_EQ(first.counters.drops > 0, kind == "lossy");
}

TEST_P(RoceFingerprint, EnginesAgree)
{
    ExpectSame(Play("fabric"), Play("default"));
}

TEST_P(RoceFingerprint, WhoLooksOnChangesNothing)
{
    const RunFigures expected = Play("fabric");
    ExpectSame(expected, Play("fabric", Look::TAPPED));
    ExpectSame(expected, Play("fabric", Look::TRACKED));
}

TEST(RoceFingerprints, OtherRunsDiffer)
{
    std::vector<uint64_t> prints;
    for (const uint64_t bytes : {100000, 100001})
    {
        RoceTestOptions options;
        options.fingerprint = true;
        RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
        network.Send(0, 1, bytes);
        network.Run();
        prints.push_back(network.context->GetFingerprint());
    }
    EXPECT_NE(prints[0], prints[1]);
}

} // namespace
