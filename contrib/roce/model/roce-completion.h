/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COMPLETION_H
#define ROCE_COMPLETION_H

#include "roce-verb.h"

#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief How a message ended. */
enum class RoceStatus : uint8_t
{
    SUCCESS,            //!< it was acknowledged, or arrived; a datagram: its last bit left
    RETRY_EXCEEDED,     //!< the queue pair gave up while it was the oldest one
    FLUSHED,            //!< the queue pair gave up before its turn, or before it was posted
    RNR_RETRY_EXCEEDED, //!< the queue pair gave up on it for want of a receive at the peer
    LENGTH_ERROR,       //!< longer than its kind may be, not sent
};

/** \ingroup roce \brief A message that arrived or ended. */
struct RoceCompletion
{
    uint32_t localRank{0};                  //!< end point that is told
    uint32_t peerRank{0};                   //!< the other one
    uint32_t qp{0};                         //!< number of the queue pair at this end
    uint32_t channel{0};                    //!< the user's own number of the connection
    uint64_t bytes{0};                      //!< payload
    uint64_t cookie{0};                     //!< the sender's tag
    RoceStatus status{RoceStatus::SUCCESS}; //!< how it ended
    bool received{false};                   //!< a message of the peer, or a receive of this end
    RoceVerb verb{RoceVerb::SEND};          //!< operation
    bool withImmediate{false};              //!< it carried immediate data
    uint32_t immediate{0};                  //!< that data
    uint32_t peerQp{0};                     //!< number of the queue pair at the other end
    uint64_t receiveCookie{0}; //!< tag of the receive that it used up, if receives count
};

} // namespace ns3

#endif /* ROCE_COMPLETION_H */
