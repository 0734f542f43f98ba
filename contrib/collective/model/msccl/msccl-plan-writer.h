/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_PLAN_WRITER_H
#define MSCCL_PLAN_WRITER_H

#include "msccl-pipe.h"
#include "msccl-program.h"
#include "msccl-schedule.h"

#include "ns3/collective-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Writes the plan of an MSCCL program.
 *
 * All thread blocks of a GPU share a PlanProgram, so that they can wait for each other. A send is
 * two steps: a copy into a slot of the connection's buffer, with which the thread block has done
 * its part, and the message from there; a slot is free for another when its message has been
 * acknowledged. What arrives to be added and sent on (rrs) is added up in the slot.
 */
class MscclPlanWriter
{
  public:
    /**
     * \param program a program; must outlive the object
     * \param schedule of the program; must outlive the object
     * \param pipe how chunks travel
     * \param bytes size of the operand: whole elements for each chunk
     * \param elementBytes size of an element
     */
    MscclPlanWriter(const MscclProgram& program,
                    const MscclSchedule& schedule,
                    const MscclPipe& pipe,
                    uint64_t bytes,
                    uint32_t elementBytes);

    /** \param isInPlace whether input and output share memory \return the plan */
    CollectivePlan Write(bool isInPlace);

  private:
    /** \brief What a connection needs to know. */
    struct Connection
    {
        uint32_t perSlice{0};               //!< messages for each slice of chunks
        uint32_t most{0};                   //!< chunks of a message, at most
        uint32_t firstMessage{0};           //!< number of the first message
        uint32_t firstSlot{0};              //!< first part of the sender's scratch
        uint32_t sent{0};                   //!< messages written so far
        uint32_t sentOfLoop{0};             //!< sends of the present run of the program so far
        uint32_t receivedOfLoop{0};         //!< receives of the present run of the program so far
        std::vector<uint32_t> acknowledged; //!< by slot, the step that sent from it last
    };

    /** \brief A piece of a step: some chunks, one slice of them. */
    struct Piece
    {
        uint32_t first; //!< first chunk, counted from the step's
        uint32_t count; //!< chunks
        uint32_t slice; //!< slice of them
        uint32_t index; //!< number of the message of its slice within the run of the program
    };

    /** Numbers messages. */
    void NumberMessages();

    /** \param gpu a GPU \return parts of its scratch, with the slots of its connections */
    uint32_t PlaceSlots(uint32_t gpu);

    /** \param gpu a GPU \return its program */
    PlanProgram WriteGpu(uint32_t gpu);

    /**
     * \param place a step
     * \param firstSlice first slice of the run of the program
     */
    void WriteStep(const MscclSchedule::Place& place, uint32_t firstSlice);

    /**
     * \param block a thread block
     * \param step one of its steps
     * \param piece which piece of it
     */
    void WritePiece(const MscclThreadBlock& block, const MscclStep& step, const Piece& piece);

    /**
     * \param block a thread block
     * \param step one of its steps
     * \param piece which piece of it
     */
    void WriteReceive(const MscclThreadBlock& block, const MscclStep& step, const Piece& piece);

    /**
     * Writes the message from a slot.
     * \param block a thread block
     * \param slot a step that names the slot's part
     * \param piece which piece of a step it is
     */
    void WriteSend(const MscclThreadBlock& block, PlanStep slot, const Piece& piece);

    /**
     * \param kind COPY or REDUCE
     * \param from where it reads
     * \param to where it writes
     */
    void WriteLocal(PlanStepKind kind, const PlanStep& from, PlanStep to);

    /** \param step a step that waits for what is done and for m_waits */
    void Add(const PlanStep& step);

    /**
     * \param place chunks of the present GPU
     * \param piece which of them
     * \return a step that names them
     */
    PlanStep Locate(const MscclPlace& place, const Piece& piece) const;

    /**
     * Makes the next step wait until the slot is free.
     * \param connection a connection of the present GPU
     * \param piece what is sent next
     * \return a step that names the slot
     */
    PlanStep TakeSlot(const Connection& connection, const Piece& piece);

    /** \param chunks of a step \return in how many messages a slice of them travels */
    uint32_t CountMessages(uint32_t chunks) const
    {
        return (chunks + m_chunksPerMessage - 1) / m_chunksPerMessage;
    }

    /** \param peer a GPU \return PlanStep::peer */
    uint32_t GetAhead(uint32_t peer) const
    {
        const auto size = static_cast<uint32_t>(m_program.gpus.size());
        return (peer + size - m_gpu) % size;
    }

    const MscclProgram& m_program;         //!< the program
    const MscclSchedule& m_schedule;       //!< an order of its steps
    MscclPipe m_pipe;                      //!< how chunks travel
    uint64_t m_bytes;                      //!< size of the operand
    uint32_t m_elementBytes;               //!< size of an element
    uint32_t m_slices;                     //!< of every chunk
    uint32_t m_chunksPerMessage;           //!< at most
    bool m_isInPlace{false};               //!< input and output share memory
    std::vector<Connection> m_connections; //!< by number

    uint32_t m_gpu{0};                          //!< the GPU that is being written
    PlanProgram m_written;                      //!< its program
    std::vector<std::vector<uint32_t>> m_done;  //!< by thread block and step of the present run,
                                                //!< its last plan step
    std::vector<uint32_t> m_last;               //!< by thread block, its last plan step
    std::vector<std::vector<uint32_t>> m_waits; //!< by thread block, what its next step waits for
    uint32_t m_block{0};                        //!< the thread block that is being written
};

} // namespace ns3

#endif /* MSCCL_PLAN_WRITER_H */
