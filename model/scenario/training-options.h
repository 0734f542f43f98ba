/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TRAINING_OPTIONS_H
#define TRAINING_OPTIONS_H

#include "collective-options.h"
#include "training-run.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The options of a training scenario: those of ScenarioOptions, --workload, --tp, --pp,
 * --dp, --microBatch, --globalBatch, --iterations, --gpu, --kernelTable.
 *
 * Options that stand for an attribute (--iterations for ns3::WorkloadExecutor::Iterations, ...)
 * and --set of it are refused together; not given, the attribute holds.
 */
class TrainingOptions : public CollectiveOptions
{
  public:
    TrainingOptions();

    /**
     * Chooses engine and seed, sets the attributes that the command line asks for, and reads the
     * options; before anything else of ns-3 is used.
     * \return the run; a ConfigError if an option is wrong
     */
    TrainingRunOptions MakeRun() const;

  private:
    /** \param defaults gets the attributes that options of this class stand for */
    void ApplyAttributeOptions(ScopedDefaults& defaults) const;
};

} // namespace ns3

#endif /* TRAINING_OPTIONS_H */
