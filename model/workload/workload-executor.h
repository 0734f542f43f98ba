/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_EXECUTOR_H
#define WORKLOAD_EXECUTOR_H

#include "workload-rank.h"

#include "ns3/object.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief How a rank spent a run. */
struct WorkloadRankResult
{
    bool finished{false};        //!< did all its iterations
    Time end;                    //!< when it did; of an unfinished rank, the end of the run
    WorkloadBreakdown breakdown; //!< adds up to the run's end - start
};

/** \ingroup railyard \brief What became of a run. */
struct WorkloadResult
{
    bool finished{false}; //!< all ranks did all their iterations
    Time start;           //!< begin of the run
    Time end;             //!< when the last rank finished; if not all did, the present time
    /**
     * Iterations that all ranks did. Each stands for the rank that ended it last, of several the
     * lowest. Ranks do not wait for each other between iterations.
     */
    std::vector<WorkloadIteration> iterations;
    std::vector<WorkloadRankResult> ranks; //!< by rank
};

/**
 * \ingroup railyard
 * \brief Runs a Workload: every rank its program, as often as Iterations says.
 *
 * Modelled: CUDA-like streams (see WorkloadRank) of compute and communication, so that exactly what
 * the streams allow is overlapped; if attributes CollectiveSms or TransferSms say so, kernels that
 * slow down while a communication holds SMs of the same GPU (SmSharing). Not modelled: the time to
 * launch operations, and memory.
 *
 * The executor and everything given to it must outlive the simulation.
 */
class WorkloadExecutor : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();
    WorkloadExecutor();
    ~WorkloadExecutor() override;

    /**
     * \param workload what to do; its kernels must have been resolved
     */
    void SetWorkload(std::shared_ptr<const Workload> workload);

    /**
     * \return the SMs that communication holds, by attributes GpuSms, CollectiveSms and TransferSms
     */
    SmCost GetSmCost() const
    {
        return {m_gpuSms, m_collectiveSms, m_transferSms};
    }

    /** \param service who communicates, not owned */
    void SetCollectiveService(CollectiveService* service);

    /** \param observer who hears of every operation, not owned */
    void AddObserver(WorkloadObserver* observer);

    /** \param finished called once, when the last rank has done everything */
    void SetFinishedCallback(std::function<void()> finished);

    /** Schedules the begin of every rank's first iteration, now. To be called once. */
    void Start();

    /** \return true if all ranks did all their iterations */
    bool IsFinished() const;

    /** \return operations done, of all ranks and iterations, between 0 and GetOpCount() */
    uint64_t GetDoneCount() const;

    /** \return operations to be done by all ranks in all iterations */
    uint64_t GetOpCount() const;

    /** \return what became of the run up to now */
    WorkloadResult GetResult() const;

    /**
     * \return one line for every rank that is not finished: at which operation it stands and whom
     * it waits for
     */
    std::vector<std::string> DescribeUnfinished() const;

  protected:
    void DoDispose() override;

  private:
    /** A rank finished. */
    void RankFinished();

    /** \param rank a rank that is not finished \return the operation at which it stands */
    std::string DescribePlace(uint32_t rank) const;
    /** \param rank a rank that is not finished \return what it does or waits for there */
    std::string DescribeWait(uint32_t rank) const;

    /**
     * \param rank a rank that stands at a collective
     * \param work the collective
     * \return whom it waits for
     */
    std::string DescribeCollective(uint32_t rank, const CollectiveWork& work) const;

    /**
     * \param rank a rank that stands at a message
     * \param work the message
     * \return whom it waits for
     */
    std::string DescribeTransfer(uint32_t rank, const TransferWork& work) const;

    uint32_t m_iterations;                      //!< number of iterations
    uint32_t m_gpuSms;                          //!< attribute GpuSms
    uint32_t m_collectiveSms;                   //!< attribute CollectiveSms
    uint32_t m_transferSms;                     //!< attribute TransferSms
    std::shared_ptr<const Workload> m_workload; //!< what to do
    WorkloadRun m_run;                          //!< what the ranks share
    std::deque<WorkloadRank> m_ranks;           //!< by rank
    std::function<void()> m_finished;           //!< called at the end
    Time m_start;                               //!< begin of the run
    uint32_t m_finishedRanks{0};                //!< ranks that did everything
};

} // namespace ns3

#endif /* WORKLOAD_EXECUTOR_H */
