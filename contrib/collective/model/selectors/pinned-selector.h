/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PINNED_SELECTOR_H
#define PINNED_SELECTOR_H

#include "nccl-selector.h"

#include "ns3/collective-selector.h"

#include <map>
#include <optional>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Takes what was pinned for the parallel dimension of the group: an algorithm, and perhaps a
 * protocol.
 *
 * For programs that compare them, with a group for each. Without pins it selects nothing, so that
 * attributes cannot name it.
 */
class PinnedSelector : public CollectiveSelector
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param costs chooses what is not pinned, by what the kernels of NCCL cost, and lets ranks pay
     * that. Without it, and without this call, algorithms alone can be pinned and cost nothing.
     */
    void SetCosts(Ptr<NcclSelector> costs);

    /**
     * \param parallel CollectiveGroup::parallel
     * \param algorithm an algorithm, made with the defaults of its attributes; none: any
     * \param protocol NCCL's name of a protocol; empty: any
     */
    void Pin(const std::string& parallel,
             std::optional<TypeId> algorithm,
             const std::string& protocol = "");

    /**
     * \param request a request
     * \return what is pinned for it, with the costs of its kernels where SetCosts() gave them; null
     * if nothing is, if the algorithm does not support the request, or if no costs are known of it
     */
    CollectiveChoice Select(const CollectiveRequest& request) override;

    CollectiveRefusal Explain(const CollectiveRequest& request) override;

  protected:
    void DoDispose() override;

  private:
    /** \brief What is pinned for a parallel dimension. */
    struct Pinned
    {
        NcclSelector::Pin pin;         //!< with costs
        Ptr<CollectiveAlgorithm> free; //!< without, null for any
    };

    std::map<std::string, Pinned> m_pins; //!< by parallel dimension
    Ptr<NcclSelector> m_costs;            //!< see SetCosts(), null for none
};

} // namespace ns3

#endif /* PINNED_SELECTOR_H */
