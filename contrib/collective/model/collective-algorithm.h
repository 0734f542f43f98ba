/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_ALGORITHM_H
#define COLLECTIVE_ALGORITHM_H

#include "collective-plan.h"
#include "collective-request.h"

#include "ns3/object.h"

#include <string>

namespace ns3
{

/** \ingroup collective \brief Bounds of an amount of data. */
struct ByteRange
{
    uint64_t min{0}; //!< at least so many bytes
    uint64_t max{0}; //!< at most so many bytes
};

/**
 * \ingroup collective
 * \brief Turns requests into plans. It says what it supports; choosing is a CollectiveSelector's
 * job, and every plan is played by CollectiveEngine.
 *
 * A new algorithm is a class with a TypeId, a constructor without arguments and the three virtual
 * methods; nothing else is edited. Its plans have to pass CollectivePlanVerifier.
 */
class CollectiveAlgorithm : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param request a request
     * \return true if Plan() has a plan for it
     */
    virtual bool Supports(const CollectiveRequest& request) const = 0;

    /**
     * Equal requests and attributes give equal plans.
     * \param request a request that is supported
     * \return the plan; an empty one if the request is empty
     */
    CollectivePlan Plan(const CollectiveRequest& request) const;

    /**
     * The closed form that the proof holds a plan against.
     * \param request a request that is supported and not empty
     * \param rank a group rank
     * \return how much payload the rank sends
     */
    virtual ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const = 0;

    /**
     * \param request a request that is supported and not empty
     * \return the protocol that the plan is made for, which ranks use unless the selector chooses
     * one: "LL", "LL128", "Simple"; empty, as it is here, if it is made for any
     */
    virtual std::string GetProtocolName(const CollectiveRequest& request) const;

  private:
    /**
     * \param request a request that is supported and not empty
     * \return the plan
     */
    virtual CollectivePlan DoPlan(const CollectiveRequest& request) const = 0;
};

} // namespace ns3

#endif /* COLLECTIVE_ALGORITHM_H */
