/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy-platforms.h"

#include "ns3/config-error.h"
#include "ns3/json-object.h"
#include "ns3/source-folder.h"
#include "ns3/text-value.h"

#include <filesystem>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_NODES = 1024; //!< nodes of a server

/**
 * \param path the file of platforms
 * \param name a platform
 * \param platform what the file says of it
 * \return what its key "environment" says
 */
NcclVariables
ReadEnvironment(const std::string& path, const std::string& name, const JsonObject& platform)
{
    NcclVariables environment(std::filesystem::path(path).parent_path().string());
    if (!platform.Has("environment"))
    {
        return environment;
    }
    const JsonObject variables = platform.GetObject("environment");
    for (const std::string& variable : variables.GetKeys())
    {
        const std::string place = name + ".environment." + variable;
        const std::string text = variables.GetText(variable);
        const TextValue value(path, std::string_view(place), text);
        if (!NcclVariables::IsKnown(variable))
        {
            value.Fail("a variable with an effect that --help of collective-bench-example lists");
        }
        environment.Add(variable, value);
    }
    ScopedDefaults defaults; // says now what is wrong with the values
    environment.Apply(defaults);
    return environment;
}

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
                              "environment",
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
                                     .GetUint("nodes", 1, MAX_NODES)),
                             ReadEnvironment(path, name, platform)};
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
