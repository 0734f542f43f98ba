/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dwrr-egress-scheduler.h"

#include "ns3/number-pair-list.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DwrrEgressScheduler);

TypeId
DwrrEgressScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DwrrEgressScheduler")
            .SetParent<EgressScheduler>()
            .SetGroupName("Fabric")
            .AddConstructor<DwrrEgressScheduler>()
            .AddAttribute("Weights",
                          "Weights of traffic classes, as class:weight with commas between them, "
                          "such as 0:1,3:50; 0-2:1 stands for three classes. Classes without one "
                          "are strict and go before them.",
                          StringValue("0-5:1"),
                          MakeStringAccessor(&DwrrEgressScheduler::m_weightsText),
                          MakeStringChecker())
            .AddAttribute("Quantum",
                          "What the class of least weight may send in a turn, bytes with preamble "
                          "and gap (default: a frame with 4096 bytes of payload).",
                          UintegerValue(4200),
                          MakeUintegerAccessor(&DwrrEgressScheduler::m_quantumBytes),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30));
    return tid;
}

void
DwrrEgressScheduler::Configure(const std::string& device)
{
    static const NumberPairFormat FORMAT{CLASSES - 2,
                                         1,
                                         65535,
                                         "class:weight or first-last:weight, with commas between "
                                         "them, classes from 0 to 7, weights from 1 to 65535"};
    const TextValue text("ns3::DwrrEgressScheduler::Weights", device, m_weightsText);
    const std::vector<NumberPair> weights = ReadNumberPairs(text, FORMAT);
    if (weights.empty())
    {
        text.Fail(FORMAT.expected + ", at least one");
    }
    m_weighted = 0;
    m_leastWeight = weights.front().value;
    for (const NumberPair& weight : weights)
    {
        m_weighted |= 1U << weight.key;
        m_leastWeight = std::min<uint64_t>(m_leastWeight, weight.value);
        m_share[weight.key] = static_cast<uint64_t>(m_quantumBytes) * weight.value;
    }
    m_state = State{};
    m_state.turn = weights.front().key;
    m_decisions = 0;
}

uint32_t
DwrrEgressScheduler::GetNext(uint32_t priority) const
{
    const uint32_t below = m_weighted & ((1U << priority) - 1);
    return 31 - __builtin_clz(below ? below : m_weighted);
}

uint64_t
DwrrEgressScheduler::GetCost(const FabricPacketList& queue, uint32_t gapBytes) const
{
    return (queue.head->frameBytes + gapBytes) * m_leastWeight;
}

uint32_t
DwrrEgressScheduler::Select(uint32_t ready, const FabricPacketList* queues, uint32_t gapBytes)
{
    m_before[m_decisions++ % MAX_UNDO] = m_state;
    if (const uint32_t strict = ready & ~m_weighted)
    {
        return 31 - __builtin_clz(strict);
    }
    for (uint32_t visits = 1;; visits++)
    {
        uint64_t& credit = m_state.credit[m_state.turn];
        if (!(ready >> m_state.turn & 1))
        {
            credit = 0;
        }
        else if (const uint64_t cost = GetCost(queues[m_state.turn], gapBytes); credit >= cost)
        {
            credit -= cost;
            return m_state.turn;
        }
        if (visits % CLASSES == 0)
        {
            SkipRounds(ready, queues, gapBytes);
        }
        m_state.turn = GetNext(m_state.turn);
        m_state.credit[m_state.turn] += m_share[m_state.turn];
    }
}

void
DwrrEgressScheduler::SkipRounds(uint32_t ready, const FabricPacketList* queues, uint32_t gapBytes)
{
    uint64_t rounds = UINT64_MAX;
    for (uint32_t left = ready; left; left &= left - 1)
    {
        const uint32_t priority = __builtin_ctz(left);
        const uint64_t missing =
            GetCost(queues[priority], gapBytes) - 1 - m_state.credit[priority];
        rounds = std::min(rounds, missing / m_share[priority]);
    }
    for (uint32_t left = ready; left; left &= left - 1)
    {
        const uint32_t priority = __builtin_ctz(left);
        m_state.credit[priority] += rounds * m_share[priority];
    }
}

void
DwrrEgressScheduler::Undo(uint32_t count)
{
    if (count)
    {
        m_decisions -= count;
        m_state = m_before[m_decisions % MAX_UNDO];
    }
}

bool
DwrrEgressScheduler::Precedes(uint32_t earlier, uint32_t later) const
{
    if (m_weighted >> earlier & 1)
    {
        return earlier == later;
    }
    return m_weighted >> later & 1 || earlier >= later;
}

} // namespace ns3
