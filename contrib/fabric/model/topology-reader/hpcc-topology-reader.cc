/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-topology-reader.h"

#include "link-list-parser.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccTopologyReader);

TypeId
HpccTopologyReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HpccTopologyReader")
                            .SetParent<TopologyFileReader>()
                            .SetGroupName("Fabric")
                            .AddConstructor<HpccTopologyReader>();
    return tid;
}

std::string
HpccTopologyReader::GetForm() const
{
    return "HPCC, ConWeave, ASTRA-sim: nodes switches links";
}

bool
HpccTopologyReader::Recognises(const TextFile& file) const
{
    const TextLine line = file.GetLine(file.FindText(0));
    return line.GetCount() == 3 && line.GetWord(0).find_first_of("0123456789") == 0;
}

Topology
HpccTopologyReader::Read(const TextFile& file) const
{
    const TextLine line = file.GetLine(file.FindText(0));
    const LinkListHeader header =
        LinkListParser::ReadHeader(line, 0, LinkListParser::NO_FIELD, 1, 2);
    Topology topology = LinkListParser(file, header).Parse();
    topology.SetHostServers();
    topology.AssignTiers();
    return topology;
}

} // namespace ns3
