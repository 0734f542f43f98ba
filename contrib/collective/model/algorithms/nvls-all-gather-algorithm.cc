/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvls-all-gather-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlsAllGatherAlgorithm);

TypeId
NvlsAllGatherAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NvlsAllGatherAlgorithm")
                            .SetParent<NvlsAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<NvlsAllGatherAlgorithm>();
    return tid;
}

NvlsAlgorithm::Passes
NvlsAllGatherAlgorithm::GetPasses() const
{
    return {CollectiveKind::ALL_GATHER, false, true};
}

} // namespace ns3
