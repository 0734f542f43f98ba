/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "loss-recovery.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

TypeId
LossRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LossRecovery")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddAttribute("ReorderWindow",
                          "A packet at most so many numbers ahead of the first missing one is kept "
                          "and is no sign of a loss; for traffic that takes several paths. 0: paths "
                          "keep the order.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LossRecovery::m_reorderWindow),
                          MakeUintegerChecker<uint32_t>(0, 1U << 22));
    return tid;
}

uint64_t
LossRecovery::Pass(uint64_t psn)
{
    uint64_t expected = psn + 1;
    while (m_received.Contains(expected))
    {
        expected++;
    }
    m_received.Advance(expected);
    return expected;
}

void
LossRecovery::LineRateChanged(uint64_t)
{
}

bool
LossRecovery::Keep(uint64_t psn, uint64_t expected)
{
    if (m_received.IsEmpty())
    {
        m_received.Reset(expected); // nothing was told to it while all came in order
    }
    return m_received.Insert(psn);
}

} // namespace ns3
