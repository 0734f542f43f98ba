/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_SERVICE_H
#define COLLECTIVE_SERVICE_H

#include "parallel-layout.h"
#include "workload-breakdown.h"

#include "ns3/collective-kind.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

struct Workload;

/** \ingroup railyard \brief What a rank of a workload asks of its group. */
struct WorkloadCollectiveCall
{
    uint32_t group{0};                               //!< index into the groups
    WorkloadPart part{WorkloadPart::TP};             //!< stream that the collective is on
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< operation
    uint64_t bytes{0};                               //!< size of the operand, see CollectiveKind
    const char* label{""}; //!< operation of the workload, for results; valid until the end
    uint32_t iteration{0}; //!< iteration, counted from 0
};

/** \ingroup railyard \brief What a rank of a workload sends to or receives from another. */
struct WorkloadMessageCall
{
    uint32_t peer{0};      //!< other rank
    uint64_t bytes{0};     //!< payload, 0 allowed
    const char* label{""}; //!< operation of the workload, for results; valid until the end
    uint32_t iteration{0}; //!< iteration, counted from 0
    uint32_t together{1};  //!< launched with so many of the rank, itself included, that are called
                           //!< one after another; more than one are of more than 0 bytes
};

/** \ingroup railyard \brief What a rank is told when its communication is done. */
struct WorkloadCommunication
{
    int64_t collective{-1};        //!< id of the collective in the results, -1 for none
    std::optional<Time> sendStart; //!< when the sender of a message that arrived began, if known
};

/**
 * \ingroup railyard
 * \brief What carries out the communication of a workload.
 *
 * Every call for a rank happens in an event of that rank's node, and so must every answer, which
 * may also come before the call returns. A rank has several operations under way at once: at most
 * one per stream. Every stream of a group has a communicator of its own, as in training frameworks:
 * collectives of a (group, part) match in the order in which each rank joins them, and those of
 * another part may come before or after them on any rank. Messages of a pair of ranks match in the
 * order sent.
 */
class CollectiveService
{
  public:
    /** Tells that an operation is done. */
    using Done = std::function<void(const WorkloadCommunication&)>;

    virtual ~CollectiveService() = default;

    /**
     * Called once, before the simulation.
     * \param workload what the ranks are going to do; WorkloadCollectiveCall::group is an index
     * into the groups of its layout
     */
    virtual void SetWorkload(const Workload& workload) = 0;

    /**
     * \param rank a rank, member of the group
     * \param call what it wants to do; the group has two ranks or more. A collective of 0 bytes is
     * done at the same time.
     * \param done called when the rank has its result
     */
    virtual void Join(uint32_t rank, const WorkloadCollectiveCall& call, Done done) = 0;

    /**
     * \param rank sender
     * \param call receiver and payload
     * \param done called when the buffer may be reused
     */
    virtual void Send(uint32_t rank, const WorkloadMessageCall& call, Done done) = 0;

    /**
     * \param rank receiver
     * \param call sender and payload
     * \param arrived called when the message is there
     */
    virtual void Receive(uint32_t rank, const WorkloadMessageCall& call, Done arrived) = 0;
};

} // namespace ns3

#endif /* COLLECTIVE_SERVICE_H */
