/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-list.h"

#include "ns3/config-error.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace ns3
{

std::string
CountOf(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

namespace
{

/**
 * \param source a flow file
 * \param topology whose hosts it may name
 * \param packetBytes payload of a packet
 * \return what it says
 */
FlowFile
ReadFlows(const std::string& source, const Topology& topology, uint64_t packetBytes)
{
    FlowFileOptions fit;
    fit.packetBytes = packetBytes;
    fit.isHost.resize(topology.GetNodesByFileId().size());
    for (const uint32_t id : FlowList::GetHosts(topology))
    {
        fit.isHost[id] = true;
    }
    return ReadFlowFile(source, fit);
}

} // namespace

FlowList::FlowList(const std::string& source, const Topology& topology, uint64_t packetBytes)
    : FlowList(source, topology, ReadFlows(source, topology, packetBytes))
{
}

FlowList::FlowList(const std::string& source, const Topology& topology, FlowFile file)
    : m_source(source),
      m_topology(topology),
      m_file(std::move(file))
{
    RequireRepresentableTimes();
    const std::vector<uint32_t> nodes = topology.GetNodesByFileId();
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> channels;
    m_byRank.resize(topology.GetGpuCount());
    m_flows.reserve(m_file.flows.size());
    for (const FlowEntry& entry : m_file.flows)
    {
        RunFlow flow;
        flow.entry = entry;
        flow.src = nodes[entry.src];
        flow.dst = nodes[entry.dst];
        flow.channel = channels[{flow.src, flow.dst}]++;
        m_byRank[flow.src].push_back(m_flows.size());
        m_bytes += entry.bytes;
        m_flows.push_back(flow);
    }
}

std::vector<uint32_t>
FlowList::GetHosts(const Topology& topology)
{
    const std::vector<uint32_t> nodes = topology.GetNodesByFileId();
    std::vector<uint32_t> hosts;
    for (uint32_t id = 0; id < nodes.size(); id++)
    {
        if (nodes[id] < topology.nodes.size() &&
            topology.nodes[nodes[id]].kind == TopologyNodeKind::GPU)
        {
            hosts.push_back(id);
        }
    }
    return hosts;
}

void
FlowList::RequireRepresentableTimes() const
{
    const Time limit = TimeStep(int64_t(1) << 61); // a quarter of what Time can hold
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    for (const TopologyLink& link : m_topology.links)
    {
        slowest = std::min(slowest, std::max<uint64_t>(link.rate.GetBitRate(), 1));
    }
    for (const FlowEntry& flow : m_file.flows)
    {
        const long double seconds = 8.0L * flow.bytes / slowest;
        if (seconds > limit.GetSeconds())
        {
            throw ConfigError(m_source,
                              flow.line,
                              std::to_string(flow.bytes) + " bytes",
                              "a flow that the slowest link, " + std::to_string(slowest) +
                                  " bit/s, carries within " +
                                  std::to_string(static_cast<int64_t>(limit.GetSeconds())) +
                                  " s: the simulated time has no room for more");
        }
    }
}

void
FlowList::RequirePaths(const Cluster& cluster) const
{
    const PacketMessageTransport& transport = *cluster.GetTransport();
    const RoceMessageTransport& roce = *cluster.GetRoceTransport();
    for (const RunFlow& flow : m_flows)
    {
        if (!transport.UsesNvlink(flow.src, flow.dst) && !roce.CanReach(flow.src, flow.dst))
        {
            throw ConfigError(m_source,
                              flow.entry.line,
                              std::to_string(flow.entry.src) + " " +
                                  std::to_string(flow.entry.dst),
                              "two hosts that a path of " + m_topology.source + " joins");
        }
    }
}

std::vector<std::string>
FlowList::GetNotes() const
{
    std::vector<std::string> notes;
    const std::string ignored = m_file.DescribeIgnored();
    if (!ignored.empty())
    {
        notes.push_back(m_source + ": " + ignored);
    }
    std::set<uint32_t> priorities;
    bool stops = false;
    bool renamed = false;
    for (const RunFlow& flow : m_flows)
    {
        priorities.insert(flow.entry.priority);
        stops |= flow.entry.stop.has_value();
        renamed |= flow.src != flow.entry.src || flow.dst != flow.entry.dst;
    }
    if (priorities.size() > 1)
    {
        notes.push_back(m_source + ": flows of " + std::to_string(priorities.size()) +
                        " priorities share the traffic class of the NICs "
                        "(attribute ns3::RoceNicDevice::Priority)");
    }
    if (stops)
    {
        notes.push_back(m_source +
                        ": stop times have no effect, every flow runs until its last byte");
    }
    if (renamed)
    {
        notes.push_back("results number the hosts from 0: column name of table nodes has the ids "
                        "of " +
                        m_topology.source);
    }
    return notes;
}

} // namespace ns3
