/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-options.h"

#include "scenario-run.h"

#include "ns3/attribute-text.h"
#include "ns3/comma-list.h"
#include "ns3/fabric-engine.h"
#include "ns3/load-balancer.h"
#include "ns3/object-factory.h"
#include "ns3/queue-pair-series-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/series-recorder.h"
#include "ns3/simulator.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

const std::string LOAD_BALANCER = "ns3::RoceSwitchDevice::LoadBalancer";         //!< attribute
const std::string CONGESTION_CONTROL = "ns3::RoceNicDevice::CongestionControl"; //!< attribute

/**
 * \tparam T type of the items
 * \param [in,out] list items of an option, each once
 * \param item one more; a ConfigError if it is there already
 * \param text as the user wrote it
 */
template <typename T>
void
AddOnce(std::vector<T>& list, const T& item, const TextValue& text)
{
    if (std::find(list.begin(), list.end(), item) != list.end())
    {
        text.Fail("each only once");
    }
    list.push_back(item);
}

/** \return all congestion controls */
TypeCatalogue
GetCongestionControls()
{
    return TypeCatalogue(RoceCongestionControl::GetTypeId());
}

} // namespace

ScenarioOptions::ScenarioOptions(const std::string& usage,
                                 const std::string& topology,
                                 const std::string& congestionControl,
                                 const std::string& out)
    : CommandOptions(usage)
{
    Add("topology", "file, or template such as rail-optimized:gpus=64,nicRate=400Gbps", topology);
    Add("network",
        "fidelity of the network: " + ClusterNetwork::DescribeNames() +
            "; those without packets are faster and know no queues",
        "packet");
    Add("congestionControl",
        "congestion control of the NICs: " + GetCongestionControls().DescribeNames(),
        congestionControl);
    Add("loadBalancer",
        "how Ethernet switches choose among paths of equal cost: " +
            TypeCatalogue(LoadBalancer::GetTypeId()).DescribeNames(),
        AttributeText::GetDefaultOf(LOAD_BALANCER));
    StandFor("congestionControl", CONGESTION_CONTROL);
    StandFor("loadBalancer", LOAD_BALANCER);
    if (out.empty())
    {
        AddEngine();
        return;
    }
    Add("linkEvents",
        "file of links that go down, come up, change their rate or errors, a line each: 50us 3 7 "
        "down");
    AddEngine();
    Add("out", "folder of the results", out);
    Add("csv", "write every table as CSV too", "false");
}

void
ScenarioOptions::AddEngine()
{
    Add("engine", "event engine: fabric or default (ns-3's own; slower, same results)", "fabric");
    Add("seed", "number of the random streams", "1");
    Add("stop", "end of the simulation at the latest, such as 50ms; 0 for none", "0s");
}

std::shared_ptr<ScopedDefaults>
ScenarioOptions::Apply() const
{
    SelectEngine();
    RefuseUnused();
    auto defaults = std::make_shared<ScopedDefaults>();
    SetCongestionControl(FindCongestionControl(Get("congestionControl")), *defaults);
    SetLoadBalancer(*defaults);
    ApplyAttributes(*defaults);
    return defaults;
}

std::string
ScenarioOptions::FindUser(const std::string& attribute)
{
    std::string name;
    for (const TypeId& type : TypeCatalogue(ClusterNetwork::GetTypeId()).GetTypes())
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        // Packets, if several use it.
        if ((name.empty() || type == PacketNetwork::GetTypeId()) &&
            factory.Create<ClusterNetwork>()->UsesAttribute(attribute))
        {
            name = ClusterNetwork::GetName(type);
        }
    }
    return name;
}

void
ScenarioOptions::RefuseUnused() const
{
    ObjectFactory factory;
    factory.SetTypeId(ClusterNetwork::GetSelected());
    const auto network = factory.Create<ClusterNetwork>();
    const auto expect = [this](const std::string& other) {
        return "no such option with --network=" + Get("network") +
               ", where it has no effect; --network=" + other + " has it";
    };
    const std::string expected = expect("packet");
    for (const std::string name :
         {"congestionControl", "linkEvents", "series", "seriesInterval", "seriesPorts", "seriesPairs"})
    {
        if (!network->HasPackets() && Has(name) && IsGiven(name))
        {
            GetValue(name).Fail(expected);
        }
    }
    if (!network->UsesLoadBalancer() && IsGiven("loadBalancer"))
    {
        GetValue("loadBalancer").Fail(expected);
    }
    for (const std::string& attribute : GetGivenAttributes())
    {
        if (!network->UsesAttribute(attribute))
        {
            RefuseAttribute(attribute, expect(FindUser(attribute)));
        }
    }
}

void
ScenarioOptions::RequirePackets() const
{
    if (ClusterNetwork::GetSelected() != PacketNetwork::GetTypeId())
    {
        GetValue("network").Fail("packet: this program is about packets");
    }
}

int
ScenarioOptions::Run(int argc, char* argv[], const std::function<ExitStatus()>& scenario)
{
    const auto program = [&] {
        if (!Parse(argc, argv))
        {
            PrintHelp(std::cout);
            return ExitStatus::FINISHED;
        }
        const auto defaults = Apply();
        if (GetStopTime().IsStrictlyPositive())
        {
            Simulator::Stop(GetStopTime());
        }
        const ExitStatus status = scenario();
        Simulator::Destroy();
        return status;
    };
    return RunProgram(program, std::cerr);
}

void
ScenarioOptions::FillRun(ScenarioRunOptions& run) const
{
    run.topology = Get("topology");
    run.linkEvents = Get("linkEvents");
    run.stopTime = GetStopTime();
    run.results.path = Get("out");
    run.results.csv = GetValue("csv").GetBool("csv");
    run.input = GetEffective();
}

void
ScenarioOptions::AddSeries()
{
    Add("series",
        "time series to record, several with commas: " +
            TypeCatalogue(SeriesRecorder::GetTypeId()).DescribeNames());
    Add("seriesInterval", "one sample in every so long, such as 10us; 0s for every change", "10us");
    Add("seriesPorts",
        "ports of the series: <node> or <node>:<port>, several with commas, or all; empty for "
        "those of all switches");
    Add("seriesPairs",
        "queue pairs of the series: <source node>:<destination node>, several with commas; empty "
        "for all");
}

void
ScenarioOptions::FillSeries(ScenarioRunOptions& run) const
{
    for (const std::string_view name : SplitList(Get("series")))
    {
        const TextValue value("command line", "--series", name);
        AddOnce(run.series.recorders, SeriesRecorder::FindType(value), value);
    }
    run.series.interval = GetValue("seriesInterval").GetTime("interval");
    run.series.allPorts = Get("seriesPorts") == "all";
    if (!run.series.allPorts)
    {
        run.series.ports = PortName::ParseList("--seriesPorts", Get("seriesPorts"), false);
    }
    for (const std::string_view pair : SplitList(Get("seriesPairs")))
    {
        const std::size_t colon = pair.find(':');
        if (colon == std::string_view::npos)
        {
            TextValue("command line", "--seriesPairs", pair)
                .Fail("<source node>:<destination node>, several with commas");
        }
        const std::pair<std::string, std::string> ends(pair.substr(0, colon),
                                                       pair.substr(colon + 1));
        AddOnce(run.series.pairs, ends, TextValue("command line", "--seriesPairs", pair));
    }
}

void
ScenarioOptions::RequireSeriesInUse(const ScenarioRunOptions& run) const
{
    const auto isRecorded = [&](TypeId kind) {
        const auto& recorders = run.series.recorders;
        return std::any_of(recorders.begin(), recorders.end(), [&](TypeId recorder) {
            return recorder.IsChildOf(kind);
        });
    };
    const std::pair<const char*, TypeId> options[] = {
        {"seriesInterval", SeriesRecorder::GetTypeId()},
        {"seriesPorts", PortSeriesRecorder::GetTypeId()},
        {"seriesPairs", QueuePairSeriesRecorder::GetTypeId()},
    };
    for (const auto& [option, kind] : options)
    {
        if (IsGiven(option) && !isRecorded(kind))
        {
            GetValue(option).Fail(
                "a time series beside it that depends on it, --series with one of " +
                TypeCatalogue(kind).DescribeNames());
        }
    }
}

void
ScenarioOptions::SelectEngine() const
{
    FabricEngine::Select(Get("engine"));
    ClusterNetwork::Select(ClusterNetwork::Find(GetValue("network")));
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(
        GetValue("seed").GetUint("seed", 0, std::numeric_limits<uint32_t>::max()));
}

void
ScenarioOptions::SetLoadBalancer(ScopedDefaults& defaults) const
{
    const TypeCatalogue catalogue(LoadBalancer::GetTypeId());
    defaults.Set(LOAD_BALANCER, TypeIdValue(catalogue.Find(GetValue("loadBalancer"))));
}

void
ScenarioOptions::SetCongestionControl(TypeId type, ScopedDefaults& defaults)
{
    defaults.Set(CONGESTION_CONTROL, TypeIdValue(type));
}

Time
ScenarioOptions::GetStopTime() const
{
    return GetValue("stop").GetTime("stop");
}

TypeId
ScenarioOptions::FindCongestionControl(const std::string& name)
{
    return GetCongestionControls().Find(TextValue("command line", "--congestionControl", name));
}

} // namespace ns3
