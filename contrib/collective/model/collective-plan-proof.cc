/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-plan-proof.h"

#include "collective-algorithm.h"
#include "collective-plan-verifier.h"

#include <numeric>

namespace ns3
{

namespace
{

/** \param plan a plan \return the steps of all its programs, which tell files of MSCCL apart */
uint64_t
CountSteps(const CollectivePlan& plan)
{
    const auto& programs = plan.GetPrograms();
    return std::accumulate(
        programs.begin(),
        programs.end(),
        uint64_t(0),
        [](uint64_t sum, const PlanProgram& program) { return sum + program.GetStepCount(); });
}

} // namespace

std::optional<std::string>
ProveCollectivePlan(const CollectiveRequest& request,
                    const PlannedCollective& planned,
                    uint64_t budget)
{
    if (request.IsEmpty())
    {
        return CollectivePlanVerifier::Verify(request, *planned.plan);
    }
    // Another of its type may divide operands otherwise.
    const CollectiveAlgorithm& algorithm = *planned.maker;
    CollectiveRequest smaller = request;
    std::shared_ptr<const CollectivePlan> plan = planned.plan;
    while (CollectivePlanVerifier::GetCost(smaller, *plan) > budget)
    {
        smaller.bytes = smaller.bytes / 2 / smaller.elementBytes * smaller.elementBytes;
        if (smaller.IsEmpty() || !algorithm.Supports(smaller))
        {
            return std::nullopt;
        }
        plan = std::make_shared<CollectivePlan>(algorithm.Plan(smaller));
        if (plan->GetChannels().size() != planned.plan->GetChannels().size())
        {
            return std::nullopt;
        }
    }
    return CollectivePlanVerifier::Verify(smaller, *plan, algorithm);
}

std::optional<std::string>
CollectivePlanProver::Prove(const CollectiveRequest& request, const PlannedCollective& planned)
{
    if (CollectivePlanVerifier::GetCost(request, *planned.plan) <= CHEAP || request.sizes)
    {
        return ProveCollectivePlan(request, planned, BUDGET);
    }
    const Shape shape(planned.GetName(),
                      request.kind,
                      request.placement,
                      request.nics,
                      request.root,
                      planned.plan->GetChannels().size(),
                      planned.plan->GetChunks().GetCount(),
                      CountSteps(*planned.plan));
    const auto known = m_proofs.find(shape);
    if (known != m_proofs.end())
    {
        return known->second;
    }
    return m_proofs[shape] = ProveCollectivePlan(request, planned, BUDGET);
}

} // namespace ns3
