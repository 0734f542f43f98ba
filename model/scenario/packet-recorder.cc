/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-recorder.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

/**
 * \param sink where to record
 * \param node node that sends the frame
 * \param port port it leaves by
 * \param priority the class
 * \param pause PAUSE or RESUME
 */
void
RecordPause(ResultSink* sink, uint32_t node, uint32_t port, uint32_t priority, bool pause)
{
    sink->Record(PauseRecord{Simulator::Now(), node, port, priority, pause});
}

/**
 * \param sink where to record
 * \param name of the switch
 * \param port port whose watchdog found something
 * \param priority the class
 * \param begins a storm, or its end
 */
void
RecordStorm(ResultSink* sink, std::string name, uint32_t port, uint32_t priority, bool begins)
{
    const std::string place =
        name + " port " + std::to_string(port) + " class " + std::to_string(priority);
    sink->Record(
        EventRecord{Simulator::Now(),
                    begins ? "pfc-storm" : "pfc-storm-end",
                    "PFC watchdog of " + place + (begins ? " found a storm" : " obeys PFC again")});
}

/**
 * Records the priorities of a port that saw anything.
 * \param sink where to record
 * \param node node id
 * \param port a port of it
 */
void
RecordPriorities(ResultSink& sink, uint32_t node, const FabricPort& port)
{
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        const FabricPriorityCounters counters = port.GetPriorityCounters(priority);
        PortRecord record;
        record.node = node;
        record.port = port.GetIndex();
        record.priority = priority;
        record.pausesSent = counters.pausesSent;
        record.resumesSent = counters.resumesSent;
        record.pausesReceived = counters.pausesReceived;
        record.resumesReceived = counters.resumesReceived;
        record.paused = TimeStep(counters.pausedTicks);
        record.longestPause = TimeStep(counters.longestPauseTicks);
        record.pausedAtEnd = RoceFabric::IsStillPaused(port, priority);
        record.maxQueueBytes = counters.maxQueueBytes;
        record.ecnMarks = counters.marks;
        record.droppedPackets = counters.drops;
        record.watchdogDiscards = counters.watchdogDiscards;
        if (counters.pausesSent || counters.resumesSent || counters.pausesReceived ||
            counters.resumesReceived || counters.maxQueueBytes || counters.marks ||
            counters.drops || counters.watchdogDiscards)
        {
            sink.Record(record);
        }
    }
}

} // namespace

PacketRecorder::PacketRecorder(const PacketNetwork& network, ResultSink& sink)
    : m_network(network),
      m_sink(sink)
{
}

void
PacketRecorder::TracePauses() const
{
    const auto& switches = m_network.GetRoceFabric().switches;
    for (uint32_t id = 0; id < switches.size(); id++)
    {
        if (switches[id])
        {
            switches[id]->TraceConnectWithoutContext("PauseSent",
                                                     MakeBoundCallback(&RecordPause, &m_sink, id));
            switches[id]->TraceConnectWithoutContext(
                "PfcStorm",
                MakeBoundCallback(&RecordStorm, &m_sink, switches[id]->GetName()));
        }
    }
}

void
PacketRecorder::RecordLinks() const
{
    for (const FabricDevice* device : m_network.GetEthernetDevices())
    {
        RecordPorts(*device, "ethernet");
    }
    for (const FabricDevice* device : m_network.GetNvlinkDevices())
    {
        RecordPorts(*device, "nvlink");
    }
}

void
PacketRecorder::RecordPorts(const FabricDevice& device, const std::string& kind) const
{
    const uint32_t node = m_network.GetTopologyId(device.GetNode());
    for (uint32_t i = 0; i < device.GetPortCount(); i++)
    {
        const FabricPort& port = device.GetPort(i);
        const FabricPortCounters counters = port.GetCounters();
        constexpr auto DATA = static_cast<size_t>(FrameClass::DATA);
        constexpr auto ACK = static_cast<size_t>(FrameClass::ACK);
        constexpr auto CONTROL = static_cast<size_t>(FrameClass::CONTROL);
        LinkRecord record;
        record.node = node;
        record.port = i;
        record.peer = m_network.GetTopologyId(port.GetPeer()->GetOwner()->GetNode());
        record.peerPort = port.GetPeer()->GetIndex();
        record.kind = kind;
        record.rate = DataRate(port.GetLink().rateBps);
        record.window = Simulator::Now();
        record.dataPackets = counters.packets[DATA];
        record.payloadBytes = counters.payloadBytes;
        record.dataWireBytes = counters.wireBytes[DATA];
        record.ackPackets = counters.packets[ACK];
        record.ackWireBytes = counters.wireBytes[ACK];
        record.controlPackets = counters.packets[CONTROL];
        record.controlWireBytes = counters.wireBytes[CONTROL];
        record.ecnMarks = counters.marks;
        record.drops = counters.drops;
        record.losses = counters.lost;
        record.corruptions = counters.corrupted;
        record.paused = TimeStep(counters.pausedTicks);
        m_sink.Record(record);
        RecordPriorities(m_sink, node, port);
    }
}

} // namespace ns3
