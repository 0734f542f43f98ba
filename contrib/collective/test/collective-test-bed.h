/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_TEST_BED_H
#define COLLECTIVE_TEST_BED_H

#include "latency-transport.h"

#include "ns3/collective-algorithm.h"
#include "ns3/collective-engine.h"
#include "ns3/collective-observer.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \param servers how many ranks stand in each server
 * \return the server of each rank
 */
std::vector<uint32_t> PlaceRanks(const std::vector<uint32_t>& servers);

/** \ingroup tests \return one of each registered algorithm, with default attributes */
std::vector<Ptr<CollectiveAlgorithm>> MakeAllAlgorithms();

/**
 * \ingroup tests
 * Gives an uneven all-to-all skewed sizes: many of nothing, few of much, none for some ranks.
 * \param request the request, its bytes become the mean of the sizes
 */
void SetSizes(CollectiveRequest& request);

/**
 * \ingroup tests
 * \param kind a kind; an uneven all-to-all gets skewed sizes
 * \param servers how many ranks stand in each server
 * \param bytes size of the operand
 * \param elementBytes size of an element
 * \return the request, for which the network does nothing but carry messages
 */
CollectiveRequest MakeRequest(CollectiveKind kind,
                              const std::vector<uint32_t>& servers,
                              uint64_t bytes,
                              uint32_t elementBytes = 1);

/**
 * \ingroup tests
 * \param group a group
 * \param kind a kind
 * \param bytes size of the operand
 * \return the call
 */
CollectiveCall MakeCall(uint32_t group, CollectiveKind kind, uint64_t bytes);

/**
 * \ingroup tests
 * \brief An observer that keeps everything it hears.
 */
class CollectiveRecorder : public CollectiveObserver
{
  public:
    /** \brief A message and its collective. */
    struct Entry
    {
        uint64_t collective;       //!< CollectiveInstance::id
        CollectiveMessage message; //!< the message
    };

    void MessageStarted(const CollectiveInstance& instance,
                        const CollectiveMessage& message) override;
    void MessageEnded(const CollectiveInstance& instance,
                      const CollectiveMessage& message) override;
    void RankJoined(const CollectiveInstance& instance, uint32_t rank) override;
    void RankDone(const CollectiveInstance& instance, uint32_t rank, Time joined) override;
    void CollectiveEnded(const CollectiveInstance& instance) override;

    /** \return everything heard as text, to compare runs */
    std::string GetFingerprint() const;

    std::vector<Entry> started;             //!< MessageStarted()
    std::vector<Entry> ended;               //!< MessageEnded()
    std::vector<CollectiveInstance> closed; //!< CollectiveEnded()
    uint64_t joins{0};                      //!< RankJoined()
    uint64_t leaves{0};                     //!< RankDone()
};

/**
 * \ingroup tests
 * \brief An engine over a LatencyTransport, and a recorder; one simulation.
 */
class CollectiveTestBed
{
  public:
    /**
     * \param ranks the number of ranks
     * \param rate of each
     * \param latency of the first byte of a message
     */
    CollectiveTestBed(uint32_t ranks, const std::string& rate, const std::string& latency);
    ~CollectiveTestBed();

    /**
     * \param servers how many ranks stand in each server; the group has all ranks in order
     * \return the number of the group
     */
    uint32_t AddGroup(const std::vector<uint32_t>& servers);

    /**
     * Every rank of the group joins at the present time.
     * \param call what to do
     */
    void JoinAll(const CollectiveCall& call);

    /**
     * One rank joins later.
     * \param at when
     * \param rank the rank
     * \param call what to do
     */
    void JoinAt(Time at, uint32_t rank, const CollectiveCall& call);

    /**
     * Runs the simulation to its end.
     * \return the last collective that ended
     */
    CollectiveInstance Run();

    /**
     * Runs one collective of all ranks to its end, and expects it to end.
     * \param servers how many ranks stand in each server
     * \param kind a kind
     * \param bytes size of the operand
     * \return what happened
     */
    CollectiveInstance RunOne(const std::vector<uint32_t>& servers,
                              CollectiveKind kind,
                              uint64_t bytes);

    Ptr<LatencyTransport> transport; //!< carries the messages
    Ptr<CollectiveEngine> engine;    //!< under test
    CollectiveRecorder recorder;     //!< observes it
    uint64_t done{0};                //!< ranks told that they are done
};

} // namespace ns3

#endif /* COLLECTIVE_TEST_BED_H */
