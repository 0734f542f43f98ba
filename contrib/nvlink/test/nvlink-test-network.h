/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_TEST_NETWORK_H
#define NVLINK_TEST_NETWORK_H

#include "ns3/node-container.h"
#include "ns3/nvlink-frame.h"
#include "ns3/nvlink-helper.h"
#include "ns3/nvswitch-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief GPUs that are all joined to every one of some NVSwitches.
 * \param gpus number of GPUs
 * \param planesGbps one NVSwitch for each entry: rate of every GPU's link to it, Gbit/s
 * \param delay of every link
 * \param parallel links between each GPU and each NVSwitch
 * \return the cluster
 */
inline Topology
PlanesTopology(uint32_t gpus,
               const std::vector<uint64_t>& planesGbps,
               Time delay,
               uint32_t parallel = 1)
{
    Topology topology;
    topology.source = "test";
    topology.nodes.resize(gpus + planesGbps.size());
    for (uint32_t plane = 0; plane < planesGbps.size(); plane++)
    {
        const uint32_t node = gpus + plane;
        topology.nodes[node].kind = TopologyNodeKind::NVSWITCH;
        for (uint32_t i = 0; i < gpus * parallel; i++)
        {
            TopologyLink link;
            link.a = i / parallel;
            link.b = node;
            link.rate = DataRate(planesGbps[plane] * 1000000000);
            link.delay = delay;
            link.kind = TopologyLinkKind::NVLINK;
            topology.links.push_back(link);
        }
    }
    return topology;
}

/** \ingroup tests \brief A direct link of two GPUs. */
struct DirectLink
{
    uint32_t a;    //!< a GPU
    uint32_t b;    //!< another one
    uint64_t gbps; //!< rate, Gbit/s
};

/**
 * \ingroup tests
 * \brief GPUs joined by direct links.
 * \param gpus number of GPUs
 * \param links the links
 * \param delay of every link
 * \return the cluster
 */
inline Topology
DirectTopology(uint32_t gpus, const std::vector<DirectLink>& links, Time delay)
{
    Topology topology;
    topology.source = "test";
    topology.nodes.resize(gpus);
    for (const DirectLink& direct : links)
    {
        TopologyLink link;
        link.a = direct.a;
        link.b = direct.b;
        link.rate = DataRate(direct.gbps * 1000000000);
        link.delay = delay;
        link.kind = TopologyLinkKind::NVLINK;
        topology.links.push_back(link);
    }
    return topology;
}

/** \ingroup tests \brief The wiring of case H14: eight GPUs, 16 links, no switch. */
inline std::vector<DirectLink>
H14Links()
{
    return {{0, 1, 200},
            {0, 2, 200},
            {0, 3, 400},
            {0, 4, 400},
            {1, 2, 400},
            {1, 3, 200},
            {1, 5, 400},
            {2, 3, 400},
            {2, 6, 200},
            {3, 7, 200},
            {4, 5, 200},
            {4, 6, 200},
            {4, 7, 400},
            {5, 6, 400},
            {5, 7, 200},
            {6, 7, 400}};
}

/** \ingroup tests \brief A rank that notes what it hears. */
class NotingEndpoint : public MessageEndpoint
{
  public:
    /** What was heard and when. */
    using Note = std::pair<Time, Message>;

    std::vector<Note> received;                     //!< messages that arrived
    std::vector<Note> sent;                         //!< messages that have left
    std::function<void(const Message&)> onReceived; //!< called for every arrival, if set

    void MessageReceived(const Message& message) override
    {
        received.emplace_back(Simulator::Now(), message);
        if (onReceived)
        {
            onReceived(message);
        }
    }

    void MessageSent(const Message& message) override
    {
        sent.emplace_back(Simulator::Now(), message);
    }
};

/**
 * \ingroup tests
 * \brief A cluster with NVLink and an endpoint for every GPU; the simulator's state ends with it.
 */
class NvlinkTestNetwork
{
  public:
    /**
     * \param topology the cluster
     * \param configure changes attributes before the devices are made
     * \param engine "fabric" or "default"
     */
    explicit NvlinkTestNetwork(
        const Topology& topology,
        const std::function<void(NvlinkHelper&)>& configure = [](NvlinkHelper&) {},
        const std::string& engine = "fabric")
        : m_topology(topology)
    {
        FabricEngine::Select(engine);
        context = Create<FabricContext>();
        context->EnableFingerprint(true);
        nodes.Create(topology.nodes.size());
        auto routes = std::make_shared<RouteTable>(topology, TopologyLinkKind::NVLINK);
        NvlinkHelper helper;
        configure(helper);
        devices = helper.Install(topology, nodes, context, routes);
        transport = NvlinkHelper::CreateTransport(topology, devices, routes);
        endpoints.resize(transport->GetRankCount());
        for (uint32_t rank = 0; rank < endpoints.size(); rank++)
        {
            transport->SetEndpoint(rank, &endpoints[rank]);
        }
    }

    ~NvlinkTestNetwork()
    {
        transport->Dispose();
        Simulator::Destroy();
    }

    NvlinkTestNetwork(const NvlinkTestNetwork&) = delete;
    NvlinkTestNetwork& operator=(const NvlinkTestNetwork&) = delete;

    /** \param node a node \return its NVSwitch, nullptr if it is a GPU */
    Ptr<NvSwitchDevice> GetSwitch(uint32_t node) const
    {
        return DynamicCast<NvSwitchDevice>(nodes.Get(node)->GetDevice(0));
    }

    /** \param node a node \return its device */
    Ptr<FabricDevice> GetDevice(uint32_t node) const
    {
        return DynamicCast<FabricDevice>(nodes.Get(node)->GetDevice(0));
    }

    /** \param node an NVSwitch \return how often it told peers to stop, and to resume */
    std::pair<uint64_t, uint64_t> GetCreditSignals(uint32_t node) const
    {
        std::pair<uint64_t, uint64_t> signals;
        const Ptr<FabricDevice> device = GetDevice(node);
        for (uint32_t i = 0; i < device->GetPortCount(); i++)
        {
            const FabricPriorityCounters counters =
                device->GetPort(i).GetPriorityCounters(NVLINK_DATA_CLASS);
            signals.first += counters.pausesSent;
            signals.second += counters.resumesSent;
        }
        return signals;
    }

    /**
     * \param src a rank
     * \param dst a rank
     * \param bytes payload
     * \param tag tag
     * \param channel channel
     */
    void Send(uint32_t src, uint32_t dst, uint64_t bytes, uint64_t tag = 0, uint32_t channel = 0)
    {
        Message message;
        message.src = src;
        message.dst = dst;
        message.channel = channel;
        message.bytes = bytes;
        message.tag = tag;
        transport->Send(message);
    }

    /** \return present time after everything has happened */
    Time Run()
    {
        Simulator::Run();
        return Simulator::Now();
    }

    Ptr<FabricContext> context;            //!< what the devices share
    NodeContainer nodes;                   //!< nodes of the topology
    NetDeviceContainer devices;            //!< all devices
    Ptr<NvlinkMessageTransport> transport; //!< the transport
    std::deque<NotingEndpoint> endpoints;  //!< by rank

  private:
    Topology m_topology; //!< the cluster
};

/**
 * \ingroup tests
 * \brief Ring AllReduce as its messages: every rank sends 2 (n - 1) times bytes / n to the next
 * one, after the first time when the message from the one before has arrived.
 * \param network where
 * \param order ranks along the ring
 * \param bytes size of the whole buffer
 * \param channels pieces that run around the ring independently
 * \return time of the last arrival
 */
inline Time
RunRing(NvlinkTestNetwork& network,
        const std::vector<uint32_t>& order,
        uint64_t bytes,
        uint32_t channels = 1)
{
    const uint32_t n = order.size();
    const uint64_t chunk = bytes / n / channels;
    Time end;
    for (uint32_t place = 0; place < n; place++)
    {
        const uint32_t self = order[place];
        const uint32_t next = order[(place + 1) % n];
        network.endpoints[self].onReceived =
            [&network, &end, self, next, n, chunk](const Message& message) {
                end = std::max(end, Simulator::Now());
                if (message.tag + 1 < 2 * (n - 1))
                {
                    network.Send(self, next, chunk, message.tag + 1, message.channel);
                }
            };
        for (uint32_t channel = 0; channel < channels; channel++)
        {
            network.Send(self, next, chunk, 0, channel);
        }
    }
    network.Run();
    return end;
}

} // namespace ns3

#endif /* NVLINK_TEST_NETWORK_H */
