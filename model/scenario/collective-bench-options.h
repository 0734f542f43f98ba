/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_BENCH_OPTIONS_H
#define COLLECTIVE_BENCH_OPTIONS_H

#include "collective-bench-run.h"
#include "collective-options.h"

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

  private:
    /** Adds the options that nccl-tests has. */
    void AddNcclOptions();
    /** \return the sizes; a ConfigError if there are none */
    NcclSizeRange ReadSizes() const;
    /** \param run gets how many GPUs take part */
    void ReadGpus(CollectiveBenchRunOptions& run) const;
    /** \param run gets what is compared, and the names of algorithms */
    void ReadAlgorithms(CollectiveBenchRunOptions& run) const;
};

} // namespace ns3

#endif /* COLLECTIVE_BENCH_OPTIONS_H */
