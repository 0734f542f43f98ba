/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DWRR_EGRESS_SCHEDULER_H
#define DWRR_EGRESS_SCHEDULER_H

#include "egress-scheduler.h"

#include <array>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Deficit weighted round robin, with strict classes above it.
 *
 * Classes that `Weights` names share what the others leave; those go before them in strict
 * priority, as in the enhanced transmission selection of IEEE 802.1Q, section 8.6.8.3.
 *
 * Weighted classes take turns, higher first (Shreedhar and Varghese, Efficient fair queuing using
 * deficit round robin, SIGCOMM 1995). A turn adds to the credit of its class
 * \f[ Q_i = Quantum \frac{w_i}{\min_j w_j} \f]
 * bytes, and the class sends while its credit covers its next frame, which is charged with its
 * preamble and gap: shares are those of the link. What is left then stays until its next turn. A
 * class that cannot send when it is its turn, because it has no frame or is paused, loses its
 * credit: no class saves up for later, neither when idle nor when paused. The turn is looked at
 * when the link is free, so that a class goes on with its turn if its next frame has come by then.
 *
 * Over any time in which two classes i and j can always send, the bytes that they send differ by
 * little when they are divided by their weights, those relative to the least one (ibid., fairness):
 * \f[ \left| \frac{S_i}{w_i} - \frac{S_j}{w_j} \right|
 *     \le Quantum + \frac{F_i}{w_i} + \frac{F_j}{w_j} \f]
 * with F the largest frames.
 */
class DwrrEgressScheduler : public EgressScheduler
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    // From EgressScheduler.
    void Configure(const std::string& device) override;
    uint32_t Select(uint32_t ready, const FabricPacketList* queues, uint32_t gapBytes) override;
    void Undo(uint32_t count) override;
    bool Precedes(uint32_t earlier, uint32_t later) const override;

  private:
    /** What decisions change. Credit is counted in units of 1 / (least weight) bytes. */
    struct State
    {
        std::array<uint64_t, CLASSES> credit{}; //!< by class
        uint32_t turn{0};                       //!< class whose turn it is
    };

    /** \param priority a weighted class \return the one whose turn is next */
    uint32_t GetNext(uint32_t priority) const;
    /**
     * Gives the credit of rounds in which nobody could send anyhow.
     * \param ready classes that can send, weighted ones all
     * \param queues frames of every class
     * \param gapBytes preamble and gap of every frame
     */
    void SkipRounds(uint32_t ready, const FabricPacketList* queues, uint32_t gapBytes);
    /** \param queue frames \param gapBytes around each \return the credit that the first costs */
    uint64_t GetCost(const FabricPacketList& queue, uint32_t gapBytes) const;

    std::string m_weightsText;               //!< attribute
    uint32_t m_quantumBytes{0};              //!< attribute
    uint32_t m_weighted{0};                  //!< classes that have a weight, a bit each
    uint64_t m_leastWeight{1};               //!< of them
    std::array<uint64_t, CLASSES> m_share{}; //!< credit of a turn, by class
    State m_state;                           //!< after all decisions
    std::array<State, MAX_UNDO> m_before;    //!< before the last decisions, by number
    uint32_t m_decisions{0};                 //!< number of decisions, those undone not counted
};

} // namespace ns3

#endif /* DWRR_EGRESS_SCHEDULER_H */
