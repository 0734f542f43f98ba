/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_DEVICE_H
#define ROCE_NIC_DEVICE_H

#include "roce-frame-listener.h"
#include "roce-port-scheduler.h"

#include "ns3/dscp-map.h"
#include "ns3/fabric-device.h"
#include "ns3/load-balancer.h"
#include "ns3/route-table.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief What the user of a NIC wants to hear. */
class RoceNicListener
{
  public:
    virtual ~RoceNicListener() = default;
    /** \param completion a message whose last byte arrived here, in order */
    virtual void MessageArrived(const RoceCompletion& completion) = 0;
    /**
     * A message of ours ended. Every posted message ends, with SUCCESS or, once its queue pair has
     * given up, without; one posted after that ends RoceQueuePair::REFUSAL_DELAY_US later. Receives
     * of a queue pair that gave up end here, too.
     * \param completion the message, or the receive
     */
    virtual void MessageCompleted(const RoceCompletion& completion) = 0;
    /**
     * A queue pair gave up after its retries; its messages end right after this call.
     * \param qp the queue pair
     * \param status why: RETRY_EXCEEDED or RNR_RETRY_EXCEEDED
     */
    virtual void QueuePairFailed(const RoceQueuePair& qp, RoceStatus status) = 0;
};

/**
 * \ingroup roce
 * \brief RoCEv2 NIC: reliable connections, pacing, congestion control, PFC.
 *
 * One rank, or several GPUs that share the NIC, with one or more ports. Queue pairs live for the
 * whole simulation and carry messages both ways. Packets have RoCEv2's true sizes; AckReq asks for
 * acknowledgements every AckInterval packets and at the end of a message; losses are repaired by a
 * LossRecovery, which gives up after RetryCount timeouts without progress.
 *
 * A packet's time stamp, the pacing and what the congestion control is told refer to its true
 * departure, also where a PAUSE or a frame of a higher class held it up.
 *
 * Ports: a queue pair is set up for one port, and stays there, or for ANY_PORT: it is bonded. Its
 * home is then the port that PortBalancer chooses, by the flow's addresses and UDP port, among
 * those on shortest paths to its peer, as a link aggregation group hashes flows. It leaves a port
 * whose link is down or behind which no path leads to the peer, for one that PortBalancer chooses
 * among the others, and comes back when its home can be used again; what the dead port had is lost
 * and repeated. With PortPerPacket the balancer chooses for every packet, not once, among the ports
 * that PFC does not pause; packets then overtake each other on the way, which the receiver must
 * tolerate (LossRecovery::ReorderWindow at both ends). For datagrams (UD) of ANY_PORT, which have
 * no order to keep, it always chooses so. Acknowledgements, NAKs and CNPs leave by the port that
 * the packet came by; READ responses are data, and leave by the responder's own port. The NIC
 * follows the routes of the fabric (SetRoutes()), without any delay.
 *
 * A GPU with several NICs (TopologyNode::nics) has one such device with the ports of all. A queue
 * pair that is set up for the end point of one NIC (RoceQueuePairParameters::localEnd) is bonded
 * over the ports of that NIC alone and never takes those of another.
 *
 * Sharing: the queue pairs of all GPUs take turns, packet by packet, at the port's scheduler, so
 * that a GPU's share is that of its queue pairs. The way between GPU and NIC (PCIe) takes no time
 * and has no limit. GPUs of one NIC reach each other by way of the switch that it is attached to.
 *
 * Attributes hold for queue pairs that are created later.
 *
 * Departures from hardware: receives are always there unless the user posts some, buffers have no
 * size, memory access takes no time.
 */
class RoceNicDevice : public FabricDevice
{
  public:
    /** Number of the first queue pair; 0 and 1 are those of management (IBA 3.9, 10.2.4). */
    static constexpr uint32_t FIRST_QP_NUMBER = 2;

    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceNicDevice();
    ~RoceNicDevice() override;

    /** \param rank end point that this NIC belongs to */
    void SetRank(uint32_t rank);
    /** \return end point that this NIC belongs to */
    uint32_t GetRank() const;

    /**
     * Sets the routes, also in mid-run: bonded queue pairs change their ports as they must.
     * \param routes next ports of the fabric, shared by all devices; the NIC is node GetRank()
     */
    void SetRoutes(std::shared_ptr<const RouteTable> routes);

    /** \return the routes of the fabric as they were at first, null before SetRoutes() */
    const std::shared_ptr<const RouteTable>& GetFirstRoutes() const
    {
        return m_firstRoutes;
    }

    /**
     * \return LossRecovery::GetReorderWindow() of the first queue pair, or if there is none of one
     * that is made now, packets
     */
    uint64_t GetReorderWindow() const;

    /** \return whether packets are spread over ports, and loss recovery tolerates no reordering */
    bool IsUnfitToSpread() const;

    /** Makes the balancer of the ports; call when all ports are there. */
    void Configure();

    /** \param listener who is told of messages, not owned, or nullptr */
    void SetListener(RoceNicListener* listener);

    /**
     * \param listener who handles the frames of other protocols, not owned, or nullptr; those that
     * arrive while there is nobody are dropped and counted
     */
    void SetFrameListener(RoceFrameListener* listener);

    /** \return who handles the frames of other protocols, may be nullptr */
    RoceFrameListener* GetFrameListener() const
    {
        return m_frameListener;
    }

    /** \param listener who handles the frames of reductions, not owned, or nullptr */
    void SetReductionListener(RoceFrameListener* listener);

    /**
     * Sends a frame of another protocol or of a reduction, when it is its turn: it takes part in
     * scheduling as a queue pair of its class does, without pacing.
     * \param frame a record of class FrameClass::DATA with a foreign frame or with `offload`, the
     * NIC's from now on; priority, src, dst, flow, ecn and sizes are set; a listener must be there
     * \param port where it leaves
     */
    void SendFrame(FabricPacket* frame, uint32_t port);

    /**
     * Chooses the port of a frame of another protocol, as the one of a bonded queue pair is chosen:
     * by the PortBalancer, among the ports that are on shortest paths to the peer now and whose
     * link is up. With a balancer that does not keep flows together each frame may take another.
     * \param peer rank that it goes to
     * \param entropy of its flow
     * \param priority its class
     * \param frameBytes its size
     * \return the port, none if no path leads there
     */
    std::optional<uint32_t> ChoosePort(uint32_t peer,
                                       uint32_t entropy,
                                       uint32_t priority,
                                       uint32_t frameBytes);

    /** \return frames of other protocols that arrived here while nobody handled them */
    uint64_t GetUnclaimedFrames() const
    {
        return m_unclaimedFrames;
    }

    /**
     * Connects two NICs, or two GPUs that share one.
     * \param a one of them
     * \param b the other
     * \param ab set-up of the queue pair at a; rank numbers that were not given are filled in
     * \param ba set-up of the queue pair at b, likewise
     * \return the queue pair at a; its peerNumber is the one at b
     */
    static RoceQueuePair& Connect(RoceNicDevice& a,
                                  RoceNicDevice& b,
                                  RoceQueuePairParameters ab,
                                  RoceQueuePairParameters ba);

    /**
     * Creates a UD queue pair. With ANY_PORT the port is chosen for every datagram.
     * \param parameters set-up; `datagram`, and a rank that was not given, are filled in
     * \return the queue pair
     */
    RoceQueuePair& CreateDatagramQueuePair(RoceQueuePairParameters parameters);

    /**
     * Posts a message.
     * \param qp a queue pair of this NIC
     * \param request the message
     */
    void Post(RoceQueuePair& qp, const RoceWorkRequest& request);

    /** \return number of queue pairs */
    uint32_t GetQueuePairCount() const
    {
        return m_qps.size();
    }

    /** \param index place in the order of creation \return the queue pair */
    RoceQueuePair& GetQueuePair(uint32_t index)
    {
        return m_qps[index];
    }

    /** \param number of a queue pair on the wire \return the queue pair */
    RoceQueuePair& FindQueuePair(uint32_t number)
    {
        return m_qps[number - FIRST_QP_NUMBER];
    }

    /** \return datagrams to queue pairs that are not there */
    uint64_t GetStrayDatagrams() const
    {
        return m_strayDatagrams;
    }

    /** \return traffic class of data and acknowledgements */
    uint32_t GetPriority() const
    {
        return m_priority;
    }

    /**
     * \param priority a class
     * \return its DSCP; a ConfigError if DscpMap gives none to it
     */
    uint8_t GetDscp(uint32_t priority);

    /** \return local ACK timeout of queue pairs, ticks */
    uint64_t GetAckTimeout() const
    {
        return static_cast<uint64_t>(NanoSeconds(4096).GetTimeStep()) << m_ackTimeoutExponent;
    }

    /** \return timeouts without progress before a queue pair gives up */
    uint32_t GetRetryCount() const
    {
        return m_retryCount;
    }

    /** \return payload bytes of a full packet */
    uint32_t GetMtuBytes() const
    {
        return m_mtuBytes;
    }

    /** \return what the congestion control needs, with the attributes as they are now */
    CongestionControlNeeds GetNeeds();

    /**
     * Signature of the trace source "QueuePairStart".
     * \param qp a queue pair that is about to send for the first time; its congestion control is
     * there, and not started yet
     */
    typedef void (*QueuePairTracedCallback)(const RoceQueuePair& qp);

    // For RoceQueuePair.
    /** \param qp a queue pair whose congestion control is about to start */
    void NoteStart(const RoceQueuePair& qp) const
    {
        m_queuePairStart(qp);
    }

    /** \param port port number \return its scheduler */
    RocePortScheduler& GetScheduler(uint32_t port)
    {
        return m_schedulers[port];
    }

    /**
     * \param qp a queue pair
     * \return whether some path leads to its peer now, as far as the NIC knows
     */
    bool HasPath(const RoceQueuePair& qp) const;

    /**
     * \param end an end point of this NIC
     * \param peer another end point
     * \return ports that a bonded queue pair of them uses at a time
     */
    uint32_t GetWidth(uint32_t end, uint32_t peer) const;

    /**
     * \param parameters of a queue pair
     * \param port a port
     * \return whether it is of the NIC, or the NICs, of the queue pair's localEnd
     */
    bool IsOwnPort(const RoceQueuePairParameters& parameters, uint32_t port) const;

    /**
     * \param qp a queue pair
     * \return rate that it can have at most now: of its port, or of all that it is spread over,
     * bit/s
     */
    uint64_t GetLineRateBps(const RoceQueuePair& qp) const;

    /**
     * Takes a queue pair that is spread over ports, and in no list, to the port of its next packet.
     * \param qp the queue pair
     * \param now ticks
     * \return whether this is another one, whose scheduler has it now; not if all ports are paused
     */
    bool Spread(RoceQueuePair& qp, uint64_t now);

    /** \param now ticks \return whether CnpMinGap lets the NIC send a CNP */
    bool MaySendCnp(uint64_t now) const
    {
        return now >= m_nextCnp;
    }

    /** \param now ticks; a CNP is sent */
    void NoteCnp(uint64_t now)
    {
        m_nextCnp = now + m_cnpMinGap.GetTimeStep();
    }

    /** \return who is told of messages, may be nullptr */
    RoceNicListener* GetListener() const
    {
        return m_listener;
    }

    /**
     * Starts a packet to the peer of a queue pair.
     * \param qp the queue pair
     * \param opcode what it is
     * \return the packet, with all but what is particular to the opcode
     */
    FabricPacket* NewPacket(const RoceQueuePair& qp, RoceOpcode opcode);

    // From FabricDevice.
    int64_t AssignStreams(int64_t stream) override;
    FabricPort& AddPort() override;
    void Receive(FabricPacket* packet, FabricPort& port) override;
    bool WantsDepartures() const override;
    void Departed(FabricPacket& packet, FabricPort& port) override;
    void PauseEnded(FabricPort& port) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * A frame of another protocol arrived.
     * \param frame the frame
     * \param port where it arrived
     */
    void ReceiveFrame(const FabricPacket& frame, FabricPort& port);
    /** \param parameters set-up \return a new queue pair, not connected */
    RoceQueuePair& CreateQueuePair(RoceQueuePairParameters parameters);
    /** \param type type of a congestion control \return what its queue pairs get copies of */
    Ptr<const RoceCongestionControl> GetModel(TypeId type);
    /**
     * \param priority class of data and acknowledgements
     * \param congestionControl type of the congestion control
     * \return the attributes as they are now, at an address that stays
     */
    const RoceQueuePairSettings& KeepSettings(uint32_t priority, TypeId congestionControl);
    /**
     * \param parameters of a queue pair, with its ranks
     * \return ports that lead to its peer now or, if none does, that did at first
     */
    PortSpan GetPorts(const RoceQueuePairParameters& parameters) const;
    /**
     * \param parameters of a queue pair
     * \param peer end point that its next packet goes to
     * \param ports two or more ports
     * \return the one that the balancer chooses
     */
    uint32_t Choose(const RoceQueuePairParameters& parameters, uint32_t peer, PortSpan ports);
    /**
     * \param ports two or more ports
     * \param keeps says of a port whether it is kept \tparam T callable
     * \return those that are kept, maybe none; valid until the next call
     */
    template <class T>
    PortSpan Select(PortSpan ports, const T& keeps);
    /** \param port of this NIC \param peer an end point \return whether packets can get there */
    bool IsUsable(uint32_t port, uint32_t peer) const;
    /** Lets packets that are spread over ports leave those that pause them, if another does not. */
    void LeavePaused();
    /** \param qp a bonded queue pair, after the routes have changed */
    void Rehome(RoceQueuePair& qp);
    /** \param qp a queue pair \return whether its line rate is another one now; it was told */
    bool FollowLineRate(RoceQueuePair& qp);

    uint32_t m_rank{0};                   //!< end point
    RoceNicListener* m_listener{nullptr}; //!< who is told of messages
    RoceFrameListener* m_frameListener{nullptr}; //!< who handles other protocols
    RoceFrameListener* m_reductionListener{nullptr}; //!< who handles reductions
    uint64_t m_unclaimedFrames{0};        //!< see GetUnclaimedFrames()
    uint32_t m_mtuBytes{0};               //!< payload of a full packet
    uint32_t m_ackInterval{0};            //!< packets
    uint8_t m_ackTimeoutExponent{0};      //!< local ACK timeout: 4.096 us * 2^n
    uint32_t m_retryCount{0};             //!< timeouts without progress before giving up
    uint32_t m_rnrRetry{0};               //!< RNR NAKs without progress before giving up
    uint32_t m_minRnrTimer{0};            //!< code of the time that an RNR NAK asks to wait
    uint32_t m_maxReads{0};               //!< READs of a queue pair that may be under way
    uint64_t m_strayDatagrams{0};         //!< datagrams to queue pairs that are not there
    uint32_t m_maxOutstanding{0};         //!< packets
    uint32_t m_priority{0};               //!< class of data and acknowledgements
    uint32_t m_cnpPriority{0};            //!< class of CNPs
    std::string m_dscpMapText;            //!< attribute
    Ptr<const RoceCongestionControl> m_model; //!< see GetModel(), the last one
    std::string m_readMapText;            //!< the text that m_dscpMap was made of
    DscpMap m_dscpMap;                    //!< DSCP of every class
    TypeId m_schedulerType;               //!< type of the scheduler of every port
    Time m_cnpInterval;                   //!< least time between two CNPs of a queue pair
    Time m_cnpMinGap;                     //!< least time between two CNPs of the NIC, 0: none
    uint64_t m_nextCnp{0};                //!< the NIC may send a CNP from then on, ticks
    bool m_spreads{false};                //!< some queue pair is spread over the ports
    bool m_portPerPacket{false};          //!< bonded queue pairs are spread over the ports
    TypeId m_balancerType;                //!< type of the balancer of the ports
    Ptr<LoadBalancer> m_balancer;         //!< chooses among ports, null with one port
    std::shared_ptr<const RouteTable> m_routes;      //!< present routes, may be null
    std::shared_ptr<const RouteTable> m_firstRoutes; //!< those at the start, may be null
    std::vector<uint16_t> m_selected;     //!< see Select()
    TypeId m_congestionControl;           //!< type of the congestion control
    TypeId m_lossRecovery;                //!< type of the loss recovery
    std::deque<RoceQueuePairSettings> m_settings; //!< attributes of queue pairs, last ones last
    std::deque<RoceQueuePair> m_qps;      //!< in order of creation
    std::deque<RocePortScheduler> m_schedulers; //!< by port
    TracedCallback<const RoceQueuePair&> m_queuePairStart; //!< trace source "QueuePairStart"
};

} // namespace ns3

#endif /* ROCE_NIC_DEVICE_H */
