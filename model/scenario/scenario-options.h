/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SCENARIO_OPTIONS_H
#define SCENARIO_OPTIONS_H

#include "ns3/command-options.h"
#include "ns3/result-exit-status.h"
#include "ns3/scoped-defaults.h"
#include "ns3/type-id.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3
{

struct ScenarioRunOptions;

/**
 * \ingroup railyard
 * \brief Options that every scenario takes: --topology, --network, --congestionControl,
 * --loadBalancer, --engine, --seed, --stop, --set; those that write results also take --linkEvents,
 * --out and --csv.
 */
class ScenarioOptions : public CommandOptions
{
  public:
    /**
     * \param usage one line that says what the program does
     * \param topology default of --topology
     * \param congestionControl default of --congestionControl
     * \param out default of --out, empty for scenarios that write no results
     */
    ScenarioOptions(const std::string& usage,
                    const std::string& topology,
                    const std::string& congestionControl,
                    const std::string& out = "");

    /**
     * Chooses event engine and seed, and sets the attributes that were given; before anything else
     * of ns-3 is used.
     * \return what was set, to be kept until the simulation has ended
     */
    std::shared_ptr<ScopedDefaults> Apply() const;

    /**
     * The body of a main(): reads the command line and answers it, or does what Apply() does, has
     * the simulation end at --stop, and calls the scenario. Every exception becomes one line on
     * standard error and a status, see RunProgram().
     * \param argc number of arguments
     * \param argv the arguments
     * \param scenario builds and simulates
     * \return the status as main() returns it
     */
    int Run(int argc, char* argv[], const std::function<ExitStatus()>& scenario);

    /**
     * For scenarios that write results.
     * \param run gets topology, stop time, result folder and all options for the summary
     */
    void FillRun(ScenarioRunOptions& run) const;

    /** \return the longest simulated time, 0 for no limit */
    Time GetStopTime() const;

    /**
     * \param name short ("Dcqcn") or full ("ns3::DcqcnCongestionControl") name
     * \return the congestion control; a ConfigError lists those that exist
     */
    static TypeId FindCongestionControl(const std::string& name);

  protected:
    /** Adds --series, --seriesInterval, --seriesPorts and --seriesPairs. */
    void AddSeries();
    /** \param run gets the time series that were asked for */
    void FillSeries(ScenarioRunOptions& run) const;
    /**
     * A ConfigError if options of time series have no effect.
     * \param run has the time series that were asked for
     */
    void RequireSeriesInUse(const ScenarioRunOptions& run) const;
    /** \param attribute full name \return name of a network that uses it: packet if that does */
    static std::string FindUser(const std::string& attribute);
    /** A ConfigError if options or attributes are given that the network has no use for. */
    void RefuseUnused() const;
    /** A ConfigError if a network without packets was selected. */
    void RequirePackets() const;
    /** Chooses event engine, network and seed; before anything else of ns-3 is used. */
    void SelectEngine() const;
    /** \param defaults gets the load balancer of switches to come */
    void SetLoadBalancer(ScopedDefaults& defaults) const;
    /** \param type congestion control of NICs to come \param defaults gets it */
    static void SetCongestionControl(TypeId type, ScopedDefaults& defaults);

  private:
    /** Adds --engine, --seed and --stop. */
    void AddEngine();
};

} // namespace ns3

#endif /* SCENARIO_OPTIONS_H */
