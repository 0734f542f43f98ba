/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_SCHEDULER_H
#define ROCE_PORT_SCHEDULER_H

#include "roce-queue-pair.h"

#include "ns3/fabric-port.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Decides which queue pair of a NIC port sends next.
 *
 * Queue pairs that may send now wait in a list and take turns, packet by packet; those whose
 * pacing lets them send later wait in a heap. Idle, window-bound and finished queue pairs are in
 * neither, so that a packet costs O(1), or O(log n) when it is paced. The next packet is taken
 * when the port has sent what it was given before.
 */
class RocePortScheduler
{
  public:
    /**
     * \param nic the NIC
     * \param port its port
     */
    RocePortScheduler(RoceNicDevice& nic, FabricPort& port);
    RocePortScheduler(const RocePortScheduler&) = delete;
    RocePortScheduler& operator=(const RocePortScheduler&) = delete;

    /**
     * A queue pair may have become able to send.
     * \param qp the queue pair
     * \param now ticks
     */
    void Wake(RoceQueuePair& qp, uint64_t now);

    /** \param now ticks; the port may send again after a pause */
    void Resume(uint64_t now);

  private:
    /** A paced queue pair. */
    struct Paced
    {
        uint64_t available; //!< may send from then on, ticks
        uint64_t order;     //!< among equals, first come first served
        RoceQueuePair* qp;  //!< the queue pair

        /** \param o another one \return whether this one comes later */
        bool operator<(const Paced& o) const
        {
            return available > o.available || (available == o.available && order > o.order);
        }
    };

    /** The port is free, or a paced queue pair is due. */
    void Run();
    /** \param now ticks; moves paced queue pairs that are due to the ready list */
    void MoveDue(uint64_t now);
    /** \param now ticks; sends one packet of the first ready queue pair */
    void SendOne(uint64_t now);
    /**
     * Charges a packet to the pacing of its queue pair.
     * \param qp the queue pair
     * \param wireBytes bytes on the wire
     * \param start departure, ticks
     */
    void Pace(RoceQueuePair& qp, uint64_t wireBytes, uint64_t start);
    /** \param qp the queue pair \param rate bit/s \return when its burst has had its time, ticks */
    uint64_t EndOfBurst(const RoceQueuePair& qp, uint64_t rate) const;
    /** \param qp the queue pair \param now ticks; puts it where it belongs */
    void Place(RoceQueuePair& qp, uint64_t now);
    /** \param now ticks; sets the timer of the next packet */
    void Arm(uint64_t now);

    RoceNicDevice& m_nic;                  //!< the NIC
    FabricPort& m_port;                    //!< its port
    const uint64_t m_ticksPerSecond;       //!< ns-3's time resolution
    RoceQueuePair* m_readyHead{nullptr};   //!< first queue pair that may send
    RoceQueuePair* m_readyTail{nullptr};   //!< last one
    std::vector<Paced> m_paced;            //!< heap
    uint64_t m_order{0};                   //!< of the next entry of the heap
    FabricTimer<RocePortScheduler, &RocePortScheduler::Run> m_timer; //!< next packet
};

} // namespace ns3

#endif /* ROCE_PORT_SCHEDULER_H */
