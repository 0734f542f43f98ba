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
 * `--selector=Nccl` chooses as NCCL does and lets ranks pay what its kernels cost. `--protocol` and
 * options that are named like variables of NCCL choose it, too, unless they say something of NICs
 * and the ways between them (PXN, NCCL_IB_MERGE_NICS), which goes with any selector. So do
 * MSCCL_XML_FILES and MSCCL_ALGO_DIR, which give it algorithms to play.
 * doc/collective-bench.md has the rules by which they go together.
 */
class CollectiveOptions : public ScenarioOptions
{
  public:
    using ScenarioOptions::ScenarioOptions;

  protected:
    /** \return the protocols of --protocol, as NCCL writes them; a ConfigError if one is unknown */
    std::vector<std::string> ReadProtocols() const;

    /** \return whether protocols stand side by side, so that --protocol may name several */
    virtual bool ComparesProtocols() const;

    /** Adds --selector and the options that are named like variables of NCCL. */
    void AddCollectives();

    /**
     * Sets what they stand for.
     * \param defaults gets the attributes
     * \return what the user should know, a line each
     */
    std::vector<std::string> ApplyCollectives(ScopedDefaults& defaults) const;

  private:
    /**
     * \param wantsNccl whether an option asks for what NcclSelector alone can do
     * \param defaults gets the selector, if one is chosen
     */
    void ApplySelector(bool wantsNccl, ScopedDefaults& defaults) const;
};

} // namespace ns3

#endif /* COLLECTIVE_OPTIONS_H */
