/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLS_TREE_ALL_REDUCE_ALGORITHM_H
#define NVLS_TREE_ALL_REDUCE_ALGORITHM_H

#include "channel-range.h"
#include "server-layout.h"
#include "slice-pipeline.h"

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce over servers whose switches add up and copy: NCCL's NVLSTree.
 *
 * Every rail is a head and carries an equal share of the operand, in two halves. In each server the
 * switches form the sum of a slice for the head; the heads of a rail add these sums up a binary
 * tree over servers and send the result down; the switches copy it to all ranks of each server.
 * The halves go through two trees such that a server that is inside one is a leaf of the other (see
 * ServerTree). A server with one rank of the group has no use for switches.
 *
 * With l ranks in each of m servers a rank sends S (1 + 1/l) to its switches and about 2 S/l to
 * other servers.
 */
class NvlsTreeAllReduceAlgorithm : public CollectiveAlgorithm,
                                   public SlicePipeline,
                                   public ChannelRange
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /** \brief The part of a rank in one channel. */
    struct Role
    {
        uint32_t rank;                  //!< group rank
        uint32_t head;                  //!< the head of its server
        bool offloads;                  //!< its server has several ranks
        uint32_t parent;                //!< head that its head sends to, UINT32_MAX for the root
        uint32_t index;                 //!< which child of that one
        std::vector<uint32_t> children; //!< heads that send to its head

        /** \param other group rank \param size number of ranks \return how far it is ahead */
        uint32_t GetAhead(uint32_t other, uint32_t size) const
        {
            return (other + size - rank) % size;
        }
    };

    class SliceWriter;

    /**
     * \param request a request
     * \return on how many channels the operand travels
     */
    uint32_t GetChannelCount(const CollectiveRequest& request) const;

    /**
     * \param layout the servers
     * \param nics NICs of every rank
     * \param channel a channel
     * \return by server, the role of all its ranks, without the rank
     */
    static std::vector<Role> GetServerRoles(const ServerLayout& layout,
                                            uint32_t nics,
                                            uint32_t channel);

    /**
     * \param role a role
     * \param size the number of ranks
     * \return what its program depends on
     */
    static std::vector<uint32_t> GetKey(const Role& role, uint32_t size);

    /**
     * \param role a role
     * \param size the number of ranks
     * \param slices the number of slices of a channel
     * \return what the rank does
     */
    PlanProgram MakeProgram(const Role& role, uint32_t size, uint32_t slices) const;
};

} // namespace ns3

#endif /* NVLS_TREE_ALL_REDUCE_ALGORITHM_H */
