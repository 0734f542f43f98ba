/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvls-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlsAllReduceAlgorithm);

TypeId
NvlsAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NvlsAllReduceAlgorithm")
                            .SetParent<NvlsAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<NvlsAllReduceAlgorithm>();
    return tid;
}

NvlsAlgorithm::Passes
NvlsAllReduceAlgorithm::GetPasses() const
{
    return {CollectiveKind::ALL_REDUCE, true, true};
}

} // namespace ns3
