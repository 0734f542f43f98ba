/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "packet-message-transport.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/pfc-deadlock-detector.h"
#include "ns3/result-summary.h"
#include "ns3/roce-helper.h"
#include "ns3/topology.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A simulated cluster: the nodes and devices of a Topology, and the transport over them.
 *
 * NIC and switch settings are the defaults of their ns-3 attributes (Config::SetDefault, --set).
 * The event engine must have been chosen before (FabricEngine::Select).
 */
class Cluster
{
  public:
    /** \param topology what to build; a ConfigError says what cannot work */
    explicit Cluster(const Topology& topology);
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /** \return the plan it was built from */
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /** \return what carries messages between its GPUs */
    Ptr<PacketMessageTransport> GetTransport() const
    {
        return m_transport;
    }

    /** \return the RoCE part of the transport */
    Ptr<RoceMessageTransport> GetRoceTransport() const
    {
        return m_roceTransport;
    }

    /** \return its Ethernet devices */
    const RoceFabric& GetRoceFabric() const
    {
        return m_roce;
    }

    /** \param id node id of the topology \return the node */
    Ptr<Node> GetNode(uint32_t id) const
    {
        return m_nodes.Get(id);
    }

    /** \return counters and engine */
    FabricContext& GetContext() const
    {
        return *m_context;
    }

    /** \return the Ethernet devices, by node of the topology */
    std::vector<const FabricDevice*> GetEthernetDevices() const;
    /** \return the NVLink devices */
    std::vector<const FabricDevice*> GetNvlinkDevices() const;
    /** \param node an ns-3 node of the cluster \return its node id in the topology */
    uint32_t GetTopologyId(Ptr<Node> node) const;

    /** \return whether some Ethernet switch forwards a frame before all of it is there */
    bool IsCutThrough() const;

    /** \return what the user may not have meant, of the topology and by the traffic so far */
    std::vector<std::string> GetWarnings() const;

    /** \return counters over the whole network, and of each fabric that has ports */
    NetworkSummary GetNetworkSummary() const;

    /**
     * Compares what was given to the transport, what NICs and GPUs received, and what the packets
     * that arrived carried.
     * \param finished whether nothing may be under way any more
     * \return what does not agree, empty if all does
     */
    std::string FindLostBytes(bool finished) const;

    /**
     * Compares the frames that were created with those that arrived, were dropped or lost, or are
     * under way still, by the counters of every port.
     * \return what does not agree, empty if all does
     */
    std::string FindLostPackets() const;

    /** \return what the user should know of the network, one line each; at the end */
    std::vector<std::string> GetNotes() const;

    /** \return the PFC deadlocks and storms that there are now, a line each */
    std::vector<std::string> DescribeDeadlocks() const;

    /** \return the ports that PFC holds now, a line each, as many as a person reads */
    std::vector<std::string> DescribePauses() const;

    /** \return what packets add to their payload on the wire, a line for each fabric in use */
    std::vector<std::string> DescribeHeaders() const;

  private:
    /**
     * \param name name of the fabric
     * \param devices its devices
     * \return what their ports sent
     */
    FabricSummary SumUp(const std::string& name,
                        const std::vector<const FabricDevice*>& devices) const;

    Topology m_topology;                       //!< the plan
    std::vector<std::string> m_warnings;       //!< of the validator
    Ptr<FabricContext> m_context;              //!< shared by all devices
    NodeContainer m_nodes;                     //!< by node id of the topology
    RoceFabric m_roce;                         //!< Ethernet devices
    NetDeviceContainer m_nvlink;               //!< NVLink devices
    Ptr<PfcDeadlockDetector> m_deadlocks;      //!< ends what cannot go on
    Ptr<RoceMessageTransport> m_roceTransport; //!< between servers
    Ptr<PacketMessageTransport> m_transport;   //!< both
};

} // namespace ns3

#endif /* CLUSTER_H */
