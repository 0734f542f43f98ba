/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collnet-direct-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollnetDirectAllReduceAlgorithm);

TypeId
CollnetDirectAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid =
        AddPipelineAttributes(TypeId("ns3::CollnetDirectAllReduceAlgorithm")
                                  .SetParent<CollnetAlgorithm>()
                                  .SetGroupName("Collective")
                                  .AddConstructor<CollnetDirectAllReduceAlgorithm>());
    return tid;
}

uint32_t
CollnetDirectAllReduceAlgorithm::GetMessages(uint32_t most) const
{
    return 2 * most - 1; // to and from every rank but the head, and into the network
}

uint32_t
CollnetDirectAllReduceAlgorithm::GetSends(const Role& role) const
{
    return role.place == 0 ? static_cast<uint32_t>(role.server.size()) - 1 : 1;
}

uint32_t
CollnetDirectAllReduceAlgorithm::WriteSlice(const Role& role,
                                            SliceWriter& writer,
                                            uint32_t window) const
{
    const auto up = [](uint32_t place) { return 2 * place - 1; };
    const auto down = [](uint32_t place) { return 2 * place; };
    if (role.place > 0)
    {
        const uint32_t sent = writer.Add(PlanStepKind::SEND, 0, up(role.place), window);
        return writer.Add(PlanStepKind::RECEIVE, 0, down(role.place), sent);
    }
    uint32_t last = window;
    for (uint32_t place = 1; place < role.server.size(); place++)
    {
        last = writer.Add(PlanStepKind::RECEIVE_REDUCE, place, up(place), last);
    }
    const uint32_t sum = writer.AddUp(last);
    for (uint32_t place = 1; place < role.server.size(); place++)
    {
        last = writer.Add(PlanStepKind::SEND, place, down(place), sum);
    }
    return role.server.size() > 1 ? last : sum;
}

} // namespace ns3
