/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_OPTIONS_H
#define FLOW_OPTIONS_H

#include "flow-run.h"
#include "hpcc-defaults.h"
#include "scenario-options.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The options of a scenario of flows: those of ScenarioOptions, --flows, --config,
 * --series..., --qlen, --pcap, --hpccOutput, --sizes, and those of TrafficOptions.
 */
class FlowOptions : public ScenarioOptions
{
  public:
    FlowOptions();

    /**
     * Chooses engine and seed, sets the attributes that configuration file and command line ask
     * for (the command line wins), and reads the options; before anything else of ns-3 is used.
     * \return the run; a ConfigError if an option or the configuration file is wrong
     */
    FlowRunOptions MakeRun() const;

  private:
    /** \param run gets the configuration file and what it says */
    void ReadConfig(FlowRunOptions& run) const;
    /**
     * \param run gets what the configuration says of options that are not given
     * \param findings gets the keys that have no effect because they are
     */
    void ReadConfigOptions(FlowRunOptions& run, HpccFindings& findings) const;
    /**
     * \param config a configuration that has been applied
     * \param findings gets the constants that have no effect because of --set
     */
    void NoteConstants(const HpccConfig& config, HpccFindings& findings) const;
    /** \param run gets the time series of --series and --qlen */
    void FillQueues(FlowRunOptions& run) const;
    /** \return the limits of --sizes */
    std::vector<uint64_t> GetSizeLimits() const;
};

} // namespace ns3

#endif /* FLOW_OPTIONS_H */
