/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collnet-chain-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollnetChainAllReduceAlgorithm);

TypeId
CollnetChainAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid =
        AddPipelineAttributes(TypeId("ns3::CollnetChainAllReduceAlgorithm")
                                  .SetParent<CollnetAlgorithm>()
                                  .SetGroupName("Collective")
                                  .AddConstructor<CollnetChainAllReduceAlgorithm>());
    return tid;
}

uint32_t
CollnetChainAllReduceAlgorithm::GetMessages(uint32_t) const
{
    return 3; // into the network, up the chain, down the chain
}

uint32_t
CollnetChainAllReduceAlgorithm::GetSends(const Role& role) const
{
    return (role.place > 0 ? 1 : 0) + (role.place + 1 < role.server.size() ? 1 : 0);
}

uint32_t
CollnetChainAllReduceAlgorithm::WriteSlice(const Role& role,
                                           SliceWriter& writer,
                                           uint32_t window) const
{
    constexpr uint32_t UP = 1;
    constexpr uint32_t DOWN = 2;
    const bool hasNext = role.place + 1 < role.server.size();
    uint32_t last = window;
    if (hasNext)
    {
        last = writer.Add(PlanStepKind::RECEIVE_REDUCE, role.place + 1, UP, last);
    }
    if (role.place == 0)
    {
        last = writer.AddUp(last);
    }
    else
    {
        last = writer.Add(PlanStepKind::SEND, role.place - 1, UP, last);
        last = writer.Add(PlanStepKind::RECEIVE, role.place - 1, DOWN, last);
    }
    return hasNext ? writer.Add(PlanStepKind::SEND, role.place + 1, DOWN, last) : last;
}

} // namespace ns3
