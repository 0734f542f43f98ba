/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TRAINING_RUN_H
#define TRAINING_RUN_H

#include "cluster.h"
#include "run-recorder.h"

#include "ns3/collective-engine-service.h"
#include "ns3/kernel-performance-source.h"
#include "ns3/progress-reporter.h"
#include "ns3/result-folder.h"
#include "ns3/workload-executor.h"
#include "ns3/workload-program.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What is to be simulated, and where the results go. */
struct TrainingRunOptions
{
    std::string workload;      //!< file
    std::string topology;      //!< file or template
    std::string kernelTable;   //!< database, CSV file or folder; empty for the shipped one
    std::string gpu;           //!< GPU of the kernel table; empty for the topology's
    uint32_t iterations{1};    //!< iterations to run
    Time stopTime;             //!< end of the simulation at the latest, 0 for no limit
    ResultFolderOptions results; //!< what to write, and where
    std::vector<std::pair<std::string, std::string>> input; //!< options as given, for the summary
};

/**
 * \ingroup railyard
 * \brief One run of a training workload on a packet-level cluster: from files to results.
 *
 * \code
 *   FabricEngine::Select("fabric");
 *   TrainingRun run(options);
 *   RunSummary summary = run.Run();
 * \endcode
 *
 * Everything is read and checked by the constructor; a ConfigError leaves nothing behind.
 */
class TrainingRun
{
  public:
    /** \param options what to simulate */
    explicit TrainingRun(const TrainingRunOptions& options);
    ~TrainingRun();
    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    /** \return the summary, as written to the result folder; to be called once */
    RunSummary Run();

    /** \return the workload that the product ships: GPT-7B on 16 GPUs */
    static std::string GetShippedWorkload();

    /** \return the folder of the results */
    const std::string& GetResultPath() const;

    /** \return what runs the workload, for observers of one's own */
    WorkloadExecutor& GetExecutor()
    {
        return *m_executor;
    }

    /** \return what carries out the collectives, for observers of one's own */
    CollectiveEngine& GetCollectives()
    {
        return *m_collectives;
    }

    /** \return the simulated cluster */
    Cluster& GetCluster()
    {
        return *m_cluster;
    }

  private:
    /** Reads the workload and resolves its kernels. */
    void LoadWorkload();
    /** Sets up what reports progress. */
    void StartProgress();
    /** \param wallSeconds of the simulation \return the summary of what happened */
    RunSummary MakeSummary(double wallSeconds) const;
    /** \param summary gets iteration time and breakdown */
    void AddIterations(RunSummary& summary) const;
    /** \param summary gets what did not finish, and whether bytes were conserved */
    void AddVerdict(RunSummary& summary) const;
    /** Records ranks, links and what did not finish. */
    void RecordEnd();

    TrainingRunOptions m_options;                     //!< what to simulate
    Topology m_topology;                              //!< cluster as data
    std::shared_ptr<Workload> m_workload;             //!< what the ranks do
    Ptr<KernelPerformanceSource> m_kernels;           //!< kernel times, if asked for
    std::unique_ptr<ResultFolder> m_results;          //!< where results go
    std::unique_ptr<Cluster> m_cluster;               //!< simulated cluster
    Ptr<CollectiveEngine> m_collectives;              //!< plays the plans
    std::unique_ptr<CollectiveEngineService> m_service; //!< for the workload
    Ptr<WorkloadExecutor> m_executor;                 //!< runs the workload
    std::unique_ptr<RunRecorder> m_recorder;          //!< to the results
    ProgressReporter m_progress;                      //!< to the terminal
};

} // namespace ns3

#endif /* TRAINING_RUN_H */
