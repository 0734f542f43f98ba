/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_PORT_H
#define FABRIC_PORT_H

#include "fabric-context.h"
#include "fabric-link.h"
#include "fabric-packet-list.h"
#include "fabric-pause-state.h"
#include "fabric-port-counters.h"
#include "fabric-tap.h"
#include "fabric-timer.h"
#include "fetch-lines.h"
#include "link-clock.h"

#include "ns3/egress-scheduler.h"

#include <array>
#include <cstdint>
#include <memory>

namespace ns3
{

class FabricDevice;

/**
 * \ingroup fabric
 * \brief A port: egress queues, serialiser and the link to the peer port.
 *
 * Departures are computed eagerly: when a frame is queued, its departure is the time at which the
 * port becomes free, and only its arrival at the peer becomes an event; frames on the way wait
 * in one list, whose head alone is in the event queue. A short window of frames is committed that
 * way; the rest waits in a queue per priority, and one refill event per window keeps the link
 * busy. A pause, or a frame of higher precedence, takes back what has not started and commits
 * again. So departures are exact at one event per frame and hop while nothing interferes.
 *
 * An EgressScheduler decides between the classes; without one they are strict, higher first. The
 * class above all others is MAC control, which is never paused. A frame leaves the queue when its
 * first bit leaves.
 */
class alignas(64) FabricPort : private FabricEvent
{
  public:
    static constexpr uint32_t PRIORITIES = FabricPauseState::PRIORITIES; //!< traffic classes
    static constexpr uint32_t CONTROL = PRIORITIES;     //!< pseudo-class of MAC control frames
    static constexpr uint32_t CLASSES = PRIORITIES + 1; //!< queues

    FabricPort();
    ~FabricPort();
    FabricPort(const FabricPort&) = delete;
    FabricPort& operator=(const FabricPort&) = delete;

    /**
     * \param owner the device
     * \param index number of the port at the device
     */
    void SetOwner(FabricDevice* owner, uint32_t index);

    /**
     * \param scheduler decides between the classes, of this port alone and configured; nullptr, or
     * one that is strict: strict priority. Call it before any frame is queued.
     */
    void SetScheduler(Ptr<EgressScheduler> scheduler);

    /** \return whether a higher class always goes first */
    bool IsStrictPriority() const
    {
        return !m_scheduled;
    }

    /**
     * Joins two ports by a full-duplex link.
     * \param a one end
     * \param b other end
     * \param link parameters of both directions
     */
    static void Connect(FabricPort& a, FabricPort& b, const FabricLinkParameters& link);

    /**
     * Queues a frame.
     * \param packet the frame; its priority says which queue
     * \param now ticks
     */
    void Enqueue(FabricPacket* packet, uint64_t now)
    {
        Enqueue(packet, now, now);
    }

    /**
     * Queues a frame.
     * \param packet the frame; its priority says which queue
     * \param now ticks
     * \param ready first tick at which serialisation may begin if the port is free, at most now:
     * before it for cut-through (the head of the frame came earlier)
     */
    void Enqueue(FabricPacket* packet, uint64_t now, uint64_t ready);

    /** Fetches the memory that Enqueue() needs: see the layout below. */
    void PrefetchQueue() const
    {
        FetchLines(this, 2);
        FetchLines(reinterpret_cast<const char*>(this) + 3 * CACHE_LINE, 2);
    }

    /**
     * Pauses or resumes a traffic class.
     * \param priority the class
     * \param until end of the pause, ticks; not after now = resume
     * \param now ticks
     */
    void Pause(uint32_t priority, uint64_t until, uint64_t now);

    /**
     * Lets a class go on that the peer has paused, without its leave.
     * \param priority the class
     * \param now ticks
     */
    void EndPause(uint32_t priority, uint64_t now)
    {
        Hold(priority, now, now);
    }

    /** \param priority a class \return whether it is paused */
    bool IsPaused(uint32_t priority) const
    {
        return m_pausedMask >> priority & 1;
    }

    /** \param priority a paused class \return all that it has queued, first out first */
    const FabricPacketList& GetHeldFrames(uint32_t priority) const
    {
        return m_cold->waiting[priority];
    }

    /** \param priority a paused class \return all that it had queued, now the caller's */
    FabricPacketList TakeHeldFrames(uint32_t priority);

    /** \return a bit per class that is paused */
    uint32_t GetPausedMask() const
    {
        return m_pausedMask;
    }

    /**
     * Cuts this direction of the link, or mends it. What is on the way when it is cut is lost, and
     * so is what leaves until it is mended: the queues go on at the rate of the link, into nothing.
     * Pauses of the peer end when it is cut.
     * \param up whether the link carries frames from now on
     * \param now ticks
     */
    void SetUp(bool up, uint64_t now);

    /** \return whether this direction of the link carries frames */
    bool IsUp() const
    {
        return m_cold->link.IsUp();
    }

    /**
     * Changes the rate of this direction of the link; the frame on the wire keeps its own.
     * \param rateBps bit/s, above 0
     * \param now ticks
     */
    void SetRate(uint64_t rateBps, uint64_t now);

    /**
     * Changes the losses of this direction of the link, for frames that arrive from now on.
     * \param lossRate probability that a frame is lost, in [0, 1)
     */
    void SetLossRate(double lossRate);

    /**
     * Changes the bit errors of this direction of the link, for frames that arrive from now on.
     * \param bitErrorRate probability that a bit is wrong, in [0, 1)
     */
    void SetBitErrorRate(double bitErrorRate);

    /** \return present bit rate; GetLink() has the one that was configured */
    uint64_t GetRateBps() const
    {
        return m_cold->link.GetRateBps();
    }

    /**
     * Takes note of every frame that left its queue up to now.
     * \param now ticks
     */
    void Advance(uint64_t now)
    {
        while (m_pending != m_end && At(m_pending).start <= now)
        {
            Depart();
        }
    }

    /**
     * \param on whether frames that leave are noted at their very moment, by an event each,
     * instead of when somebody next looks
     */
    void SetTracked(bool on);

    /** \param tap who sees every frame of this port from now on, not owned, or nullptr */
    void SetTap(FabricTap* tap);

    /** \param priority a class \return bytes queued, as of the last Advance() */
    uint64_t GetQueueBytes(uint32_t priority) const
    {
        return m_queueBytes[priority];
    }

    /** \return bytes queued in all classes, as of the last Advance() */
    uint64_t GetTotalQueueBytes() const
    {
        return m_totalQueueBytes;
    }

    /** \return which port of the fabric: node in the upper, number in the lower half */
    uint64_t GetId() const
    {
        return static_cast<uint64_t>(m_nodeId) << 32 | m_index;
    }

    /** \return wire bytes that left their queues, as of the last Advance() */
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /** \return when everything committed so far will have left, ticks */
    uint64_t GetFreeTime() const
    {
        return m_free;
    }

    /** \return when the frame on the wire has left or had left, ticks, as of the last Advance() */
    uint64_t GetSendingEnd() const
    {
        return m_pending == m_end ? m_free : m_flight[m_pending & m_mask].start;
    }

    /** \return whether some frame has not left its queue, as of the last Advance() */
    bool HasBacklog() const
    {
        return m_pending != m_end || m_waitingMask;
    }

    /** \return the port at the other end, nullptr if not connected */
    FabricPort* GetPeer() const
    {
        return m_peer;
    }

    /** \return the device */
    FabricDevice* GetOwner() const
    {
        return m_owner;
    }

    /** \return number of the port at its device */
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /** \return link parameters as they were configured */
    const FabricLinkParameters& GetLink() const
    {
        return m_cold->link.GetParameters();
    }

    /** \return preamble and gap around each frame, bytes */
    uint32_t GetGapBytes() const
    {
        return m_gapBytes;
    }

    /** \return arithmetic of the link's rate */
    const LinkClock& GetClock() const
    {
        return m_clock;
    }

    /** \return counters; what is paused right now is included */
    FabricPortCounters GetCounters() const;

    /** \param priority a class \return its counters; a pause that still lasts is included */
    FabricPriorityCounters GetPriorityCounters(uint32_t priority) const;

    /** \param priority class of a frame that was marked CE here */
    void CountMark(uint32_t priority);

    /** \param priority class of a frame that was refused by the buffer before this port */
    void CountDrop(uint32_t priority);

    /** \param priority class of a frame that was thrown away because the class is stuck */
    void CountWatchdogDiscard(uint32_t priority);

    /** \param priority class that the peer is told about \param pause to pause, or to resume */
    void CountPauseSent(uint32_t priority, bool pause);

    /** \param priority class that the peer spoke of \param pause to pause, or to resume */
    void CountPauseReceived(uint32_t priority, bool pause);

    /** \param stream number of the random stream of frame losses */
    void SetLossStream(int64_t stream);

    /** \param stream number of the random stream of bit errors */
    void SetBitErrorStream(int64_t stream);

    /** \return whether frames of this direction of the link may have bit errors */
    bool HasBitErrors() const
    {
        return m_cold->link.HasBitErrors();
    }

  private:
    /** Frames committed ahead of their departure; what lies beyond waits. */
    static constexpr uint32_t WINDOW = EgressScheduler::MAX_UNDO;

    /** Takes note that the first pending frame left its queue. */
    void Depart();
    /**
     * Fixes a frame's departure behind everything committed.
     * \param packet the frame
     * \param now ticks
     * \param ready see Enqueue()
     */
    void CommitOne(FabricPacket* packet, uint64_t now, uint64_t ready);
    /** \param now ticks; commits waiting frames that are not paused, up to the window */
    void CommitWaiting(uint64_t now);
    /**
     * \param earlier a class that was chosen while `later` could not send
     * \param later a class
     * \return whether it would have been chosen as well if `later` could have sent
     */
    bool Precedes(uint32_t earlier, uint32_t later) const
    {
        return m_scheduled ? m_cold->scheduler->Precedes(earlier, later) : earlier >= later;
    }
    /** \param ready classes that can send; at least one \return the one that sends next */
    uint32_t Choose(uint32_t ready)
    {
        return m_scheduled
                   ? m_cold->scheduler->Select(ready, m_cold->waiting.data(), m_gapBytes)
                   : 31 - __builtin_clz(ready);
    }
    /** Takes committed frames that have not started back into their queues. */
    void Recall()
    {
        RecallFrom(m_pending);
    }
    /** \param first committed frame that has not started; it and what follows is taken back */
    void RecallFrom(uint32_t first);
    /**
     * Takes back the frames that were committed in place of a class that can send now.
     * \param priority the class
     */
    void RecallBehind(uint32_t priority);
    /** The window is about to run dry. */
    void Refill();
    /** Tracked: a frame leaves its queue now. */
    void TrackedDeparture();
    /** \param now ticks; tracked: the next departure becomes an event */
    void ArmDeparture(uint64_t now);
    /** \param now ticks; tracked: a frame was queued */
    void TrackedQueued(uint64_t now);
    /** Some pause may have ended. */
    void PauseExpired();
    /** \param now ticks; sets the timer of the next pause that ends */
    void ArmPauseTimer();
    /**
     * Pauses a class or lets it go on, whoever wants it. For the parameters see Pause().
     * \param priority the class
     * \param until end of the pause
     * \param now ticks
     */
    void Hold(uint32_t priority, uint64_t until, uint64_t now);
    /**
     * \param mask new set of paused classes
     * \param now ticks
     */
    void SetPausedMask(uint32_t mask, uint64_t now);

    /** \param event the base class of a port: the first frame on the way may have arrived */
    static void ArrivalEvent(FabricEvent* event);
    /** Some frame is due earlier than the pending arrival event. */
    void EarlyArrival();
    /** \param due when the first frame on the way arrives, ticks */
    void ScheduleArrival(uint64_t due);
    /** \param now ticks; delivers the first frame on the way if it is due, waits for the next */
    void Arrive(uint64_t now);
    /**
     * A frame reaches the peer: draws whether it is lost; if not, shows it to the peer's tap.
     * \param packet the frame
     * \param now ticks
     * \return whether it is lost
     */
    bool IsLost(const FabricPacket& packet, uint64_t now);

    /** A committed frame. */
    struct Flight
    {
        uint64_t due;         //!< arrival of the last bit at the peer, ticks
        uint64_t start;       //!< departure of the first bit, ticks
        FabricPacket* packet; //!< the frame
    };

    /** \param index place, counted on without wrapping \return the committed frame there */
    Flight& At(uint32_t index)
    {
        return m_flight[index & m_mask];
    }

    /** Somebody looks at frames, or frames may be lost, from now on or no longer. */
    void UpdateWatched();

    /** Doubles the ring. */
    void Grow();

    /** What a port needs only while there is backlog, a pause or somebody who looks. */
    struct Cold
    {
        /** \param port whose it is */
        explicit Cold(FabricPort* port);

        std::array<FabricPacketList, CLASSES> waiting;        //!< not committed, by class
        FabricTimer<FabricPort, &FabricPort::Refill> refill;  //!< start of last committed frame
        FabricTimer<FabricPort, &FabricPort::TrackedDeparture> departure; //!< tracked mode
        FabricTimer<FabricPort, &FabricPort::PauseExpired> pauseEnd; //!< first pause that ends
        FabricTimer<FabricPort, &FabricPort::EarlyArrival> earlyArrival; //!< after a recall
        Ptr<EgressScheduler> scheduler;                        //!< null: strict priority
        FabricPauseState pauses;                               //!< ends and durations
        std::array<FabricPriorityCounters, PRIORITIES> priorities{}; //!< by class, less pauses
        FabricPortCounters counters;                           //!< but for what m_sent counts
        FabricLink link;                                       //!< rate, losses, cuts
        bool trackedByOwner{false};                            //!< see SetTracked()
        FabricTap* tap{nullptr};                               //!< sees every frame
    };

    // Hot, by cache line. An arrival at the peer touches the first three; queueing and departure
    // the first two, the fourth and the fifth.

    // The event, which is the base class, and the frames committed.
    uint32_t m_mask{0};                   //!< size of the ring of committed frames less one
    uint32_t m_head{0};                   //!< first frame on the way to the peer
    uint32_t m_pending{0};                //!< first committed frame that has not left its queue
    uint32_t m_end{0};                    //!< behind the last committed frame

    FabricPort* m_peer{nullptr};          //!< other end
    FabricDevice* m_peerOwner{nullptr};   //!< its device
    FabricContext* m_context{nullptr};    //!< shared state, owned by the device
    FabricDevice* m_owner{nullptr};       //!< device
    std::unique_ptr<Flight[]> m_flight;   //!< ring of committed frames
    uint64_t m_free{0};                   //!< end of the last committed frame, ticks
    uint32_t m_peerNode{0};               //!< node of the peer
    uint32_t m_peerIndex{0};              //!< number of the peer at its device
    uint32_t m_gapBytes{0};               //!< preamble and gap
    bool m_notify{false};                 //!< the owner wants to know of departures
    bool m_tracked{false};                //!< departures are events
    bool m_watched{false};                //!< losses, cuts or a tap at either end: see m_cold
    bool m_arrivalPending{false};         //!< the arrival event is in the queue

    FabricSentCounters m_sent;            //!< what arrived at the far end
    std::unique_ptr<Cold> m_cold;         //!< what is rarely needed

    uint64_t m_totalQueueBytes{0};        //!< bytes queued
    uint64_t m_remainder{0};              //!< fraction of a tick beyond m_free
    LinkClock m_clock;                    //!< arithmetic of the rate
    uint64_t m_delay{0};                  //!< propagation delay, ticks
    uint64_t m_sentBytes{0};              //!< wire bytes that left their queues
    uint8_t m_lastPriority{0};            //!< class of the last committed frame
    bool m_scheduled{false};              //!< classes are not strict: see m_cold->scheduler
    uint16_t m_waitingMask{0};            //!< classes with frames not committed
    uint16_t m_pausedMask{0};             //!< paused classes
    uint32_t m_index{0};                  //!< number at the device

    uint64_t m_maxQueueBytes{0};          //!< largest backlog seen when a frame was queued
    std::array<uint64_t, CLASSES> m_queueBytes{}; //!< bytes queued, by class

    // Touched where a frame finds others of its class.
    std::array<uint64_t, CLASSES> m_maxClassBytes{}; //!< deepest queue, by class
    uint32_t m_nodeId{0};                 //!< node of the device
};

} // namespace ns3

#endif /* FABRIC_PORT_H */
