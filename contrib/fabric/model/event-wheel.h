/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef EVENT_WHEEL_H
#define EVENT_WHEEL_H

#include "fabric-event.h"
#include "fetch-lines.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A 4-ary heap of events, ordered by (time, sequence), keys beside the pointers.
 */
class EventHeap
{
  public:
    /** An event with its key. */
    struct Item
    {
        uint64_t ts;        //!< due time, ticks
        uint64_t sequence;  //!< order among equals
        FabricEvent* event; //!< the event

        /** \param o another item \return whether this one comes first */
        bool operator<(const Item& o) const
        {
            return ts < o.ts || (ts == o.ts && sequence < o.sequence);
        }
    };

    /** \return whether there is no event */
    bool IsEmpty() const
    {
        return m_items.empty();
    }

    /** \return the first item; the heap must not be empty */
    const Item& Top() const
    {
        return m_items.front();
    }

    /** \param event an event */
    void Insert(FabricEvent* event);

    /** \return the first event, removed; the heap must not be empty */
    FabricEvent* Pop();

  private:
    std::vector<Item> m_items; //!< implicit tree
};

/**
 * \ingroup fabric
 * \brief Event queue: a timing wheel whose slots are sorted when they are opened, and a heap for
 * what lies beyond its horizon.
 *
 * Pops in the order (time, sequence), always. Insert and pop cost O(1) on average for events
 * within the horizon; a crowded slot costs O(log n) per event.
 */
class EventWheel
{
  public:
    /**
     * \param slotShift a slot spans 2^slotShift ticks
     * \param slotBits the wheel has 2^slotBits slots, at least 2^12
     */
    explicit EventWheel(uint32_t slotShift = 10, uint32_t slotBits = 16);

    /** \return whether there is no event */
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /** \return number of events */
    size_t GetSize() const
    {
        return m_size;
    }

    /** \param event an event not pending, not before the last one popped */
    void Insert(FabricEvent* event)
    {
        m_size++;
        const uint64_t slot = event->ts >> m_shift;
        if (slot <= m_current)
        {
            m_late.Insert(event);
        }
        else if (slot - m_current < m_slots.size())
        {
            Link(event, slot);
        }
        else
        {
            m_far.Insert(event);
        }
    }

    /** Fetches the memory of events that will be popped soon. */
    void Prefetch()
    {
        if (const FabricEvent* event = PeekAhead(LOOKAHEAD))
        {
            FetchLines(event, EVENT_LINES);
        }
        if (const FabricEvent* event = PeekAhead(FETCH_LOOKAHEAD[0]))
        {
            FetchLines(event->hint);
            m_hasFetchers |= event->fetch != nullptr;
        }
        for (uint32_t stage = 0; m_hasFetchers && stage < FabricEvent::STAGES; stage++)
        {
            const FabricEvent* event = PeekAhead(FETCH_LOOKAHEAD[stage]);
            if (event && event->fetch)
            {
                event->fetch(event, stage);
            }
        }
    }

    /** \return the first event, removed; there must be one */
    FabricEvent* Pop()
    {
        m_size--;
        if (m_runIndex < m_run.size())
        {
            if (!m_late.IsEmpty() && m_late.Top() < m_run[m_runIndex])
            {
                return m_late.Pop();
            }
            return m_run[m_runIndex++].event;
        }
        if (!m_late.IsEmpty())
        {
            return m_late.Pop();
        }
        return OpenNextSlot();
    }

  private:
    /** Lines of cache that are fetched of an event: with what lies behind it, its owner's state. */
    static constexpr size_t EVENT_LINES = 3;
    /** How many events ahead their memory is fetched. */
    static constexpr size_t LOOKAHEAD = 10;
    /** How many events ahead their hint is fetched, and the stages of their fetchers. */
    static constexpr size_t FETCH_LOOKAHEAD[FabricEvent::STAGES] = {6, 4, 2};

    /**
     * \param distance how far ahead
     * \return an event popped about then, from the run or the slot after it, or nullptr
     */
    const FabricEvent* PeekAhead(size_t distance) const
    {
        size_t i = m_runIndex + distance;
        if (i < m_run.size())
        {
            return m_run[i].event;
        }
        i -= m_run.size();
        return m_next && i < m_next->count ? m_next->items[i].event : nullptr;
    }

    /** Some events of a slot, with their keys: two cache lines. */
    struct alignas(CACHE_LINE) Chunk
    {
        static constexpr uint32_t CAPACITY = 4; //!< events

        EventHeap::Item items[CAPACITY]; //!< the events
        Chunk* next;                     //!< more of the same slot
        uint32_t count;                  //!< events here
    };

    /**
     * \param event an event
     * \param slot its absolute slot number, within the horizon
     */
    void Link(FabricEvent* event, uint64_t slot)
    {
        const uint64_t i = slot & m_mask;
        Chunk* chunk = m_slots[i];
        if (!chunk || chunk->count == Chunk::CAPACITY)
        {
            chunk = TakeChunk();
            chunk->next = m_slots[i];
            m_slots[i] = chunk;
        }
        chunk->items[chunk->count++] = {event->ts, event->sequence, event};
        m_occupied[i >> 6] |= 1ULL << (i & 63);
        m_summary[i >> 12] |= 1ULL << ((i >> 6) & 63);
    }

    /** \return the absolute number of the first occupied slot after the current one, or ~0 */
    uint64_t FindNextSlot() const;
    /** \return the first event of the next occupied slot, which becomes the current one */
    FabricEvent* OpenNextSlot();
    /** \param head chunks whose events become the sorted run; they are given back */
    void SortRun(Chunk* head);
    /** Sorts a short run. */
    void InsertionSort();
    /** \return an empty chunk */
    Chunk* TakeChunk()
    {
        if (!m_freeChunks)
        {
            AllocateChunks();
        }
        Chunk* chunk = m_freeChunks;
        m_freeChunks = chunk->next;
        chunk->count = 0;
        return chunk;
    }
    /** Fetches the first events of the slot after the current one, and remembers it. */
    void LookAhead();
    /** Takes memory for more chunks. */
    void AllocateChunks();

    uint32_t m_shift;                   //!< log2 of a slot's ticks
    uint64_t m_mask;                    //!< number of slots less one
    std::vector<Chunk*> m_slots;        //!< a list of chunks per slot
    Chunk* m_freeChunks{nullptr};       //!< chunks not in use
    std::vector<std::unique_ptr<Chunk[]>> m_slabs; //!< memory of all chunks
    std::vector<uint64_t> m_occupied;   //!< a bit per slot
    std::vector<uint64_t> m_summary;    //!< a bit per word of m_occupied
    std::vector<EventHeap::Item> m_run; //!< current slot, sorted
    size_t m_runIndex{0};               //!< first of m_run not yet popped
    bool m_hasFetchers{false};          //!< an event with a fetcher was seen: look for more
    const Chunk* m_next{nullptr};       //!< of the slot after the current one, to fetch ahead
    EventHeap m_late;                   //!< inserted into the current slot while it is open
    EventHeap m_far;                    //!< beyond the horizon
    uint64_t m_current{0};              //!< absolute number of the open slot
    size_t m_size{0};                   //!< events in all
};

} // namespace ns3

#endif /* EVENT_WHEEL_H */
