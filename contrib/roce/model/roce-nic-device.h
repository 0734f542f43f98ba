/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_DEVICE_H
#define ROCE_NIC_DEVICE_H

#include "roce-port-scheduler.h"

#include "ns3/fabric-device.h"

#include <deque>

namespace ns3
{

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
};

/** \ingroup roce \brief What the user of a NIC wants to hear. */
class RoceNicListener
{
  public:
    virtual ~RoceNicListener() = default;
    /** \param completion a message whose last byte arrived here, in order */
    virtual void MessageArrived(const RoceCompletion& completion) = 0;
    /**
     * A message of ours ended. Every posted message ends, with SUCCESS or, once its queue pair has
     * given up, without; one posted after that ends before Post() returns.
     * \param completion the message
     */
    virtual void MessageCompleted(const RoceCompletion& completion) = 0;
    /**
     * A queue pair gave up after its retries; its messages end right after this call.
     * \param qp the queue pair
     */
    virtual void QueuePairFailed(const RoceQueuePair& qp) = 0;
};

/**
 * \ingroup roce
 * \brief RoCEv2 NIC: reliable connections, pacing, congestion control, PFC.
 *
 * One end point (rank) with one or more ports. Queue pairs live for the whole simulation and carry
 * any number of messages both ways. Packets have RoCEv2's true sizes; acknowledgements are asked
 * for by AckReq every AckInterval packets and at the end of a message; losses are repaired by a
 * LossRecovery, which gives up after RetryCount timeouts without progress.
 *
 * A packet's time stamp, the pacing and what the congestion control is told refer to its true
 * departure, also where a PAUSE or a frame of a higher class held it up.
 *
 * Attributes hold for queue pairs that are created later.
 *
 * Departures from hardware: receive buffers are always posted, memory access takes no time.
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

    /** \return traffic class of data and acknowledgements */
    uint32_t GetPriority() const
    {
        return m_priority;
    }

    /** \return payload bytes of a full packet */
    uint32_t GetMtuBytes() const
    {
        return m_mtuBytes;
    }

    /** \return what the congestion control needs, with the attributes as they are now */
    const CongestionControlNeeds& GetNeeds();

    // For RoceQueuePair.
    /** \param port port number \return its scheduler */
    RocePortScheduler& GetScheduler(uint32_t port)
    {
        return m_schedulers[port];
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
    FabricPort& AddPort() override;
    void Receive(FabricPacket* packet, FabricPort& port) override;
    bool WantsDepartures() const override;
    void Departed(FabricPacket& packet, FabricPort& port) override;
    void PauseEnded(FabricPort& port) override;

  protected:
    void DoDispose() override;

  private:
    /** \param parameters set-up \return a new queue pair, not connected */
    RoceQueuePair& CreateQueuePair(const RoceQueuePairParameters& parameters);
    /** \return the attributes as they are now, at an address that stays */
    const RoceQueuePairSettings& KeepSettings();

    uint32_t m_rank{0};                   //!< end point
    RoceNicListener* m_listener{nullptr}; //!< who is told of messages
    uint32_t m_mtuBytes{0};               //!< payload of a full packet
    uint32_t m_ackInterval{0};            //!< packets
    uint8_t m_ackTimeoutExponent{0};      //!< local ACK timeout: 4.096 us * 2^n
    uint32_t m_retryCount{0};             //!< timeouts without progress before giving up
    uint32_t m_maxOutstanding{0};         //!< packets
    uint32_t m_priority{0};               //!< class of data and acknowledgements
    uint32_t m_cnpPriority{0};            //!< class of CNPs
    Time m_cnpInterval;                   //!< least time between two CNPs of a queue pair
    TypeId m_congestionControl;           //!< type of the congestion control
    TypeId m_lossRecovery;                //!< type of the loss recovery
    std::deque<RoceQueuePairSettings> m_settings; //!< attributes of queue pairs, last ones last
    std::deque<RoceQueuePair> m_qps;      //!< in order of creation
    std::deque<RocePortScheduler> m_schedulers; //!< by port
};

} // namespace ns3

#endif /* ROCE_NIC_DEVICE_H */
