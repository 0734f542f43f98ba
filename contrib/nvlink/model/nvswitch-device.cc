/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvswitch-device.h"

#include "nvlink-frame.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/least-loaded-load-balancer.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvSwitchDevice);

TypeId
NvSwitchDevice::GetTypeId()
{
    static TypeId tid =
        AddForwardingAttributes(TypeId("ns3::NvSwitchDevice")
                                    .SetParent<FabricSwitchDevice>()
                                    .SetGroupName("Nvlink")
                                    .AddConstructor<NvSwitchDevice>(),
                                LeastLoadedLoadBalancer::GetTypeId(),
                                true)
            .AddAttribute("InputBufferPackets",
                          "Packets of the devices' granularity that every ingress port may hold at "
                          "least before its peer is stopped.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&NvSwitchDevice::m_inputBufferPackets),
                          MakeUintegerChecker<uint32_t>(2, 1U << 20))
            .AddAttribute("Sharp",
                          "Copies and adds up for teams of GPUs (NVLink SHARP), if it is a chip "
                          "that can: third generation NVSwitch or newer.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&NvSwitchDevice::m_sharp),
                          MakeBooleanChecker())
            .AddTraceSource("CreditSignal",
                            "The peer of an ingress port is told to stop or to resume.",
                            MakeTraceSourceAccessor(&NvSwitchDevice::m_creditTrace),
                            "ns3::NvSwitchDevice::CreditTracedCallback");
    return tid;
}

NvSwitchDevice::NvSwitchDevice() = default;
NvSwitchDevice::~NvSwitchDevice() = default;

void
NvSwitchDevice::SetMaxFrameBytes(uint64_t bytes)
{
    m_maxFrameBytes = bytes;
}

void
NvSwitchDevice::SetOffload(bool offload)
{
    m_offload = offload;
}

void
NvSwitchDevice::SetTeams(std::shared_ptr<const RankTeams> teams)
{
    m_teams = std::move(teams);
}

uint64_t
NvSwitchDevice::GetRoundTripBytes(const FabricPort& port) const
{
    const FabricLinkParameters& link = port.GetLink();
    const uint64_t ticks = 2 * link.delay + GetLatency().GetTimeStep();
    const auto bits = static_cast<unsigned __int128>(ticks) * link.rateBps;
    return static_cast<uint64_t>(bits / 8 / FabricEngine::GetTicksPerSecond()) + 1;
}

SharedBufferParameters
NvSwitchDevice::GetBufferParameters() const
{
    NS_ABORT_MSG_IF(m_maxFrameBytes == 0, "SetMaxFrameBytes() must come before Configure()");
    SharedBufferParameters parameters;
    uint64_t pool = 0;
    uint64_t headroom = 0;
    for (uint32_t i = 0; i < GetPortCount(); i++)
    {
        const uint64_t roundTrip = GetRoundTripBytes(GetPort(i));
        parameters.headroomBytes.push_back(roundTrip + 3 * m_maxFrameBytes);
        headroom += parameters.headroomBytes.back();
        pool += 2 * (m_inputBufferPackets * m_maxFrameBytes + roundTrip);
    }
    parameters.totalBytes = headroom + pool;
    parameters.alpha = 1.0 / GetPortCount();
    parameters.resumeOffset = m_maxFrameBytes;
    parameters.losslessMask = 1U << NVLINK_DATA_CLASS;
    return parameters;
}

void
NvSwitchDevice::SignalPause(FabricPort& port, uint32_t priority, bool pause)
{
    FabricContext* fabric = GetFabric();
    FabricPacket* packet = fabric->pool.Allocate();
    packet->opcode =
        static_cast<uint8_t>(pause ? NvlinkOpcode::CREDIT_STOP : NvlinkOpcode::CREDIT_RESUME);
    packet->priority = FabricPort::CONTROL;
    packet->frameClass = static_cast<uint8_t>(FrameClass::CONTROL);
    fabric->counters.packets++;
    port.CountPauseSent(priority, pause);
    m_creditTrace(port.GetIndex(), pause);
    port.Enqueue(packet, NowTicks());
}

void
NvSwitchDevice::ReceiveControl(const FabricPacket& packet, FabricPort& port)
{
    ApplyNvlinkCredit(packet, port, NowTicks());
}

void
NvSwitchDevice::Offload(FabricPacket* packet, FabricPort& in, uint64_t now)
{
    NS_ABORT_MSG_UNLESS(m_teams, "NVSwitch " << GetNode()->GetId() << " has no teams");
    if (packet->opcode == static_cast<uint8_t>(NvlinkOpcode::MULTICAST))
    {
        Multicast(packet, in, now);
        return;
    }
    if (!m_reductions.Add(*packet, m_teams->Get(packet->qp)))
    {
        GetFabric()->counters.combined++;
        GetFabric()->pool.Release(packet);
        return;
    }
    packet->offload = 0;
    packet->src = packet->dst; // whose message the sum is
    Forward(packet, in, SelectPort(*packet), now);
}

void
NvSwitchDevice::Multicast(FabricPacket* packet, FabricPort& in, uint64_t now)
{
    packet->offload = 0;
    const FabricPacket frame = *packet;
    FabricPacket* last = nullptr; // leaves last, so it is charged for all
    uint32_t lastPort = 0;
    for (const uint32_t member : m_teams->Get(packet->qp))
    {
        FabricPacket* copy = packet;
        if (last)
        {
            copy = GetFabric()->pool.Allocate();
            *copy = frame;
            GetFabric()->counters.packets++;
        }
        copy->dst = member;
        uint32_t port = SelectPort(*copy);
        if (last)
        {
            if (GetPort(port).GetFreeTime() > GetPort(lastPort).GetFreeTime())
            {
                std::swap(copy, last);
                std::swap(port, lastPort);
            }
            copy->uncharged = 1;
            Forward(copy, in, port, now);
            continue;
        }
        last = copy;
        lastPort = port;
    }
    Forward(last, in, lastPort, now);
}

} // namespace ns3
