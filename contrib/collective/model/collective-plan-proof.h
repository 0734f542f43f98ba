/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PLAN_PROOF_H
#define COLLECTIVE_PLAN_PROOF_H

#include "collective-plan-cache.h"
#include "collective-request.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Proves a plan, or one of the same shape if that takes too much.
 *
 * Large operands are cut into many slices, all of which travel alike. Where the proof of a plan is
 * over the budget, the same algorithm is asked for half the operand, a quarter, and so on; the
 * first plan within the budget stands for it if it has as many channels, so that it differs in the
 * number and the size of slices alone.
 *
 * \param request a request
 * \param planned its plan
 * \param budget largest proof, in counters; see CollectivePlanVerifier::GetCost()
 * \return what is wrong with the plan, empty if it is right; absent if no proof is within the
 * budget
 */
std::optional<std::string> ProveCollectivePlan(const CollectiveRequest& request,
                                               const PlannedCollective& planned,
                                               uint64_t budget);

/**
 * \ingroup collective
 * \brief Proves plans one after another, large ones once: those of an algorithm for groups that
 * stand alike on servers and NICs, with as many channels, chunks and steps, travel alike, whatever
 * the sizes of the chunks. Those with a size for each pair of ranks do not, and each is proven by
 * itself.
 */
class CollectivePlanProver
{
  public:
    /** Largest proof, in counters (CollectivePlanVerifier::GetCost()): a second or so. */
    static constexpr uint64_t BUDGET = uint64_t(1) << 24;
    /** What takes no more is proven each by itself, in counters. */
    static constexpr uint64_t CHEAP = uint64_t(1) << 20;

    /**
     * \param request a request
     * \param planned its plan
     * \return what is wrong with it, or with one that travels alike, empty if it is right; absent
     * if no proof is within the budget
     */
    std::optional<std::string> Prove(const CollectiveRequest& request,
                                     const PlannedCollective& planned);

    /** \return proofs that are kept */
    std::size_t GetKeptCount() const
    {
        return m_proofs.size();
    }

  private:
    /** Algorithm, kind, placement, NICs, root, channels, chunks, steps of all programs. */
    using Shape = std::tuple<std::string,
                             CollectiveKind,
                             std::vector<uint32_t>,
                             std::vector<uint32_t>,
                             uint32_t,
                             std::size_t,
                             uint32_t,
                             uint64_t>;

    std::map<Shape, std::optional<std::string>> m_proofs; //!< those that are not cheap
};

} // namespace ns3

#endif /* COLLECTIVE_PLAN_PROOF_H */
