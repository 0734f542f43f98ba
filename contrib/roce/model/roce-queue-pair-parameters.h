/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_PARAMETERS_H
#define ROCE_QUEUE_PAIR_PARAMETERS_H

#include "ns3/loss-recovery.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/** \ingroup roce \brief How a queue pair is set up. */
struct RoceQueuePairParameters
{
    static constexpr uint32_t NO_RANK = UINT32_MAX;  //!< the one that the NIC belongs to
    static constexpr uint32_t ANY_PORT = UINT32_MAX; //!< the NIC chooses, see RoceNicDevice

    uint32_t localRank{NO_RANK}; //!< this end point
    uint32_t peerRank{NO_RANK};  //!< the other one
    /** End point of the routes that this one is: its rank, or one NIC of several. */
    uint32_t localEnd{NO_RANK};
    uint32_t peerEnd{NO_RANK}; //!< the same of the other one; filled in by the NIC
    uint16_t udpPort{0};   //!< UDP source port: entropy for load balancing
    uint32_t port{0};      //!< port of the NIC it sends by, or ANY_PORT; filled in by the NIC
    bool bonded{false};    //!< the NIC may take another port; filled in by the NIC
    uint32_t channel{0};   //!< the user's own number of the connection
    uint64_t baseRtt{0};   //!< round trip in an idle network, ticks, 0 if unknown
    uint32_t switchCount{0}; //!< switches on the way to the peer
    uint64_t firstPsn{0};  //!< number of the first packet it sends
    bool datagram{false};  //!< unreliable datagram (UD): no peer, SENDs of one packet
    std::optional<uint32_t> priority; //!< class of data and acknowledgements, none: the NIC's
};

/** \ingroup roce \brief Attributes of a NIC as they were when a queue pair was created. */
struct RoceQueuePairSettings
{
    TypeId congestionControl;     //!< type of the congestion control
    TypeId lossRecovery;          //!< type of the loss recovery
    uint32_t mtuBytes{0};         //!< payload of a full packet
    uint32_t ackInterval{0};      //!< packets per acknowledgement
    uint32_t maxOutstanding{0};   //!< packets that may be unacknowledged
    uint32_t retryCount{0};       //!< timeouts without progress before it gives up
    uint32_t rnrRetry{0};         //!< RNR NAKs without progress before it gives up, 7 = no limit
    uint32_t minRnrTimer{0};      //!< code of the time that an RNR NAK asks to wait
    uint32_t maxReads{0};         //!< READs that may be under way
    uint32_t priority{0};         //!< class of data and acknowledgements
    uint32_t cnpPriority{0};      //!< class of CNPs
    uint8_t dscp{0};              //!< DSCP of data and acknowledgements
    uint8_t cnpDscp{0};           //!< DSCP of CNPs
    uint64_t ackTimeout{0};       //!< local ACK timeout, ticks
    uint64_t cnpInterval{0};      //!< least time between two CNPs, ticks

    // What follows from the types and the defaults of their attributes:
    Ptr<const RoceCongestionControl> congestionControlModel; //!< every queue pair has a copy of it
    Ptr<const LossRecovery> lossRecoveryModel;               //!< the same
    CongestionControlNeeds needs;                            //!< of the congestion control

    /** \param o other settings \return whether they are the same */
    bool operator==(const RoceQueuePairSettings& o) const;
};

/** \ingroup roce \brief A queue pair as the scheduler of its port sees it. */
struct RocePacing
{
    /** Where the scheduler keeps the queue pair. */
    enum class Place : uint8_t
    {
        IDLE,  //!< nothing to send, or the window is shut
        READY, //!< in the list of those that may send now
        PACED, //!< in the heap of those that may send later
    };

    Place place{Place::IDLE}; //!< where it is
    bool burstEnded{false};   //!< the burst is complete: the next packet waits for its end
    bool spread{false};       //!< every packet may take another port of the NIC
    uint16_t lastPort{0};     //!< port that was given the last packet
    uint64_t lineRateBps{0};  //!< rate of the port, or of all that it is spread over
    uint64_t available{0};    //!< may send from then on, ticks
    uint64_t burstStart{0};   //!< start of the present burst, ticks
    uint64_t burstBytes{0};   //!< wire bytes of the present burst
    uint64_t rateBps{0};      //!< rate that `available` was computed with
    uint64_t expectedStart{0}; //!< departure of the last packet, as foreseen when it was queued
    uint64_t key{0};          //!< PACED: time of the entry of the heap that counts, ticks
    uint64_t order{0};        //!< PACED: its order, which tells it from those that do not
};

} // namespace ns3

#endif /* ROCE_QUEUE_PAIR_PARAMETERS_H */
