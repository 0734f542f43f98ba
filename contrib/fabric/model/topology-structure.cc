/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-structure.h"

#include "ns3/object-factory.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TopologyStructure);

TypeId
TopologyStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TopologyStructure").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

bool
TopologyStructure::IsKnown(const std::string& name)
{
    TypeId tid;
    return TypeId::LookupByNameFailSafe(name, &tid) && tid.IsChildOf(GetTypeId()) &&
           tid.HasConstructor();
}

Ptr<TopologyStructure>
TopologyStructure::Create(const std::string& name)
{
    return ObjectFactory(name).Create<TopologyStructure>();
}

} // namespace ns3
