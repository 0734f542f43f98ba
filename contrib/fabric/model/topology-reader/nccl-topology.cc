/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-topology.h"

#include "nccl-nics.h"
#include "nccl-system.h"

#include "ns3/config-error.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace ns3
{

namespace
{

/** GPUs of a server, at most: what the parameter gpusPerServer takes. */
constexpr std::size_t MAX_GPUS = 1024;

/**
 * \param gpus GPUs
 * \param get gives a number of a GPU, as text
 * \return the numbers; empty unless every GPU has one of its own
 */
std::vector<uint64_t>
GetNumbers(const std::vector<NcclGpu>& gpus,
           const std::function<const std::string&(const NcclGpu&)>& get)
{
    std::vector<uint64_t> numbers;
    for (const NcclGpu& gpu : gpus)
    {
        const std::string& text = get(gpu);
        const bool isNumber =
            !text.empty() && text.size() < 10 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (isNumber)
        {
            numbers.push_back(std::stoull(text));
        }
    }
    const std::set<uint64_t> distinct(numbers.begin(), numbers.end());
    return distinct.size() == gpus.size() ? numbers : std::vector<uint64_t>();
}

/**
 * \param gpus GPUs in order of the file
 * \return their indices in the order of their numbers on the host, else their ranks, else bus ids
 */
std::vector<uint32_t>
GetOrder(const std::vector<NcclGpu>& gpus)
{
    std::vector<uint64_t> numbers =
        GetNumbers(gpus, [](const NcclGpu& gpu) -> const std::string& { return gpu.dev; });
    if (numbers.empty())
    {
        numbers =
            GetNumbers(gpus, [](const NcclGpu& gpu) -> const std::string& { return gpu.rank; });
    }
    std::vector<uint32_t> order(gpus.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return numbers.empty() ? gpus[a].busId < gpus[b].busId : numbers[a] < numbers[b];
    });
    return order;
}

/**
 * \param gpu a GPU
 * \param table hardware parameters
 * \return its type by device id, else by architecture; empty if the file does not say
 */
std::string
GetGpuType(const NcclGpu& gpu, const HardwareTable& table)
{
    const std::string key = gpu.gcn.empty() ? "sm" : "gcn";
    const std::string architecture = gpu.gcn.empty() ? gpu.sm : gpu.gcn;
    std::string byArchitecture;
    for (const std::string& name : table.GetNames("gpu"))
    {
        if (!gpu.device.empty() && table.Has("gpu", name, "pciDevices") &&
            table.GetText("gpu", name, "pciDevices").find(gpu.device) != std::string::npos)
        {
            return name;
        }
        if (!architecture.empty() && table.Has("gpu", name, key) &&
            table.GetText("gpu", name, key) == architecture)
        {
            byArchitecture = name;
        }
    }
    return byArchitecture;
}

/**
 * \param cpu a NUMA node
 * \param table hardware parameters
 * \return its entry of section cpu
 */
std::string
GetCpuFamily(const NcclCpu& cpu, const HardwareTable& table)
{
    const uint64_t model = cpu.modelId.empty() || cpu.modelId.size() > 9 ||
                                   cpu.modelId.find_first_not_of("0123456789") != std::string::npos
                               ? 0
                               : std::stoull(cpu.modelId);
    std::string family = "other";
    uint64_t familyModel = 0;
    for (const std::string& name : table.GetNames("cpu"))
    {
        if (!table.Has("cpu", name, "vendor") || table.GetText("cpu", name, "vendor") != cpu.vendor)
        {
            continue;
        }
        const uint64_t first =
            table.Has("cpu", name, "modelId") ? table.GetUint("cpu", name, "modelId") : 0;
        if (first <= model && first >= familyModel)
        {
            family = name;
            familyModel = first;
        }
    }
    return family;
}

/** Turns the NVLinks of a NcclSystem into rows of NVSwitches and bridges. */
class NvlinkWiring
{
  public:
    /**
     * \param file name of the file, for errors
     * \param system the file
     * \param order indices of the GPUs, by number
     */
    NvlinkWiring(const std::string& file,
                 const NcclSystem& system,
                 const std::vector<uint32_t>& order)
        : m_file(file),
          m_system(system),
          m_order(order)
    {
        for (uint32_t number = 0; number < order.size(); number++)
        {
            m_numbers[system.gpus[order[number]].busId] = number;
        }
        for (uint32_t number = 0; number < order.size(); number++)
        {
            for (const NcclNvlink& link : system.gpus[order[number]].nvlinks)
            {
                Add(number, link);
            }
        }
    }

    /** \param [out] server gets NVSwitches, bridges, and notes of what is left out */
    void Apply(TopologyServer& server) const
    {
        AddBridges(server);
        AddRows(server);
        if (m_toSelf > 0)
        {
            server.notes.push_back("ignores " + std::to_string(m_toSelf) +
                                   " NVLinks of a GPU to itself");
        }
        if (m_elsewhere > 0)
        {
            server.notes.push_back("ignores " + std::to_string(m_elsewhere) +
                                   " NVLinks to devices that are not in the file");
        }
    }

  private:
    /** \param gpu number of a GPU \param link links of it */
    void Add(uint32_t gpu, const NcclNvlink& link)
    {
        const auto peer = m_numbers.find(link.target);
        if (peer != m_numbers.end() && peer->second == gpu)
        {
            m_toSelf += link.count;
        }
        else if (peer != m_numbers.end())
        {
            m_direct[{gpu, peer->second}] += link.count;
            m_lines[{gpu, peer->second}] = link.line;
        }
        else if (link.tclass.compare(0, 8, "0x068000") == 0)
        {
            m_switches[link.target][gpu] += link.count;
        }
        else
        {
            m_elsewhere += link.count;
        }
    }

    /** \param [out] server gets the links between GPUs */
    void AddBridges(TopologyServer& server) const
    {
        for (const auto& [pair, count] : m_direct)
        {
            const auto back = m_direct.find({pair.second, pair.first});
            if (back != m_direct.end() && back->second != count)
            {
                throw ConfigError(m_file,
                                  m_lines.at(pair),
                                  std::to_string(count) + " links",
                                  std::to_string(back->second) + ", as many as the other GPU has");
            }
            if (pair.first < pair.second || back == m_direct.end())
            {
                server.bridges.push_back({pair.first, pair.second, count});
            }
        }
    }

    /** \param [out] server gets the links to NVSwitches */
    void AddRows(TopologyServer& server) const
    {
        if (m_switches.empty())
        {
            return;
        }
        for (uint32_t gpu = 0; gpu < m_order.size(); gpu++)
        {
            std::vector<uint32_t> row;
            for (const auto& [target, counts] : m_switches)
            {
                const auto found = counts.find(gpu);
                row.push_back(found == counts.end() ? 0 : found->second);
            }
            if (std::accumulate(row.begin(), row.end(), uint64_t{0}) == 0)
            {
                const NcclGpu& own = m_system.gpus[m_order[gpu]];
                throw ConfigError(m_file,
                                  own.line,
                                  "GPU " + own.busId + " without NVLinks",
                                  "NVLinks to NVSwitches, as other GPUs have");
            }
            server.nvswitchLinks.push_back(row);
        }
    }

    const std::string& m_file;                                  //!< name of the file
    const NcclSystem& m_system;                                 //!< the file
    const std::vector<uint32_t>& m_order;                       //!< indices of the GPUs, by number
    std::map<std::string, uint32_t> m_numbers;                  //!< number of a GPU, by bus id
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_direct; //!< links, by GPU and peer
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_lines;  //!< lines of these
    std::map<std::string, std::map<uint32_t, uint32_t>> m_switches; //!< links, by switch and GPU
    uint32_t m_toSelf{0};                                           //!< links of a GPU to itself
    uint32_t m_elsewhere{0}; //!< links to devices that are not in the file
};

/**
 * Takes over the PCIe switches with a GPU below, in their order.
 * \param system the file
 * \param order indices of the GPUs, by number
 * \param [out] server gets them and the ports of the GPUs
 */
void
AddPcie(const NcclSystem& system, const std::vector<uint32_t>& order, TopologyServer& server)
{
    std::vector<bool> isUsed(system.pcieSwitches.size(), false);
    for (const NcclGpu& gpu : system.gpus)
    {
        for (uint32_t i = gpu.port.above; i != TopologyServerPcieSwitch::ROOT && !isUsed[i];
             i = system.pcieSwitches[i].parent)
        {
            isUsed[i] = true;
        }
    }
    std::vector<uint32_t> places(system.pcieSwitches.size());
    for (uint32_t i = 0; i < places.size(); i++)
    {
        if (isUsed[i])
        {
            places[i] = server.pcieSwitches.size();
            TopologyServerPcieSwitch own = system.pcieSwitches[i];
            own.parent =
                own.parent == TopologyServerPcieSwitch::ROOT ? own.parent : places[own.parent];
            server.pcieSwitches.push_back(own);
        }
    }
    for (const uint32_t index : order)
    {
        TopologyServerPciePort port = system.gpus[index].port;
        port.above = places[port.above];
        server.pciePorts.push_back(port);
    }
}

/**
 * Notes what the file leaves open.
 * \param system the file
 * \param table hardware parameters
 * \param [in,out] server the server, complete but for these notes
 */
void
AddNotes(const NcclSystem& system, const HardwareTable& table, TopologyServer& server)
{
    const bool mayHaveNvlink = server.gpuType.empty() || table.Has("gpu", server.gpuType, "nvlink");
    if (server.nvswitchLinks.empty() && server.bridges.empty() && server.gpus > 1 && mayHaveNvlink)
    {
        server.notes.push_back(
            "the file has no NVLinks, which NCCL finds when it runs: PCIe joins "
            "the GPUs; nvlinkPlanes=1" +
            std::string(server.gpuType.empty() ? " with nvlinkRate and nvlinkDelay" : "") +
            " gives them an NVSwitch");
    }
    if (system.unknownSpeeds > 0)
    {
        server.notes.push_back(std::to_string(system.unknownSpeeds) +
                               " PCIe links have no speed or width: 8 GT/s and 16 lanes, as for "
                               "NCCL");
    }
    if (!system.ignored.empty())
    {
        std::string names;
        for (const std::string& name : system.ignored)
        {
            names += (names.empty() ? "<" : ", <") + name + ">";
        }
        server.notes.push_back("ignores elements " + names);
    }
}

} // namespace

TopologyServer
ReadNcclTopology(const TextFile& file, const HardwareTable& table)
{
    const NcclSystem system = NcclSystem::Read(file);
    if (system.gpus.size() > MAX_GPUS)
    {
        throw ConfigError(file.GetName(),
                          "",
                          std::to_string(system.gpus.size()) + " GPUs",
                          "up to " + std::to_string(MAX_GPUS));
    }
    const std::vector<uint32_t> order = GetOrder(system.gpus);
    TopologyServer server;
    server.name = std::filesystem::path(file.GetName()).stem().string();
    server.doc = "server of a topology that NCCL wrote";
    server.gpus = system.gpus.size();
    server.gpuType = GetGpuType(system.gpus[order[0]], table);
    NvlinkWiring(file.GetName(), system, order).Apply(server);
    AddPcie(system, order, server);
    if (table.Has("gpu", server.gpuType, "nvlink"))
    {
        const std::string nvlink = table.GetText("gpu", server.gpuType, "nvlink");
        server.nvls =
            table.Has("nvlink", nvlink, "nvls") && table.GetBool("nvlink", nvlink, "nvls");
    }
    const std::size_t planes = server.nvswitchLinks.empty() ? 0 : server.nvswitchLinks[0].size();
    server.defaults["gpusPerServer"] = std::to_string(server.gpus);
    server.defaults["nvlinkPlanes"] = std::to_string(planes);
    server.defaults["socketRate"] =
        table.GetText("cpu", GetCpuFamily(system.cpus.front(), table), "socketRate");
    AddNcclNics(system, order, server);
    AddNotes(system, table, server);
    return server;
}

} // namespace ns3
