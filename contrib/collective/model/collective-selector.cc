/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-selector.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveSelector);

TypeId
CollectiveSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CollectiveSelector").SetParent<Object>().SetGroupName("Collective");
    return tid;
}

CollectiveRefusal
CollectiveSelector::Explain(const CollectiveRequest&)
{
    return {};
}

} // namespace ns3
