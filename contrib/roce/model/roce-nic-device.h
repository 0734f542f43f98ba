/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_DEVICE_H
#define ROCE_NIC_DEVICE_H

#include "roce-port-scheduler.h"

#include "ns3/fabric-device.h"

#include <deque>
#include <memory>
#include <string>

namespace ns3
{

/** \ingroup roce \brief A message that arrived or was acknowledged. */
struct RoceCompletion
{
    uint32_t localRank{0}; //!< end point that is told
    uint32_t peerRank{0};  //!< the other one
    uint32_t qp{0};        //!< queue pair at this end
    uint64_t bytes{0};     //!< payload
    uint64_t cookie{0};    //!< the sender's tag
};

/** \ingroup roce \brief What the user of a NIC wants to hear. */
class RoceNicListener
{
  public:
    virtual ~RoceNicListener() = default;
    /** \param completion a message whose last byte arrived here, in order */
    virtual void MessageArrived(const RoceCompletion& completion) = 0;
    /** \param completion a message of ours that was acknowledged */
    virtual void MessageAcknowledged(const RoceCompletion& completion) = 0;
    /**
     * A queue pair gave up after its retries.
     * \param qp the queue pair
     */
    virtual void QueuePairFailed(const RoceQueuePair& qp) = 0;
};

/**
 * \ingroup roce
 * \brief RoCEv2 NIC: reliable connections, pacing, congestion control, PFC.
 *
 * One end point (rank) with one or more ports. Queue pairs live for the whole simulation and carry
 * any number of messages. Packets have RoCEv2's true sizes; acknowledgements are asked for by
 * AckReq every AckInterval packets and at the end of a message; losses are repaired by go-back-N,
 * on NAK or after the local ACK timeout, which gives up after RetryCount tries.
 *
 * Departures from hardware: receive buffers are always posted, memory access takes no time.
 */
class RoceNicDevice : public FabricDevice
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceNicDevice();
    ~RoceNicDevice() override;

    /** \param rank end point that this NIC belongs to */
    void SetRank(uint32_t rank);
    /** \return end point that this NIC belongs to */
    uint32_t GetRank() const;

    /** \param listener who is told of messages, not owned, or nullptr */
    void SetListener(RoceNicListener* listener);

    /**
     * Connects two NICs.
     * \param a one of them
     * \param b the other
     * \param ab set-up of the queue pair at a; rank numbers are filled in
     * \param ba set-up of the queue pair at b
     * \return the queue pair at a; its peerNumber is the one at b
     */
    static RoceQueuePair& Connect(RoceNicDevice& a,
                                  RoceNicDevice& b,
                                  RoceQueuePairParameters ab,
                                  RoceQueuePairParameters ba);

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

    /** \param number queue pair number \return the queue pair */
    RoceQueuePair& GetQueuePair(uint32_t number)
    {
        return m_qps[number];
    }

    /** \return payload bytes of a full packet */
    uint32_t GetMtuBytes() const
    {
        return m_mtuBytes;
    }

    /** \return whether the PFC class of data is paused on a port \param port the port */
    bool IsDataPaused(const FabricPort& port) const
    {
        return port.IsPaused(m_priority);
    }

    // For RoceQueuePair and RocePortScheduler.
    /** \param qp its local ACK timer expired */
    void HandleTimeout(RoceQueuePair& qp);
    /**
     * Sends the next packet of a queue pair.
     * \param qp the queue pair
     * \param port where it leaves
     * \param now ticks
     * \param start its departure, ticks
     * \return bytes on the wire
     */
    uint64_t SendData(RoceQueuePair& qp, FabricPort& port, uint64_t now, uint64_t start);

    // From FabricDevice.
    FabricPort& AddPort() override;
    void Receive(FabricPacket* packet, FabricPort& port) override;
    void PauseEnded(FabricPort& port) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * Attributes of queue pairs hold for those created later.
     * \param parameters set-up
     * \param peerFirstPsn number of the first packet that the peer sends
     * \return a new queue pair
     */
    RoceQueuePair& CreateQueuePair(const RoceQueuePairParameters& parameters,
                                   uint64_t peerFirstPsn);
    /** \param qp a queue pair of a new connection; starts its congestion control */
    void StartCongestionControl(RoceQueuePair& qp);
    /** \param packet a data packet \param port where it arrived */
    void ReceiveData(const FabricPacket& packet, FabricPort& port);
    /** \param packet an ACK or NAK */
    void ReceiveAck(const FabricPacket& packet);
    /** \param packet a congestion notification */
    void ReceiveCnp(const FabricPacket& packet);
    /** \param qp tells about messages that are acknowledged by now */
    void CompleteMessages(RoceQueuePair& qp);
    /** \param qp restarts or stops its timer after progress \param now ticks */
    void UpdateAckTimer(RoceQueuePair& qp, uint64_t now);
    /**
     * Starts a packet to the peer of a queue pair.
     * \param qp the queue pair
     * \param opcode what it is
     * \return the packet, with all but what is particular to the opcode
     */
    FabricPacket* NewPacket(const RoceQueuePair& qp, RoceOpcode opcode);
    /**
     * Answers a data packet.
     * \param qp the queue pair
     * \param request the packet
     * \param syndrome AETH syndrome
     * \param psn packet number, 64 bit
     * \param port where it leaves
     */
    void SendAck(const RoceQueuePair& qp,
                 const FabricPacket& request,
                 uint8_t syndrome,
                 uint64_t psn,
                 FabricPort& port);
    /** \param qp notifies its peer of congestion \param port where it leaves */
    void SendCnp(const RoceQueuePair& qp, FabricPort& port);

    uint32_t m_rank{0};                   //!< end point
    RoceNicListener* m_listener{nullptr}; //!< who is told of messages
    uint32_t m_mtuBytes{0};               //!< payload of a full packet
    uint32_t m_ackInterval{0};            //!< packets
    uint8_t m_ackTimeoutExponent{0};      //!< local ACK timeout: 4.096 us * 2^n
    uint64_t m_ackTimeoutTicks{0};        //!< the same, ticks
    uint32_t m_retryCount{0};             //!< timeouts without progress before giving up
    uint32_t m_maxOutstanding{0};         //!< packets
    uint32_t m_priority{0};               //!< class of data and acknowledgements
    uint32_t m_cnpPriority{0};            //!< class of CNPs
    Time m_cnpInterval;                   //!< least time between two CNPs of a queue pair
    uint64_t m_cnpIntervalTicks{0};       //!< the same, ticks
    TypeId m_congestionControl;           //!< type of the congestion control
    std::deque<RoceQueuePair> m_qps;      //!< by number
    std::deque<RocePortScheduler> m_schedulers; //!< by port
};

} // namespace ns3

#endif /* ROCE_NIC_DEVICE_H */
