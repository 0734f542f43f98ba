/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy-platforms.h"

#include "ns3/json-object.h"
#include "ns3/source-folder.h"
#include "ns3/text-value.h"

namespace ns3
{

namespace
{

constexpr uint64_t MAX_NODES = 1024; //!< nodes of a server

} // namespace

AccuracyPlatforms::AccuracyPlatforms(const std::string& path)
{
    const JsonObject json(path);
    for (const std::string& name : json.GetKeys())
    {
        const JsonObject platform = json.GetObject(name);
        const auto get = [&](const std::string& key) {
            return platform.Has(key) ? platform.GetText(key) : std::string();
        };
        const auto getTime = [&](const std::string& key) {
            const std::string place = name + "." + key;
            const std::string text = get(key);
            return text.empty() ? Time(0) : TextValue(path, place, text).GetTime(key);
        };
        platform.RequireKeys({"single",
                              "several",
                              "gpu",
                              "networkLatency",
                              "hostLaunch",
                              "nodesPerServer",
                              "source"});
        const std::string place = name + ".nodesPerServer";
        const std::string nodes = platform.GetText("nodesPerServer", "1");
        platform.GetText("source");
        m_platforms[name] = {get("single"),
                             get("several"),
                             platform.GetText("gpu"),
                             getTime("networkLatency"),
                             getTime("hostLaunch"),
                             static_cast<uint32_t>(
                                 TextValue(path, std::string_view(place), nodes)
                                     .GetUint("nodes", 1, MAX_NODES))};
    }
}

std::string
AccuracyPlatforms::GetShippedPath()
{
    return GetSourceFolder() + "/validation/platforms.json";
}

const AccuracyPlatform*
AccuracyPlatforms::Find(const std::string& name) const
{
    const auto found = m_platforms.find(name);
    return found == m_platforms.end() ? nullptr : &found->second;
}

} // namespace ns3
