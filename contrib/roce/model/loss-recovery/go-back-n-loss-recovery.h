/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GO_BACK_N_LOSS_RECOVERY_H
#define GO_BACK_N_LOSS_RECOVERY_H

#include "loss-recovery.h"

#include <limits>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Go-back-N, as InfiniBand has it (Architecture Specification vol. 1, 9.7.5 and 9.7.6).
 *
 * Sender: a NAK or the local ACK timeout moves it back to the first number not acknowledged; all
 * from there on is sent again. Receiver: one NAK per gap, duplicates are acknowledged where they
 * ask for it. A packet ahead of the first missing one is refused, or kept where ReorderWindow allows,
 * as NICs for adaptive routing do: they place WRITEs in any order, and then a loss shows when
 * a packet beyond the window arrives, or by the timeout.
 *
 * With loss probability p and W packets sent between a loss and the return to it, the goodput is
 * (1 - p) / (1 - p + p W), if losses of packets that were sent again are rare: these need the
 * timeout, since the receiver reports a gap once.
 */
class GoBackNLossRecovery : public LossRecovery
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
    uint64_t GetMaxOutstanding() const override;
    Arrival Accept(uint64_t psn, bool ackRequest, uint64_t expected) override;

  private:
    static constexpr uint64_t NONE = std::numeric_limits<uint64_t>::max(); //!< no number

    uint64_t m_ackTimeout{0};  //!< ticks
    uint64_t m_reported{NONE}; //!< first missing number of the gap that was reported last
};

} // namespace ns3

#endif /* GO_BACK_N_LOSS_RECOVERY_H */
