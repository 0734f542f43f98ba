/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-setup.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/hardware-table.h"
#include "ns3/nccl-selector.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

namespace ns3
{

CollectiveSetup::CollectiveSetup(const Topology& topology)
    : m_topology(topology)
{
}

DataRate
CollectiveSetup::GetIntraRate() const
{
    uint64_t rate = 0;
    for (const TopologyLink& link : m_topology.links)
    {
        const bool isOfFirst = link.a == 0 || link.b == 0;
        rate += isOfFirst && link.kind == TopologyLinkKind::NVLINK ? link.rate.GetBitRate() : 0;
    }
    return DataRate(rate);
}

DataRate
CollectiveSetup::GetInterRate() const
{
    const int32_t server = m_topology.nodes[0].server;
    uint64_t rate = 0;
    uint64_t gpus = 0;
    const auto isOwn = [&](uint32_t node) {
        return m_topology.nodes[node].kind == TopologyNodeKind::GPU &&
               (node == 0 || (server >= 0 && m_topology.nodes[node].server == server));
    };
    for (uint32_t node = 0; node < m_topology.nodes.size(); node++)
    {
        gpus += isOwn(node) ? 1 : 0;
    }
    for (const TopologyLink& link : m_topology.links)
    {
        if (link.kind == TopologyLinkKind::ETHERNET)
        {
            rate += isOwn(link.a) || isOwn(link.b) ? link.rate.GetBitRate() : 0;
        }
    }
    return DataRate(gpus > 0 ? rate / gpus : 0);
}

std::string
CollectiveSetup::GetGpu() const
{
    const HardwareTable table = HardwareTable::Load();
    if (!table.Has("collectives", m_topology.gpuType))
    {
        throw ConfigError(m_topology.source,
                          "GPU",
                          m_topology.gpuType,
                          "one whose collectives are known (" +
                              JoinList(table.GetNames("collectives")) +
                              "), or attribute ns3::NcclSelector::Gpu to name one");
    }
    return m_topology.gpuType;
}

Ptr<CollectiveSelector>
CollectiveSetup::Configure(Ptr<CollectiveEngine> engine) const
{
    TypeIdValue type;
    engine->GetAttribute("Selector", type);
    ObjectFactory factory;
    factory.SetTypeId(type.Get());
    const Ptr<CollectiveSelector> selector = factory.Create<CollectiveSelector>();
    if (const Ptr<NcclSelector> nccl = DynamicCast<NcclSelector>(selector))
    {
        StringValue gpu;
        nccl->GetAttribute("Gpu", gpu);
        if (gpu.Get().empty())
        {
            nccl->SetAttribute("Gpu", StringValue(GetGpu()));
        }
        DataRateValue rate;
        nccl->GetAttribute("IntraRate", rate);
        if (rate.Get().GetBitRate() == 0)
        {
            nccl->SetAttribute("IntraRate", DataRateValue(GetIntraRate()));
        }
        nccl->GetAttribute("InterRate", rate);
        if (rate.Get().GetBitRate() == 0)
        {
            nccl->SetAttribute("InterRate", DataRateValue(GetInterRate()));
        }
    }
    engine->SetSelector(selector);
    return selector;
}

} // namespace ns3
