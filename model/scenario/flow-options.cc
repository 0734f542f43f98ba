/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-options.h"

#include "hpcc-defaults.h"
#include "traffic-options.h"

#include "ns3/boolean.h"
#include "ns3/hpcc-config-reader.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

namespace ns3
{

FlowOptions::FlowOptions()
    : ScenarioOptions("Simulates the flows of a file on a network, packet by packet.\n"
                      "Without --congestionControl it is that of --config, or else Dcqcn.",
                      "star:hosts=8,nicRate=100Gbps",
                      "",
                      "railyard-flows-out")
{
    Add("flows",
        "flow file of HPCC, ConWeave, ns3-datacenter or ns3-rdma",
        FlowRun::GetShippedFlows());
    TrafficOptions::Add(*this);
    Add("config", "configuration file of HPCC or SimAI; the command line wins over it");
    Add("qlen",
        "record the queues of switches, the deepest in every so long, such as 1us; 0s for every "
        "change; empty for none");
    Add("pcap", "write the frames of ports to pcap files: <node>:<port>, several with commas");
}

FlowRunOptions
FlowOptions::MakeRun() const
{
    SelectEngine();
    FlowRunOptions run;
    run.defaults = std::make_shared<ScopedDefaults>();
    // The originals' packets have no RETH: SEND, so that ideal and real packets are the same.
    run.defaults->Set("ns3::RoceMessageTransport::UseWrite", BooleanValue(false));
    SetLoadBalancer(*run.defaults);
    FillRun(run);
    run.flows = Get("flows");
    if (run.flows.empty())
    {
        GetValue("flows").Fail("a flow file");
    }
    if (!Get("qlen").empty())
    {
        run.queueInterval = GetValue("qlen").GetTime("qlen");
    }
    run.pcapPorts = GetPcapPorts();
    ReadConfig(run);
    ApplyAttributes(*run.defaults);
    run.traffic = TrafficOptions::Make(*this);
    if (run.traffic && IsGiven("flows"))
    {
        GetValue("traffic").Fail("either --flows or --traffic");
    }
    return run;
}

void
FlowOptions::ReadConfig(FlowRunOptions& run) const
{
    std::optional<TypeId> type;
    if (!Get("congestionControl").empty())
    {
        type = FindCongestionControl(Get("congestionControl"));
    }
    if (Get("config").empty())
    {
        SetCongestionControl(type.value_or(FindCongestionControl("Dcqcn")), *run.defaults);
        return;
    }
    run.config = ReadHpccConfig(Get("config"));
    const HpccFindings findings = ApplyHpccConfig(*run.config, type, *run.defaults);
    run.warnings = findings.warnings;
    run.notes = findings.notes;
    if (run.config->stopTime && !IsGiven("stop"))
    {
        run.stopTime = *run.config->stopTime;
    }
    if (run.config->randomSeed && !IsGiven("seed"))
    {
        RngSeedManager::SetRun(*run.config->randomSeed);
    }
}

std::vector<FlowRunPort>
FlowOptions::GetPcapPorts() const
{
    constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    std::vector<FlowRunPort> ports;
    std::string_view rest = Get("pcap");
    while (!rest.empty())
    {
        const std::string_view word = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        const std::size_t colon = word.find(':');
        if (colon == std::string_view::npos)
        {
            TextValue("command line", "--pcap", word).Fail("<node>:<port>, several with commas");
        }
        FlowRunPort port;
        port.node =
            TextValue("command line", "--pcap", word.substr(0, colon)).GetUint("node", 0, MAX);
        port.port =
            TextValue("command line", "--pcap", word.substr(colon + 1)).GetUint("port", 0, MAX);
        ports.push_back(port);
    }
    return ports;
}

} // namespace ns3
