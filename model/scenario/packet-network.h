/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACKET_NETWORK_H
#define PACKET_NETWORK_H

#include "cluster-network.h"
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
 * \brief A network packet by packet: nodes and devices, RoCE between servers, NVLink inside them.
 *
 * NIC and switch settings are the defaults of their ns-3 attributes (Config::SetDefault, --set).
 */
class PacketNetwork : public ClusterNetwork
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    PacketNetwork();
    ~PacketNetwork() override;

    /** \return what carries messages between its GPUs */
    Ptr<PacketMessageTransport> GetPacketTransport() const
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

    // From ClusterNetwork.
    bool UsesAttribute(const std::string& attribute) const override;
    bool UsesLoadBalancer() const override;
    bool HasPackets() const override;
    Ptr<NetworkMessageTransport> GetTransport() const override;
    const FabricEngine& GetEngine() const override;
    /** Records PAUSE and RESUME frames and PFC storms of switches. \param sink where to */
    void StartRecording(ResultSink& sink) const override;
    void RecordLinks(ResultSink& sink) const override;
    uint64_t GetPacketHops() const override;
    NetworkSummary GetSummary() const override;
    Time GetIdealTime(const Message& message) const override;
    uint64_t GetRetransmissions(uint32_t src, uint32_t dst, uint32_t channel) const override;
    std::vector<std::string> GetWarnings() const override;
    std::vector<std::string> GetNotes() const override;
    /**
     * Compares what was given to the transport, what NICs and GPUs received, and what the packets
     * that arrived carried.
     * \param finished whether nothing may be under way any more
     * \return what does not agree, empty if all does
     */
    std::string FindLostBytes(bool finished) const override;
    /**
     * Compares the frames that were created with those that arrived, were dropped or lost, or are
     * under way still, by the counters of every port.
     * \return what does not agree, empty if all does
     */
    std::string FindLostPackets() const override;
    std::vector<std::string> DescribeDeadlocks() const override;
    std::vector<std::string> DescribePauses() const override;

  protected:
    void DoBuild() override;
    void DoDispose() override;

  private:
    /** \return what headers add to the payload, a line for each fabric in use */
    std::vector<std::string> DescribeHeaders() const;
    /**
     * \param name name of the fabric
     * \param devices its devices
     * \return what their ports sent
     */
    FabricSummary SumUp(const std::string& name,
                        const std::vector<const FabricDevice*>& devices) const;

    Ptr<FabricContext> m_context;              //!< shared by all devices
    NodeContainer m_nodes;                     //!< by node id of the topology
    RoceFabric m_roce;                         //!< Ethernet devices
    NetDeviceContainer m_nvlink;               //!< NVLink devices
    Ptr<PfcDeadlockDetector> m_deadlocks;      //!< ends what cannot go on
    Ptr<RoceMessageTransport> m_roceTransport; //!< between servers
    Ptr<PacketMessageTransport> m_transport;   //!< both
};

} // namespace ns3

#endif /* PACKET_NETWORK_H */
