/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-packet.h"

#include "ns3/packet.h"

namespace ns3
{

void
FabricPacketPool::Grow()
{
    constexpr size_t SLAB = 512; // 64 KiB
    m_slabs.push_back(std::make_unique<FabricPacket[]>(SLAB));
    FabricPacket* slab = m_slabs.back().get();
    for (size_t i = 0; i < SLAB; i++)
    {
        slab[i].next = i + 1 < SLAB ? &slab[i + 1] : nullptr;
    }
    m_free = slab;
}

void
FabricPacketPool::DropForeign(FabricPacket* packet)
{
    packet->foreign->Unref();
    packet->foreign = nullptr;
}

} // namespace ns3
