/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "psn-set.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief What a loss recovery knows of its queue pair before the first packet. */
struct LossRecoveryStart
{
    uint64_t firstPsn{0};        //!< number of the first packet that it sends, 64 bit
    uint64_t ticksPerSecond{0};  //!< ns-3's time resolution
    uint64_t lineRateBps{0};     //!< rate of the NIC port, bit/s
    uint32_t packetWireBytes{0}; //!< bytes a full packet takes on the wire, all headers and gaps
    uint64_t baseRtt{0};         //!< round trip in an idle network, ticks, 0 if unknown
    uint64_t ackTimeout{0};      //!< the NIC's local ACK timeout, ticks
};

/** \ingroup roce \brief Where the sending half of a connection stands; numbers of 64 bit. */
struct SendNumbers
{
    uint64_t una{0};     //!< first number not acknowledged
    uint64_t next{0};    //!< next number to send
    uint64_t highest{0}; //!< first number never sent
};

/** \ingroup roce \brief An acknowledgement as the sending half's loss recovery sees it. */
struct AckReport
{
    bool nak{false};       //!< a NAK for a packet sequence error
    uint64_t psn{0};       //!< NAK: first number that is missing; otherwise the last one in order
    bool selective{false}; //!< it carries a bitmap
    uint64_t sackPsn{0};   //!< the highest number that the bitmap is about
    uint64_t sackBits{0};  //!< bit i: number sackPsn - 63 + i has arrived
};

/** \ingroup roce \brief What an acknowledgement told about losses. */
enum class LossFinding : uint8_t
{
    NOTHING, //!< go on with what was next
    RESEEK,  //!< ask NextPsn() what is next
    LOSS,    //!< the same, and the congestion control hears of a loss
};

/** \ingroup roce \brief What a data packet is to the receiving half. */
enum class ArrivalKind : uint8_t
{
    IN_ORDER,  //!< the next one
    BUFFERED,  //!< a later one, kept
    DUPLICATE, //!< it was there before
    REFUSED,   //!< a later one, not kept
};

/** \ingroup roce \brief How a data packet is answered. */
enum class ArrivalAnswer : uint8_t
{
    NONE,      //!< not at all
    ACK,       //!< with an ACK up to the last one in order
    NAK,       //!< with a NAK for the first one missing
    SELECTIVE, //!< with an ACK that carries a bitmap
};

/** \ingroup roce \brief The receiving half's view of a data packet. */
struct Arrival
{
    ArrivalKind kind{ArrivalKind::IN_ORDER};    //!< what it is
    ArrivalAnswer answer{ArrivalAnswer::NONE};  //!< how to answer
    uint64_t expected{0};                       //!< next number in order from now on, 64 bit
};

/**
 * \ingroup roce
 * \brief How one queue pair finds and repairs losses: both halves, one object per queue pair.
 *
 * The sending half is told of acknowledgements and timeouts and says which number is sent next while
 * something has to be sent again. New packets are sent in order of their numbers without asking it.
 * The receiving half judges packets other than the next one in order; while nothing is kept, the
 * next one needs no judgement. Both ends must use the same class and attributes.
 *
 * Reordering: a packet at most ReorderWindow numbers ahead of the first missing one is kept and is
 * no sign of a loss. Messages complete when all their packets and all before them are there,
 * in whatever order these came.
 */
class LossRecovery : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return a copy, with the same attributes, of one that was not started */
    virtual Ptr<LossRecovery> Fork() const = 0;

    // Sending half.
    /** \param start called once, before the first packet is sent */
    virtual void Start(const LossRecoveryStart& start) = 0;
    /**
     * \param ack an acknowledgement; `numbers.una` has moved already
     * \param numbers where the sender stands
     * \return what it tells
     */
    virtual LossFinding OnAck(const AckReport& ack, const SendNumbers& numbers) = 0;
    /** \param numbers where the sender stands; nothing was heard for GetTimeout() */
    virtual void OnTimeout(const SendNumbers& numbers) = 0;
    /**
     * \param numbers where the sender stands, after a finding or a timeout
     * \return the number to send next, at most `highest`
     */
    virtual uint64_t NextPsn(const SendNumbers& numbers) const = 0;
    /**
     * \param psn a number that was just sent again
     * \param numbers where the sender stood before
     * \return the number to send next, at most `highest`
     */
    virtual uint64_t OnResend(uint64_t psn, const SendNumbers& numbers) = 0;
    /**
     * \param outstanding packets sent and not acknowledged
     * \param retries timeouts without progress so far
     * \return how long to wait for an acknowledgement, ticks
     */
    virtual uint64_t GetTimeout(uint64_t outstanding, uint32_t retries) const = 0;
    /**
     * The queue pair went on to a port of another rate, or that of its link changed.
     * \param lineRateBps the new rate, bit/s; GetMaxOutstanding() may be another one
     */
    virtual void LineRateChanged(uint64_t lineRateBps);
    /** \return packets that may be unacknowledged */
    virtual uint64_t GetMaxOutstanding() const = 0;

    // Receiving half.
    /**
     * \param psn number of a data packet, 64 bit
     * \param ackRequest whether it asks for an ACK
     * \param expected next number in order
     * \return what it is
     */
    virtual Arrival Accept(uint64_t psn, bool ackRequest, uint64_t expected) = 0;

    /** \return whether packets ahead of the next one are kept */
    bool IsHolding() const
    {
        return !m_received.IsEmpty();
    }

    /** \return numbers of the packets ahead of the next one that are kept */
    const PsnSet& GetReceived() const
    {
        return m_received;
    }

    /** \return numbers that a packet may be ahead without being a sign of a loss */
    uint64_t GetReorderWindow() const
    {
        return m_reorderWindow;
    }

  protected:
    /**
     * Moves on behind a packet that came in order.
     * \param psn its number, 64 bit
     * \return next number in order: behind the packets kept that follow without a gap
     */
    uint64_t Pass(uint64_t psn);
    /**
     * Keeps a packet.
     * \param psn a number ahead of the next one, 64 bit
     * \param expected next number in order
     * \return whether it is new
     */
    bool Keep(uint64_t psn, uint64_t expected);

  private:
    uint32_t m_reorderWindow{0}; //!< packets
    PsnSet m_received;           //!< numbers above the next one in order that are kept
};

} // namespace ns3

#endif /* LOSS_RECOVERY_H */
