/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_BENCH_OPTIONS_H
#define COLLECTIVE_BENCH_OPTIONS_H

#include "collective-bench-run.h"
#include "collective-options.h"

#include <string_view>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The command line of a benchmark of collectives: the options of nccl-tests, with its
 * letters, and those of ScenarioOptions.
 */
class CollectiveBenchOptions : public CollectiveOptions
{
  public:
    CollectiveBenchOptions();

    /**
     * Chooses engine and seed, sets the attributes that the command line asks for, and reads the
     * options; before anything else of ns-3 is used.
     * \return the run; a ConfigError if an option is wrong
     */
    CollectiveBenchRunOptions MakeRun() const;

  protected:
    bool ComparesProtocols() const override;

  private:
    /** \param what algorithm or protocol \return whether --compare names it */
    bool Compares(std::string_view what) const;
    /** Adds the options that nccl-tests has. */
    void AddNcclOptions();
    /** \param run has the operation, gets how its sizes are spread over pairs of ranks */
    void ReadShares(CollectiveBenchRunOptions& run) const;
    /** \return the sizes; a ConfigError if there are none */
    NcclSizeRange ReadSizes() const;
    /** \param run gets how many GPUs take part */
    void ReadGpus(CollectiveBenchRunOptions& run) const;
    /** \param run has the type, gets the operation */
    void ReadOperation(CollectiveBenchRunOptions& run) const;
    /** \param run gets what is compared, and the names of algorithms and protocols */
    void ReadContest(CollectiveBenchRunOptions& run) const;
    /** \param run gets notes of what has no effect */
    void NoteDirect(CollectiveBenchRunOptions& run) const;
};

} // namespace ns3

#endif /* COLLECTIVE_BENCH_OPTIONS_H */
