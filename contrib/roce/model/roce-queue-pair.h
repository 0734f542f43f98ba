/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "roce-requester.h"
#include "roce-responder.h"

#include "ns3/fabric-timer.h"
#include "ns3/roce-congestion-control.h"

namespace ns3
{

class RoceNicDevice;

/** \ingroup roce \brief How a queue pair is set up. */
struct RoceQueuePairParameters
{
    uint32_t localRank{0};   //!< this end point
    uint32_t peerRank{0};    //!< the other one
    uint16_t udpPort{0};     //!< UDP source port: entropy for load balancing
    uint32_t port{0};        //!< port of the NIC it sends by
    uint64_t baseRtt{0};     //!< round trip in an idle network, ticks, 0 if unknown
    uint64_t firstPsn{0};    //!< number of the first packet it sends
};

/**
 * \ingroup roce
 * \brief A queue pair of a reliable connection: state of both directions, owned by its NIC.
 */
class RoceQueuePair
{
  public:
    /** Where the NIC's scheduler keeps it. */
    enum class Place : uint8_t
    {
        IDLE,   //!< nothing to send, or the window is shut
        READY,  //!< in the list of those that may send now
        PACED,  //!< in the heap of those that may send later
    };

    /**
     * \param nic its NIC
     * \param number its number at the NIC
     * \param parameters set-up
     */
    RoceQueuePair(RoceNicDevice& nic, uint32_t number, const RoceQueuePairParameters& parameters);
    RoceQueuePair(const RoceQueuePair&) = delete;
    RoceQueuePair& operator=(const RoceQueuePair&) = delete;

    /** \return whether a packet may be sent, as far as window and messages decide */
    bool CanSend() const
    {
        return !failed && requester.CanSend(congestionControl->GetWindowBytes());
    }

    /** The local ACK timer expired. */
    void AckTimeout();

    const uint32_t number;                    //!< at this NIC
    const RoceQueuePairParameters parameters; //!< set-up
    uint32_t peerNumber{0};                   //!< at the other NIC
    RoceRequester requester;                  //!< sending half
    RoceResponder responder;                  //!< receiving half
    Ptr<RoceCongestionControl> congestionControl; //!< of the sending half
    CongestionControlNeeds needs;             //!< what it needs
    FabricTimer<RoceQueuePair, &RoceQueuePair::AckTimeout> ackTimer; //!< local ACK timeout
    uint32_t retries{0};                      //!< timeouts without progress in between
    bool failed{false};                       //!< gave up after the last retry
    Place place{Place::IDLE};                 //!< scheduler state
    RoceQueuePair* nextReady{nullptr};        //!< link of the ready list
    uint64_t available{0};                    //!< pacing: may send from then on, ticks
    uint64_t burstStart{0};                   //!< start of the present burst, ticks
    uint64_t burstBytes{0};                   //!< wire bytes of the present burst
    uint64_t receivedBytes{0};                //!< payload received in order
    uint64_t firstSent{UINT64_MAX};           //!< departure of the first packet, ticks
    uint64_t retransmittedPackets{0};         //!< data packets sent again

  private:
    RoceNicDevice& m_nic; //!< its NIC
};

} // namespace ns3

#endif /* ROCE_QUEUE_PAIR_H */
