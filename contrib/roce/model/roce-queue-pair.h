/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "roce-completion.h"
#include "roce-datagram-queue.h"
#include "roce-queue-pair-parameters.h"
#include "roce-read-arrivals.h"
#include "roce-read-responses.h"
#include "roce-receive-queue.h"
#include "roce-requester.h"
#include "roce-responder.h"

#include "ns3/fabric-port.h"
#include "ns3/fabric-timer.h"
#include "ns3/roce-congestion-control.h"

#include <array>
#include <deque>
#include <memory>
#include <utility>

namespace ns3
{

class RoceNicDevice;

/**
 * \ingroup roce
 * \brief A queue pair, owned by its NIC: both directions of a reliable connection, or UD.
 *
 * What sends data - messages, and the responses to the peer's READs - starts, with its congestion
 * control, at the first message or READ request. When the queue pair gives up after its retries it
 * is in error: its messages and receives are told with a status, and whatever arrives is dropped.
 *
 * Packets have three sources: the send queue (RoceRequester), READ responses (RoceReadResponses),
 * which take turns with it, and datagrams (RoceDatagramQueue). READ responses obey the rate of the
 * responder's congestion control, marks come back to it as CNPs; but nobody acknowledges them. A
 * control that lives on acknowledgements therefore governs READs at the requester, which sees
 * their responses: their arrivals are what acknowledgements are elsewhere. Datagrams have no
 * congestion control.
 *
 * A frame goes to the handler of its opcode. What a requester does with frames is in
 * roce-queue-pair-requester.cc, what a responder does in roce-queue-pair-responder.cc.
 */
class RoceQueuePair
{
  public:
    /**
     * From a post that is refused to its completion, us. A stand-in for the way to the NIC and
     * back: a program that posts again at every completion, whatever its status, takes time and can
     * be stopped.
     */
    static constexpr int64_t REFUSAL_DELAY_US = 1;

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

    /**
     * Posts a message of a connection. If the queue pair gave up before, or a READ is too long, it
     * is refused: its completion is told REFUSAL_DELAY_US later.
     * \param request the message
     */
    void Post(const RoceWorkRequest& request);

    /**
     * Posts a datagram to a UD queue pair; if it fits no packet, it is refused likewise.
     * \param request a SEND
     * \param to where it goes
     */
    void Post(const RoceWorkRequest& request, const RoceAddressHandle& to);

    /**
     * Posts a receive. From the first one on, a SEND, or immediate data, that finds none is
     * answered by an RNR NAK; before, receives of a connection are always there. A datagram that
     * finds none is dropped. If the queue pair gave up before, it is refused likewise.
     * \param cookie the user's tag of the receive
     */
    void PostReceive(uint64_t cookie);

    /**
     * \param packet a frame to this queue pair
     * \param port where it arrived
     */
    void Receive(FabricPacket& packet, FabricPort& port);

    /** \return whether a packet may be sent, as far as window and messages decide */
    bool CanSend() const
    {
        return !failed && congestionControl &&
               (requester.CanSend(congestionControl->GetWindowBytes()) || m_otherReady);
    }

    /**
     * \return whether the congestion control lives on acknowledgements: then the arrivals of READ
     * responses are its acknowledgements, and READs are asked for within its window, at its rate
     */
    bool GovernsReads() const
    {
        return needs.LivesOnAcks();
    }

    /**
     * \return whether its packets ask for READs and are paced by what they ask for, also at line
     * rate: responses must not queue up at the responder
     */
    bool IsAsking() const
    {
        return GovernsReads() && requester.IsReading();
    }

    /**
     * \return whether READ responses wait whose rate is the affair of the peer, which asked for
     * them at it: they are neither paced nor charged here
     */
    bool HasUnpaced() const
    {
        return m_peerGovernsReads && m_otherReady;
    }

    /**
     * \return end point that the next packet goes to: the peer's or, of a UD queue pair, the rank
     * of the next datagram, NO_RANK without any
     */
    uint32_t GetNextEnd() const
    {
        return !m_datagrams            ? parameters.peerEnd
               : m_datagrams->HasNext() ? m_datagrams->PeekRank()
                                        : RoceQueuePairParameters::NO_RANK;
    }

    /**
     * Queues the next packet.
     * \param port where it leaves
     * \param now ticks
     * \return bytes on the wire, its own or those that it asks for, that its pacing is charged; 0:
     * none
     */
    uint64_t SendNext(FabricPort& port, uint64_t now);

    /**
     * A queue pair that is spread over ports hears of its departures when they are noted, not as
     * of then: at most a frame's time later, so that times of several ports do not run backwards.
     * \param packet a packet of class DATA whose first bit left
     * \param gapBytes around it
     */
    void Departed(FabricPacket& packet, uint32_t gapBytes);

    /** \param now ticks; tells of another pacing.lineRateBps, after a change of port or link */
    void LineRateChanged(uint64_t now);

    /** The local ACK timer expired, or the time that an RNR NAK asked for is over. */
    void AckTimeout();

  private:
    /** Handles a frame. */
    using Handler = void (RoceQueuePair::*)(FabricPacket&, FabricPort&, uint64_t);
    /** Handlers by opcode; opcodes that mean nothing have none. */
    using HandlerTable = std::array<Handler, 256>;
    /** What packets come from. */
    enum class Source : uint8_t
    {
        SEND_QUEUE,     //!< requests of this end
        READ_RESPONSES, //!< answers to the peer's READs
        DATAGRAMS,      //!< of a UD queue pair
    };

    /** \return handlers of a connection */
    static constexpr HandlerTable MakeConnectionHandlers();
    /** \return handlers of a UD queue pair */
    static constexpr HandlerTable MakeDatagramHandlers();

    // Set-up, sources of packets, ends of messages.
    /** \param now ticks; starts what sends data, if it has not yet */
    void Start(uint64_t now);
    /** \param now ticks; creates the congestion control */
    void StartCongestionControl(uint64_t now);
    /** Configures the requester. */
    void StartRequester();
    /** \return the loss recovery, created if it was not there */
    LossRecovery& GetLossRecovery();
    /** \return packets that may be unacknowledged, by NIC and loss recovery */
    uint64_t GetMaxOutstanding();
    /** \return a new loss recovery, started */
    Ptr<LossRecovery> MakeLossRecovery() const;
    /** \return what the next packet comes from, with something else than requests ready */
    Source TakeSource();
    /**
     * \param source what the packet comes from
     * \param [out] packet the next one
     * \return whether it was sent before
     */
    bool BuildNext(Source source, FabricPacket& packet);
    /** \param source what a packet came from that is in the port now \param port the port */
    void AfterSend(Source source, const FabricPort& port);
    /** Notes whether READ responses or datagrams wait. */
    void UpdateReady();
    /** \param active whether it has unacknowledged data; counted by its port's scheduler */
    void SetActive(bool active);
    /** \param request a message \param status how it ended \return what listeners are told */
    RoceCompletion MakeCompletion(const RoceWorkRequest& request, RoceStatus status) const;
    /** \param request a message of this end that ended \param status how */
    void Complete(const RoceWorkRequest& request, RoceStatus status);
    /** \param completion of a post that is refused, told later */
    void Refuse(const RoceCompletion& completion);
    /** Tells of posts that were refused. */
    void TellRefused();
    /** \param cookie the user's tag of a receive that ended unused \return its completion */
    RoceCompletion MakeFlushedReceive(uint64_t cookie) const;
    /** \param completion told to the NIC's listener */
    void Tell(const RoceCompletion& completion);
    /** The first bit of the oldest datagram in the port left. */
    void DatagramDeparted();
    /** Finds out when the oldest datagram in the port will have left. */
    void AwaitDatagram();
    /** Tells of datagrams that left. */
    void CompleteDatagrams();
    /** Tells about messages that are acknowledged by now. */
    void CompleteMessages();
    /** \param status of the oldest message; gives up: all messages and receives end */
    void Fail(RoceStatus status);
    /** Ends all receives. */
    void FlushReceives();

    // Requester.
    /** \param packet an ACK or NAK \param port where it arrived \param now ticks */
    void ReceiveAck(FabricPacket& packet, FabricPort& port, uint64_t now);
    /**
     * Tells the congestion control.
     * \param packet an ACK or NAK
     * \param psn its number, 64 bit
     * \param acked bytes that it acknowledges
     * \param now ticks
     */
    void TellAck(const FabricPacket& packet, uint64_t psn, uint64_t acked, uint64_t now);
    /** \param packet an ACK or NAK while READs are under way \param now ticks */
    void ReceiveReadNak(const FabricPacket& packet, uint64_t now);
    /** \param packet an RNR NAK \param now ticks; waits before it goes on */
    void ReceiveRnrNak(const FabricPacket& packet, uint64_t now);
    /** \param packet of a READ response \param port where it arrived \param now ticks */
    void ReceiveReadResponse(FabricPacket& packet, FabricPort& port, uint64_t now);
    /**
     * Tells the congestion control, which governs READs, of what has arrived.
     * \param packet of a READ response
     * \param rtt since its request departed, ticks, 0 = unknown
     * \param acked bytes that it completes in order
     * \param now ticks
     */
    void TellRead(FabricPacket& packet, uint64_t rtt, uint64_t acked, uint64_t now);
    /**
     * \param psn number of a READ response's packet, 64 bit
     * \param expected first number that was missing before it came, 64 bit
     * \param now ticks
     * \return round trip since its request departed, ticks, 0 = unknown
     */
    uint64_t GetReadRoundTrip(uint64_t psn, uint64_t expected, uint64_t now);
    /** \param packet a CNP \param port where it arrived \param now ticks */
    void ReceiveCnp(FabricPacket& packet, FabricPort& port, uint64_t now);
    /**
     * \param packet an ACK or NAK
     * \param una first number that was not acknowledged before
     * \return its report of losses
     */
    static AckReport ReadAck(const FabricPacket& packet, uint64_t una);
    /** \return what judges packets of READ responses */
    RoceReadArrivals& GetReadArrivals();
    /** \param ranges of READs, lost and asked for again \param now ticks */
    void Reread(const std::vector<PsnRange>& ranges, uint64_t now);
    /**
     * \param packet a READ request
     * \param gapBytes around each frame
     * \return bytes that its response takes on the wire
     */
    uint64_t GetResponseBytes(const FabricPacket& packet, uint32_t gapBytes) const;
    /** \return when the local ACK timer expires, as things stand, ticks */
    uint64_t GetAckDue() const;
    /** \param since ticks; the timer expires when nothing was heard for the timeout from then on */
    void StartAckTimer(uint64_t since);
    /** \param now ticks; restarts or stops the timer after progress */
    void UpdateAckTimer(uint64_t now);
    /** \param now ticks; sends again what may be lost after nothing was heard */
    void Resend(uint64_t now);

    // Responder.
    /** \param packet a data packet \param port where it arrived \param now ticks */
    void ReceiveData(FabricPacket& packet, FabricPort& port, uint64_t now);
    /** \param packet a READ request \param port where it arrived \param now ticks */
    void ReceiveReadRequest(FabricPacket& packet, FabricPort& port, uint64_t now);
    /** \param psn number of a READ request, at most the next one, 64 bit \param bytes asked for */
    void TakeReadRequest(uint64_t psn, uint64_t bytes);
    /** \param packet a datagram \param port where it arrived \param now ticks */
    void ReceiveDatagram(FabricPacket& packet, FabricPort& port, uint64_t now);
    /** \param packet from the peer \param port for a CNP \param now ticks; notes its mark */
    void NoteMark(const FabricPacket& packet, FabricPort& port, uint64_t now);
    /**
     * \param packet a data packet
     * \param port for an RNR NAK
     * \param now ticks
     * \return whether the receives let it be taken
     */
    bool FindsReceive(FabricPacket& packet, FabricPort& port, uint64_t now);
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
    /**
     * Answers with a NAK for the next packet in order.
     * \param request a packet that is not taken, which gives its telemetry to the answer
     * \param syndrome AETH syndrome
     * \param port where it leaves
     * \param now ticks
     */
    void SendNak(FabricPacket& request, uint8_t syndrome, FabricPort& port, uint64_t now);
    /**
     * \param request a packet, which gives its time stamp and its telemetry
     * \param [out] ack its answer, which tells the marks, too
     */
    void FillFeedback(FabricPacket& request, FabricPacket& ack);
    /**
     * \param opcode ACKNOWLEDGE or SELECTIVE_ACKNOWLEDGE
     * \param syndrome AETH syndrome
     * \param psn number, 64 bit
     * \return an acknowledgement
     */
    FabricPacket* NewAck(RoceOpcode opcode, uint8_t syndrome, uint64_t psn);
    /** \param ack a selective acknowledgement to be filled in \param psn of the packet, 24 bit */
    void FillSack(FabricPacket& ack, uint32_t psn);
    /** \param port where it leaves \param now ticks; notifies the peer of congestion */
    void SendCnp(FabricPort& port, uint64_t now);
    /** Tells about messages that arrived. */
    void TellArrivals();
    /** \param end a message that arrived */
    void TellArrival(const RoceMessageEnd& end);

    /** Completions of posts that were refused, which an event tells. */
    struct Refusals
    {
        /** \param qp whose they are */
        explicit Refusals(RoceQueuePair* qp)
            : timer(qp)
        {
        }

        std::deque<std::pair<uint64_t, RoceCompletion>> waiting; //!< and when they are told, ticks
        FabricTimer<RoceQueuePair, &RoceQueuePair::TellRefused> timer; //!< for the first one
    };

    // The rest lies by cache line, in the order in which packets touch it: what every packet needs,
    // what sending needs, acknowledgements, receiving, and what is rare.
  public:
    const RoceQueuePairSettings& settings; //!< attributes of the NIC when it was created

  private:
    RoceNicDevice& m_nic;           //!< its NIC
    const HandlerTable* m_handlers; //!< what it does with frames

  public:
    const uint32_t number;  //!< on the wire
    uint32_t peerNumber{0}; //!< at the other NIC
    uint32_t port;          //!< port that it sends by at present
    bool failed{false};     //!< gave up after the last retry

  private:
    bool m_active{false};          //!< see SetActive()
    bool m_peerWantsCnp{false};    //!< the peer wants to be told of marks by CNPs
    bool m_peerGovernsReads{false}; //!< see GovernsReads(), of the peer
    bool m_peerReadsMarks{false};  //!< the peer's control wants marks of what it reads
    bool m_peerReadsTelemetry{false}; //!< likewise telemetry
    bool m_otherReady{false};      //!< READ responses or datagrams wait
    bool m_responded{false};       //!< the last packet was of a READ response
    bool m_awaitsDeparture{false}; //!< a datagram is late: its departure is an event

  public:
    const RoceQueuePairParameters parameters; //!< set-up, with the addresses first
    uint64_t retransmittedPackets{0};         //!< data packets and READ requests sent again
    uint64_t droppedDatagrams{0};             //!< datagrams that found no receive

    RocePacing pacing;                            //!< state of the port's scheduler
    RoceQueuePair* nextReady{nullptr};            //!< link of the ready list
    Ptr<RoceCongestionControl> congestionControl; //!< of the sending half, null before its start
    CongestionControlNeeds needs;                 //!< what it needs
    uint64_t firstSent{UINT64_MAX};               //!< departure of the first packet, ticks
    Ptr<LossRecovery> lossRecovery; //!< of both halves, null before it is needed

    RoceRequester requester; //!< sending half

  private:
    uint64_t m_ackTimerStart{0}; //!< since when the local ACK timer runs, ticks

  public:
    FabricTimer<RoceQueuePair, &RoceQueuePair::AckTimeout> ackTimer; //!< local ACK timeout
    uint32_t retries{0}; //!< timeouts without progress in between

  private:
    uint32_t m_rnrRetries{0};     //!< RNR NAKs without progress in between
    uint32_t m_telemetryBytes{0}; //!< header of in-band telemetry in data packets
    uint32_t m_markedPackets{0};  //!< marks echoed and not told to the congestion control
    uint64_t m_markedBytes{0};    //!< their payload

  public:
    alignas(64) RoceResponder responder; //!< receiving half
    uint64_t receivedBytes{0};           //!< payload received, every byte once

  private:
    uint64_t m_cnpInterval{0};                        //!< least time between two CNPs, ticks
    std::unique_ptr<RoceReceiveQueue> m_receives;     //!< receives, null if they do not count
    std::unique_ptr<RoceReadResponses> m_responses;   //!< null before the first READ request
    std::unique_ptr<RoceReadArrivals> m_readArrivals; //!< null before the first READ response
    std::unique_ptr<RoceDatagramQueue> m_datagrams;   //!< null unless it is a UD queue pair
    std::unique_ptr<Refusals> m_refusals;             //!< null before a post was refused
};

} // namespace ns3

#endif /* ROCE_QUEUE_PAIR_H */
