/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_SELECTOR_H
#define COLLECTIVE_SELECTOR_H

#include "collective-algorithm.h"
#include "collective-protocol.h"

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3
{

/** \ingroup collective \brief How a request is to be carried out. */
struct CollectiveChoice
{
    Ptr<CollectiveAlgorithm> algorithm; //!< null if none supports the request
    CollectiveProtocol protocol;        //!< how chunks are exchanged
};

/** \ingroup collective \brief Which restriction leaves a selector nothing to choose. */
struct CollectiveRefusal
{
    std::string option;   //!< what restricts, as an option is named; empty if nothing does
    std::string value;    //!< its value
    std::string expected; //!< what it should be instead, as a phrase
};

/**
 * \ingroup collective
 * \brief Chooses the algorithm and the protocol for a request. Attribute Selector of
 * CollectiveEngine names one.
 */
class CollectiveSelector : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Equal requests and attributes give the same choice.
     * \param request a request
     * \return algorithm and protocol
     */
    virtual CollectiveChoice Select(const CollectiveRequest& request) = 0;

    /**
     * \param request a request for which Select() has no algorithm
     * \return why, if it is a restriction that somebody asked for
     */
    virtual CollectiveRefusal Explain(const CollectiveRequest& request);
};

} // namespace ns3

#endif /* COLLECTIVE_SELECTOR_H */
