/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cluster.h"

#include "ns3/abort.h"
#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/topology-validator.h"

namespace ns3
{

Cluster::Cluster(const Topology& topology)
    : m_warnings(RequireValidTopology(topology))
{
    ObjectFactory factory;
    factory.SetTypeId(ClusterNetwork::GetSelected());
    m_network = factory.Create<ClusterNetwork>();
    m_network->Build(topology);
    m_transport = m_network->GetTransport();
    const auto pxn = CreateObject<PxnMessageTransport>();
    if (pxn->SetNetwork(m_transport, topology))
    {
        m_pxn = pxn;
        m_transport = pxn;
    }
}

Cluster::~Cluster()
{
    if (m_pxn)
    {
        m_pxn->Dispose();
    }
    m_network->Dispose();
}

const PacketNetwork&
Cluster::GetPacketNetwork() const
{
    const auto* packets = dynamic_cast<const PacketNetwork*>(PeekPointer(m_network));
    NS_ABORT_MSG_IF(!packets,
                    "a network of kind " << m_network->GetName()
                                         << " has no devices: ask its transport, or select "
                                            "ns3::PacketNetwork");
    return *packets;
}

void
Cluster::RequireRoute(uint32_t src, uint32_t dst, const std::string& purpose) const
{
    if (!m_transport->CanReach(src, dst))
    {
        throw ConfigError(GetTopology().source,
                          "",
                          "no route from rank " + std::to_string(src) + " to rank " +
                              std::to_string(dst),
                          "a link or switches between them for the " + purpose +
                              " (GPUs do not forward; attribute ns3::RingAlgorithm::Order gives "
                              "rings another order)");
    }
}

NetworkSummary
Cluster::GetNetworkSummary() const
{
    NetworkSummary summary = m_network->GetSummary();
    summary.payloadBytesDelivered -= m_pxn ? m_pxn->GetRelayedBytes() : 0;
    return summary;
}

std::string
Cluster::FindLostBytes(bool finished) const
{
    const std::string lost = m_network->FindLostBytes(finished);
    return lost.empty() && m_pxn ? m_pxn->FindLostBytes(finished) : lost;
}

std::vector<std::string>
Cluster::GetNotes() const
{
    std::vector<std::string> lines = m_network->GetNotes();
    if (m_pxn && m_pxn->GetRelayedMessages() > 0)
    {
        lines.push_back("PXN: " + std::to_string(m_pxn->GetRelayedMessages()) + " messages, " +
                        std::to_string(m_pxn->GetRelayedBytes()) +
                        " bytes, went over NVLink to the GPU on their receiver's rail, whose NIC "
                        "sent them (ns3::PxnMessageTransport::Level, --NCCL_PXN_DISABLE)");
    }
    return lines;
}

std::vector<std::string>
Cluster::GetWarnings() const
{
    std::vector<std::string> lines = m_warnings;
    const std::vector<std::string> more = m_network->GetWarnings();
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

} // namespace ns3
