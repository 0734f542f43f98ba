/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-template.h"

#include "comma-list.h"
#include "config-error.h"
#include "json-object.h"
#include "template-folders.h"
#include "topology-structure.h"

#include <algorithm>
#include <filesystem>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;

/** Folder of server descriptions inside a template folder. */
const std::string SERVERS = "servers";

/** What the name of a JSON file ends in. */
const std::string EXTENSION = ".json";

/**
 * \param subfolder folder inside a template folder
 * \param name name of a JSON file without its extension, or a path (also of an XML file)
 * \return the file, empty if there is none
 */
std::string
FindJson(const fs::path& subfolder, const std::string& name)
{
    const fs::path extension = fs::path(name).extension();
    const bool isPath =
        name.find('/') != std::string::npos || extension == EXTENSION || extension == ".xml";
    std::error_code ignored;
    if (isPath)
    {
        return fs::is_regular_file(name, ignored) ? name : "";
    }
    return name.empty() ? "" : FindInTemplateFolders((subfolder / (name + EXTENSION)).string());
}

/**
 * \param json a template
 * \param name a file that it includes: relative to its own folder, or to a template folder
 * \return the file
 */
std::string
FindInclude(const JsonObject& json, const std::string& name)
{
    const fs::path beside = fs::path(json.GetPath()).parent_path() / name;
    std::error_code ignored;
    const std::string path =
        fs::is_regular_file(beside, ignored) ? beside.string() : FindInTemplateFolders(name);
    if (path.empty())
    {
        json.Fail("include", name, "a file beside the template or in a template folder");
    }
    return path;
}

} // namespace

TopologyTemplate
TopologyTemplate::Read(const std::string& path)
{
    const JsonObject json(path);
    json.RequireKeys({"name", "doc", "structure", "include", "defaults", "parameters"});
    TopologyTemplate result;
    result.m_name = json.GetText("name");
    result.m_doc = json.GetText("doc");
    result.m_structure = json.GetText("structure");
    if (!TopologyStructure::IsKnown(result.m_structure))
    {
        json.Fail("structure", result.m_structure, "the TypeId name of a TopologyStructure");
    }
    for (const std::string& include : json.GetTexts("include"))
    {
        const JsonObject included(FindInclude(json, include));
        included.RequireKeys({"parameters"});
        result.AddParameters(included);
    }
    result.ReplaceDefaults(json);
    result.AddParameters(json);
    return result;
}

void
TopologyTemplate::AddParameters(const JsonObject& json)
{
    for (const JsonObject& declaration : json.GetObjects("parameters"))
    {
        m_parameters.push_back(TopologyParameter::Read(declaration));
    }
}

void
TopologyTemplate::ReplaceDefaults(const JsonObject& json)
{
    if (!json.Has("defaults"))
    {
        return;
    }
    const JsonObject defaults = json.GetObject("defaults");
    for (const std::string& name : defaults.GetKeys())
    {
        const auto found =
            std::find_if(m_parameters.begin(), m_parameters.end(), [&](const auto& parameter) {
                return parameter.name == name;
            });
        if (found == m_parameters.end())
        {
            defaults.Fail(name, name, "a parameter of an included file");
        }
        found->defaultText = defaults.GetText(name);
        found->defaultFrom.clear();
    }
}

const std::string&
TopologyTemplate::GetName() const
{
    return m_name;
}

const std::string&
TopologyTemplate::GetDoc() const
{
    return m_doc;
}

const std::vector<TopologyParameter>&
TopologyTemplate::GetParameters() const
{
    return m_parameters;
}

Topology
TopologyTemplate::Build(const std::string& source,
                        const std::map<std::string, std::string>& given) const
{
    const TopologyParameters parameters(source, m_parameters, given);
    Topology topology = TopologyStructure::Create(m_structure)->Build(parameters);
    parameters.RequireAllUsed();
    topology.source = source;
    return topology;
}

std::string
FindTopologyTemplate(const std::string& name)
{
    return FindJson("", name);
}

std::string
FindTopologyServer(const std::string& source, const std::string& name)
{
    const std::string path = FindJson(SERVERS, name);
    if (path.empty())
    {
        const std::string known = JoinList(GetTopologyServerNames());
        throw ConfigError(source, "server", name, "one of the servers " + known);
    }
    return path;
}

std::vector<std::string>
GetTopologyTemplateNames()
{
    return GetTemplateNames("");
}

std::vector<std::string>
GetTopologyServerNames()
{
    return GetTemplateNames(SERVERS);
}

} // namespace ns3
