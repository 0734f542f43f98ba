/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_OPTIONS_H
#define COLLECTIVE_OPTIONS_H

#include "scenario-options.h"

#include "ns3/scoped-defaults.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Options of scenarios with collectives: who chooses algorithms and protocols, by the names
 * that NCCL's environment variables have.
 *
 * `--selector=Nccl` chooses as NCCL does and lets ranks pay what its kernels cost. An option that
 * is named like a variable of NCCL chooses it, too, unless it is one of the transport (PXN).
 */
class CollectiveOptions : public ScenarioOptions
{
  public:
    using ScenarioOptions::ScenarioOptions;

  protected:
    /** Adds --selector and the options that are named like variables of NCCL. */
    void AddCollectives();

    /**
     * Sets what they stand for.
     * \param defaults gets the attributes
     * \return what the user should know, a line each
     */
    std::vector<std::string> ApplyCollectives(ScopedDefaults& defaults) const;

  private:
    /** \param defaults gets the selector, if one is chosen */
    void ApplySelector(ScopedDefaults& defaults) const;
    /** \param defaults gets what variables of NCCL say of PXN */
    void ApplyPxn(ScopedDefaults& defaults) const;
};

} // namespace ns3

#endif /* COLLECTIVE_OPTIONS_H */
