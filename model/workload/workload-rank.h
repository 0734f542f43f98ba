/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_RANK_H
#define WORKLOAD_RANK_H

#include "rank-time-account.h"
#include "sm-sharing.h"
#include "workload-observer.h"
#include "workload-program.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What all ranks of a workload share. */
struct WorkloadRun
{
    const Workload* workload{nullptr};        //!< what to do
    CollectiveService* service{nullptr};      //!< who communicates
    std::vector<WorkloadObserver*> observers; //!< who hears of it
    uint32_t iterations{1};                   //!< how often
    SmCost sms;                               //!< SMs that communication holds
    std::function<void()> rankFinished;       //!< called when a rank has done everything
};

/** \ingroup railyard \brief One iteration of one rank. */
struct WorkloadIteration
{
    uint32_t rank{0};            //!< rank
    Time start;                  //!< begin
    Time end;                    //!< end: all its streams are done
    WorkloadBreakdown breakdown; //!< how the rank spent it; adds up to end - start
};

/**
 * \ingroup railyard
 * \brief Runs a rank's program: the streams of one GPU.
 *
 * The streams behave like CUDA streams whose operations were all launched when the iteration
 * began: launching costs nothing here. State is touched only in events of the rank's own node,
 * whose id is the rank.
 *
 * While communication runs, kernels that compute have the SMs that it leaves (SmSharing), if
 * WorkloadRun::sms says that it holds any.
 *
 * A collective of a group of one rank is done at once, moves nothing, and is not told to the
 * CollectiveService.
 */
class WorkloadRank
{
  public:
    /**
     * \param rank the rank
     * \param run what the ranks share; must outlive this object
     */
    WorkloadRank(uint32_t rank, const WorkloadRun& run);

    /** Begins the first iteration; called in an event of the rank's node. */
    void Start();

    /** \return true if all iterations are done */
    bool IsFinished() const;

    /** \return the iterations that are done */
    const std::vector<WorkloadIteration>& GetIterations() const;

    /**
     * \param now present time
     * \return how the time since Start() was spent, all iterations together
     */
    WorkloadBreakdown GetBreakdown(Time now) const;

    /** \return operations done, all iterations together */
    uint64_t GetDoneCount() const;

    /**
     * \param family a family
     * \param part a stream
     * \return the number of the family's collectives on the stream that the rank has joined, all
     * iterations together
     */
    uint64_t GetJoinedCount(GroupFamily family, WorkloadPart part) const;

    /** An operation that keeps the rank from going on. */
    struct Standing
    {
        uint32_t iteration{0};                 //!< iteration
        const WorkloadStream* stream{nullptr}; //!< stream of the operation
        const WorkloadOp* op{nullptr};         //!< operation
        Time since;                            //!< when it began
    };

    /** \return where the rank stands; only if it is not finished */
    Standing GetStanding() const;

  private:
    /** State of a stream. */
    struct StreamState
    {
        uint32_t done{0};    //!< operations done in this iteration
        bool running{false}; //!< the next operation runs
        Time begin;          //!< when it began
    };

    /** Starts every operation that can start, until none can. */
    void Pump();

    /**
     * \param stream a stream that does not run
     * \return true if it has an operation and all that this waits for is done
     */
    bool CanStart(uint32_t stream) const;

    /**
     * \param wait an operation
     * \return true if it is done
     */
    bool IsDone(const WorkloadWait& wait) const;

    /** \param stream starts its next operation, which may be done on return */
    void StartNext(uint32_t stream);

    /**
     * \param stream stream that is to compute
     * \param work work
     */
    void StartWork(uint32_t stream, const ComputeWork& work);

    /**
     * \param stream stream that is to communicate
     * \param work work
     */
    void StartWork(uint32_t stream, const CollectiveWork& work);

    /**
     * \param stream stream that is to communicate
     * \param work work
     */
    void StartWork(uint32_t stream, const TransferWork& work);

    /** \param stream stream whose compute is done */
    void OnComputed(uint32_t stream);

    /** \return SMs that communication holds now */
    uint32_t CountTakenSms() const;

    /** Lets kernels that compute end when the SMs that they have now let them. */
    void Retime();

    /**
     * \param stream stream whose communication is done
     * \param communication what became of it
     */
    void OnCommunicated(uint32_t stream, const WorkloadCommunication& communication);

    /**
     * \param stream stream whose operation is done
     * \param begin begin of the operation, for observers
     * \param collective id of the collective in the results, -1 for none
     */
    void Complete(uint32_t stream, Time begin, int64_t collective);

    /** \return true if all streams are done */
    bool AtEnd() const;

    /** Closes an iteration and prepares the next one, if any. */
    void EndIteration();

    /**
     * \param stream a stream that is not done
     * \return the stream whose running operation it waits for in the end; itself if it runs
     */
    uint32_t FindRunning(uint32_t stream) const;

    /** \return the stream that keeps the rank from going on; only if not AtEnd() */
    uint32_t FindBlockingStream() const;

    /** \return what the rank spends its time on now */
    RankTimeAccount::Cause FindCause() const;

    /**
     * \param stream a stream that is not done
     * \return its next operation, which may run
     */
    const WorkloadOp& GetNext(uint32_t stream) const;

    /**
     * Tells the observers.
     * \param stream stream
     * \param op operation that is done
     * \param begin its begin
     * \param collective id of the collective in the results, -1 for none
     */
    void Report(uint32_t stream, const WorkloadOp& op, Time begin, int64_t collective) const;

    uint32_t m_rank;                             //!< the rank
    const WorkloadRun* m_run;                    //!< what the ranks share
    const WorkloadProgram* m_program;            //!< the rank's program
    std::vector<StreamState> m_streams;          //!< state of its streams
    RankTimeAccount m_account;                   //!< where its time goes
    Time m_iterationStart;                       //!< begin of the iteration
    std::vector<WorkloadIteration> m_iterations; //!< iterations done
    bool m_pumping{false};                       //!< Pump() is under way
    SmSharing m_kernels;                         //!< that compute, if communication holds SMs
    std::map<uint32_t, EventId> m_ends;          //!< their ends, by stream
};

} // namespace ns3

#endif /* WORKLOAD_RANK_H */
