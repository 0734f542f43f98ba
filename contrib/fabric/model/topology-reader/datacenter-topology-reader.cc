/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "datacenter-topology-reader.h"

#include "link-list-parser.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DatacenterTopologyReader);

TypeId
DatacenterTopologyReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DatacenterTopologyReader")
                            .SetParent<TopologyFileReader>()
                            .SetGroupName("Fabric")
                            .AddConstructor<DatacenterTopologyReader>();
    return tid;
}

std::string
DatacenterTopologyReader::GetForm() const
{
    return "ns3-datacenter: nodes switches tors links [host_rate fabric_rate]";
}

bool
DatacenterTopologyReader::Recognises(const TextFile& file) const
{
    const TextLine line = file.GetLine(file.FindText(0));
    const auto beginsWithDigit = [&](std::size_t i) {
        return line.GetWord(i).find_first_of("0123456789") == 0;
    };
    return (line.GetCount() == 4 && beginsWithDigit(0)) ||
           (line.GetCount() == 6 && beginsWithDigit(0) && beginsWithDigit(5));
}

Topology
DatacenterTopologyReader::Read(const TextFile& file) const
{
    const TextLine line = file.GetLine(file.FindText(0));
    const LinkListHeader header =
        LinkListParser::ReadHeader(line, 0, LinkListParser::NO_FIELD, 1, 3);
    line.Get(2).GetUint("count of top-of-rack switches", 0, header.switches);
    if (line.GetCount() > 4)
    {
        line.Get(4).GetDataRate("nominal rate of host links");
        line.Get(5).GetDataRate("nominal rate of fabric links");
    }
    Topology topology = LinkListParser(file, header).Parse();
    topology.SetHostServers();
    topology.AssignTiers();
    return topology;
}

} // namespace ns3
