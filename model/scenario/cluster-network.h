/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CLUSTER_NETWORK_H
#define CLUSTER_NETWORK_H

#include "ns3/fabric-engine.h"
#include "ns3/network-message-transport.h"
#include "ns3/object.h"
#include "ns3/result-sink.h"
#include "ns3/result-summary.h"
#include "ns3/text-value.h"
#include "ns3/topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The network of a Cluster, in some fidelity: what carries messages, and what it tells of
 * itself.
 *
 * Every subclass with a constructor that is registered as a TypeId can be chosen by name
 * (`--network`).
 */
class ClusterNetwork : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Chooses the network of clusters to come, until the next choice; PacketNetwork at first.
     * \param type a subclass
     */
    static void Select(TypeId type);
    /** \return the network of clusters to come */
    static TypeId GetSelected();
    /** \param name short ("flow") or full ("ns3::FlowNetwork") name \return the subclass; a
     * ConfigError lists those that exist */
    static TypeId Find(const TextValue& name);
    /** \return the short names, with commas between them */
    static std::string DescribeNames();
    /** \param type a subclass \return its short name: "packet" */
    static std::string GetName(TypeId type);

    /** \param topology what to build, valid; a ConfigError says what this network cannot */
    void Build(const Topology& topology);

    /** \return the plan it was built from, with the NICs that the attributes make of ports */
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /** \return its short name: "packet" */
    std::string GetName() const
    {
        return GetName(GetInstanceTypeId());
    }

    /**
     * \param attribute full name of an attribute
     * \return whether it can change anything; attributes of classes that belong to no network do
     */
    virtual bool UsesAttribute(const std::string& attribute) const = 0;
    /** \return whether it chooses among equal paths as attribute LoadBalancer of switches says */
    virtual bool UsesLoadBalancer() const = 0;
    /** \return whether there are packets: congestion control, queues, link events, time series */
    virtual bool HasPackets() const = 0;

    /** \return what carries messages between GPUs */
    virtual Ptr<NetworkMessageTransport> GetTransport() const = 0;
    /** \return its event engine */
    virtual const FabricEngine& GetEngine() const = 0;

    /** \param sink gets what happens during the simulation, must outlive it */
    virtual void StartRecording(ResultSink& sink) const = 0;
    /** \param sink gets links and ports; at the end */
    virtual void RecordLinks(ResultSink& sink) const = 0;

    /** \return packets times links so far, for the progress line */
    virtual uint64_t GetPacketHops() const = 0;
    /** \return counters over the whole network, and of each fabric that has ports */
    virtual NetworkSummary GetSummary() const = 0;

    /**
     * \param message a message between ranks that NVLink does not join; its tag does not matter
     * \return its time on an empty network, until the last byte is there
     */
    virtual Time GetIdealTime(const Message& message) const = 0;
    /**
     * \param src sending rank
     * \param dst receiving rank, not joined by NVLink
     * \param channel channel
     * \return data packets sent again so far
     */
    virtual uint64_t GetRetransmissions(uint32_t src, uint32_t dst, uint32_t channel) const = 0;

    /** \return what the user may not have meant */
    virtual std::vector<std::string> GetWarnings() const = 0;
    /** \return what the user should know, one line each; at the end */
    virtual std::vector<std::string> GetNotes() const = 0;
    /**
     * \param finished whether nothing may be under way any more
     * \return what does not agree of the payload sent, carried and received; empty if all does
     */
    virtual std::string FindLostBytes(bool finished) const = 0;
    /** \return what does not agree of the packets, empty if all does */
    virtual std::string FindLostPackets() const = 0;
    /** \return the PFC deadlocks and storms that there are now, a line each */
    virtual std::vector<std::string> DescribeDeadlocks() const = 0;
    /** \return the ports that PFC holds now, a line each, as many as a person reads */
    virtual std::vector<std::string> DescribePauses() const = 0;

  protected:
    /** \param payload of a full packet, bytes \param header its share, bytes \return a line */
    static std::string DescribeRoceHeaders(uint32_t payload, uint32_t header);
    /** \param payload that headers are added to, bytes \param header those, bytes \return a line */
    static std::string DescribeNvlinkHeaders(uint32_t payload, uint32_t header);

    /** Builds what GetTopology() says. */
    virtual void DoBuild() = 0;

  private:
    Topology m_topology; //!< the plan
    bool m_stripeNics;   //!< attribute StripeNics
    bool m_mergePorts;   //!< attribute MergePorts
};

/** \ingroup railyard \brief Chooses the network of clusters to come, until it goes out of scope. */
class ScopedClusterNetwork
{
  public:
    /** \param type a subclass of ClusterNetwork */
    explicit ScopedClusterNetwork(TypeId type)
        : m_before(ClusterNetwork::GetSelected())
    {
        ClusterNetwork::Select(type);
    }

    ~ScopedClusterNetwork()
    {
        ClusterNetwork::Select(m_before);
    }

    ScopedClusterNetwork(const ScopedClusterNetwork&) = delete;
    ScopedClusterNetwork& operator=(const ScopedClusterNetwork&) = delete;

  private:
    TypeId m_before; //!< what was chosen before
};

} // namespace ns3

#endif /* CLUSTER_NETWORK_H */
