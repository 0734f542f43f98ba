/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy-platforms.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/json-object.h"
#include "ns3/source-folder.h"
#include "ns3/text-value.h"

#include <algorithm>
#include <filesystem>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_NODES = 1024; //!< nodes of a server

/** Name files and folders, of MSCCL several with colons or commas between them. */
constexpr const char* PATHS[] = {"NCCL_TUNER_CONFIG_FILE", "MSCCL_XML_FILES", "MSCCL_ALGO_DIR"};

/**
 * \param value names files
 * \param isList it may name several
 * \return the paths of what it names, which lies beside the file that it stands in
 */
std::string
ResolveFiles(const TextValue& value, bool isList)
{
    std::string text(value.GetText());
    std::vector<std::string_view> names{text};
    if (isList)
    {
        std::replace(text.begin(), text.end(), ':', ',');
        names = SplitList(text);
    }
    std::string files;
    for (const std::string_view name : names)
    {
        const auto file = std::filesystem::path(value.GetSource()).parent_path() / name;
        std::error_code ignored;
        if (name.empty() || !std::filesystem::exists(file, ignored))
        {
            value.Fail(name, "a file or folder, beside the file that names it");
        }
        AppendToList(files, file.string(), ",");
    }
    return files;
}

/**
 * \param path the file of platforms
 * \param name a platform
 * \param platform what the file says of it
 * \return what its key "environment" says
 */
NcclVariables
ReadEnvironment(const std::string& path, const std::string& name, const JsonObject& platform)
{
    NcclVariables environment;
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
        const bool isPath =
            std::find(std::begin(PATHS), std::end(PATHS), variable) != std::end(PATHS);
        const std::string files = isPath ? ResolveFiles(value, variable != PATHS[0]) : text;
        environment.Add(variable, TextValue(path, std::string_view(place), files));
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
