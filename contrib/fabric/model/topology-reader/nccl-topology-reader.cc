/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-topology-reader.h"

#include "ns3/topology-template.h"

#include <filesystem>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NcclTopologyReader);

TypeId
NcclTopologyReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NcclTopologyReader")
                            .SetParent<TopologyFileReader>()
                            .SetGroupName("Fabric")
                            .AddConstructor<NcclTopologyReader>();
    return tid;
}

std::string
NcclTopologyReader::GetForm() const
{
    return "NCCL: an XML element <system>";
}

bool
NcclTopologyReader::Recognises(const TextFile& file) const
{
    return file.GetLine(file.FindText(0)).GetWord(0)[0] == '<';
}

Topology
NcclTopologyReader::Read(const TextFile& file) const
{
    const std::string path = (std::filesystem::path(".") / file.GetName()).string();
    return TopologyTemplate::Read(FindTopologyTemplate("single-server"))
        .Build(file.GetName(), {{"server", path}});
}

} // namespace ns3
