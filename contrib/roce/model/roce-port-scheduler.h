/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_SCHEDULER_H
#define ROCE_PORT_SCHEDULER_H

#include "roce-queue-pair.h"

#include "ns3/fabric-port.h"

#include <array>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Decides which queue pair of a NIC port sends next.
 *
 * Queue pairs that may send now wait in a list per traffic class and take turns, packet by packet;
 * those whose pacing lets them send later wait in a heap. Idle, window-bound and finished queue
 * pairs are in neither, so that a packet costs O(1), or O(log n) when it is paced. A class that is
 * paused holds up no other.
 *
 * Between the classes the port's EgressScheduler decides, over data, acknowledgements and CNPs
 * alike. Where it is strict the next packet, of the highest class, is taken when the port has sent
 * what it was given before. Otherwise the port is given one packet of every class ahead, the next
 * one when that begins to leave, so that it always knows what each class has to send.
 *
 * Frames of other protocols, and of reductions, wait in a queue per class; in a class that has
 * both, they and the queue pairs take turns.
 *
 * Pacing: a burst (one packet, unless the congestion control asks for more) of B bytes that began to
 * leave at t is followed by the next one at t + 8 B / R, with the rate R of that moment: when a
 * CNP, an acknowledgement or the congestion control's own clock (GetNextChange()) changes the rate,
 * the time is computed anew from the same t and B. A fall of the rate is seen when the packet is
 * due, a rise at once.
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
     * A queue pair may have become able to send, or its rate may have changed.
     * \param qp the queue pair
     * \param now ticks
     */
    void Wake(RoceQueuePair& qp, uint64_t now);

    /** \param now ticks; the port may send again after a pause */
    void Resume(uint64_t now);

    /** \param qp a queue pair that sends by another port from now on */
    void Remove(RoceQueuePair& qp);

    /**
     * Queue pairs of paused classes that may take another port do: this one was paused, or another
     * one can be used again.
     * \param now ticks
     */
    void LeavePaused(uint64_t now);

    /**
     * Lets queue pairs hear of what left before something newer is told to them.
     * \param now ticks
     */
    void NoteDepartures(uint64_t now)
    {
        if (m_inPortMask)
        {
            m_port.Advance(now);
        }
    }

    /**
     * Departures are noted at their very moment while somebody awaits one.
     * \param more whether one more queue pair awaits a departure, or one less
     */
    void AwaitDepartures(bool more)
    {
        m_awaited += more ? 1 : -1;
        m_port.SetTracked(m_awaited > 0 || !m_port.IsStrictPriority());
    }

    /**
     * A frame of another protocol is to be sent when its turn comes.
     * \param frame the frame; its priority says which queue
     * \param now ticks
     */
    void SendFrame(FabricPacket* frame, uint64_t now);

    /**
     * The first bit of a frame of another protocol left.
     * \param priority its class
     */
    void FrameDeparted(uint32_t priority)
    {
        CountDeparture(priority);
    }

    /**
     * A data packet's first bit left.
     * \param qp its queue pair
     * \param packet the packet
     */
    void Departed(RoceQueuePair& qp, FabricPacket& packet);

    /** \param more whether one more queue pair has unacknowledged data, or one less */
    void CountActive(bool more)
    {
        m_active += more ? 1 : -1;
    }

    /** \return queue pairs with unacknowledged data */
    uint32_t GetActiveCount() const
    {
        return m_active;
    }

  private:
    /** A paced queue pair. */
    struct Paced
    {
        uint64_t key;      //!< looked at again then, ticks
        uint64_t order;    //!< among equals, first come first served
        RoceQueuePair* qp; //!< the queue pair

        /** \param o another one \return whether this one comes later */
        bool operator<(const Paced& o) const
        {
            return key > o.key || (key == o.key && order > o.order);
        }

        /** \return whether a later entry of the same queue pair replaces it */
        bool IsStale() const
        {
            return qp->pacing.place != RocePacing::Place::PACED || qp->pacing.order != order;
        }
    };

    /** Queue pairs that may send, first to last. */
    struct ReadyList
    {
        RoceQueuePair* head{nullptr}; //!< first
        RoceQueuePair* tail{nullptr}; //!< last
    };

    /** The port is free, or a paced queue pair is due. */
    void Run();
    /** \return classes with a queue pair that is ready or with a frame, not paused */
    uint32_t GetReadyMask() const
    {
        return (m_readyMask | m_frameMask) & ~m_port.GetPausedMask();
    }

    /** \param priority class of a packet \param more it waits in the port now, or has left */
    void CountInPort(uint32_t priority, bool more)
    {
        m_inPort[priority] += more ? 1 : -1;
        const uint32_t bit = 1U << priority;
        m_inPortMask = m_inPort[priority] ? m_inPortMask | bit : m_inPortMask & ~bit;
    }

    /** \param priority class of a packet that has left the port, which may want the next one */
    void CountDeparture(uint32_t priority);

    /** \param priority a class that is ready \return whether a frame is next in it */
    bool IsFrameNext(uint32_t priority) const
    {
        return m_frameMask >> priority & 1 &&
               (!(m_readyMask >> priority & 1) || m_frameTurnMask >> priority & 1);
    }

    /** \return classes with a packet that waits in the port, not paused */
    uint32_t GetBusyMask() const
    {
        return m_inPortMask & ~m_port.GetPausedMask();
    }

    /** \param now ticks \return when a packet that the port is given now may begin to leave */
    uint64_t GetNextStart(uint64_t now) const;
    /** \return whether a paced queue pair is due by then \param until ticks \param now ticks */
    bool IsDue(uint64_t until, uint64_t now) const;
    /** \param now ticks; moves paced queue pairs that are due to the ready list */
    void MoveDue(uint64_t now);
    /** \param priority a class with a ready queue pair \return the first one, removed */
    RoceQueuePair* PopReady(uint32_t priority);
    /** \param priority a class with a frame, which is sent \param now ticks */
    void SendOneFrame(uint32_t priority, uint64_t now);
    /**
     * Sends one packet of the first ready queue pair, or one frame of another protocol.
     * \param classes its class is one of these, the highest that has any
     * \param start when the packet may begin to leave at the earliest, ticks
     * \param now ticks
     */
    void SendOne(uint32_t classes, uint64_t start, uint64_t now);
    /** \param now ticks; gives the port a packet of every class that it has none of */
    void SendAhead(uint64_t now);
    /**
     * Charges a packet to the pacing of its queue pair.
     * \param qp the queue pair
     * \param wireBytes bytes on the wire
     * \param now ticks
     */
    void Pace(RoceQueuePair& qp, uint64_t wireBytes, uint64_t now);
    /** \param qp the queue pair \param now ticks; takes a new rate into account */
    void Retime(RoceQueuePair& qp, uint64_t now);
    /** \param pacing of a queue pair \return when its burst has had its time, ticks */
    uint64_t EndOfBurst(const RocePacing& pacing) const;
    /**
     * Puts a queue pair where it belongs.
     * \param qp the queue pair
     * \param when ready if it may send then, ticks
     * \param now ticks
     */
    void Place(RoceQueuePair& qp, uint64_t when, uint64_t now);
    /** \param qp a queue pair \param now ticks; puts it into the heap */
    void PushPaced(RoceQueuePair& qp, uint64_t now);
    /** Takes the first entry off the heap. */
    void PopPaced();
    /** \param now ticks; sets the timer of the next packet */
    void Arm(uint64_t now);

    RoceNicDevice& m_nic;            //!< the NIC
    FabricPort& m_port;              //!< its port
    const uint64_t m_ticksPerSecond; //!< ns-3's time resolution
    std::array<ReadyList, FabricPort::PRIORITIES> m_ready; //!< by class
    uint32_t m_readyMask{0};         //!< classes with a queue pair that is ready
    std::array<uint32_t, FabricPort::PRIORITIES> m_inPort{}; //!< packets that wait in the port
    uint32_t m_inPortMask{0};        //!< classes with such a packet
    std::array<FabricPacketList, FabricPort::PRIORITIES> m_frames; //!< of other protocols
    uint32_t m_frameMask{0};         //!< classes with such a frame
    uint32_t m_frameTurnMask{0};     //!< classes in which a queue pair had the last turn
    std::vector<Paced> m_paced;      //!< heap
    uint64_t m_order;                //!< of the next entry of the heap; no two ports share any
    uint32_t m_active{0};            //!< queue pairs with unacknowledged data
    uint32_t m_awaited{0};           //!< queue pairs that await a departure
    FabricTimer<RocePortScheduler, &RocePortScheduler::Run> m_timer; //!< next packet
};

} // namespace ns3

#endif /* ROCE_PORT_SCHEDULER_H */
