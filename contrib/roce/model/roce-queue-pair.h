/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "roce-requester.h"
#include "roce-responder.h"

#include "ns3/fabric-port.h"
#include "ns3/fabric-timer.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/type-id.h"

namespace ns3
{

class RoceNicDevice;
struct RoceCompletion;

/** \ingroup roce \brief How a message ended. */
enum class RoceStatus : uint8_t
{
    SUCCESS,        //!< it was acknowledged, or arrived
    RETRY_EXCEEDED, //!< the queue pair gave up while it was the oldest one
    FLUSHED,        //!< the queue pair gave up before its turn, or before it was posted
};

/** \ingroup roce \brief How a queue pair is set up. */
struct RoceQueuePairParameters
{
    static constexpr uint32_t NO_RANK = UINT32_MAX;  //!< the one that the NIC belongs to
    static constexpr uint32_t ANY_PORT = UINT32_MAX; //!< the NIC chooses, see RoceNicDevice

    uint32_t localRank{NO_RANK}; //!< this end point
    uint32_t peerRank{NO_RANK};  //!< the other one
    uint16_t udpPort{0};   //!< UDP source port: entropy for load balancing
    uint32_t port{0};      //!< port of the NIC it sends by, or ANY_PORT; filled in by the NIC
    bool bonded{false};    //!< the NIC may take another port; filled in by the NIC
    uint32_t channel{0};   //!< the user's own number of the connection
    uint64_t baseRtt{0};   //!< round trip in an idle network, ticks, 0 if unknown
    uint32_t switchCount{0}; //!< switches on the way to the peer
    uint64_t firstPsn{0};  //!< number of the first packet it sends
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
    uint32_t priority{0};         //!< class of data and acknowledgements
    uint32_t cnpPriority{0};      //!< class of CNPs
    uint64_t ackTimeout{0};       //!< local ACK timeout, ticks
    uint64_t cnpInterval{0};      //!< least time between two CNPs, ticks
    CongestionControlNeeds needs; //!< of the congestion control; follow from its type

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

/**
 * \ingroup roce
 * \brief A queue pair of a reliable connection: both directions, owned by its NIC.
 *
 * The sending half starts, with its congestion control, at the first message. When it gives up
 * after its retries the queue pair is in error: its messages are told with a status, and whatever
 * arrives is dropped.
 */
class RoceQueuePair
{
  public:
    /**
     * \param nic its NIC
     * \param number its number on the wire
     * \param parameters set-up
     * \param settings attributes of the NIC, kept by the NIC
     */
    RoceQueuePair(RoceNicDevice& nic,
                  uint32_t number,
                  const RoceQueuePairParameters& parameters,
                  const RoceQueuePairSettings& settings);
    RoceQueuePair(const RoceQueuePair&) = delete;
    RoceQueuePair& operator=(const RoceQueuePair&) = delete;

    /**
     * \param peer number of the queue pair at the other NIC
     * \param peerFirstPsn number of the first packet that it sends
     * \param peerNeeds what the peer's congestion control needs of this end
     */
    void Connect(uint32_t peer, uint64_t peerFirstPsn, const CongestionControlNeeds& peerNeeds);

    /** \param request a message; if the queue pair gave up before, its completion is told at once */
    void Post(const RoceWorkRequest& request);

    /**
     * \param packet a frame to this queue pair
     * \param port where it arrived
     */
    void Receive(FabricPacket& packet, FabricPort& port);

    /** \return whether a packet may be sent, as far as window and messages decide */
    bool CanSend() const
    {
        return !failed && congestionControl &&
               requester.CanSend(congestionControl->GetWindowBytes());
    }

    /**
     * Queues the next packet.
     * \param port where it leaves
     * \param now ticks
     * \return bytes on the wire
     */
    uint64_t SendNext(FabricPort& port, uint64_t now);

    /**
     * A queue pair that is spread over ports hears of its departures when they are noted, not as
     * of then: at most a frame's time later, so that times of several ports do not run backwards.
     * \param packet a data packet of this queue pair whose first bit left
     * \param gapBytes around it
     */
    void Departed(FabricPacket& packet, uint32_t gapBytes);

    /** The local ACK timer expired. */
    void AckTimeout();

    const uint32_t number;                    //!< on the wire
    const RoceQueuePairParameters parameters; //!< set-up
    const RoceQueuePairSettings& settings;    //!< attributes of the NIC when it was created
    uint32_t peerNumber{0};                   //!< at the other NIC
    uint32_t port;                            //!< port that it sends by at present
    RoceRequester requester;                  //!< sending half
    RoceResponder responder;                  //!< receiving half
    Ptr<RoceCongestionControl> congestionControl; //!< of the sending half, null before its start
    CongestionControlNeeds needs;             //!< what it needs
    Ptr<LossRecovery> lossRecovery;           //!< of both halves, null before it is needed
    FabricTimer<RoceQueuePair, &RoceQueuePair::AckTimeout> ackTimer; //!< local ACK timeout
    uint32_t retries{0};                      //!< timeouts without progress in between
    bool failed{false};                       //!< gave up after the last retry
    RocePacing pacing;                        //!< state of the port's scheduler
    RoceQueuePair* nextReady{nullptr};        //!< link of the ready list
    uint64_t receivedBytes{0};                //!< payload received, every byte once
    uint64_t firstSent{UINT64_MAX};           //!< departure of the first packet, ticks
    uint64_t retransmittedPackets{0};         //!< data packets sent again

  private:
    /** \param now ticks; starts the sending half */
    void Start(uint64_t now);
    /** \return the loss recovery, created if it was not there */
    LossRecovery& GetLossRecovery();
    /** \param packet a data packet \param port where it arrived \param now ticks */
    void ReceiveData(FabricPacket& packet, FabricPort& port, uint64_t now);
    /** \param packet an ACK or NAK \param now ticks */
    void ReceiveAck(const FabricPacket& packet, uint64_t now);
    /**
     * \param packet an ACK or NAK
     * \param una first number that was not acknowledged before
     * \return its report of losses
     */
    static AckReport ReadAck(const FabricPacket& packet, uint64_t una);
    /** \return when the local ACK timer expires, as things stand, ticks */
    uint64_t GetAckDue() const;
    /** \param since ticks; the timer expires when nothing was heard for the timeout from then on */
    void StartAckTimer(uint64_t since);
    /** \param now ticks; a congestion notification arrived */
    void ReceiveCnp(uint64_t now);
    /**
     * Answers a data packet.
     * \param request the packet, which gives its telemetry to the answer
     * \param answer how, not NONE
     * \param port where it leaves
     * \param now ticks
     */
    void SendAck(FabricPacket& request,
                 ArrivalAnswer answer,
                 FabricPort& port,
                 uint64_t now);
    /** \param ack a selective acknowledgement to be filled in \param psn of the packet, 24 bit */
    void FillSack(FabricPacket& ack, uint32_t psn);
    /** \param port where it leaves \param now ticks; notifies the peer of congestion */
    void SendCnp(FabricPort& port, uint64_t now);
    /** Tells about messages that arrived. */
    void TellArrivals();
    /** Tells about messages that are acknowledged by now. */
    void CompleteMessages();
    /** \param request a message of this end that ended \param status how */
    void Complete(const RoceWorkRequest& request, RoceStatus status);
    /**
     * \param bytes length of a message
     * \param cookie tag of the message
     * \param status how it ended
     * \return what listeners are told of it
     */
    RoceCompletion MakeCompletion(uint64_t bytes, uint64_t cookie, RoceStatus status) const;
    /** \param now ticks; restarts or stops the timer after progress */
    void UpdateAckTimer(uint64_t now);
    /** Gives up: all messages end. */
    void Fail();
    /** \param active whether it has unacknowledged data; counted by its port's scheduler */
    void SetActive(bool active);

    RoceNicDevice& m_nic;        //!< its NIC
    uint64_t m_ackTimerStart{0}; //!< since when the local ACK timer runs, ticks
    bool m_active{false};        //!< see SetActive()
    bool m_peerWantsCnp{false};  //!< the peer wants to be told of marks by CNPs
    uint64_t m_cnpInterval{0};   //!< least time between two CNPs, ticks
    uint32_t m_telemetryBytes{0}; //!< header of in-band telemetry in data packets
    uint32_t m_markedPackets{0}; //!< marks echoed and not told to the congestion control
    uint64_t m_markedBytes{0};   //!< their payload
};

} // namespace ns3

#endif /* ROCE_QUEUE_PAIR_H */
