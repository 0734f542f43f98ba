/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "template-topology-reader.h"

#include "ns3/topology-template.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TemplateTopologyReader);

TypeId
TemplateTopologyReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TemplateTopologyReader")
                            .SetParent<TopologyFileReader>()
                            .SetGroupName("Fabric")
                            .AddConstructor<TemplateTopologyReader>();
    return tid;
}

std::string
TemplateTopologyReader::GetForm() const
{
    return "topology template: a JSON object";
}

bool
TemplateTopologyReader::Recognises(const TextFile& file) const
{
    return file.GetLine(file.FindText(0)).GetWord(0)[0] == '{';
}

Topology
TemplateTopologyReader::Read(const TextFile& file) const
{
    return TopologyTemplate::Read(file.GetName()).Build(file.GetName());
}

} // namespace ns3
