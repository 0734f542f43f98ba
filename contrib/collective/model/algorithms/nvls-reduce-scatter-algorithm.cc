/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvls-reduce-scatter-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlsReduceScatterAlgorithm);

TypeId
NvlsReduceScatterAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NvlsReduceScatterAlgorithm")
                            .SetParent<NvlsAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<NvlsReduceScatterAlgorithm>();
    return tid;
}

NvlsAlgorithm::Passes
NvlsReduceScatterAlgorithm::GetPasses() const
{
    return {CollectiveKind::REDUCE_SCATTER, true, false};
}

} // namespace ns3
