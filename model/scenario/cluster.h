/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "cluster-network.h"
#include "packet-network.h"

#include "ns3/pxn-message-transport.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A simulated cluster: a Topology, and the network that ClusterNetwork::Select() chose,
 * which carries messages between its GPUs.
 *
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

    /** \return the plan it was built from, see ClusterNetwork::GetTopology() */
    const Topology& GetTopology() const
    {
        return m_network->GetTopology();
    }

    /** \return the network */
    const ClusterNetwork& GetNetwork() const
    {
        return *m_network;
    }

    /**
     * \return what carries messages between its GPUs, on rails where PxnMessageTransport can; the
     * network's own transport takes NIC to NIC what goes to another server
     */
    Ptr<NetworkMessageTransport> GetTransport() const
    {
        return m_transport;
    }

    /**
     * Throws a ConfigError if messages cannot go from one rank to another.
     * \param src sender
     * \param dst receiver
     * \param purpose what they are for, such as "all_reduce"
     */
    void RequireRoute(uint32_t src, uint32_t dst, const std::string& purpose) const;

    /** \return what the user should know, one line each; at the end */
    std::vector<std::string> GetNotes() const;

    /** \return what the user may not have meant, of the topology and by the traffic so far */
    std::vector<std::string> GetWarnings() const;

    /**
     * \return counters over the whole network, and of each fabric that has ports; payload that was
     * relayed counts once, where it was to go
     */
    NetworkSummary GetNetworkSummary() const;

    /** \copydoc ClusterNetwork::FindLostBytes */
    std::string FindLostBytes(bool finished) const;

    /** \copydoc ClusterNetwork::FindLostPackets */
    std::string FindLostPackets() const
    {
        return m_network->FindLostPackets();
    }

    /** \return the network, which must be one of packets; aborts if it is not */
    const PacketNetwork& GetPacketNetwork() const;

    /** \return of a network of packets: its transport */
    Ptr<PacketMessageTransport> GetPacketTransport() const
    {
        return GetPacketNetwork().GetPacketTransport();
    }

    /** \return of a network of packets: the RoCE part of the transport */
    Ptr<RoceMessageTransport> GetRoceTransport() const
    {
        return GetPacketNetwork().GetRoceTransport();
    }

    /** \return of a network of packets: its Ethernet devices */
    const RoceFabric& GetRoceFabric() const
    {
        return GetPacketNetwork().GetRoceFabric();
    }

    /** \param id node id of the topology \return of a network of packets: the node */
    Ptr<Node> GetNode(uint32_t id) const
    {
        return GetPacketNetwork().GetNode(id);
    }

    /** \return of a network of packets: counters and engine */
    FabricContext& GetContext() const
    {
        return GetPacketNetwork().GetContext();
    }

    /**
     * \param node an ns-3 node of a network of packets
     * \return its node id in the topology
     */
    uint32_t GetTopologyId(Ptr<Node> node) const
    {
        return GetPacketNetwork().GetTopologyId(node);
    }

    /**
     * \return of a network of packets: whether some Ethernet switch forwards a frame before all of
     * it is there
     */
    bool IsCutThrough() const
    {
        return GetPacketNetwork().IsCutThrough();
    }

  private:
    std::vector<std::string> m_warnings;      //!< of the validator
    Ptr<ClusterNetwork> m_network;            //!< carries messages
    Ptr<PxnMessageTransport> m_pxn;           //!< relays some of them, null if none
    Ptr<NetworkMessageTransport> m_transport; //!< one of the two
};

} // namespace ns3

#endif /* CLUSTER_H */
