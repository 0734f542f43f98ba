/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_SIMULATOR_IMPL_H
#define FABRIC_SIMULATOR_IMPL_H

#include "event-wheel.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/simulator-impl.h"

#include <functional>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Event engine that runs ns-3's events and intrusive FabricEvents from one timing wheel.
 *
 * Select it before anything is scheduled, with the global value
 * SimulatorImplementationType=ns3::FabricSimulatorImpl or with FabricEngine::Select(). Events due
 * at the same time run in the order in which they were scheduled, as in ns-3's default engine;
 * sequence numbers have 64 bit. Single-threaded: events must be scheduled from the thread that
 * runs the simulation. The scheduler type is ignored: the wheel is part of the engine. Remove()
 * does what Cancel() does: the event is freed when it would have been due. Timers that were stopped
 * or moved leave events behind that do nothing: Run() does not wait for them.
 */
class FabricSimulatorImpl : public SimulatorImpl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    FabricSimulatorImpl();
    ~FabricSimulatorImpl() override;

    /**
     * \param event not pending
     * \param ts due time, ticks, not before now
     */
    void ScheduleAt(FabricEvent* event, uint64_t ts)
    {
        event->ts = ts;
        event->sequence = NextSequence();
        m_wheel.Insert(event);
    }

    /**
     * Run() ends when no event is left but such that have nothing to do.
     * \param more whether one more pending event has nothing to do, or one less
     */
    void CountIdle(bool more)
    {
        m_idle += more ? 1 : -1;
    }

    /** \return present time, ticks */
    uint64_t NowTicks() const
    {
        return m_now;
    }

    /**
     * \param hook called about every 2^20 events from within Run(), for progress reports; it must
     * not touch the simulation
     */
    void SetPollHook(std::function<void()> hook);

    // From SimulatorImpl.
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    /** void up to ns-3.40, EventId from ns-3.41. */
    using StopResult =
        decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  protected:
    void DoDispose() override;

    /**
     * As if events had been scheduled.
     * \param count number of sequence numbers that are left out
     */
    void SkipSequences(uint64_t count)
    {
        m_nextSequence += count;
        SkipReserved();
    }

  private:
    /** An ordinary ns-3 event in the wheel. */
    struct Node : FabricEvent
    {
        EventImpl* impl; //!< the event, one reference held
    };

    /** \return the next sequence number; its low 32 bits are never a reserved uid */
    uint64_t NextSequence()
    {
        const uint64_t sequence = m_nextSequence++;
        SkipReserved();
        return sequence;
    }

    /** Makes sure that the low 32 bits of the next sequence number are no reserved uid. */
    void SkipReserved()
    {
        if (static_cast<uint32_t>(m_nextSequence) < EventId::UID::VALID)
        {
            m_nextSequence += EventId::UID::VALID;
        }
    }

    /**
     * \param context the event's context
     * \param ts due time, ticks
     * \param event the event
     * \return its node in the wheel
     */
    Node* Insert(uint32_t context, uint64_t ts, EventImpl* event);
    /** Empties the wheel. */
    void DropPending();
    /** \param event the node whose ns-3 event runs */
    static void RunNode(FabricEvent* event);
    /** \param id an event \return whether it is one of those that run in Destroy() */
    static bool IsDestroyEvent(const EventId& id);

    EventWheel m_wheel;                           //!< all pending events
    size_t m_idle{0};                             //!< pending events that have nothing to do
    uint64_t m_now{0};                            //!< present time, ticks
    uint64_t m_nextSequence{EventId::UID::VALID}; //!< of the next event
    uint64_t m_currentSequence{0};                //!< of the running event
    uint64_t m_eventCount{0};                     //!< events run
    uint32_t m_context;                           //!< of the running event
    bool m_stop{false};                           //!< Stop() was called
    std::function<void()> m_pollHook;             //!< progress reports
    std::list<EventId> m_destroyEvents;           //!< run in Destroy()
    std::vector<Node*> m_freeNodes;               //!< recycled nodes
    std::vector<std::unique_ptr<Node[]>> m_slabs; //!< memory of all nodes
    static FabricSimulatorImpl* g_running;        //!< the engine whose events run
};

} // namespace ns3

#endif /* FABRIC_SIMULATOR_IMPL_H */
