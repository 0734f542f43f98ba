/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc.h"

#include "ns3/fabric-device.h"
#include "ns3/node.h"
#include "ns3/pfc-frame.h"
#include "ns3/roce-wire.h"

#include <algorithm>

namespace ns3
{

void
Pfc::Send(FabricPort& port, uint32_t priority, uint16_t quanta)
{
    FabricContext* fabric = port.GetOwner()->GetFabric();
    FabricPacket* packet = fabric->pool.Allocate();
    PfcFrame frame;
    frame.device = port.GetOwner()->GetNode()->GetId();
    frame.classVector = 1U << priority;
    frame.quanta[priority] = quanta;
    frame.ToRecord(*packet);
    fabric->counters.packets++;
    port.CountPauseSent(priority, quanta > 0);
    port.Enqueue(packet, fabric->engine.Now());
}

void
Pfc::Obey(const FabricPacket& packet, FabricPort& port, uint64_t now, uint32_t deaf)
{
    const PfcFrame frame = PfcFrame::FromRecord(packet);
    for (uint32_t priority = 0; priority < PfcFrame::CLASSES; priority++)
    {
        if (!(frame.classVector >> priority & 1))
        {
            continue;
        }
        if (deaf >> priority & 1)
        {
            port.CountPauseReceived(priority, frame.quanta[priority] > 0);
        }
        else
        {
            port.Pause(priority, now + GetTicks(port, frame.quanta[priority]), now);
        }
    }
}

uint64_t
Pfc::GetTicks(const FabricPort& port, uint16_t quanta)
{
    return port.GetClock().TicksFor(static_cast<uint64_t>(quanta) * PfcFrame::QUANTUM_BITS / 8);
}

uint64_t
Pfc::GetHeadroomBytes(const FabricPort& port,
                      uint32_t maxFrameBytes,
                      uint32_t classes,
                      uint64_t latency)
{
    const FabricLinkParameters& link = port.GetLink();
    using Wide = unsigned __int128;
    const Wide bits =
        static_cast<Wide>(link.rateBps) * (2 * static_cast<Wide>(link.delay) + latency);
    const uint64_t ticks = FabricEngine::GetTicksPerSecond();
    constexpr Wide MOST = UINT64_MAX / 2; // any more is no memory, either
    const auto inFlight =
        static_cast<uint64_t>(std::min((bits + 8 * ticks - 1) / (8 * ticks), MOST));
    const uint64_t frame = maxFrameBytes + link.gapBytes;
    const uint64_t pause = RoceWire::PFC_FRAME + link.gapBytes;
    return inFlight + 2 * frame + classes * pause;
}

} // namespace ns3
