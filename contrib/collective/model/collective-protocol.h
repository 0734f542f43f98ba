/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PROTOCOL_H
#define COLLECTIVE_PROTOCOL_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup collective
 * \brief How ranks exchange the chunks of a plan: what NCCL calls a protocol.
 *
 * As made, messages cost nothing beyond the network. NCCL's LL sends 4 bytes of flag with every 4
 * of data, LL128 8 with every 120, and both wait for flags instead of fences; Simple sends data
 * alone and pays for a fence per step.
 */
struct CollectiveProtocol
{
    /** Data in a step of LL's buffer, bytes: 512 threads of 8 lines of 8 bytes. */
    static constexpr uint64_t LL_STEP = 32768;
    /** The same of LL128: 640 threads of 120 elements of 8 bytes, 15 of 16 of them data. */
    static constexpr uint64_t LL128_STEP = 576000;

    std::string name;         //!< "Simple", "LL", "LL128", ...; empty: none
    Time launch;              //!< from the join of a rank to its first step
    Time intraOverhead;       //!< before every send to a rank in the same server
    Time interOverhead;       //!< before every send to another server
    uint32_t lineBytes{1};    //!< size of a line on the wire
    uint32_t payloadBytes{1}; //!< data in a line
    DataRate channelRate;     //!< at which the thread block of a channel passes data on to each of
                              //!< its peers, or to the buffer that the NIC sends from; 0: any
    DataRate rankRate;        //!< at which a rank's kernel can send data to its server, all
                              //!< channels together; 0: any
    DataRate linkRate;        //!< of a rank's links in its server, all together: what a slower
                              //!< kernel sends there arrives as much later; 0: unknown

    /** \return whether sends begin as soon as they can */
    bool IsFree() const
    {
        return intraOverhead.IsZero() && interOverhead.IsZero() && rankRate.GetBitRate() == 0 &&
               channelRate.GetBitRate() == 0;
    }

    /**
     * \param bytes data
     * \return what travels: whole lines
     */
    uint64_t GetWireBytes(uint64_t bytes) const
    {
        return lineBytes == payloadBytes
                   ? bytes
                   : (bytes + payloadBytes - 1) / payloadBytes * lineBytes;
    }
};

} // namespace ns3

#endif /* COLLECTIVE_PROTOCOL_H */
