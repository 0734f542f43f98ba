/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-options.h"

#include "hpcc-defaults.h"
#include "traffic-options.h"

#include "ns3/attribute-text.h"
#include "ns3/comma-list.h"
#include "ns3/hpcc-config-reader.h"
#include "ns3/queue-series-recorder.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <initializer_list>
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
    AddSeries();
    Add("qlen", "short for --series=queue --seriesInterval=<this>, such as 1us");
    Add("pcap", "write the frames of ports to pcap files: <node>:<port>, several with commas");
    Add("hpccOutput",
        "files in HPCC's formats: fct, pfc, qlen, several with commas, or none; empty for those "
        "that --config names");
    Add("sizes",
        "flow sizes at which ranges of the statistics end, bytes, such as 100000,1000000; empty "
        "for powers of ten");
}

FlowRunOptions
FlowOptions::MakeRun() const
{
    SelectEngine();
    RequirePackets();
    RefuseUnused();
    FlowRunOptions run;
    run.defaults = std::make_shared<ScopedDefaults>();
    FlowRun::SetFlowAttributes(*run.defaults);
    SetLoadBalancer(*run.defaults);
    FillRun(run);
    run.flows = Get("flows");
    if (run.flows.empty())
    {
        GetValue("flows").Fail("a flow file");
    }
    FillQueues(run);
    run.pcapPorts = PortName::ParseList("--pcap", Get("pcap"), true);
    run.sizeLimits = GetSizeLimits();
    ReadConfig(run);
    if (IsGiven("hpccOutput"))
    {
        run.hpccOutput = HpccOutputOptions::Parse(GetValue("hpccOutput"));
    }
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
    RefuseAttribute("ns3::RoceNicDevice::CongestionControl",
                    "--congestionControl, which chooses the constants of --config that hold");
    run.config = ReadHpccConfig(Get("config"), GetGivenAttributes());
    if (!run.config->thresholds.empty() || run.config->flatThresholds)
    {
        for (const char* const name : {"EcnKmin", "EcnKmax", "EcnPmax", "EcnReferenceRate"})
        {
            RefuseAttribute(std::string("ns3::RoceSwitchDevice::") + name,
                            "nothing beside --config, which has thresholds for every port");
        }
    }
    ApplyAttributes(*run.defaults); // acknowledgements are counted in packets of the MTU
    HpccFindings findings = ApplyHpccConfig(*run.config, type, *run.defaults);
    ReadConfigOptions(run, findings);
    NoteConstants(*run.config, findings);
    run.warnings = findings.warnings;
    run.configuration = findings.keys;
}

void
FlowOptions::ReadConfigOptions(FlowRunOptions& run, HpccFindings& findings) const
{
    const HpccConfig& config = *run.config;
    // The command line wins. Otherwise the value of the key, if it is there, is used.
    const auto isFree = [&](const char* option, std::initializer_list<const char*> keys) {
        for (const char* key : keys)
        {
            if (IsGiven(option))
            {
                findings.Ignore(key, std::string("--") + option + " is given");
            }
        }
        return !IsGiven(option);
    };
    if (isFree("stop", {"SIMULATOR_STOP_TIME"}) && config.stopTime)
    {
        run.stopTime = *config.stopTime;
    }
    if (isFree("seed", {"RANDOM_SEED"}) && config.randomSeed)
    {
        RngSeedManager::SetRun(*config.randomSeed);
    }
    if (isFree("topology", {"TOPOLOGY_FILE"}) && config.topologyFile)
    {
        run.topology =
            FindHpccFile(config, "TOPOLOGY_FILE", *config.topologyFile, "--topology");
    }
    if (IsGiven("traffic"))
    {
        findings.Ignore("FLOW_FILE", "--traffic is given");
    }
    else if (isFree("flows", {"FLOW_FILE"}) && config.flowFile)
    {
        run.flows = FindHpccFile(config, "FLOW_FILE", *config.flowFile, "--flows");
    }
    if (isFree("loadBalancer", {"LB_MODE", "PACKET_LEVEL_ECMP"}))
    {
        if (const auto balancer = GetHpccLoadBalancer(config))
        {
            run.defaults->Set("ns3::RoceSwitchDevice::LoadBalancer", TypeIdValue(*balancer));
        }
    }
    if (isFree("hpccOutput",
               {"FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "QLEN_MON_FILE", "QLEN_MON_START",
                "QLEN_MON_END"}))
    {
        run.hpccOutput = HpccOutputOptions::Read(config);
    }
    if (IsGiven("congestionControl"))
    {
        findings.Ignore("CC_MODE", "--congestionControl is given");
    }
}

void
FlowOptions::NoteConstants(const HpccConfig& config, HpccFindings& findings) const
{
    const std::string control =
        FindCongestionControl(AttributeText::GetDefaultOf("ns3::RoceNicDevice::CongestionControl"))
            .GetName();
    for (const std::string& attribute : GetGivenAttributes())
    {
        for (const HpccConstant& constant : config.constants)
        {
            if (control + "::" + constant.attribute == attribute)
            {
                findings.Ignore(constant.key, "--set of " + attribute + " is given");
            }
        }
    }
}

void
FlowOptions::FillQueues(FlowRunOptions& run) const
{
    FillSeries(run);
    if (!Get("qlen").empty())
    {
        if (!Get("series").empty() || IsGiven("seriesInterval"))
        {
            GetValue("qlen").Fail("--qlen, or --series with --seriesInterval, not both");
        }
        run.series.recorders = {QueueSeriesRecorder::GetTypeId()};
        run.series.interval = GetValue("qlen").GetTime("qlen");
    }
    RequireSeriesInUse(run);
}

std::vector<uint64_t>
FlowOptions::GetSizeLimits() const
{
    if (Get("sizes").empty())
    {
        return FlowStatistics::GetDefaultLimits();
    }
    std::vector<uint64_t> limits;
    const std::string text = Get("sizes");
    for (const std::string_view word : SplitList(text))
    {
        const uint64_t least = limits.empty() ? 1 : limits.back() + 1;
        limits.push_back(TextValue("command line", "--sizes", word).GetUint("bytes", least));
    }
    return limits;
}

} // namespace ns3
