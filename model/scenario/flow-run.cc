/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run.h"

#include "hpcc-defaults.h"
#include "traffic-options.h"

#include "ns3/attribute-text.h"
#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/flow-file-writer.h"
#include "ns3/result-format.h"
#include "ns3/roce-pcap-writer.h"
#include "ns3/simulator.h"
#include "ns3/source-folder.h"

#include <algorithm>

namespace ns3
{

namespace
{

const std::string MTU = "ns3::RoceNicDevice::MtuBytes"; //!< attribute
constexpr std::size_t MAX_UNFINISHED = 1000; //!< flows that the summary names one by one

} // namespace

void
FlowRun::SetFlowAttributes(ScopedDefaults& defaults)
{
    // The originals' packets have no RETH: SEND, so that ideal and real packets are the same.
    defaults.Set("ns3::RoceMessageTransport::UseWrite", BooleanValue(false));
    // Flows are connections of their own: few between two hosts would leave NICs without any.
    defaults.Set("ns3::ClusterNetwork::StripeNics", BooleanValue(false));
}

FlowRun::FlowRun(const FlowRunOptions& options)
    : ScenarioRun(options),
      m_options(options),
      m_statistics(options.sizeLimits)
{
    if (options.config)
    {
        ApplyHpccErrorRate(*options.config, EditTopology());
        AddLinkEvents(GetHpccLinkEvents(*options.config, GetTopology()));
    }
    MakeList();
    BuildCluster();
    if (options.config)
    {
        const std::vector<std::string> notes =
            ApplyHpccThresholds(*options.config, GetCluster().GetRoceFabric());
        m_notes.insert(m_notes.end(), notes.begin(), notes.end());
    }
    m_cutThrough = GetCluster().IsCutThrough();
    SetInput("flows", m_options.flows);
    m_list->RequirePaths(GetCluster());
    SetPriorities();
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        GetCluster().GetNetwork().GetTransport()->SetEndpoint(rank, this);
    }
    for (const PortName& port : options.pcapPorts)
    {
        PortFinder(GetCluster()).Find(port); // before there is a result folder
    }
    OpenResults();
    AddFiles();
}

FlowRun::~FlowRun()
{
    GetTaps().Clear(); // they record to what goes now
}

std::string
FlowRun::GetShippedFlows()
{
    return GetSourceFolder() + "/examples/flows/incast-7-to-1.txt";
}

void
FlowRun::MakeList()
{
    const Topology& topology = GetTopology();
    if (!m_options.traffic)
    {
        const uint64_t packetBytes = AttributeText::GetDefaultUint(MTU);
        m_list = std::make_unique<FlowList>(m_options.flows, topology, packetBytes);
    }
    else
    {
        FlowFile drawn =
            TrafficOptions::Draw(*m_options.traffic, FlowList::GetHosts(topology), topology);
        m_options.flows = "flows.txt";
        if (drawn.flows.empty())
        {
            throw ConfigError("command line",
                              "--traffic",
                              m_options.traffic->Describe(),
                              "traffic with at least one flow in its duration");
        }
        m_notes.push_back(std::to_string(drawn.flows.size()) + " flows were drawn, " +
                          m_options.traffic->Describe() + ": " + m_options.flows + " has them");
        m_list = std::make_unique<FlowList>(m_options.flows, topology, std::move(drawn));
    }
    m_next.resize(m_list->GetRankCount());
    const std::vector<std::string> notes = m_list->GetNotes();
    m_notes.insert(m_notes.end(), notes.begin(), notes.end());
}

void
FlowRun::SetPriorities()
{
    m_list->SetPriorities(GetCluster());
    const std::string warning = m_list->GetPriorityWarning(GetCluster());
    if (!warning.empty())
    {
        AddWarning(warning);
    }
}

void
FlowRun::AddFiles()
{
    if (m_options.traffic)
    {
        WriteFlowFile(GetResults().AddFile(m_options.flows), m_list->GetFile());
    }
    for (const PortName& name : m_options.pcapPorts)
    {
        const std::string node = std::to_string(name.node);
        const std::string port = std::to_string(*name.port);
        const std::string file = "node-" + node + "-port-" + port + ".pcap";
        GetTaps().Add(*PortFinder(GetCluster()).Find(name).front(),
                      std::make_unique<RocePcapWriter>(GetResults().AddFile(file)));
        m_notes.push_back("the frames of port " + port + " of node " + node + " are in " + file);
    }
    HpccOutputOptions hpcc = m_options.hpccOutput;
    if (m_options.stopTime.IsStrictlyPositive() && hpcc.times.end)
    {
        hpcc.times.end = std::min(*hpcc.times.end, m_options.stopTime);
    }
    m_hpccOutput = std::make_unique<HpccOutput>(GetCluster(), hpcc);
    m_hpccOutput->AddTo(GetResults(), GetTaps());
    if (m_options.hpccOutput.WantsFct())
    {
        AddFctFile();
    }
    const std::vector<std::string> notes = m_hpccOutput->GetNotes();
    m_notes.insert(m_notes.end(), notes.begin(), notes.end());
}

void
FlowRun::AddFctFile()
{
    std::vector<HpccFlow> flows = MakeHpccFlows();
    const auto nvlink = std::count_if(flows.begin(), flows.end(), [](const HpccFlow& flow) {
        return flow.standaloneNs == 0;
    });
    if (nvlink > 0)
    {
        m_notes.push_back(m_options.hpccOutput.fct + " leaves out " + CountOf(nvlink, "flow") +
                          " over NVLink, for which HPCC has no time on an empty network");
    }
    m_hpccOutput->AddFct(GetResults(), std::move(flows), m_list->GetForm());
}

std::vector<HpccFlow>
FlowRun::MakeHpccFlows() const
{
    std::vector<HpccFlow> flows;
    for (const RunFlow& flow : m_list->GetFlows())
    {
        HpccFlow entry;
        entry.src = flow.entry.src;
        entry.dst = flow.entry.dst;
        entry.srcPort = static_cast<uint16_t>(10000 + flow.channel);
        entry.dstPort = m_list->GetForm() == FlowFileForm::HPCC
                            ? flow.entry.dstPort
                            : static_cast<uint16_t>(100 + flow.channel);
        entry.start = flow.entry.start;
        if (!GetCluster().GetNetwork().GetTransport()->UsesNvlink(flow.src, flow.dst))
        {
            const RoceMessageTransport& roce = *GetCluster().GetRoceTransport();
            entry.standaloneNs =
                HpccFctWriter::GetStandaloneNs(roce.GetPath(flow.src, flow.dst, flow.channel),
                                               flow.entry.bytes,
                                               AttributeText::GetDefaultUint(MTU));
        }
        flows.push_back(entry);
    }
    return flows;
}

uint32_t
FlowRun::GetRankCount() const
{
    return m_list->GetRankCount();
}

void
FlowRun::Start()
{
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        const std::vector<uint32_t>& flows = m_list->GetFlowsOf(rank);
        if (!flows.empty())
        {
            const Time first = m_list->GetFlows()[flows.front()].entry.start;
            const uint32_t context = GetCluster().GetNode(rank)->GetId();
            Simulator::ScheduleWithContext(context, first, [this, rank] { StartFlows(rank); });
        }
    }
}

void
FlowRun::StartFlows(uint32_t rank)
{
    const std::vector<uint32_t>& flows = m_list->GetFlowsOf(rank);
    const std::vector<RunFlow>& all = m_list->GetFlows();
    uint32_t& next = m_next[rank];
    while (next < flows.size() && all[flows[next]].entry.start <= Simulator::Now())
    {
        const uint32_t number = flows[next++];
        const RunFlow& flow = all[number];
        GetCluster().GetNetwork().GetTransport()->Send(
            {flow.src, flow.dst, flow.channel, flow.entry.bytes, number});
    }
    if (next < flows.size())
    {
        const Time wait = all[flows[next]].entry.start - Simulator::Now();
        Simulator::Schedule(wait, [this, rank] { StartFlows(rank); });
    }
}

void
FlowRun::MessageReceived(const Message& message)
{
    m_list->GetFlows()[message.tag].end = Simulator::Now();
    EndFlow(message.tag);
}

void
FlowRun::MessageSent(const Message& message)
{
    m_list->GetFlows()[message.tag].senderEnd = Simulator::Now();
    EndFlow(message.tag);
}

void
FlowRun::EndFlow(uint32_t number)
{
    if (!m_list->GetFlows()[number].HasEnded())
    {
        return;
    }
    const FlowRecord record = MakeRecord(number);
    m_statistics.Add(record.bytes, *record.end - record.start, record.GetSlowdown());
    GetResults().Record(record);
    if (++m_finished == m_list->GetFlows().size())
    {
        Simulator::Stop();
    }
}

double
FlowRun::GetFractionDone() const
{
    const double done = GetCluster().GetPacketTransport()->GetReceivedBytes();
    return m_list->GetBytes() > 0 ? done / static_cast<double>(m_list->GetBytes()) : 1.0;
}

RoceChannelState
FlowRun::GetState(const RunFlow& flow) const
{
    return GetCluster().GetRoceTransport()->GetChannelState(flow.src, flow.dst, flow.channel);
}

FlowRecord
FlowRun::MakeRecord(uint32_t number) const
{
    const RunFlow& flow = m_list->GetFlows()[number];
    const bool nvlink = GetCluster().GetNetwork().GetTransport()->UsesNvlink(flow.src, flow.dst);
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
    record.deliveredBytes =
        GetCluster().GetNetwork().GetTransport()->GetArrivedBytes(flow.src, flow.dst, flow.channel);
    if (!nvlink)
    {
        const RoceChannelState state = GetState(flow);
        record.start = state.firstSent.value_or(flow.entry.start);
        record.retransmittedPackets = state.retransmittedPackets;
        record.ideal = GetCluster().GetRoceTransport()->GetIdealTime(
            {flow.src, flow.dst, flow.channel, flow.entry.bytes},
            m_cutThrough);
    }
    return record;
}

void
FlowRun::RecordEnd()
{
    m_hpccOutput->Finish();
    for (uint32_t number = 0; number < m_list->GetFlows().size(); number++)
    {
        if (!m_list->GetFlows()[number].HasEnded())
        {
            GetResults().Record(MakeRecord(number));
        }
    }
    for (const FlowSizeRecord& sizes : m_statistics.GetBySize())
    {
        GetResults().Record(sizes);
    }
    for (const HistogramRecord& bar : m_statistics.GetHistograms())
    {
        GetResults().Record(bar);
    }
}

void
FlowRun::Complete(RunSummary& summary) const
{
    summary.notes.insert(summary.notes.end(), m_notes.begin(), m_notes.end());
    const std::size_t flows = m_list->GetFlows().size();
    summary.flows.count = flows;
    summary.flows.unfinished = flows - m_finished;
    summary.flows.completion = m_statistics.GetTimes();
    summary.flows.slowdown = m_statistics.GetSlowdowns();
    summary.flows.bySize = m_statistics.GetBySize();
    summary.verdict = m_finished == flows ? RunVerdict::FINISHED : RunVerdict::UNFINISHED;
    summary.unfinished = DescribeAllUnfinished();
}

std::vector<std::string>
FlowRun::DescribeAllUnfinished() const
{
    std::vector<std::string> lines;
    std::size_t unnamed = 0;
    for (uint32_t number = 0; number < m_list->GetFlows().size(); number++)
    {
        if (m_list->GetFlows()[number].HasEnded())
        {
            continue;
        }
        if (lines.size() < MAX_UNFINISHED)
        {
            lines.push_back(DescribeUnfinished(number));
        }
        else
        {
            unnamed++;
        }
    }
    if (unnamed > 0)
    {
        lines.push_back(CountOf(unnamed, "more flow") +
                        ": those without end_ns in table flows");
    }
    return lines;
}

std::string
FlowRun::DescribeUnfinished(uint32_t number) const
{
    const RunFlow& flow = m_list->GetFlows()[number];
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
    const uint64_t arrived =
        GetCluster().GetNetwork().GetTransport()->GetArrivedBytes(flow.src, flow.dst, flow.channel);
    return target + " waits for " + std::to_string(flow.entry.bytes - arrived) +
           " of " + CountOf(flow.entry.bytes, "byte") + " from " + source + " in " + name +
           (state.failed ? ", which gave up after its retries" : "");
}

} // namespace ns3
