/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_ENGINE_SERVICE_H
#define COLLECTIVE_ENGINE_SERVICE_H

#include "collective-service.h"

#include "ns3/collective-engine.h"
#include "ns3/collective-group-maker.h"
#include "ns3/ptr.h"
#include "ns3/topology.h"
#include "ns3/workload-program.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Carries out the communication of a workload with a CollectiveEngine.
 *
 * Families of groups use channels of their own, so that a tensor parallel collective never queues
 * behind a data parallel one in the same queue pair. A group that works on several streams is a
 * communicator of the engine for each of them, with channels of its own: how ranks interleave the
 * streams does not matter. A message between pipeline stages is a
 * SendRecv of a group of two: the sender and the receiver, in the family PP; those that a rank
 * launches together (WorkloadMessageCall::together) are one kernel. Of a message of 0
 * bytes the network sees nothing: the receiver learns of it at the moment when it is sent.
 *
 * When a message was sent is kept aside for the breakdown of the receiver's time; it steers
 * nothing.
 */
class CollectiveEngineService : public CollectiveService
{
  public:
    /**
     * \param engine engine, with its transport set; its groups are added by SetWorkload()
     * \param topology where the ranks are placed; the rank of a GPU is its node
     */
    CollectiveEngineService(Ptr<CollectiveEngine> engine, const Topology& topology);

    CollectiveEngineService(const CollectiveEngineService&) = delete;
    CollectiveEngineService& operator=(const CollectiveEngineService&) = delete;

    void SetWorkload(const Workload& workload) override;
    void Join(uint32_t rank, const WorkloadCollectiveCall& call, Done done) override;
    void Send(uint32_t rank, const WorkloadMessageCall& call, Done done) override;
    void Receive(uint32_t rank, const WorkloadMessageCall& call, Done arrived) override;

    /**
     * Throws a ConfigError if a workload asks for an operation that no algorithm carries out, or
     * sends something between two ranks that cannot reach each other. To be called before the
     * simulation.
     * \param workload the workload
     * \param require Cluster::RequireRoute(), or another that throws if there is no way
     */
    void RequireRoutes(
        const Workload& workload,
        const std::function<void(uint32_t src, uint32_t dst, const std::string& purpose)>& require)
        const;

    /** \brief What an operation of the engine is in the workload. */
    struct Origin
    {
        const char* label{""}; //!< operation
        int64_t iteration{-1}; //!< iteration, counted from 0
    };

    /**
     * \param collective a collective of the engine
     * \return what it is in the workload; nothing if it does not come from there
     */
    Origin GetOrigin(const CollectiveInstance& collective) const;

  private:
    /**
     * \param source the workload's file
     * \param group a group
     * \param call what it does; a ConfigError if no algorithm does it
     */
    void RequireAlgorithm(const std::string& source,
                          const CollectiveGroup& group,
                          const CollectiveCall& call) const;
    /**
     * \param family family, for name and channels
     * \param name name
     * \param ranks members
     * \param stream number of the stream among those of the group
     * \return the group as the engine knows it
     */
    CollectiveGroup MakeGroup(GroupFamily family,
                              const std::string& name,
                              const std::vector<uint32_t>& ranks,
                              uint32_t stream = 0) const;

    /**
     * Adds a communicator for each direction between neighbours in a pipeline.
     * \param ranks the pipeline
     */
    void AddPairs(const std::vector<uint32_t>& ranks);

    /**
     * Joins a message's two ranks.
     * \param rank the rank that joins
     * \param pair sender and receiver
     * \param call message
     * \param done called when the rank is done
     */
    void JoinMessage(uint32_t rank,
                     const std::pair<uint32_t, uint32_t>& pair,
                     const WorkloadMessageCall& call,
                     CollectiveDone done);

    /** \param label operation \param iteration its iteration \return CollectiveCall::user */
    uint64_t AddOrigin(const char* label, uint32_t iteration);

    /** \param group group \param part stream \return index into m_communicators */
    static std::size_t GetCommunicator(uint32_t group, WorkloadPart part)
    {
        return group * WORKLOAD_PART_COUNT + static_cast<std::size_t>(part);
    }

    /** \brief The messages of a pair of ranks. */
    struct Pair
    {
        uint32_t group{0};             //!< number of the group in the engine
        std::deque<Time> sendStarts{}; //!< of messages that have not arrived
        std::deque<Time> signals{};    //!< starts of messages of 0 bytes that nobody took yet
        std::deque<Done> waiting{};    //!< receives of 0 bytes whose message is not sent yet
    };

    /** \brief Messages of a rank that are launched together, those that were called so far. */
    struct Batch
    {
        std::vector<CollectiveCall> calls; //!< what they are in the engine
        std::vector<CollectiveDone> done;  //!< whom to tell
    };

    /** \param pair hands its messages of 0 bytes to their receives */
    static void MatchSignals(Pair& pair);

    Ptr<CollectiveEngine> m_engine;        //!< the engine
    CollectiveGroupMaker m_maker;          //!< makes groups of its ranks
    std::vector<uint32_t> m_communicators; //!< number in the engine by GetCommunicator()
    std::map<std::pair<uint32_t, uint32_t>, Pair> m_pairs; //!< by sender and receiver
    std::map<uint32_t, Batch> m_batches;                   //!< by rank
    std::vector<Origin> m_origins{{}};                     //!< by CollectiveCall::user, 0 for none
    std::map<std::pair<const char*, uint32_t>, uint64_t> m_originNumbers; //!< only looked up
};

} // namespace ns3

#endif /* COLLECTIVE_ENGINE_SERVICE_H */
