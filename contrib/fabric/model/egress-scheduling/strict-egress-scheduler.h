/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STRICT_EGRESS_SCHEDULER_H
#define STRICT_EGRESS_SCHEDULER_H

#include "egress-scheduler.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Strict priority (IEEE 802.1Q, section 8.6.8.1): the highest class that can send.
 *
 * Ports do this by themselves, and faster: see EgressScheduler::IsStrictPriority().
 */
class StrictEgressScheduler : public EgressScheduler
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    // From EgressScheduler.
    void Configure(const std::string& device) override;
    bool IsStrictPriority() const override;
    uint32_t Select(uint32_t ready, const FabricPacketList* queues, uint32_t gapBytes) override;
    void Undo(uint32_t count) override;
    bool Precedes(uint32_t earlier, uint32_t later) const override;
};

} // namespace ns3

#endif /* STRICT_EGRESS_SCHEDULER_H */
