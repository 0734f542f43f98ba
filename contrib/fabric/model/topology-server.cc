/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-server.h"

#include "json-object.h"
#include "text-value.h"

namespace ns3
{

namespace
{

/** NVLinks that a GPU can have to one NVSwitch, at most. */
constexpr uint64_t MAX_NVLINKS = 1024;

} // namespace

TopologyServer
TopologyServer::Read(const std::string& path)
{
    const JsonObject json(path);
    json.RequireKeys({"name", "doc", "gpuType", "nvswitchLinks", "nvls", "defaults"});
    TopologyServer server;
    server.name = json.GetText("name");
    server.doc = json.GetText("doc");
    server.gpuType = json.GetText("gpuType");
    for (const std::string& count : json.GetTexts("nvswitchLinks"))
    {
        const TextValue value(path, std::string_view("nvswitchLinks"), count);
        server.nvswitchLinks.push_back(value.GetUint("NVLinks per NVSwitch", 1, MAX_NVLINKS));
    }
    const std::string nvls = json.GetText("nvls", "false");
    server.nvls = TextValue(path, std::string_view("nvls"), nvls).GetBool("nvls");
    const JsonObject defaults = json.GetObject("defaults");
    for (const std::string& key : defaults.GetKeys())
    {
        server.defaults[key] = defaults.GetText(key);
    }
    return server;
}

} // namespace ns3
