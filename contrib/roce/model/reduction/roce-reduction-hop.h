/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REDUCTION_HOP_H
#define ROCE_REDUCTION_HOP_H

#include "ns3/fabric-context.h"
#include "ns3/fabric-packet.h"
#include "ns3/fabric-timer.h"

#include <cstdint>
#include <deque>

namespace ns3
{

class RoceReductionHop;

/** \ingroup roce \brief What all hops of a reduction have in common. */
struct RoceReductionSettings
{
    uint32_t stream{0};        //!< number of the reduction's stream, on the wire a queue pair's
    uint32_t priority{0};      //!< traffic class
    uint8_t dscp{0};           //!< DSCP of the class
    uint64_t ackTimeout{0};    //!< time without progress after which a fragment is repeated, ticks
    uint32_t retryCount{0};    //!< repetitions without an answer before giving up
    uint32_t fragmentBytes{0}; //!< largest payload of a fragment
    uint32_t window{0};        //!< fragments of a rank whose sums have not arrived, at most
};

/** \ingroup roce \brief Whom a RoceReductionHop serves: a rank, or a stream of a switch. */
class RoceReductionHopUser
{
  public:
    virtual ~RoceReductionHopUser() = default;

    /** \param hop sends a frame \param frame the frame, the user's from now on */
    virtual void Emit(RoceReductionHop& hop, FabricPacket* frame) = 0;

    /**
     * A fragment arrived, each once and in order.
     * \param hop where
     * \param number of the fragment
     * \param payloadBytes its payload
     * \param last whether it is the last one of a message
     */
    virtual void Accept(RoceReductionHop& hop,
                        uint64_t number,
                        uint32_t payloadBytes,
                        bool last) = 0;

    /**
     * The peer has fragments.
     * \param hop who sent them
     * \param from number of the first one
     * \param to number behind the last one
     */
    virtual void Acknowledged(RoceReductionHop& hop, uint64_t from, uint64_t to) = 0;

    /** \param hop waits for the peer from now on, or does not any more \param more which */
    virtual void CountWaiting(RoceReductionHop& hop, bool more) = 0;

    /** \param hop has repeated a fragment in vain as often as it may */
    virtual void GaveUp(RoceReductionHop& hop) = 0;
};

/**
 * \ingroup roce
 * \brief One end of a link of a reduction tree: a reliable connection between neighbours, as SHARP
 * has them.
 *
 * Both ways go fragments, numbered from 0, each a packet of its own. Each carries how many have
 * arrived here, which acknowledges them. A fragment that asks for it is acknowledged at once. A gap
 * is answered by a NAK, and all is repeated from there on (go back N). What has not been
 * acknowledged within the time-out is looked after: its first fragment is repeated and asks for an
 * acknowledgement, which tells what else is missing. So a peer that has everything, and waits for
 * others, is asked once, not for as long as it waits.
 *
 * On the wire fragments are SENDs of one packet with immediate data (the acknowledgement);
 * acknowledgements and NAKs are those of a reliable connection.
 */
class RoceReductionHop
{
  public:
    /** \brief The two ends, as far as packets tell them. */
    struct Ends
    {
        uint32_t src{0};        //!< rank that stands for this end
        uint32_t dst{0};        //!< rank that stands for the other end
        uint32_t node{0};       //!< ns-3 node of this end
        uint32_t index{0};      //!< which of the user's hops this is
        bool asksAtEnd{false};  //!< the last fragment of a message asks for an acknowledgement
    };

    /**
     * \param user whom it serves
     * \param fabric shared state
     * \param settings of the stream, must outlive it
     * \param ends both ends
     */
    RoceReductionHop(RoceReductionHopUser& user,
                     FabricContext& fabric,
                     const RoceReductionSettings& settings,
                     const Ends& ends);
    RoceReductionHop(const RoceReductionHop&) = delete;
    RoceReductionHop& operator=(const RoceReductionHop&) = delete;

    /** \param payloadBytes of the next fragment \param last whether it ends a message */
    void Send(uint32_t payloadBytes, bool last);

    /** \param frame a frame of this stream that came from the peer; the caller releases it */
    void Receive(const FabricPacket& frame);

    /** \return fragments that arrived */
    uint64_t GetReceived() const
    {
        return m_expected;
    }

    /** \return fragments sent */
    uint64_t GetSent() const
    {
        return m_next;
    }

    /** \return fragments that the peer has */
    uint64_t GetAcknowledged() const
    {
        return m_next - m_pending.size();
    }

    /** \return rank that stands for the other end */
    uint32_t GetPeerRank() const
    {
        return m_ends.dst;
    }

    /** \return which of the user's hops this is */
    uint32_t GetIndex() const
    {
        return m_ends.index;
    }

  private:
    /** \brief A fragment that the peer may not have. */
    struct Fragment
    {
        uint32_t payloadBytes; //!< payload
        bool last;             //!< it ends a message
    };

    /** \param number of a fragment \param asks for an acknowledgement \param again repeated */
    void SendFragment(uint64_t number, bool asks, bool again);
    /** \param syndrome AETH_ACK or AETH_NAK_SEQUENCE \param number of the fragment it answers */
    void SendAck(uint8_t syndrome, uint64_t number);
    /** \param opcode what it is \param payloadBytes payload \return a frame to the peer */
    FabricPacket* NewFrame(uint8_t opcode, uint32_t payloadBytes);
    /** \param count fragments that the peer has */
    void Acknowledge(uint64_t count);
    /** \param frame an acknowledgement or a NAK */
    void ReceiveAck(const FabricPacket& frame);
    /** \param from a fragment \param to behind the last one to repeat */
    void Repeat(uint64_t from, uint64_t to);
    /** The time-out is over. */
    void Expire();

    RoceReductionHopUser& m_user;            //!< whom it serves
    FabricContext& m_fabric;                 //!< shared state
    const RoceReductionSettings& m_settings; //!< of the stream
    const Ends m_ends;                       //!< both ends
    std::deque<Fragment> m_pending;          //!< sent, not acknowledged
    uint64_t m_next{0};                      //!< number of the next fragment
    uint64_t m_expected{0};                  //!< number of the next one from the peer
    uint64_t m_armedAt{0};                   //!< acknowledged when the timer was set
    uint64_t m_probe{0};                     //!< fragment repeated last for want of an answer
    uint64_t m_probedUpTo{0};                //!< sent before that, 0: the answer has come
    uint32_t m_retries{0};                   //!< repetitions without an answer
    bool m_nakSent{false};                   //!< the gap before m_expected was told
    bool m_failed{false};                    //!< given up
    FabricTimer<RoceReductionHop, &RoceReductionHop::Expire> m_timer; //!< the time-out
};

} // namespace ns3

#endif /* ROCE_REDUCTION_HOP_H */
