/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TRAINING_RUN_H
#define TRAINING_RUN_H

#include "run-recorder.h"
#include "scenario-run.h"

#include "ns3/collective-engine-service.h"
#include "ns3/kernel-time-source.h"
#include "ns3/workload-executor.h"
#include "ns3/workload-program.h"

#include <memory>
#include <string>

namespace ns3
{

/** \ingroup railyard \brief What is to be simulated, and where the results go. */
struct TrainingRunOptions : ScenarioRunOptions
{
    std::string workload;    //!< file
    std::string kernelTable; //!< database, CSV file or folder; empty for the shipped one
    std::string gpu;         //!< GPU of the kernel table; empty for the topology's
    uint32_t iterations{1};  //!< iterations to run
};

/**
 * \ingroup railyard
 * \brief One run of a training workload on a cluster: from files to results.
 *
 * \code
 *   FabricEngine::Select("fabric");
 *   TrainingRun run(options);
 *   RunSummary summary = run.Run();
 * \endcode
 *
 * Everything is read and checked by the constructor; a ConfigError leaves nothing behind.
 */
class TrainingRun : public ScenarioRun
{
  public:
    /** \param options what to simulate */
    explicit TrainingRun(const TrainingRunOptions& options);
    ~TrainingRun() override;

    /** \return the workload that the product ships: GPT-7B on 16 GPUs */
    static std::string GetShippedWorkload();

  protected:
    // From ScenarioRun.
    uint32_t GetRankCount() const override;
    void Start() override;
    double GetFractionDone() const override;
    void RecordEnd() override;
    void Complete(RunSummary& summary) const override;

  private:
    /** Reads the workload and resolves its kernels. */
    void LoadWorkload();
    /** Refuses compute times that the simulated time has no room for. */
    void RequireRepresentableTimes() const;
    /** Warns of options that nothing depends on; before PrepareSms(). */
    void WarnOfUnused();
    /** Warns where tensor parallel groups have to leave the server. */
    void WarnOfGroups();
    /** Gives the executor the SMs of the GPU, if communication holds some of them. */
    void PrepareSms();
    /** \param summary gets iteration time and breakdown */
    void AddIterations(RunSummary& summary) const;
    /** \param summary gets the verdict, and what did not finish */
    void AddVerdict(RunSummary& summary) const;

    TrainingRunOptions m_options;                       //!< what to simulate
    std::shared_ptr<Workload> m_workload;               //!< what the ranks do
    std::string m_gpu;                                  //!< the GPU, empty if nobody names one
    Ptr<KernelTimeSource> m_kernels;                    //!< kernel times, if asked for
    Ptr<CollectiveEngine> m_collectives;                //!< plays the plans
    std::unique_ptr<CollectiveEngineService> m_service; //!< for the workload
    Ptr<WorkloadExecutor> m_executor;                   //!< runs the workload
    std::unique_ptr<RunRecorder> m_recorder;            //!< to the results
};

} // namespace ns3

#endif /* TRAINING_RUN_H */
