/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SCENARIO_OPTIONS_H
#define SCENARIO_OPTIONS_H

#include "ns3/command-options.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Options that every packet-level scenario takes: --topology, --congestionControl,
 * --engine, --seed, --out, --csv, --stop, --set.
 */
class ScenarioOptions : public CommandOptions
{
  public:
    /**
     * \param usage one line that says what the program does
     * \param topology default of --topology
     * \param congestionControl default of --congestionControl
     * \param out default of --out
     */
    ScenarioOptions(const std::string& usage,
                    const std::string& topology,
                    const std::string& congestionControl,
                    const std::string& out);

    /**
     * Chooses event engine and seed, and sets the attributes that were given; before anything else
     * of ns-3 is used.
     */
    void Apply() const;

    /** \return the longest simulated time, 0 for no limit */
    Time GetStopTime() const;

    /**
     * \param name short ("Dcqcn") or full ("ns3::DcqcnCongestionControl") name
     * \return the full name of a congestion control; a ConfigError lists those that exist
     */
    static std::string GetCongestionControl(const std::string& name);

  protected:
    /** Chooses event engine and seed; before anything else of ns-3 is used. */
    void SelectEngine() const;
    /** \param type full name of the congestion control of NICs to come */
    static void SetCongestionControl(const std::string& type);
};

} // namespace ns3

#endif /* SCENARIO_OPTIONS_H */
