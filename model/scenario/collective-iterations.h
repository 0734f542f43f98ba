/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_ITERATIONS_H
#define COLLECTIVE_ITERATIONS_H

#include "ns3/collective-engine.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What a rank launches as one kernel in an iteration. */
struct CollectiveIterationsStep
{
    std::vector<uint32_t> groups; //!< of the collective engine; all of them do it at a time
    uint64_t bytes{0};            //!< CollectiveCall::bytes
};

/** \ingroup railyard \brief A collective that is done several times, one behind the other. */
struct CollectiveIterationsWork
{
    CollectiveCall call; //!< what a rank asks for; its group and bytes are not used
    std::vector<CollectiveIterationsStep> steps; //!< of an iteration, at least one; a rank begins
                                                 //!< one when it is done with that before
    uint32_t warmUps{0};                         //!< iterations before those that are timed
    uint32_t iterations{1};                      //!< timed iterations, at least one
    bool isBlocking{false}; //!< all ranks wait for the last one between iterations
};

/** \ingroup railyard \brief An iteration of one rank. */
struct CollectiveIterationSpan
{
    uint32_t rank{0};      //!< the rank
    int64_t iteration{-1}; //!< number of the timed iteration, from 0; -1 for warm-up
    Time begin;            //!< it entered
    Time end;              //!< its part was done
};

/**
 * \ingroup railyard
 * \brief Has all ranks do a collective again and again, as nccl-tests times it.
 *
 * All ranks enter at the same time and do the warm-up iterations; when the last of them is done,
 * all enter again for the timed ones. A rank enters an iteration as soon as its own part of the one
 * before is done, as kernels on a CUDA stream do; or, if the work is blocking, when all parts are.
 * The collectives of an iteration are one kernel of a rank, as nccl-tests groups sends and
 * receives.
 */
class CollectiveIterations
{
  public:
    /** Told when all timed iterations are done: when they began, and when the last rank ended. */
    using Done = std::function<void(Time start, Time end)>;

    /**
     * \param engine carries out the collectives
     * \param ranks number of ranks, from 0
     */
    CollectiveIterations(Ptr<CollectiveEngine> engine, uint32_t ranks);

    /** \param observer hears of every iteration of a rank that has ended */
    void SetObserver(std::function<void(const CollectiveIterationSpan&)> observer);

    /**
     * To be called in an event, when no work is under way.
     * \param work what to do
     * \param done called in an event of the rank that was the last
     */
    void Start(const CollectiveIterationsWork& work, Done done);

    /** \return whether work is under way */
    bool IsActive() const
    {
        return m_active > 0;
    }

    /** \return how far the work is that is under way: "timed iteration 2 of 5 of ranks 0-3" */
    std::string Describe() const;

  private:
    /** What a rank is doing. */
    struct Rank
    {
        std::vector<std::vector<CollectiveCall>> steps; //!< what it joins in each step
        std::size_t step{0};                            //!< of the iteration under way
        uint32_t begun{0};                              //!< iterations
        bool isPending{false}; //!< the iteration that begun counts last is under way
        Time begin;            //!< of the iteration under way
    };

    /** \param isTimed warm-up is over; all ranks enter */
    void StartPhase(bool isTimed);
    /** All ranks enter their next iteration. */
    void JoinAll();
    /** \param rank enters its next iteration */
    void Join(uint32_t rank);
    /** \param rank launches the next step of its iteration, or is done with all */
    void Launch(uint32_t rank);
    /** \param rank is done with its iteration */
    void RankDone(uint32_t rank);
    /** No rank has anything left to do without the others. */
    void AllDone();

    /** \return iterations of the phase */
    uint32_t GetCount() const
    {
        return m_isTimed ? m_work.iterations : m_work.warmUps;
    }

    Ptr<CollectiveEngine> m_engine;  //!< carries out the collectives
    std::vector<Rank> m_ranks;       //!< by rank
    CollectiveIterationsWork m_work; //!< under way
    Done m_done;                     //!< told of its end
    bool m_isTimed{false};           //!< warm-up is over
    uint32_t m_active{0};            //!< ranks that have something to do without the others
    Time m_start;                    //!< of the phase
    std::function<void(const CollectiveIterationSpan&)> m_observer; //!< hears of iterations
};

} // namespace ns3

#endif /* COLLECTIVE_ITERATIONS_H */
