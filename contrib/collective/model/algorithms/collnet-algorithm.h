/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLNET_ALGORITHM_H
#define COLLNET_ALGORITHM_H

#include "server-layout.h"
#include "slice-pipeline.h"

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduces over servers between which network switches add up: NCCL's CollNet, on SHARP.
 *
 * Every rail that all servers are on has a head in each server and carries an equal share of the
 * operand, cut into slices of SliceBytes. The ranks of a server add up a slice at the head; the
 * switches add up what the heads of the rail send and give the sum to all of them; the heads pass
 * it on inside their servers. How it travels inside is what the algorithms differ in. No more than
 * SlicesInFlight slices of a rail are on their way at a time.
 *
 * Of a share of s bytes a head sends s into the network and receives s from it, however many
 * servers there are.
 */
class CollnetAlgorithm : public CollectiveAlgorithm, public SlicePipeline
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  protected:
    /** \brief The part of a rank in one channel. */
    struct Role
    {
        uint32_t rank{0};             //!< group rank
        uint32_t place{0};            //!< rails ahead of the head, around the server
        std::vector<uint32_t> server; //!< ranks of its server by place: the head first
    };

    /** \brief Writes the steps of a slice. */
    class SliceWriter
    {
      public:
        /**
         * \param program gets the steps
         * \param role of the rank
         * \param size the number of ranks
         * \param slice number of the slice
         * \param messages messages of a slice
         */
        SliceWriter(PlanProgram& program,
                    const Role& role,
                    uint32_t size,
                    uint32_t slice,
                    uint32_t messages);

        /**
         * \param kind what to do
         * \param place of the peer in the server
         * \param message its number within the slice, not 0
         * \param after step that must be done first, or PlanProgram::NONE
         * \return the step
         */
        uint32_t Add(PlanStepKind kind, uint32_t place, uint32_t message, uint32_t after);

        /** \param after step of a head that must be done first \return the sum has arrived */
        uint32_t AddUp(uint32_t after);

      private:
        PlanProgram& m_program;    //!< gets the steps
        const Role& m_role;        //!< of the rank
        const uint32_t m_size;     //!< ranks
        const uint32_t m_slice;    //!< the slice
        const uint32_t m_messages; //!< of a slice
    };

  private:
    /** \param most ranks of a server \return messages of a slice, that of the network included */
    virtual uint32_t GetMessages(uint32_t most) const = 0;
    /** \param role a role \return messages that the rank sends for a slice inside its server */
    virtual uint32_t GetSends(const Role& role) const = 0;
    /**
     * Writes the steps of a slice.
     * \param role of the rank
     * \param writer writes them
     * \param window step that must be done before the first, or PlanProgram::NONE
     * \return the step with which the slice is settled
     */
    virtual uint32_t WriteSlice(const Role& role, SliceWriter& writer, uint32_t window) const = 0;

    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /** \param layout the servers \return on how many channels the operand travels: the heads */
    static uint32_t GetChannelCount(const ServerLayout& layout);
    /** \param layout the servers \param channel a channel \return the role of each group rank */
    static std::vector<Role> GetRoles(const ServerLayout& layout, uint32_t channel);
    /**
     * \param role a role
     * \param size the number of ranks
     * \param slices the number of slices
     * \param messages messages of a slice
     * \return what the rank does
     */
    PlanProgram MakeProgram(const Role& role,
                            uint32_t size,
                            uint32_t slices,
                            uint32_t messages) const;
};

} // namespace ns3

#endif /* COLLNET_ALGORITHM_H */
