/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-options.h"

#include "ns3/config-error.h"
#include "ns3/config.h"
#include "ns3/fabric-engine.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ns3
{

ScenarioOptions::ScenarioOptions(const std::string& usage,
                                 const std::string& topology,
                                 const std::string& congestionControl,
                                 const std::string& out)
    : CommandOptions(usage)
{
    Add("topology", "file, or template such as rail-optimized:gpus=64,nicRate=400Gbps", topology);
    Add("congestionControl", "congestion control of the NICs: Dcqcn, Timely, No", congestionControl);
    Add("engine", "event engine: fabric or default (ns-3's own; slower, same results)", "fabric");
    Add("seed", "number of the random streams", "1");
    Add("out", "folder of the results", out);
    Add("csv", "write every table as CSV too", "false");
    Add("stop", "end of the simulation at the latest, such as 50ms; 0 for none", "0s");
}

void
ScenarioOptions::Apply() const
{
    SelectEngine();
    SetCongestionControl(GetCongestionControl(Get("congestionControl")));
    ApplyAttributes();
}

void
ScenarioOptions::SelectEngine() const
{
    FabricEngine::Select(Get("engine"));
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(
        GetValue("seed").GetUint("seed", 0, std::numeric_limits<uint32_t>::max()));
}

void
ScenarioOptions::SetCongestionControl(const std::string& type)
{
    Config::SetDefault("ns3::RoceNicDevice::CongestionControl",
                       TypeIdValue(TypeId::LookupByName(type)));
}

Time
ScenarioOptions::GetStopTime() const
{
    return GetValue("stop").GetTime("stop");
}

std::string
ScenarioOptions::GetCongestionControl(const std::string& name)
{
    const std::string full =
        name.rfind("ns3::", 0) == 0 ? name : "ns3::" + name + "CongestionControl";
    std::vector<std::string> known;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.IsChildOf(RoceCongestionControl::GetTypeId()) && tid.HasConstructor())
        {
            known.push_back(tid.GetName());
        }
    }
    std::sort(known.begin(), known.end());
    if (std::find(known.begin(), known.end(), full) == known.end())
    {
        std::string list;
        for (const std::string& each : known)
        {
            list += (list.empty() ? "" : ", ") + each;
        }
        throw ConfigError("command line", "--congestionControl", name, "one of " + list);
    }
    return full;
}

} // namespace ns3
