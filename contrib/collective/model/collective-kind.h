/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_KIND_H
#define COLLECTIVE_KIND_H

#include <cstdint>
#include <ostream>

/**
 * \defgroup collective Collective communication
 *
 * Groups of ranks, algorithms that turn a request into a plan, the proof of a plan, and the one
 * engine that plays any plan over a MessageTransport.
 */

namespace ns3
{

/**
 * \ingroup collective
 * \brief What a collective does.
 *
 * `bytes` is the size of the global operand as nccl-tests counts it: all-reduce, broadcast and
 * reduce the buffer, all-gather the output, reduce-scatter the input, all-to-all what each rank
 * holds, gather what the root ends with, scatter what it holds, point-to-point the message;
 * all-to-all with a size for every pair what a rank holds on average (SizeMatrix::GetMeanBytes()).
 */
enum class CollectiveKind : uint8_t
{
    ALL_REDUCE,     //!< every rank ends with the sum over all ranks
    ALL_GATHER,     //!< every rank ends with the parts of all ranks
    REDUCE_SCATTER, //!< every rank ends with its part of the sum over all ranks
    ALL_TO_ALL,     //!< every rank ends with its part of what each rank holds
    BROADCAST,      //!< every rank ends with what the root holds
    SEND_RECV,      //!< in a group of two, the other rank ends with what the root holds
    REDUCE,         //!< the root ends with the sum over all ranks
    GATHER,         //!< the root ends with the parts of all ranks
    SCATTER,        //!< every rank ends with its part of what the root holds
    ALL_TO_ALL_V,   //!< all-to-all with a size for every pair of ranks
};

/**
 * \ingroup collective
 * \param kind a kind
 * \return its name in results: "AllReduce", "AllGather", "ReduceScatter", "AllToAll",
 * "Broadcast", "SendRecv", "Reduce", "Gather", "Scatter" or "AllToAllV"
 */
const char* ToString(CollectiveKind kind);

/**
 * \ingroup collective
 * \param kind a kind
 * \return true if one rank of the group is the root
 */
bool HasRoot(CollectiveKind kind);

/**
 * \ingroup collective
 * \param os the stream
 * \param kind a kind
 * \return the stream
 */
std::ostream& operator<<(std::ostream& os, CollectiveKind kind);

/**
 * \ingroup collective
 * \brief The nccl-tests factor between bus bandwidth and algorithm bandwidth.
 *
 * All-reduce 2(n-1)/n; all-gather, reduce-scatter, all-to-all (with a size per pair, too), gather
 * and scatter (n-1)/n; broadcast, reduce and point-to-point 1 (nccl-tests, doc/PERFORMANCE.md). 0
 * for a group of one, which sends nothing.
 *
 * \param kind the kind
 * \param ranks the size of the group, n
 * \return busbw / algbw
 */
double GetBusbwFactor(CollectiveKind kind, uint32_t ranks);

} // namespace ns3

#endif /* COLLECTIVE_KIND_H */
