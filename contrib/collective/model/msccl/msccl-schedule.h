/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MSCCL_SCHEDULE_H
#define MSCCL_SCHEDULE_H

#include "msccl-program.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Runs an MSCCL program without data: an order in which each GPU can do its steps.
 *
 * A step waits for the steps of its thread block before it, for the one that depid and deps name
 * (or, as in MSCCL, the first behind it that has hasdep="1"), for what it receives, and for room
 * in the buffer of the connection that it sends on.
 */
class MscclSchedule
{
  public:
    /** \brief A step and where it stands. */
    struct Place
    {
        uint32_t block; //!< thread block
        uint32_t step;  //!< index of its step
    };

    /** \brief What the buffers of connections hold. */
    struct Room
    {
        uint32_t operations{std::numeric_limits<uint32_t>::max()}; //!< sends
        uint32_t chunks{std::numeric_limits<uint32_t>::max()};     //!< that one sends at most; a
                                                                   //!< step with more sends often
    };

    /**
     * A ConfigError names a step that waits for ever, if there is one.
     * \param program a program, must outlive the object
     * \param room what the buffers hold
     */
    MscclSchedule(const MscclProgram& program, const Room& room);

    /** \param gpu a GPU \return all its steps in an order in which it can do them */
    const std::vector<Place>& GetOrder(uint32_t gpu) const
    {
        return m_orders[gpu];
    }

    /**
     * \param gpu a GPU
     * \param step a step of it that waits for another thread block
     * \return index of the step there that it waits for, NONE if there is none with hasdep="1"
     */
    static uint32_t FindAwaited(const MscclGpu& gpu, const MscclStep& step);

    static constexpr uint32_t NONE = UINT32_MAX; //!< no step

  private:
    /** \brief How far a thread block has come. */
    struct Progress
    {
        uint32_t step{0};       //!< index of the step that it is at
        uint32_t operations{0}; //!< of that step, done
    };

    /** \brief What has passed a connection, in operations. */
    struct Traffic
    {
        uint64_t sent{0};     //!< into the buffer
        uint64_t received{0}; //!< out of it
    };

    /**
     * Goes on as far as a thread block can.
     * \param gpu its GPU
     * \param block its number
     * \return whether it did anything
     */
    bool Advance(uint32_t gpu, uint32_t block);

    /**
     * \param gpu a GPU
     * \param step a step of it
     * \return whether the step that it waits for is done
     */
    bool IsReleased(uint32_t gpu, const MscclStep& step) const;

    /** \param block a thread block \param step one of its steps \return whether there is something
     * to receive and room to send */
    bool CanMove(const MscclThreadBlock& block, const MscclStep& step) const;

    /** Throws if there is a step that is not done. */
    void RequireEnd() const;

    /**
     * \param gpu a GPU
     * \param number one of its thread blocks
     * \param at the step that it waits at for ever
     */
    [[noreturn]] void Fail(uint32_t gpu, uint32_t number, uint32_t at) const;

    /**
     * \param gpu a GPU
     * \param block one of its thread blocks
     * \param step the step that it is at
     * \return for what it waits
     */
    std::string Describe(uint32_t gpu, const MscclThreadBlock& block, const MscclStep& step) const;

    const MscclProgram& m_program;                 //!< the program
    Room m_room;                                   //!< what buffers hold
    std::vector<std::vector<Progress>> m_progress; //!< by GPU and thread block
    std::vector<Traffic> m_traffic;                //!< by connection
    std::vector<std::vector<Place>> m_orders;      //!< by GPU
};

} // namespace ns3

#endif /* MSCCL_SCHEDULE_H */
