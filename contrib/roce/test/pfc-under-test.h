/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_UNDER_TEST_H
#define PFC_UNDER_TEST_H

#include "engine-under-test.h"

#include "ns3/dscp-map.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/pfc-frame.h"
#include "ns3/pfc.h"
#include "ns3/roce-switch-device.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief What tests of PFC share. */
namespace pfctest
{

inline constexpr uint64_t US = 1000000;   //!< ticks
inline constexpr uint32_t FRAME = 1000;   //!< bytes
inline constexpr uint64_t SER = 80000;    //!< of a frame at 100 Gb/s without gap, ticks
inline constexpr uint64_t DELAY = 997440; //!< of every link: 12,468 bytes at 100 Gb/s, ticks

/** \ingroup tests \brief A host that sends whatever it is given as fast as PFC lets it. */
class FrameHost : public FabricDevice
{
  public:
    std::vector<uint64_t> arrivals;              //!< when frames arrived, ticks
    std::vector<uint64_t> departures;            //!< when frames left, ticks
    std::function<bool(const PfcFrame&)> ignore; //!< PFC frames that get lost

    /**
     * Queues frames at a given time.
     * \param ts when, ticks
     * \param dst host they go to
     * \param count their number
     * \param priority their class
     * \param bytes size of each
     */
    void SendAt(uint64_t ts,
                uint32_t dst,
                uint32_t count,
                uint32_t priority = 3,
                uint32_t bytes = FRAME)
    {
        EngineUnderTest::At(ts, [this, dst, count, priority, bytes] {
            for (uint32_t i = 0; i < count; i++)
            {
                FabricPacket* packet = GetFabric()->pool.Allocate();
                packet->src = GetNode()->GetId();
                packet->dst = dst;
                packet->frameBytes = bytes;
                packet->priority = priority;
                packet->dscp = DscpMap().GetDscp(priority);
                GetPort(0).Enqueue(packet, NowTicks());
            }
        });
    }

    void Receive(FabricPacket* packet, FabricPort& port) override
    {
        if (packet->priority != FabricPort::CONTROL)
        {
            arrivals.push_back(NowTicks());
        }
        else if (!ignore || !ignore(PfcFrame::FromRecord(*packet)))
        {
            Pfc::Obey(*packet, port, NowTicks());
        }
        GetFabric()->pool.Release(packet);
    }

    bool WantsDepartures() const override
    {
        return true;
    }

    void Departed(FabricPacket& packet, FabricPort& port) override
    {
        departures.push_back(packet.start);
    }
};

/** \ingroup tests \brief Four hosts on one switch, 100 Gb/s, no gap, traces noted. */
class PfcUnderTest
{
  public:
    using Attributes = std::map<std::string, uint64_t>; //!< integer attributes of the switch

    /** A line of a trace. */
    struct Note
    {
        uint64_t when;     //!< ticks
        uint32_t port;     //!< of the switch
        uint32_t priority; //!< class
        bool pause;        //!< or resume
    };

    /**
     * \param attributes of the switch
     * \param alpha of its threshold
     * \param delay of every link, ticks
     */
    explicit PfcUnderTest(const Attributes& attributes, double alpha = 0.05, uint64_t delay = DELAY)
        : m_context(Create<FabricContext>()),
          hub(CreateObject<RoceSwitchDevice>())
    {
        hub->SetAttribute("BufferBytes", UintegerValue(1000000));
        hub->SetAttribute("Alpha", DoubleValue(alpha));
        hub->SetAttribute("MaxFrameBytes", UintegerValue(FRAME));
        for (const auto& [name, value] : attributes)
        {
            hub->SetAttribute(name, UintegerValue(value));
        }
        Topology topology;
        topology.nodes.resize(HOSTS + 1);
        topology.nodes[HOSTS].kind = TopologyNodeKind::SWITCH;
        topology.links.resize(HOSTS);
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            hosts.push_back(CreateObject<FrameHost>());
            Add(hosts[i]);
        }
        Add(hub);
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            topology.links[i].a = i;
            topology.links[i].b = HOSTS;
            FabricPort::Connect(hosts[i]->AddPort(), hub->AddPort(), {100000000000, delay, 0, 0});
        }
        hub->SetRoutes(std::make_shared<RouteTable>(topology, TopologyLinkKind::ETHERNET), HOSTS);
        hub->Configure();
        Trace("PauseSent", sent);
        Trace("PauseReceived", received);
    }

    /** Runs to the end; every frame is somewhere. */
    void Run()
    {
        Simulator::Run();
        EXPECT_EQ(m_context->pool.GetInUse(), 0U);
        EXPECT_EQ(hub->GetBuffer().GetUsed(), 0U);
        EXPECT_EQ(hub->GetBuffer().GetPausedCount(), 0U);
        EXPECT_EQ(Counters().pfcPauses, Counters().pfcResumes);
    }

    /** \return counters of the fabric */
    const FabricCounters& Counters() const
    {
        return m_context->counters;
    }

    static constexpr uint32_t HOSTS = 4; //!< number of hosts

  private:
    /** \param device put on a node of its own */
    void Add(Ptr<FabricDevice> device)
    {
        device->SetFabric(m_context);
        CreateObject<Node>()->AddDevice(device);
    }

    /** \param source trace source of the switch \param notes where it is written down */
    void Trace(const std::string& source, std::vector<Note>& notes)
    {
        hub->TraceConnectWithoutContext(
            source,
            Callback<void, uint32_t, uint32_t, bool>(
                [&notes](uint32_t port, uint32_t priority, bool pause) {
                    notes.push_back({EngineUnderTest::Now(), port, priority, pause});
                }));
    }

    EngineUnderTest m_engine;     //!< the simulation
    Ptr<FabricContext> m_context; //!< shared state

  public:
    Ptr<RoceSwitchDevice> hub;         //!< the switch
    std::vector<Ptr<FrameHost>> hosts; //!< the hosts
    std::vector<Note> sent;            //!< trace PauseSent
    std::vector<Note> received;        //!< trace PauseReceived
};

} // namespace pfctest

} // namespace ns3

#endif /* PFC_UNDER_TEST_H */
