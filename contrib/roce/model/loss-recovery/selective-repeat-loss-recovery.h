/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SELECTIVE_REPEAT_LOSS_RECOVERY_H
#define SELECTIVE_REPEAT_LOSS_RECOVERY_H

#include "loss-recovery.h"

#include "ns3/nstime.h"

#include <deque>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Selective repeat after IRN (Mittal et al., Revisiting network support for RDMA, SIGCOMM
 * 2018, sections 3.1 and 3.2).
 *
 * Receiver: packets in any order are kept. One that leaves or does not close a gap is answered with a
 * selective acknowledgement (RoceOpcode::SELECTIVE_ACKNOWLEDGE): last number in order, and a bitmap
 * of the 64 numbers up to the one that arrived, so that a lost answer is made up for by the next.
 *
 * Sender: number x is lost once a number above x + ReorderWindow is known to have arrived; lost ones
 * are sent again before new ones. A number that was sent again is lost again once a packet that was
 * first sent after it (and is more than ReorderWindow above) is known to have arrived. After a
 * timeout, RtoLow with fewer than RtoLowPackets packets outstanding and RtoHigh otherwise, all that is
 * not known to have arrived is sent again. At most BdpCapBytes are outstanding, counted from the
 * first number not acknowledged.
 *
 * The goodput is 1 - p of the link as long as the cap leaves room for the round trips of repairs: with
 * IRN's cap of one bandwidth-delay product, each loss costs up to one round trip.
 *
 * Departures from IRN: the bitmap (IRN: one number); the second loss of a packet is found without
 * timeout; a timeout sends all again, not the first one alone; it doubles with every retry
 * without progress, so that retries last through an outage. The RETH that IRN adds to every WRITE
 * packet is left out of the sizes.
 */
class SelectiveRepeatLossRecovery : public LossRecovery
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    void Start(const LossRecoveryStart& start) override;
    LossFinding OnAck(const AckReport& ack, const SendNumbers& numbers) override;
    void OnTimeout(const SendNumbers& numbers) override;
    uint64_t NextPsn(const SendNumbers& numbers) const override;
    uint64_t OnResend(uint64_t psn, const SendNumbers& numbers) override;
    uint64_t GetTimeout(uint64_t outstanding, uint32_t retries) const override;
    void LineRateChanged(uint64_t lineRateBps) override;
    uint64_t GetMaxOutstanding() const override;
    Arrival Accept(uint64_t psn, bool ackRequest, uint64_t expected) override;

  private:
    /** A number that was sent again. */
    struct Resent
    {
        uint64_t psn;  //!< the number
        uint64_t mark; //!< first number not sent at that time
    };

    /** \param ack takes note of what its bitmap says \param una first number not acknowledged */
    void NoteArrivals(const AckReport& ack, uint64_t una);
    /** \param una first number not acknowledged \return first number newly found lost, or NONE */
    uint64_t FindLosses(uint64_t una);

    static constexpr uint64_t NONE = std::numeric_limits<uint64_t>::max(); //!< no number

    Time m_rtoLow;               //!< timeout with few packets outstanding
    Time m_rtoHigh;              //!< timeout otherwise
    uint32_t m_rtoLowPackets{0}; //!< fewer than that are few
    uint64_t m_bdpCapBytes{0};   //!< bytes on the wire that may be outstanding, 0 = computed
    LossRecoveryStart m_start;   //!< the path
    uint64_t m_capPackets{NONE}; //!< the cap at the present line rate, packets
    PsnSet m_sacked;             //!< known to have arrived, above una
    PsnSet m_lost;               //!< to be sent again
    std::deque<Resent> m_resent; //!< in the order in which they were sent
    uint64_t m_arrivedEnd{0};    //!< above all that is known to have arrived
    uint64_t m_judged{0};        //!< numbers below were judged once
    uint64_t m_recoveryEnd{0};   //!< losses below belong to one that was told
};

} // namespace ns3

#endif /* SELECTIVE_REPEAT_LOSS_RECOVERY_H */
