/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-list.h"

#include "run-limits.h"

#include "ns3/config-error.h"
#include "ns3/dscp-map.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr const char* DSCP_MAP = "ns3::RoceNicDevice::DscpMap"; //!< an attribute

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
      m_topology(topology.source),
      m_file(std::move(file))
{
    RequireRepresentableTimes(topology.links);
    const std::vector<uint32_t> nodes = topology.GetNodesByFileId();
    m_byRank.resize(topology.GetGpuCount());
    m_flows.reserve(m_file.flows.size());
    for (const FlowEntry& entry : m_file.flows)
    {
        RunFlow flow;
        flow.entry = entry;
        flow.src = nodes[entry.src];
        flow.dst = nodes[entry.dst];
        m_byRank[flow.src].push_back(m_flows.size());
        m_bytes += entry.bytes;
        m_flows.push_back(flow);
    }
    AssignChannels();
}

void
FlowList::AssignChannels()
{
    // By sender and receiver: the class of every channel, NONE for one that is left out because
    // the flow in the other direction has another class.
    constexpr uint8_t NONE = UINT8_MAX;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint8_t>> classes;
    for (RunFlow& flow : m_flows)
    {
        std::vector<uint8_t>& own = classes[{flow.src, flow.dst}];
        const std::vector<uint8_t>& other = classes[{flow.dst, flow.src}];
        const uint8_t priority = flow.entry.priority;
        while (own.size() < other.size() && other[own.size()] != NONE &&
               other[own.size()] != priority)
        {
            own.push_back(NONE);
        }
        flow.channel = own.size();
        own.push_back(priority);
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
FlowList::RequireRepresentableTimes(const std::vector<TopologyLink>& links) const
{
    const Time limit = GetLongestRun();
    const uint64_t slowest = GetSlowestRateBps(links);
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
    const NetworkMessageTransport& transport = *cluster.GetNetwork().GetTransport();
    const RoceMessageTransport& roce = *cluster.GetRoceTransport();
    for (const RunFlow& flow : m_flows)
    {
        if (!transport.UsesNvlink(flow.src, flow.dst) && !roce.CanReach(flow.src, flow.dst))
        {
            throw ConfigError(m_source,
                              flow.entry.line,
                              std::to_string(flow.entry.src) + " " + std::to_string(flow.entry.dst),
                              "two hosts that a path of " + m_topology + " joins");
        }
    }
}

void
FlowList::SetPriorities(const Cluster& cluster) const
{
    std::map<std::string, DscpMap> maps;
    for (const auto& nic : cluster.GetRoceFabric().GetNics())
    {
        StringValue text;
        nic->GetAttribute("DscpMap", text);
        maps.emplace(text.Get(), DscpMap(text.Get(), DSCP_MAP, nic->GetName()));
    }
    for (const RunFlow& flow : m_flows)
    {
        if (cluster.GetNetwork().GetTransport()->UsesNvlink(flow.src, flow.dst))
        {
            continue;
        }
        const uint32_t priority = flow.entry.priority;
        for (const auto& [text, map] : maps)
        {
            if (map.GetDscp(priority) == DscpMap::NONE)
            {
                throw ConfigError(m_source,
                                  flow.entry.line,
                                  "priority " + std::to_string(priority),
                                  std::string("a class that has a DSCP (attribute ") + DSCP_MAP +
                                      " is " + text + ")");
            }
        }
        const auto& nics = cluster.GetRoceFabric().nics;
        if (nics[flow.src]->GetPriority() != priority || nics[flow.dst]->GetPriority() != priority)
        {
            cluster.GetRoceTransport()->SetPriority(flow.src, flow.dst, flow.channel, priority);
        }
    }
}

std::string
FlowList::GetPriorityWarning(const Cluster& cluster) const
{
    TypeId::AttributeInformation info;
    RoceNicDevice::GetTypeId().LookupAttributeByName("Priority", &info);
    const uint32_t own = DynamicCast<const UintegerValue>(info.originalInitialValue)->Get();
    for (const auto& nic : cluster.GetRoceFabric().GetNics())
    {
        if (nic->GetPriority() == own)
        {
            continue;
        }
        const bool used = std::any_of(m_flows.begin(), m_flows.end(), [&](const RunFlow& flow) {
            return flow.entry.priority == nic->GetPriority();
        });
        if (!used)
        {
            return "attribute ns3::RoceNicDevice::Priority (" + std::to_string(nic->GetPriority()) +
                   ") has no effect: flows travel in the classes that column priority of " +
                   m_source + " names";
        }
    }
    return "";
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
    bool stops = false;
    bool renamed = false;
    for (const RunFlow& flow : m_flows)
    {
        stops |= flow.entry.stop.has_value();
        renamed |= flow.src != flow.entry.src || flow.dst != flow.entry.dst;
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
                        m_topology);
    }
    return notes;
}

} // namespace ns3
