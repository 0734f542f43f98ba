/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROUTED_NETWORK_H
#define ROUTED_NETWORK_H

#include "cluster-network.h"

#include "ns3/result-records.h"
#include "ns3/routed-message-transport.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A network without packets: every message goes as a whole, over the links that packets
 * would take, with the headers that they would have.
 *
 * It has no nodes and no devices. Headers, acknowledgements and latencies are those that the
 * defaults of the attributes of NICs, NVLink interfaces and switches stand for.
 */
class RoutedNetwork : public ClusterNetwork
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RoutedNetwork();
    ~RoutedNetwork() override;

    /** \return framing of RoCE, by the defaults of attributes */
    static MessageFraming GetRoceFraming();

    // From ClusterNetwork.
    bool UsesAttribute(const std::string& attribute) const override;
    bool HasPackets() const override;
    Ptr<NetworkMessageTransport> GetTransport() const override;
    const FabricEngine& GetEngine() const override;
    void StartRecording(ResultSink& sink) const override;
    void RecordLinks(ResultSink& sink) const override;
    uint64_t GetPacketHops() const override;
    NetworkSummary GetSummary() const override;
    Time GetIdealTime(const Message& message) const override;
    uint64_t GetRetransmissions(uint32_t src, uint32_t dst, uint32_t channel) const override;
    std::vector<std::string> GetWarnings() const override;
    std::vector<std::string> GetNotes() const override;
    /**
     * Compares, by lane, what was sent, what has left and what has arrived, and, if all is done,
     * what links and ranks have counted.
     * \param finished whether nothing may be under way any more
     * \return what does not agree, empty if all does
     */
    std::string FindLostBytes(bool finished) const override;
    std::string FindLostPackets() const override;
    std::vector<std::string> DescribeDeadlocks() const override;
    std::vector<std::string> DescribePauses() const override;

  protected:
    void DoBuild() override;
    void DoDispose() override;

    /** \return a new transport of this fidelity */
    virtual Ptr<RoutedMessageTransport> CreateTransport() const = 0;
    /** \return whether switches share a message evenly among equal paths; else they choose one */
    virtual bool SpreadsMessages() const = 0;
    /** \return one line that says what this fidelity leaves out */
    virtual std::string DescribeFidelity() const = 0;
    /** \return links of the Ethernet, then NVLinks, each by sending node and port */
    std::vector<LinkRecord> GetLinks() const;

  private:
    /** \return what headers add to the payload, a line for each fabric in use */
    std::vector<std::string> DescribeHeaders() const;
    /** A port: what it sends, and where. */
    struct PortView
    {
        uint32_t node;      //!< node
        uint32_t port;      //!< its port, within the fabric
        uint32_t peer;      //!< node at the other end
        uint32_t peerPort;  //!< port there
        uint32_t link;      //!< link of the topology
        uint32_t direction; //!< RouteLink::direction
    };

    /** \param kind a fabric \param visit called with each of its ports, by node */
    void VisitPorts(TopologyLinkKind kind, const std::function<void(const PortView&)>& visit) const;
    /** \param kind a fabric \param loads by direction \return what its ports sent */
    FabricSummary SumUp(TopologyLinkKind kind, const std::vector<RoutedLinkLoad>& loads) const;

    Ptr<RoutedMessageTransport> m_transport; //!< carries messages
};

} // namespace ns3

#endif /* ROUTED_NETWORK_H */
