/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_DIVISION_H
#define NCCL_DIVISION_H

#include "ns3/operand-division.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Divides operands as NCCL does: few channels for small ones, and the slices of its
 * protocols.
 *
 * **Channels** (its src/enqueue.cc). Of the channels that there are, a ring or a tree uses as many
 * as give each
 *
 *     threads x threshold
 *
 * bytes of the operand (topoGetAlgoInfo()): 512 threads with LL and Simple, 640 with LL128;
 * thresholds of 8 bytes with LL (a ring 8 per rank), 8 with LL128, 64 with Simple
 * (src/graph/tuning.cc). NVLS and NVLSTree use all. A number that a tuner asks for, where there are
 * as many, takes the place of all that (ncclGetAlgoInfo()). Since 2.22 operands are divided in
 * cells (scheduleCollTasksToPlan()): what a rank gives to the call is cut into cells of T/t bytes,
 * rounded up to 16, where T is the least traffic of a channel (512 bytes at first, then 16 KiB,
 * 32 KiB in 2026) and t the traffic of a byte: 2 for an all-reduce, the ranks for an all-gather or
 * a reduce-scatter, else 1, and four times that with LL. Each channel gets an equal share of the
 * traffic in whole cells, at least one, until none is left.
 *
 * **Slices** of trees (calcCollChunking()): with Simple those of the algorithm's attribute; with LL
 * 32 KiB, with LL128 576000 bytes, of data. An all-reduce with LL128 halves that while there are
 * fewer slices on a channel than 64 s/p and more than 128 KiB in each, then while there are fewer
 * than 16 s/p and more than 32 KiB in each, for p ranks per server and s = 1 + log2 m + p/10 steps
 * between m servers. In one server, where one chain stands for all channels, all protocols have the
 * slices of the attribute.
 *
 * Not modelled: fewer threads where even one channel is too many, whose kernels cost the same;
 * CollNet, NVLS in one server, and what is sent directly.
 */
class NcclDivision : public OperandDivision
{
  public:
    /**
     * \param algorithm NCCL's name of an algorithm
     * \param protocol NCCL's name of a protocol
     * \param channelTraffic least traffic of a channel, bytes; 0 for NCCL before 2.22
     * \param tunedChannels channels that a tuner asks for, 0 for none
     */
    NcclDivision(const std::string& algorithm,
                 const std::string& protocol,
                 uint64_t channelTraffic,
                 uint32_t tunedChannels = 0);

    /**
     * \param request a request that is not empty
     * \param available channels of the communicator, at least 1
     * \return how many of them NCCL uses, 1 to `available`
     */
    uint32_t GetNcclChannels(const CollectiveRequest& request, uint32_t available) const;

    /**
     * NCCL has every ring twice, one of which is simulated, with what both carry.
     * \copydetails OperandDivision::GetChannels
     */
    uint32_t GetChannels(const CollectiveRequest& request, uint32_t most) const override;

    uint64_t GetSliceBytes(const CollectiveRequest& request,
                           uint32_t channels,
                           uint64_t most) const override;

  private:
    /** \param request a request \return bytes that a channel has at least, 0 for any */
    uint64_t GetLeastBytes(const CollectiveRequest& request) const;

    bool m_isRing;             //!< of a ring
    bool m_isTree;             //!< of a tree or a pair of them
    std::string m_protocol;    //!< NCCL's name of the protocol
    uint64_t m_channelTraffic; //!< least traffic of a channel, bytes
    uint32_t m_tunedChannels;  //!< channels that a tuner asks for, 0 for none
};

} // namespace ns3

#endif /* NCCL_DIVISION_H */
