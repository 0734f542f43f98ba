/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-file-reader.h"

#include "type-catalogue.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TopologyFileReader);

TypeId
TopologyFileReader::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TopologyFileReader").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

Topology
ReadTopologyFile(const TextFile& file)
{
    std::string forms;
    const TypeCatalogue formats(TopologyFileReader::GetTypeId());
    for (const auto& reader : formats.CreateAll<TopologyFileReader>())
    {
        if (reader->Recognises(file))
        {
            Topology topology = reader->Read(file);
            topology.source = file.GetName();
            return topology;
        }
        forms += (forms.empty() ? "" : "; ") + reader->GetForm();
    }
    file.GetLine(file.FindText(0)).Fail("the first line of a topology file (" + forms + ")");
}

} // namespace ns3
