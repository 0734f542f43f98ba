/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_TIMER_H
#define FABRIC_TIMER_H

#include "fabric-engine.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A timer that may be moved and stopped, made of events that may not.
 *
 * Moving it later or stopping it is free: the pending event finds out when it fires. Moving it
 * earlier takes a second event; the first one fires later and does nothing. FabricSimulatorImpl
 * does not wait for events that do nothing when no other is left.
 *
 * \tparam T the owner
 * \tparam Method the owner's method that runs when the timer expires
 */
template <typename T, void (T::*Method)()>
class FabricTimer
{
  public:
    /** Expiry of a timer that is not running. */
    static constexpr uint64_t NEVER = ~0ULL;

    /**
     * \param owner whose method runs
     * \param fetch fetches memory ahead, see GetOwner(); may be null
     */
    explicit FabricTimer(T* owner, FabricEvent::Fetcher fetch = nullptr)
        : m_owner(owner)
    {
        Prepare(m_first);
        m_first.fetch = fetch;
    }

    FabricTimer(const FabricTimer&) = delete;
    FabricTimer& operator=(const FabricTimer&) = delete;

    /**
     * \param engine event engine
     * \param context node id
     */
    void Bind(const FabricEngine* engine, uint32_t context)
    {
        m_engine = engine;
        m_first.context = context;
    }

    /** \param event one that a fetcher of a timer is called with \return the timer's owner */
    static const T* GetOwner(const FabricEvent* event)
    {
        return static_cast<const Event*>(event)->timer->m_owner;
    }

    /** \param ts new expiry, ticks, not before now; replaces the present one */
    void Set(uint64_t ts)
    {
        const bool stopped = m_due == NEVER;
        m_due = ts;
        if (m_current)
        {
            const bool inTime = m_current->ts <= ts;
            if (inTime == stopped)
            {
                m_engine->CountIdle(!inTime); // it counts again, or is replaced
            }
            if (inTime)
            {
                return;
            }
        }
        Event* event = m_first.pending ? TakeSpare() : &m_first;
        event->pending = true;
        event->context = m_first.context;
        m_current = event;
        m_engine->ScheduleAt(event, ts);
    }

    /** Stops the timer. */
    void Clear()
    {
        if (m_current && m_due != NEVER)
        {
            m_engine->CountIdle(true);
        }
        m_due = NEVER;
    }

    /** \return its expiry, ticks, or NEVER */
    uint64_t GetDue() const
    {
        return m_due;
    }

  private:
    /** An event that knows its timer. */
    struct Event : FabricEvent
    {
        FabricTimer* timer{nullptr}; //!< whose event it is
        bool pending{false};         //!< it is in the engine's queue
    };

    /** Events that a timer has beside its first. */
    struct Spares
    {
        std::deque<Event> all;    //!< at stable addresses
        std::vector<Event*> free; //!< those that are not pending
    };

    /** \param event an event that becomes one of this timer */
    void Prepare(Event& event)
    {
        event.timer = this;
        event.handler = [](FabricEvent* e) {
            auto* self = static_cast<Event*>(e);
            self->timer->Fire(self);
        };
    }

    /** \return an event that is not pending */
    Event* TakeSpare()
    {
        if (!m_spares)
        {
            m_spares = std::make_unique<Spares>();
        }
        if (m_spares->free.empty())
        {
            Prepare(m_spares->all.emplace_back());
            return &m_spares->all.back();
        }
        Event* const spare = m_spares->free.back();
        m_spares->free.pop_back();
        return spare;
    }

    /** \param event the event that is due */
    void Fire(Event* event)
    {
        event->pending = false;
        if (event != &m_first)
        {
            m_spares->free.push_back(event);
        }
        const bool replaced = event != m_current;
        m_current = replaced ? m_current : nullptr;
        if (replaced || m_due == NEVER)
        {
            m_engine->CountIdle(false);
            return;
        }
        if (m_due > event->ts)
        {
            Set(m_due);
            return;
        }
        m_due = NEVER;
        (m_owner->*Method)();
    }

    Event m_first;                         //!< enough for almost every timer
    T* m_owner;                            //!< whose method runs
    const FabricEngine* m_engine{nullptr}; //!< event engine
    uint64_t m_due{NEVER};                 //!< expiry, ticks
    Event* m_current{nullptr};             //!< the event that counts
    std::unique_ptr<Spares> m_spares;      //!< further ones
};

} // namespace ns3

#endif /* FABRIC_TIMER_H */
