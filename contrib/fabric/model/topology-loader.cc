/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-loader.h"

#include "comma-list.h"
#include "config-error.h"
#include "topology-file-reader.h"
#include "topology-template.h"

#include <filesystem>
#include <map>
#include <string_view>

namespace ns3
{

namespace
{

/**
 * \param spec template and values, for errors
 * \param list the values: "key=value,key=value", may be empty
 * \return the values by key
 */
std::map<std::string, std::string>
SplitValues(const std::string& spec, const std::string& list)
{
    std::map<std::string, std::string> values;
    for (const std::string_view word : SplitList(list))
    {
        const std::string item(word);
        const std::size_t equals = item.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            throw ConfigError(spec, "", item, "key=value, several separated by commas");
        }
        if (!values.emplace(item.substr(0, equals), item.substr(equals + 1)).second)
        {
            throw ConfigError(spec, "", item, item.substr(0, equals) + " only once");
        }
    }
    return values;
}

/**
 * \param path a path
 * \return true if it is something that can be read: a file, a pipe
 */
bool
IsReadable(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

/** \return what a topology can be, for errors */
std::string
DescribeChoices()
{
    const std::string names = JoinList(GetTopologyTemplateNames());
    return "a topology file, or a template with values, such as star:hosts=4 (templates: " + names +
           ")";
}

} // namespace

Topology
LoadTopology(const std::string& spec)
{
    if (IsReadable(spec))
    {
        return ReadTopologyFile(TextFile(spec));
    }
    const std::size_t colon = spec.find(':');
    const std::string path = FindTopologyTemplate(spec.substr(0, colon));
    if (path.empty())
    {
        std::error_code ignored;
        const bool isFolder = std::filesystem::is_directory(spec, ignored);
        throw ConfigError(spec.empty() ? "topology" : spec,
                          "",
                          isFolder ? "a directory" : "no such file or template",
                          DescribeChoices());
    }
    const std::string list = colon == std::string::npos ? "" : spec.substr(colon + 1);
    return TopologyTemplate::Read(path).Build(spec, SplitValues(spec, list));
}

} // namespace ns3
