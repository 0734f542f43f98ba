/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "event-wheel.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

void
EventHeap::Insert(FabricEvent* event)
{
    const Item item{event->ts, event->sequence, event};
    size_t i = m_items.size();
    m_items.push_back(item);
    while (i > 0)
    {
        const size_t parent = (i - 1) / 4;
        if (!(item < m_items[parent]))
        {
            break;
        }
        m_items[i] = m_items[parent];
        i = parent;
    }
    m_items[i] = item;
}

FabricEvent*
EventHeap::Pop()
{
    FabricEvent* first = m_items.front().event;
    const Item last = m_items.back();
    m_items.pop_back();
    const size_t size = m_items.size();
    if (size == 0)
    {
        return first;
    }
    size_t i = 0;
    for (size_t child = 1; child < size; child = 4 * i + 1)
    {
        const size_t end = std::min(child + 4, size);
        size_t least = child;
        for (size_t k = child + 1; k < end; k++)
        {
            if (m_items[k] < m_items[least])
            {
                least = k;
            }
        }
        if (!(m_items[least] < last))
        {
            break;
        }
        m_items[i] = m_items[least];
        i = least;
    }
    m_items[i] = last;
    return first;
}

EventWheel::EventWheel(uint32_t slotShift, uint32_t slotBits)
    : m_shift(slotShift),
      m_mask((1ULL << slotBits) - 1),
      m_slots(1ULL << slotBits, nullptr),
      m_occupied((1ULL << slotBits) / 64, 0),
      m_summary(std::max<size_t>(1, (1ULL << slotBits) / 4096), 0)
{
    NS_ASSERT_MSG(slotBits >= 12, "the summary words cover 4096 slots each");
}

uint64_t
EventWheel::FindNextSlot() const
{
    const uint64_t from = (m_current + 1) & m_mask;
    const auto toAbsolute = [&](uint64_t i) { return m_current + 1 + ((i - from) & m_mask); };
    const uint64_t bits = m_occupied[from >> 6] >> (from & 63);
    if (bits)
    {
        return toAbsolute(from + __builtin_ctzll(bits));
    }
    const uint64_t words = m_occupied.size();
    uint64_t word = (from >> 6) + 1;
    // One lap over the summary; the first word is looked at twice, for its part before `from`.
    for (size_t lap = 0; lap <= m_summary.size(); lap++)
    {
        if (word >= words)
        {
            word = 0;
        }
        const uint64_t summary = m_summary[word >> 6] >> (word & 63);
        if (summary)
        {
            const uint64_t hit = word + __builtin_ctzll(summary);
            return toAbsolute((hit << 6) + __builtin_ctzll(m_occupied[hit]));
        }
        word = ((word >> 6) + 1) << 6;
    }
    return ~0ULL;
}

FabricEvent*
EventWheel::OpenNextSlot()
{
    uint64_t slot = FindNextSlot();
    if (!m_far.IsEmpty())
    {
        slot = std::min(slot, m_far.Top().ts >> m_shift);
    }
    m_current = slot;
    while (!m_far.IsEmpty() && (m_far.Top().ts >> m_shift) - m_current < m_slots.size())
    {
        FabricEvent* event = m_far.Pop();
        Link(event, event->ts >> m_shift);
    }
    const uint64_t i = m_current & m_mask;
    Chunk* head = m_slots[i];
    m_slots[i] = nullptr;
    uint64_t& word = m_occupied[i >> 6];
    word &= ~(1ULL << (i & 63));
    if (!word)
    {
        m_summary[i >> 12] &= ~(1ULL << ((i >> 6) & 63));
    }
    SortRun(head);
    LookAhead();
    return m_run[m_runIndex++].event;
}

void
EventWheel::AllocateChunks()
{
    constexpr size_t SLAB = 256;
    m_slabs.push_back(std::make_unique<Chunk[]>(SLAB));
    for (size_t k = 0; k < SLAB; k++)
    {
        Chunk* chunk = &m_slabs.back()[k];
        chunk->next = m_freeChunks;
        m_freeChunks = chunk;
    }
}

void
EventWheel::SortRun(Chunk* head)
{
    m_run.clear();
    m_runIndex = 0;
    // The oldest first: events of the same time, or that were scheduled in order, are sorted then.
    Chunk* oldest = nullptr;
    while (head)
    {
        Chunk* const next = head->next;
        head->next = oldest;
        oldest = head;
        head = next;
    }
    head = oldest;
    while (head)
    {
        m_run.insert(m_run.end(), head->items, head->items + head->count);
        Chunk* next = head->next;
        head->next = m_freeChunks;
        m_freeChunks = head;
        head = next;
    }
    constexpr size_t SMALL = 16;
    if (m_run.size() > SMALL)
    {
        if (!std::is_sorted(m_run.begin(), m_run.end()))
        {
            std::sort(m_run.begin(), m_run.end());
        }
    }
    else
    {
        InsertionSort();
    }
    for (size_t i = 0; i < std::min(LOOKAHEAD, m_run.size()); i++)
    {
        FetchLines(m_run[i].event, EVENT_LINES);
    }
}

void
EventWheel::LookAhead()
{
    const uint64_t slot = FindNextSlot();
    m_next = slot == ~0ULL ? nullptr : m_slots[slot & m_mask];
    if (m_next)
    {
        FetchLines(m_next, sizeof(Chunk) / CACHE_LINE);
    }
}

void
EventWheel::InsertionSort()
{
    for (size_t i = 1; i < m_run.size(); i++)
    {
        const EventHeap::Item item = m_run[i];
        size_t k = i;
        for (; k > 0 && item < m_run[k - 1]; k--)
        {
            m_run[k] = m_run[k - 1];
        }
        m_run[k] = item;
    }
}

} // namespace ns3
