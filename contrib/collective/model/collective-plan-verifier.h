/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PLAN_VERIFIER_H
#define COLLECTIVE_PLAN_VERIFIER_H

#include "collective-algorithm.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Proves a plan by playing it with symbols for data.
 *
 * Every chunk carries where it comes from and how often each rank has contributed to it. A plan is
 * right if
 * - its chunks cover the operand exactly, and each message has one sender and one receiver that
 *   name each other,
 * - no step waits for ever,
 * - every rank ends with exactly what the kind of collective promises: each contribution once,
 *   in its place,
 * - every rank sends as many bytes as the algorithm's closed form says.
 *
 * The plan is played in several orders of events (oldest first, newest first, and a shuffled one),
 * because what it computes must not depend on how fast messages travel. Time and memory grow with
 * GetCost().
 */
class CollectivePlanVerifier
{
  public:
    /**
     * \param request the request
     * \param plan its plan
     * \return what is wrong with what the plan does, empty if it is right
     */
    static std::string Verify(const CollectiveRequest& request, const CollectivePlan& plan);

    /**
     * \param request the request
     * \param plan its plan
     * \param algorithm who made it
     * \return what is wrong, including the bytes sent, empty if the plan is right
     */
    static std::string Verify(const CollectiveRequest& request,
                              const CollectivePlan& plan,
                              const CollectiveAlgorithm& algorithm);

    /**
     * \param request the request
     * \param plan its plan
     * \return the number of counters that the proof needs
     */
    static uint64_t GetCost(const CollectiveRequest& request, const CollectivePlan& plan);
};

} // namespace ns3

#endif /* COLLECTIVE_PLAN_VERIFIER_H */
