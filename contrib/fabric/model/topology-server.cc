/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-server.h"

#include "hardware-table.h"
#include "json-object.h"
#include "text-scanner.h"
#include "text-value.h"

#include "ns3/nccl-topology.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/** NVLinks that a GPU can have to one NVSwitch or GPU, at most. */
constexpr uint64_t MAX_NVLINKS = 1024;

/** GPUs of a server whose wiring is described one by one, at most. */
constexpr uint64_t MAX_GPUS = 1024;

/** CPU sockets of a server, at most. */
constexpr uint64_t MAX_SOCKETS = 64;

/**
 * \param json an object
 * \param key one of its keys
 * \param text a number that stands there
 * \param what what it is
 * \param min smallest value
 * \param max largest value
 * \return it
 */
uint32_t
ToUint(const JsonObject& json,
       const std::string& key,
       const std::string& text,
       const char* what,
       uint64_t min,
       uint64_t max)
{
    const std::string place = json.GetPlace().empty() ? key : json.GetPlace() + "." + key;
    return TextValue(json.GetPath(), std::string_view(place), text).GetUint(what, min, max);
}

/**
 * \param json an object with a key "gpus"
 * \return the GPUs there
 */
std::vector<uint32_t>
GetGpus(const JsonObject& json)
{
    std::vector<uint32_t> gpus;
    for (const std::string& text : json.GetTexts("gpus"))
    {
        gpus.push_back(ToUint(json, "gpus", text, "number of a GPU", 0, MAX_GPUS - 1));
    }
    return gpus;
}

/**
 * Reads the direct NVLinks of a description.
 * \param json the description
 * \param [out] server gets them
 */
void
ReadBridges(const JsonObject& json, TopologyServer& server)
{
    for (const JsonObject& bridge : json.GetObjects("nvlinks"))
    {
        bridge.RequireKeys({"gpus", "count"});
        const std::vector<uint32_t> gpus = GetGpus(bridge);
        if (gpus.size() != 2 || gpus[0] == gpus[1])
        {
            bridge.Fail("gpus", std::to_string(gpus.size()) + " GPUs", "two different GPUs");
        }
        const uint32_t count =
            ToUint(bridge, "count", bridge.GetText("count"), "NVLinks", 1, MAX_NVLINKS);
        server.bridges.push_back({gpus[0], gpus[1], count});
        server.gpus = std::max(server.gpus, std::max(gpus[0], gpus[1]) + 1);
    }
}

/**
 * Reads the PCIe switches of a description: root complexes first, then the switches below them.
 * \param json the description
 * \param [out] server gets them
 */
void
ReadPcie(const JsonObject& json, TopologyServer& server)
{
    const std::vector<JsonObject> groups = json.GetObjects("pcie");
    std::vector<uint32_t> sockets;
    for (const JsonObject& group : groups)
    {
        group.RequireKeys({"socket", "gpus", "switch"});
        sockets.push_back(
            ToUint(group, "socket", group.GetText("socket"), "socket", 0, MAX_SOCKETS - 1));
    }
    if (groups.empty())
    {
        return;
    }
    server.pcieSwitches.resize(*std::max_element(sockets.begin(), sockets.end()) + 1);
    std::vector<uint32_t> above; // by GPU
    for (std::size_t i = 0; i < groups.size(); i++)
    {
        uint32_t parent = sockets[i];
        const std::string place = groups[i].GetPlace() + ".switch";
        const std::string isSwitch = groups[i].GetText("switch", "true");
        if (TextValue(json.GetPath(), std::string_view(place), isSwitch).GetBool("switch"))
        {
            TopologyServerPcieSwitch pcieSwitch;
            pcieSwitch.parent = parent;
            parent = server.pcieSwitches.size();
            server.pcieSwitches.push_back(pcieSwitch);
        }
        for (const uint32_t gpu : GetGpus(groups[i]))
        {
            above.resize(std::max<std::size_t>(above.size(), gpu + 1), UINT32_MAX);
            if (above[gpu] != UINT32_MAX)
            {
                groups[i].Fail("gpus", std::to_string(gpu), "every GPU once");
            }
            above[gpu] = parent;
        }
    }
    server.gpus = std::max<uint32_t>(server.gpus, above.size());
    above.resize(server.gpus, UINT32_MAX);
    for (uint32_t gpu = 0; gpu < server.gpus; gpu++)
    {
        if (above[gpu] == UINT32_MAX)
        {
            json.Fail("pcie", "no GPU " + std::to_string(gpu), "every GPU of the server");
        }
        server.pciePorts.push_back({above[gpu], 0});
    }
}

/**
 * Takes a default from the hardware parameters, by an entry that a description names.
 * \param json the description
 * \param section key of the description, and section of the parameters
 * \param key parameter: "rate" of a NIC is nicRate
 * \param table hardware parameters
 * \param [out] server gets the default, unless it has one
 */
void
AddDefault(const JsonObject& json,
           const std::string& section,
           const std::string& key,
           const HardwareTable& table,
           TopologyServer& server)
{
    if (!json.Has(section))
    {
        return;
    }
    const std::string name = json.GetText(section);
    if (!table.Has(section, name, key))
    {
        json.Fail(section, name, "an entry of section " + section + " of the hardware parameters");
    }
    server.defaults.emplace(key == "rate" ? "nicRate" : key, table.GetText(section, name, key));
}

/**
 * \param path a server description (JSON)
 * \param table hardware parameters
 * \return it, without defaults that its hardware implies
 */
TopologyServer
ReadDescription(const std::string& path, const HardwareTable& table)
{
    const JsonObject json(path);
    json.RequireKeys({"name",
                      "doc",
                      "gpuType",
                      "nvswitchLinks",
                      "nvls",
                      "nvlinks",
                      "pcie",
                      "cpu",
                      "nic",
                      "defaults"});
    TopologyServer server;
    server.name = json.GetText("name");
    server.doc = json.GetText("doc");
    server.gpuType = json.GetText("gpuType");
    std::vector<uint32_t> row;
    for (const std::string& count : json.GetTexts("nvswitchLinks"))
    {
        row.push_back(ToUint(json, "nvswitchLinks", count, "NVLinks per NVSwitch", 1, MAX_NVLINKS));
    }
    if (!row.empty())
    {
        server.nvswitchLinks.push_back(row);
    }
    const std::string nvls = json.GetText("nvls", "false");
    server.nvls = TextValue(path, std::string_view("nvls"), nvls).GetBool("nvls");
    ReadBridges(json, server);
    ReadPcie(json, server);
    const JsonObject defaults = json.GetObject("defaults");
    for (const std::string& key : defaults.GetKeys())
    {
        server.defaults[key] = defaults.GetText(key);
    }
    AddDefault(json, "cpu", "socketRate", table, server);
    AddDefault(json, "nic", "rate", table, server);
    return server;
}

} // namespace

TopologyServer
TopologyServer::Read(const std::string& path)
{
    return Read(path, HardwareTable::Load());
}

TopologyServer
TopologyServer::Read(const std::string& path, const HardwareTable& table)
{
    const TextFile file(path);
    const std::size_t text = file.FindText(0);
    const bool isXml = text < file.GetLineCount() && file.GetLine(text).GetWord(0)[0] == '<';
    TopologyServer server = isXml ? ReadNcclTopology(file, table) : ReadDescription(path, table);
    server.AddHardwareDefaults(table);
    return server;
}

uint32_t
TopologyServer::GetNvlinkCount() const
{
    std::vector<uint32_t> counts(std::max<std::size_t>(gpus, 1));
    for (uint32_t gpu = 0; gpu < counts.size() && !nvswitchLinks.empty(); gpu++)
    {
        const auto& row = nvswitchLinks[nvswitchLinks.size() == 1 ? 0 : gpu];
        counts[gpu] = std::accumulate(row.begin(), row.end(), 0U);
    }
    for (const TopologyServerBridge& bridge : bridges)
    {
        counts.at(bridge.a) += bridge.count;
        counts.at(bridge.b) += bridge.count;
    }
    return *std::max_element(counts.begin(), counts.end());
}

void
TopologyServer::AddHardwareDefaults(const HardwareTable& table)
{
    if (table.Has("gpu", gpuType, "nvlink"))
    {
        const std::string nvlink = table.GetText("gpu", gpuType, "nvlink");
        const uint64_t own = GetNvlinkCount();
        const uint64_t links = own > 0 ? own : table.GetUint("gpu", gpuType, "nvlinks");
        const uint64_t rate = table.GetDataRate("nvlink", nvlink, "linkRate").GetBitRate();
        defaults.emplace("nvlinkRate", std::to_string(links * rate) + "bps");
        defaults.emplace("nvlinkDelay", table.GetText("nvlink", nvlink, "delay"));
    }
    if (!pcieSwitches.empty())
    {
        const bool known = table.Has("gpu", gpuType, "pcie");
        const std::string pcie = known ? table.GetText("gpu", gpuType, "pcie") : "3";
        if (known)
        {
            defaults.emplace("pcieRate", table.GetText("pcie", pcie, "x16Rate"));
        }
        defaults.emplace("pcieDelay", table.GetText("pcie", pcie, "delay"));
        defaults.emplace("socketRate", table.GetText("cpu", "other", "socketRate"));
    }
}

} // namespace ns3
