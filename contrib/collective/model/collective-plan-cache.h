/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PLAN_CACHE_H
#define COLLECTIVE_PLAN_CACHE_H

#include "collective-group.h"
#include "collective-plan.h"
#include "collective-request.h"
#include "collective-selector.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

class MessageTransport;

/** \ingroup collective \brief A plan and who made it. */
struct PlannedCollective
{
    std::shared_ptr<const CollectivePlan> plan; //!< null if no algorithm supports the request
    Ptr<const CollectiveAlgorithm> maker;       //!< made it; null if there is nothing to move
    CollectiveProtocol protocol;                //!< how chunks are exchanged

    /** \return TypeId name of #maker, empty if there is none */
    std::string GetName() const;
};

/**
 * \ingroup collective
 * \brief Makes each plan once: groups of the same shape that ask for the same share it.
 *
 * The shape of a group is its placement on servers and NICs, its parallel dimension and whether the
 * network reduces and copies within its servers, and all-reduces on its rails.
 */
class CollectivePlanCache
{
  public:
    /**
     * \param selector chooses the algorithms
     * \param proofBudget plans whose proof needs no more counters are proven when they are made
     */
    void Configure(Ptr<CollectiveSelector> selector, uint64_t proofBudget);

    /** \param transport what carries the messages; before the first shape */
    void SetTransport(Ptr<const MessageTransport> transport);

    /**
     * \param group a group
     * \return the number of its shape
     */
    uint32_t AddShape(const CollectiveGroup& group);

    /**
     * Aborts if the plan is wrong or too large for CollectiveTag.
     * \param shape the shape of the group
     * \param call what to do
     * \return how
     */
    const PlannedCollective& Get(uint32_t shape, const CollectiveCall& call);

    /**
     * \param shape the shape of a group
     * \param call what it is to do
     * \return what an algorithm is asked for
     */
    CollectiveRequest MakeRequest(uint32_t shape, const CollectiveCall& call) const;

    /** \return the number of plans made */
    std::size_t GetPlanCount() const
    {
        return m_plans.size();
    }

    /** Forgets the selector and all plans. */
    void Clear();

  private:
    /**
     * Placement, parallel dimension, CollectiveRequest::offload and railOffload, NICs, and how many
     * a rank has.
     */
    using Shape =
        std::tuple<std::vector<uint32_t>, std::string, bool, bool, std::vector<uint32_t>, uint32_t>;
    /** \brief Compared by content; none comes first. */
    struct Sizes
    {
        std::shared_ptr<const SizeMatrix> matrix; //!< null for none

        /** \param other another \return whether this one comes before it */
        bool operator<(const Sizes& other) const
        {
            return matrix && other.matrix ? *matrix < *other.matrix
                                          : !matrix && other.matrix != nullptr;
        }
    };

    /** Shape, kind, bytes, element size, root, sizes, reduction. */
    using Key = std::tuple<uint32_t,
                           CollectiveKind,
                           uint64_t,
                           uint32_t,
                           uint32_t,
                           Sizes,
                           CollectiveReduction>;

    /**
     * \param request a request
     * \return its plan
     */
    PlannedCollective Make(const CollectiveRequest& request) const;

    /** Forgets plans with sizes that nobody plays if there are many: they may never come again. */
    void Tidy();

    /** \param group a group \return CollectiveRequest::offload */
    bool CanOffload(const CollectiveGroup& group) const;

    /** \param group a group \return CollectiveRequest::railOffload */
    bool CanOffloadRails(const CollectiveGroup& group) const;

    Ptr<CollectiveSelector> m_selector;       //!< chooses the algorithms
    Ptr<const MessageTransport> m_transport;  //!< carries the messages
    uint64_t m_proofBudget{0};                //!< see Configure()
    std::map<Shape, uint32_t> m_shapeNumbers; //!< number of each shape
    std::vector<const Shape*> m_shapes;       //!< by number
    std::map<Key, PlannedCollective> m_plans; //!< all plans
    std::size_t m_uneven{0};                  //!< how many of them have sizes
};

} // namespace ns3

#endif /* COLLECTIVE_PLAN_CACHE_H */
