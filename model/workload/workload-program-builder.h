/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_PROGRAM_BUILDER_H
#define WORKLOAD_PROGRAM_BUILDER_H

#include "workload-program.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Writes a WorkloadProgram the way a training framework issues work.
 *
 * The caller is the framework's thread: it appends operations in the order in which they would be
 * launched. A kernel waits for the kernels before it and for every communication named in
 * WaitFor() since the last kernel; a communication waits for the kernels before it, for the same
 * communications, and for the communications before it in its own stream. There is one stream
 * for each part (TP, DP, ...) and one for each direction of pipeline messages.
 */
class WorkloadProgramBuilder
{
  public:
    /** Starts an empty program. */
    WorkloadProgramBuilder();

    /** \param microBatch micro-batch of the operations to come, -1 for none */
    void SetMicroBatch(int32_t microBatch);

    /**
     * \param batches whether a Receive() that directly follows a Send() to the same stage is
     * launched with it, as by batch_isend_irecv of PyTorch: not before what the send waits for, and
     * what waits for the one waits for both
     */
    void BatchMessages(bool batches);

    /**
     * Appends a stretch of compute; nothing happens if it takes no time.
     * \param name name
     * \param duration how long it takes
     */
    void Compute(const std::string& name, Time duration);

    /**
     * Appends kernels that run one after another, as one operation.
     * \param name name
     * \param kernels kernels
     */
    void Compute(const std::string& name, const std::vector<KernelCall>& kernels);

    /**
     * Appends a stretch of compute to the stream of a communication: work which begins when the
     * communications before it are done, and which no kernel waits for.
     * \param name name
     * \param part the communication
     * \param duration how long it takes; nothing happens if it is 0
     * \return what to give to WaitFor(), if something happened
     */
    std::optional<WorkloadWait> ComputeAfter(const std::string& name,
                                             WorkloadPart part,
                                             Time duration);

    /**
     * Appends a collective.
     * \param name name
     * \param part what its time counts as, and its stream
     * \param work the collective
     * \return what to give to WaitFor()
     */
    WorkloadWait Collective(const std::string& name, WorkloadPart part, const CollectiveWork& work);

    /**
     * Appends a collective that does not wait for the kernels before it.
     * \param name name
     * \param part what its time counts as, and its stream
     * \param work the collective
     * \return what to give to WaitFor()
     */
    WorkloadWait Prefetch(const std::string& name, WorkloadPart part, const CollectiveWork& work);

    /**
     * Appends a message to another stage.
     * \param name name
     * \param stageOffset that stage, relative to the own one
     * \param bytes payload
     */
    void Send(const std::string& name, int32_t stageOffset, uint64_t bytes);

    /**
     * Appends a message from another stage, which may arrive any time unless it is launched with a
     * send (BatchMessages()), and makes the next operation wait for it.
     * \param name name
     * \param stageOffset that stage, relative to the own one
     * \param bytes payload
     */
    void Receive(const std::string& name, int32_t stageOffset, uint64_t bytes);

    /**
     * Makes the kernels and communications to come wait for a communication.
     * \param op the communication
     */
    void WaitFor(const WorkloadWait& op);

    /** \return the program, which leaves the builder */
    WorkloadProgram Take();

  private:
    /**
     * \param name name of a stream
     * \return its index; it is made if it does not exist
     */
    uint32_t GetStream(const std::string& name);

    /**
     * \param stream stream
     * \param name name
     * \param part part
     * \param work what to do
     * \param waits what it waits for; those in its own stream are left out
     * \return where it stands
     */
    WorkloadWait Append(uint32_t stream,
                        const std::string& name,
                        WorkloadPart part,
                        std::variant<ComputeWork, CollectiveWork, TransferWork> work,
                        const std::vector<WorkloadWait>& waits);

    /** \return the last kernel and what is waited for: what a communication waits for */
    std::vector<WorkloadWait> GetCommunicationWaits() const;

    WorkloadProgram m_program;                 //!< the program
    std::map<std::string, uint32_t> m_names;   //!< index by name
    std::map<KernelCall, uint32_t> m_kernels;  //!< index by kernel
    std::map<std::string, uint32_t> m_streams; //!< index by name of the stream
    std::vector<WorkloadWait> m_pending;       //!< what the next kernel waits for
    int32_t m_microBatch{-1};                  //!< micro-batch of the operations to come
    bool m_batches{false};                     //!< see BatchMessages()
    std::optional<WorkloadWait> m_lastSend;    //!< the last operation, if it is a send
};

} // namespace ns3

#endif /* WORKLOAD_PROGRAM_BUILDER_H */
