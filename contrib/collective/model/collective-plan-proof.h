/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PLAN_PROOF_H
#define COLLECTIVE_PLAN_PROOF_H

#include "collective-plan-cache.h"
#include "collective-request.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Proves a plan, or one of the same shape if that takes too much.
 *
 * Large operands are cut into many slices, all of which travel alike. Where the proof of a plan is
 * over the budget, the same algorithm is asked for half the operand, a quarter, and so on; the first
 * plan within the budget stands for it if it has as many channels, so that it differs in the number
 * and the size of slices alone.
 *
 * \param request a request
 * \param planned its plan
 * \param budget largest proof, in counters; see CollectivePlanVerifier::GetCost()
 * \return what is wrong with the plan, empty if it is right; absent if no proof is within the budget
 */
std::optional<std::string> ProveCollectivePlan(const CollectiveRequest& request,
                                               const PlannedCollective& planned,
                                               uint64_t budget);

} // namespace ns3

#endif /* COLLECTIVE_PLAN_PROOF_H */
