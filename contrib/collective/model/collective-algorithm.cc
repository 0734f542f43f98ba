/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm.h"

#include "collective-tag.h"

#include "ns3/config-error.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveAlgorithm);

TypeId
CollectiveAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CollectiveAlgorithm").SetParent<Object>().SetGroupName("Collective");
    return tid;
}

CollectivePlan
CollectiveAlgorithm::Plan(const CollectiveRequest& request) const
{
    return request.IsEmpty() ? CollectivePlan() : DoPlan(request);
}

void
CollectiveAlgorithm::RequireMessages(const std::string& attribute,
                                     uint32_t slices,
                                     uint64_t chunks,
                                     uint64_t bytes)
{
    if (slices > CollectiveTag::MAX_MESSAGES / chunks)
    {
        const uint64_t most = std::max<uint64_t>(CollectiveTag::MAX_MESSAGES / chunks, 1);
        throw ConfigError("attribute",
                          attribute,
                          std::to_string(slices) + " slices of " + std::to_string(bytes) + " bytes",
                          "slices of " + std::to_string((bytes + most - 1) / most) +
                              " bytes or more, or 0: a channel carries " +
                              std::to_string(CollectiveTag::MAX_MESSAGES) +
                              " messages of a collective at most");
    }
}

uint32_t
CollectiveAlgorithm::GetSliceCount(uint64_t chunkBytes, uint64_t sliceBytes)
{
    if (sliceBytes == 0 || chunkBytes <= sliceBytes)
    {
        return 1;
    }
    const uint64_t slices = chunkBytes / sliceBytes + (chunkBytes % sliceBytes != 0);
    return static_cast<uint32_t>(
        std::min<uint64_t>(slices, std::numeric_limits<uint32_t>::max()));
}

} // namespace ns3
