/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-packet.h"

#include "ns3/packet.h"

#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace ns3
{

FabricPacketPool::~FabricPacketPool()
{
    size_t slabBytes = FIRST_SLAB;
    for (size_t i = 0; m_foreign && i < m_slabs.size(); i++)
    {
        for (size_t j = 0; j < slabBytes / sizeof(FabricPacket); j++)
        {
            if (m_slabs[i][j].foreign)
            {
                DropForeign(&m_slabs[i][j]);
            }
        }
        slabBytes = NextSlabBytes(slabBytes);
    }
}

void
FabricPacketPool::Grow()
{
    void* memory = std::aligned_alloc(m_slabBytes, m_slabBytes);
    if (!memory)
    {
        throw std::bad_alloc();
    }
#ifdef MADV_HUGEPAGE
    if (m_slabBytes == HUGE_PAGE)
    {
        madvise(memory, m_slabBytes, MADV_HUGEPAGE); // a wish: nothing is wrong without
    }
#endif
    auto* slab = static_cast<FabricPacket*>(memory);
    m_slabs.emplace_back(slab, &std::free);
    const size_t count = m_slabBytes / sizeof(FabricPacket);
    for (size_t i = 0; i < count; i++)
    {
        new (&slab[i]) FabricPacket{};
        slab[i].next = i + 1 < count ? &slab[i + 1] : nullptr;
    }
    m_free = slab;
    m_slabBytes = NextSlabBytes(m_slabBytes);
}

void
FabricPacketPool::AttachTelemetry(FabricPacket* packet)
{
    if (!m_freeStacks)
    {
        m_stacks.push_back(std::make_unique<TelemetryStack>());
        m_freeStacks = m_stacks.back().get();
    }
    packet->telemetry = m_freeStacks;
    m_freeStacks = packet->telemetry->next;
    packet->instrumented = 1;
}

void
FabricPacketPool::DropTelemetry(FabricPacket* packet)
{
    packet->telemetry->hops.clear();
    packet->telemetry->next = m_freeStacks;
    m_freeStacks = packet->telemetry;
    packet->telemetry = nullptr;
    packet->instrumented = 0;
}

void
FabricPacketPool::MoveTelemetry(FabricPacket* from, FabricPacket* to)
{
    to->telemetry = from->telemetry;
    to->instrumented = from->instrumented;
    from->telemetry = nullptr;
    from->instrumented = 0;
}

void
FabricPacketPool::AttachForeign(FabricPacket* packet, const Ptr<Packet>& frame)
{
    packet->foreign = GetPointer(frame); // with a reference
    m_foreign++;
}

void
FabricPacketPool::DropForeign(FabricPacket* packet)
{
    packet->foreign->Unref();
    packet->foreign = nullptr;
    m_foreign--;
}

} // namespace ns3
