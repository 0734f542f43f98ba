/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PINNED_SELECTOR_H
#define PINNED_SELECTOR_H

#include "ns3/collective-selector.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Takes the one algorithm that was pinned for the parallel dimension of the group.
 *
 * For programs that compare algorithms, with a group for each. Without pins it selects nothing, so
 * that attributes cannot name it.
 */
class PinnedSelector : public CollectiveSelector
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param parallel CollectiveGroup::parallel
     * \param algorithm an algorithm, created here with the defaults of its attributes
     */
    void Pin(const std::string& parallel, TypeId algorithm);

    /**
     * \param request a request
     * \return the algorithm pinned for it, null if there is none or it does not support the request,
     * and a protocol that costs nothing
     */
    CollectiveChoice Select(const CollectiveRequest& request) override;

  protected:
    void DoDispose() override;

  private:
    std::map<std::string, Ptr<CollectiveAlgorithm>> m_algorithms; //!< by parallel dimension
};

} // namespace ns3

#endif /* PINNED_SELECTOR_H */
