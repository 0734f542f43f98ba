/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cluster.h"

#include "ns3/abort.h"
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
}

Cluster::~Cluster()
{
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

std::vector<std::string>
Cluster::GetWarnings() const
{
    std::vector<std::string> lines = m_warnings;
    const std::vector<std::string> more = m_network->GetWarnings();
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

} // namespace ns3
