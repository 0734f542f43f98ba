/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RANK_TIME_ACCOUNT_H
#define RANK_TIME_ACCOUNT_H

#include "workload-breakdown.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Books every tick of a rank's time to exactly one part of its WorkloadBreakdown.
 *
 * At each moment the account knows the cause: a kernel runs, or the rank waits for one
 * communication. Time up to now is booked to the cause whenever it changes. A wait for a message
 * of another pipeline stage is booked when the message has arrived: until its sender began to send
 * it was bubble, from then on pipeline communication.
 */
class RankTimeAccount
{
  public:
    /** What a rank spends its time on. */
    struct Cause
    {
        WorkloadPart part{WorkloadPart::BUBBLE}; //!< part that the time belongs to
        std::optional<uint32_t> receiveStream; //!< waits for the message that this stream receives
    };

    /** \param now when the account opens */
    void Open(Time now);

    /**
     * Books the time since the last call.
     * \param now present time
     */
    void Advance(Time now);

    /** \param cause what the rank spends its time on from now on */
    void SetCause(const Cause& cause);

    /**
     * Books the waits for a message, after Advance().
     * \param stream stream that received it
     * \param sendStart when its sender began to send it
     */
    void BookReceive(uint32_t stream, Time sendStart);

    /**
     * \param part kind of communication
     * \param duration duration of an operation that is done
     */
    void AddCommunication(WorkloadPart part, Time duration);

    /** \param longer by how much longer a kernel took, as communication held SMs */
    void AddStretch(Time longer);

    /**
     * \param now present time, not before the last Advance()
     * \return how the time since Open() or the last Close() was spent; waits for messages that
     * have not arrived count as bubble
     */
    WorkloadBreakdown GetBreakdown(Time now) const;

    /**
     * Starts a new breakdown, after Advance().
     * \return the breakdown so far
     */
    WorkloadBreakdown Close();

  private:
    /** A wait for a message that has not arrived. */
    struct ReceiveWait
    {
        uint32_t stream; //!< stream that receives it
        Time begin;      //!< begin of the wait
        Time end;        //!< its end, or present time
    };

    Time m_last;                             //!< booked up to here
    Cause m_cause;                           //!< what the rank spends its time on
    std::vector<ReceiveWait> m_receiveWaits; //!< not booked yet
    WorkloadBreakdown m_breakdown;           //!< booked
};

} // namespace ns3

#endif /* RANK_TIME_ACCOUNT_H */
