/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "cluster.h"
#include "port-taps.h"
#include "series-collector.h"

#include "ns3/link-event-player.h"
#include "ns3/progress-reporter.h"
#include "ns3/result-folder.h"
#include "ns3/scoped-defaults.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What every run on a cluster is given. */
struct ScenarioRunOptions
{
    std::string topology;        //!< file or template
    std::string linkEvents;      //!< file of link events, empty for none
    Time stopTime;               //!< end of the simulation at the latest, 0 for no limit
    ResultFolderOptions results; //!< what to write, and where
    SeriesOptions series;        //!< time series to record
    std::vector<std::pair<std::string, std::string>> input; //!< options in effect, for the summary
    std::shared_ptr<ScopedDefaults> defaults; //!< of attributes, kept until the run has ended
    std::vector<std::string> warnings;        //!< for the summary, from reading the options
    std::vector<std::string> notes;           //!< for the summary, from reading the options
    std::vector<ConfigurationKey> configuration; //!< for the summary
};

/**
 * \ingroup railyard
 * \brief One simulation on a cluster, from a topology to a result folder: what is the
 * same whatever the traffic.
 *
 * A derived class reads and checks its input in its constructor, where a ConfigError leaves nothing
 * behind, calls BuildCluster() and, as the last step that can fail, OpenResults().
 */
class ScenarioRun
{
  public:
    virtual ~ScenarioRun();
    ScenarioRun(const ScenarioRun&) = delete;
    ScenarioRun& operator=(const ScenarioRun&) = delete;

    /**
     * Simulates. SIGINT, SIGTERM, SIGHUP and SIGQUIT end the simulation behind the event that runs;
     * the results so far are written, with verdict "interrupted".
     * \return the summary, as written to the result folder; to be called once
     */
    RunSummary Run();

    /** \return the folder of the results */
    const std::string& GetResultPath() const;

    /** \return the simulated cluster */
    Cluster& GetCluster()
    {
        return *m_cluster;
    }

  protected:
    /** \param options what to simulate; the topology is loaded */
    explicit ScenarioRun(const ScenarioRunOptions& options);

    /** \param events happen to the links, beside those of the file; before BuildCluster() */
    void AddLinkEvents(const std::vector<LinkEvent>& events);

    /** Builds the cluster of the topology. */
    void BuildCluster();
    /** Makes the result folder. */
    void OpenResults();

    /**
     * Says in the summary what an option came to, given or not.
     * \param name the option
     * \param value what holds; of a shipped file the path within the source folder
     */
    void SetInput(const std::string& name, const std::string& value);
    /** \param name an option that has no meaning in this run, and no place in the summary */
    void RemoveInput(const std::string& name);
    /** \param more some lines \param lines gets those that it does not have */
    static void AddMissing(const std::vector<std::string>& more, std::vector<std::string>& lines);
    /** \param warning for the summary */
    void AddWarning(const std::string& warning);

    /** \return the topology, to be changed; before BuildCluster() */
    Topology& EditTopology();

    /**
     * \return the topology; from BuildCluster() on that of the cluster, which knows the NICs in
     * use: do not keep the reference that far
     */
    const Topology& GetTopology() const
    {
        return m_cluster ? m_cluster->GetTopology() : m_topology;
    }

    /** \copydoc GetCluster */
    const Cluster& GetCluster() const
    {
        return *m_cluster;
    }

    /** \return where to record, after OpenResults() */
    ResultFolder& GetResults()
    {
        return *m_results;
    }

    /** Takes the line of progress from the terminal, so that other text can follow. */
    void HideProgress()
    {
        m_progress.Finish();
    }

    /** \return the taps of ports, taken off when the simulation has ended */
    PortTaps& GetTaps()
    {
        return m_taps;
    }

    /** \return number of ranks, on GPUs 0 to this less one */
    virtual uint32_t GetRankCount() const = 0;
    /** Starts the traffic; called before the simulation. */
    virtual void Start() = 0;
    /** \return share of the work that is done, 0 to 1 */
    virtual double GetFractionDone() const = 0;
    /** Records what is known at the end only. */
    virtual void RecordEnd() = 0;
    /**
     * Adds what the derived class knows: verdict, who waits for what, numbers, notes.
     * \param summary has the network's counters already
     */
    virtual void Complete(RunSummary& summary) const = 0;

  private:
    /** Sets up what reports progress. */
    void StartProgress();
    /** Runs the events. */
    void Simulate();
    /** A ConfigError if something was asked for that only a network of packets has. */
    void RefusePacketInput() const;
    /** Records the nodes of the topology, and the ranks on them. */
    void RecordNodes();
    /** \param event of a link, which goes to the results */
    void RecordLinkEvent(const LinkEvent& event);
    /** \return the summary of what happened */
    RunSummary MakeSummary() const;
    /** \param summary becomes unfinished if bytes or packets were not conserved */
    void CheckConservation(RunSummary& summary) const;
    /** \param summary of an unfinished run; gets a line behind failures if --stop is why */
    void AddStop(RunSummary& summary) const;
    /** \param summary becomes interrupted \param signal name of the signal that ended the run */
    static void AddInterrupt(RunSummary& summary, const std::string& signal);

    ScenarioRunOptions m_scenario;            //!< as given
    Topology m_topology;                      //!< cluster as data, until there is one
    std::unique_ptr<SeriesCollector> m_series; //!< of packets, outlives the cluster; or none
    std::unique_ptr<Cluster> m_cluster;       //!< simulated cluster
    PortTaps m_taps;                          //!< of its ports
    std::vector<LinkEvent> m_linkEvents;      //!< what happens to links, by time
    std::unique_ptr<LinkEventPlayer> m_links; //!< lets it happen
    std::unique_ptr<ResultFolder> m_results;  //!< where results go
    ProgressReporter m_progress;              //!< to the terminal
    double m_wallSeconds{0};                  //!< wall time of the simulation
};

} // namespace ns3

#endif /* SCENARIO_RUN_H */
