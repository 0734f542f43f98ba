/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-file-reader.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TopologyFileReader);

namespace
{

/** \return one reader of every registered kind, in the order of their names */
std::vector<Ptr<TopologyFileReader>>
CreateReaders()
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.IsChildOf(TopologyFileReader::GetTypeId()) && tid.HasConstructor())
        {
            names.push_back(tid.GetName());
        }
    }
    std::sort(names.begin(), names.end());
    std::vector<Ptr<TopologyFileReader>> readers;
    for (const std::string& name : names)
    {
        readers.push_back(ObjectFactory(name).Create<TopologyFileReader>());
    }
    return readers;
}

} // namespace

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
    for (const auto& reader : CreateReaders())
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
