/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cluster-network.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/type-catalogue.h"

#include <cctype>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ClusterNetwork);

namespace
{

/** See ClusterNetwork::Select(). */
GlobalValue g_selected("RailyardNetwork",
                       "Class of the network of clusters, a ClusterNetwork.",
                       StringValue("ns3::PacketNetwork"),
                       MakeStringChecker());

} // namespace

TypeId
ClusterNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ClusterNetwork")
            .SetParent<Object>()
            .SetGroupName("Railyard")
            .AddAttribute("StripeNics",
                          "Deal channels out over the NICs of GPUs that have several, as NCCL "
                          "does. Otherwise all ports of a GPU are those of one NIC, over which "
                          "connections are spread by hash, and collectives have channels for one.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ClusterNetwork::m_stripeNics),
                          MakeBooleanChecker())
            .AddAttribute("MergePorts",
                          "The ports of a NIC are one device. Otherwise each is a NIC of its own, "
                          "which takes channels (NCCL_IB_MERGE_NICS=0); StripeNics must be true.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ClusterNetwork::m_mergePorts),
                          MakeBooleanChecker());
    return tid;
}

void
ClusterNetwork::Select(TypeId type)
{
    g_selected.SetValue(StringValue(type.GetName()));
}

TypeId
ClusterNetwork::GetSelected()
{
    StringValue name;
    g_selected.GetValue(name);
    return TypeId::LookupByName(name.Get());
}

TypeId
ClusterNetwork::Find(const TextValue& name)
{
    for (const TypeId& type : TypeCatalogue(GetTypeId()).GetTypes())
    {
        if (name.GetText() == GetName(type) || name.GetText() == type.GetName())
        {
            return type;
        }
    }
    name.Fail("one of " + DescribeNames());
}

std::string
ClusterNetwork::DescribeNames()
{
    std::string names;
    for (const TypeId& type : TypeCatalogue(GetTypeId()).GetTypes())
    {
        names += (names.empty() ? "" : ", ") + GetName(type);
    }
    return names;
}

std::string
ClusterNetwork::GetName(TypeId type)
{
    std::string name = TypeCatalogue(GetTypeId()).GetShortName(type);
    for (char& letter : name)
    {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return name;
}

void
ClusterNetwork::Build(const Topology& topology)
{
    if (!m_stripeNics && !m_mergePorts)
    {
        throw ConfigError("attribute",
                          "ns3::ClusterNetwork::MergePorts",
                          "false",
                          "true (--NCCL_IB_MERGE_NICS=1), as ns3::ClusterNetwork::StripeNics=false "
                          "(the default for flows) makes all ports of a GPU those of one NIC");
    }
    m_topology = topology;
    if (!m_stripeNics)
    {
        m_topology.MergeNics();
    }
    else if (!m_mergePorts)
    {
        m_topology.SplitNics();
    }
    DoBuild();
}

std::string
ClusterNetwork::DescribeRoceHeaders(uint32_t payload, uint32_t header)
{
    return "a full RoCE packet carries " + std::to_string(payload) + " bytes of payload and " +
           std::to_string(header) + " bytes of headers, check sequences, preamble and gap";
}

std::string
ClusterNetwork::DescribeNvlinkHeaders(uint32_t payload, uint32_t header)
{
    return "NVLink adds " + std::to_string(header) + " bytes of headers to every " +
           std::to_string(payload) + " bytes of payload";
}

} // namespace ns3
