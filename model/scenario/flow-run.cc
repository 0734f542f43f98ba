/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run.h"

#include "hpcc-defaults.h"
#include "traffic-options.h"

#include "ns3/config-error.h"
#include "ns3/flow-file-writer.h"
#include "ns3/result-format.h"
#include "ns3/simulator.h"
#include "ns3/source-folder.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace ns3
{

namespace
{

constexpr std::size_t MAX_UNFINISHED = 1000; //!< flows that the summary names one by one

/** \param count a number \param what one of them \return both, in the plural if need be */
std::string
Count(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace

FlowRun::FlowRun(const FlowRunOptions& options)
    : ScenarioRun(options),
      m_options(options),
      m_nodes(GetTopology().GetNodesByFileId())
{
    if (options.config)
    {
        ApplyHpccErrorRate(*options.config, GetTopology());
        AddLinkEvents(GetHpccLinkEvents(*options.config, GetTopology()));
    }
    LoadFlows();
    BuildCluster();
    if (options.config)
    {
        for (const std::string& note :
             ApplyHpccThresholds(*options.config, GetCluster().GetRoceFabric()))
        {
            m_notes.push_back(note);
        }
    }
    m_cutThrough = GetCluster().IsCutThrough();
    SetInput("flows", m_options.flows);
    CheckPaths();
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        GetCluster().GetTransport()->SetEndpoint(rank, this);
    }
    m_taps = std::make_unique<FlowTaps>(GetCluster(), m_nodes, options.topology);
    for (const FlowRunPort& port : options.pcapPorts)
    {
        m_taps->FindPort(port); // before there is a result folder
    }
    OpenResults();
    if (options.traffic)
    {
        WriteFlowFile(GetResults().AddFile(m_options.flows), m_drawn);
        m_drawn.flows.clear();
    }
    AddTaps();
}

FlowRun::~FlowRun() = default;

std::string
FlowRun::GetShippedFlows()
{
    return GetSourceFolder() + "/examples/flows/incast-7-to-1.txt";
}

FlowFile
FlowRun::MakeFlows()
{
    const Topology& topology = GetTopology();
    FlowFileOptions fit;
    fit.packetBytes = GetDefaultMtuBytes();
    fit.isHost.resize(m_nodes.size());
    for (std::size_t id = 0; id < m_nodes.size(); id++)
    {
        fit.isHost[id] = m_nodes[id] < topology.nodes.size() &&
                         topology.nodes[m_nodes[id]].kind == TopologyNodeKind::GPU;
    }
    if (!m_options.traffic)
    {
        return ReadFlowFile(m_options.flows, fit);
    }
    std::vector<uint32_t> hosts;
    for (uint32_t id = 0; id < fit.isHost.size(); id++)
    {
        if (fit.isHost[id])
        {
            hosts.push_back(id);
        }
    }
    m_drawn = TrafficOptions::Draw(*m_options.traffic, hosts, topology);
    m_options.flows = "flows.txt";
    if (m_drawn.flows.empty())
    {
        throw ConfigError("command line",
                          "--traffic",
                          m_options.traffic->Describe(),
                          "traffic with at least one flow in its duration");
    }
    m_notes.push_back(std::to_string(m_drawn.flows.size()) + " flows were drawn, " +
                      m_options.traffic->Describe() + ": " + m_options.flows + " has them");
    return m_drawn;
}

void
FlowRun::LoadFlows()
{
    const Topology& topology = GetTopology();
    const FlowFile file = MakeFlows();
    RequireRepresentableTimes(file);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> channels;
    m_byRank.resize(topology.GetGpuCount());
    m_next.resize(topology.GetGpuCount());
    m_flows.reserve(file.flows.size());
    for (const FlowEntry& entry : file.flows)
    {
        Flow flow;
        flow.entry = entry;
        flow.src = m_nodes[entry.src];
        flow.dst = m_nodes[entry.dst];
        flow.channel = channels[{flow.src, flow.dst}]++;
        m_byRank[flow.src].push_back(m_flows.size());
        m_bytes += entry.bytes;
        m_flows.push_back(flow);
    }
    NoteFlows(file);
}

void
FlowRun::RequireRepresentableTimes(const FlowFile& file) const
{
    const Time limit = TimeStep(int64_t(1) << 61); // a quarter of what Time can hold
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    for (const TopologyLink& link : GetTopology().links)
    {
        slowest = std::min(slowest, std::max<uint64_t>(link.rate.GetBitRate(), 1));
    }
    for (const FlowEntry& flow : file.flows)
    {
        const long double seconds = 8.0L * flow.bytes / slowest;
        if (seconds > limit.GetSeconds())
        {
            throw ConfigError(m_options.flows,
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
FlowRun::NoteFlows(const FlowFile& file)
{
    const std::string ignored = file.DescribeIgnored();
    if (!ignored.empty())
    {
        m_notes.push_back(m_options.flows + ": " + ignored);
    }
    std::set<uint32_t> priorities;
    bool stops = false;
    bool renamed = false;
    for (const Flow& flow : m_flows)
    {
        priorities.insert(flow.entry.priority);
        stops |= flow.entry.stop.has_value();
        renamed |= flow.src != flow.entry.src || flow.dst != flow.entry.dst;
    }
    if (priorities.size() > 1)
    {
        m_notes.push_back(m_options.flows + ": flows of " + Count(priorities.size(), "priorities") +
                        " share the traffic class of the NICs "
                        "(attribute ns3::RoceNicDevice::Priority)");
    }
    if (stops)
    {
        m_notes.push_back(m_options.flows +
                        ": stop times have no effect, every flow runs until its last byte");
    }
    if (renamed)
    {
        m_notes.push_back("results number the hosts from 0: column name of table nodes has the ids "
                          "of " +
                          m_options.topology);
    }
}

void
FlowRun::CheckPaths() const
{
    const PacketMessageTransport& transport = *GetCluster().GetTransport();
    const RoceMessageTransport& roce = *GetCluster().GetRoceTransport();
    for (const Flow& flow : m_flows)
    {
        if (!transport.UsesNvlink(flow.src, flow.dst) && !roce.CanReach(flow.src, flow.dst))
        {
            throw ConfigError(m_options.flows,
                              flow.entry.line,
                              std::to_string(flow.entry.src) + " " +
                                  std::to_string(flow.entry.dst),
                              "two hosts that a path of " + m_options.topology + " joins");
        }
    }
}

void
FlowRun::AddTaps()
{
    for (const FlowRunPort& port : m_options.pcapPorts)
    {
        m_notes.push_back(m_taps->AddPcap(port, GetResults()));
    }
    if (m_options.queueInterval)
    {
        m_taps->AddQueues(*m_options.queueInterval, GetResults());
    }
}

uint32_t
FlowRun::GetRankCount() const
{
    return m_byRank.size();
}

void
FlowRun::Start()
{
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        if (!m_byRank[rank].empty())
        {
            const Time first = m_flows[m_byRank[rank].front()].entry.start;
            const uint32_t context = GetCluster().GetNode(rank)->GetId();
            Simulator::ScheduleWithContext(context, first, [this, rank] { StartFlows(rank); });
        }
    }
}

void
FlowRun::StartFlows(uint32_t rank)
{
    const std::vector<uint32_t>& flows = m_byRank[rank];
    uint32_t& next = m_next[rank];
    while (next < flows.size() && m_flows[flows[next]].entry.start <= Simulator::Now())
    {
        const uint32_t number = flows[next++];
        const Flow& flow = m_flows[number];
        GetCluster().GetTransport()->Send(
            {flow.src, flow.dst, flow.channel, flow.entry.bytes, number});
    }
    if (next < flows.size())
    {
        const Time wait = m_flows[flows[next]].entry.start - Simulator::Now();
        Simulator::Schedule(wait, [this, rank] { StartFlows(rank); });
    }
}

void
FlowRun::MessageReceived(const Message& message)
{
    m_flows[message.tag].end = Simulator::Now();
    EndFlow(message.tag);
}

void
FlowRun::MessageSent(const Message& message)
{
    m_flows[message.tag].senderEnd = Simulator::Now();
    EndFlow(message.tag);
}

void
FlowRun::EndFlow(uint32_t number)
{
    if (!m_flows[number].HasEnded())
    {
        return;
    }
    GetResults().Record(MakeRecord(number));
    if (++m_finished == m_flows.size())
    {
        Simulator::Stop();
    }
}

double
FlowRun::GetFractionDone() const
{
    const double done = GetCluster().GetTransport()->GetReceivedBytes();
    return m_bytes > 0 ? done / static_cast<double>(m_bytes) : 1.0;
}

RoceChannelState
FlowRun::GetState(const Flow& flow) const
{
    return GetCluster().GetRoceTransport()->GetChannelState(flow.src, flow.dst, flow.channel);
}

FlowRecord
FlowRun::MakeRecord(uint32_t number) const
{
    const Flow& flow = m_flows[number];
    const bool nvlink = GetCluster().GetTransport()->UsesNvlink(flow.src, flow.dst);
    FlowRecord record;
    record.id = number;
    record.src = flow.src;
    record.dst = flow.dst;
    record.bytes = flow.entry.bytes;
    record.start = flow.entry.start;
    record.end = flow.end;
    record.senderEnd = flow.senderEnd;
    record.channel = flow.channel;
    record.path = nvlink ? "nvlink" : "nic";
    record.deliveredBytes = flow.end ? flow.entry.bytes : 0;
    if (!nvlink)
    {
        const RoceChannelState state = GetState(flow);
        record.start = state.firstSent.value_or(flow.entry.start);
        record.deliveredBytes = state.receivedBytes;
        record.retransmittedPackets = state.retransmittedPackets;
        record.ideal = GetCluster().GetRoceTransport()->GetIdealTime(flow.src,
                                                                     flow.dst,
                                                                     flow.entry.bytes,
                                                                     m_cutThrough);
    }
    return record;
}

void
FlowRun::RecordEnd()
{
    m_taps->Clear();
    for (uint32_t number = 0; number < m_flows.size(); number++)
    {
        if (!m_flows[number].HasEnded())
        {
            GetResults().Record(MakeRecord(number));
        }
    }
}

void
FlowRun::Complete(RunSummary& summary) const
{
    summary.notes.insert(summary.notes.end(), m_notes.begin(), m_notes.end());
    AddStatistics(summary);
    if (m_finished == m_flows.size())
    {
        summary.verdict = RunVerdict::FINISHED;
        return;
    }
    summary.verdict = RunVerdict::UNFINISHED;
    std::size_t unnamed = 0;
    for (uint32_t number = 0; number < m_flows.size(); number++)
    {
        if (m_flows[number].HasEnded())
        {
            continue;
        }
        if (summary.unfinished.size() < MAX_UNFINISHED)
        {
            summary.unfinished.push_back(DescribeUnfinished(number));
        }
        else
        {
            unnamed++;
        }
    }
    if (unnamed > 0)
    {
        summary.unfinished.push_back(Count(unnamed, "more flow") +
                                     ": those without end_ns in table flows");
    }
}

std::string
FlowRun::DescribeUnfinished(uint32_t number) const
{
    const Flow& flow = m_flows[number];
    const std::string source = "node " + std::to_string(flow.entry.src);
    const std::string target = "node " + std::to_string(flow.entry.dst);
    const std::string name = "flow " + std::to_string(number) + " (" + m_options.flows + " line " +
                             std::to_string(flow.entry.line) + ")";
    const RoceChannelState state = GetState(flow);
    if (!state.firstSent && flow.entry.start >= Simulator::Now())
    {
        return name + " from " + source + " to " + target + " would start at " +
               FormatDuration(flow.entry.start);
    }
    if (flow.end)
    {
        return source + " waits for the last acknowledgement of " + target + " in " + name;
    }
    return target + " waits for " + std::to_string(flow.entry.bytes - state.receivedBytes) +
           " of " + Count(flow.entry.bytes, "byte") + " from " + source + " in " + name +
           (state.failed ? ", which gave up after its retries" : "");
}

void
FlowRun::AddStatistics(RunSummary& summary) const
{
    std::vector<Time> times;
    std::vector<double> slowdowns;
    for (uint32_t number = 0; number < m_flows.size(); number++)
    {
        if (m_flows[number].HasEnded())
        {
            const FlowRecord record = MakeRecord(number);
            times.push_back(*record.end - record.start);
            if (record.ideal)
            {
                slowdowns.push_back(record.GetSlowdown());
            }
        }
    }
    summary.flows.count = m_flows.size();
    summary.flows.unfinished = m_flows.size() - m_finished;
    summary.flows.SetStatistics(std::move(times), std::move(slowdowns));
}

} // namespace ns3
