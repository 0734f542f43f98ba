/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-nics.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/**
 * \param system a file
 * \param gpu one of its GPUs
 * \return indices of the NICs at the least distance from it
 */
std::vector<uint32_t>
GetNearest(const NcclSystem& system, const NcclGpu& gpu)
{
    std::vector<uint32_t> nearest;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < system.nics.size(); i++)
    {
        const uint32_t distance = system.GetDistance(gpu.port.above, system.nics[i].above);
        if (distance < least)
        {
            least = distance;
            nearest.clear();
        }
        if (distance == least)
        {
            nearest.push_back(i);
        }
    }
    return nearest;
}

/** GPUs that have the same NICs next to them. */
struct Sharers
{
    uint32_t first{0}; //!< the first of them
    uint32_t last{0};  //!< the last of them
    uint32_t count{0}; //!< how many they are
};

/**
 * \param groups GPUs by the NICs next to them
 * \param [out] nicsPerGpu NICs of each GPU
 * \param [out] gpusPerNic GPUs that share a NIC
 * \return true if all groups are alike, of neighbours, and share no NIC with each other
 */
bool
IsEven(const std::map<std::vector<uint32_t>, Sharers>& groups,
       uint32_t& nicsPerGpu,
       uint32_t& gpusPerNic)
{
    const uint32_t nics = groups.begin()->first.size();
    const uint32_t gpus = groups.begin()->second.count;
    nicsPerGpu = std::max(1U, nics / gpus);
    gpusPerNic = std::max(1U, gpus / nics);
    if (nics != gpus * nicsPerGpu && gpus != nics * gpusPerNic)
    {
        return false;
    }
    std::vector<uint32_t> all;
    for (const auto& [own, sharers] : groups)
    {
        const bool areNeighbours =
            sharers.last - sharers.first + 1 == sharers.count && sharers.first % gpusPerNic == 0;
        if (own.size() != nics || sharers.count != gpus || (gpusPerNic > 1 && !areNeighbours))
        {
            return false;
        }
        all.insert(all.end(), own.begin(), own.end());
    }
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) == all.end();
}

/**
 * \param nic a NIC
 * \return its rate, or that of its PCIe link if that is lower; 0 if the file does not say
 */
uint64_t
GetRate(const NcclNic& nic)
{
    return nic.pcieBps > 0 ? std::min(nic.rateBps, nic.pcieBps) : nic.rateBps;
}

/**
 * \param system a file
 * \param isUsed whether a GPU uses a NIC, by NIC
 * \param [in,out] server gets the default nicRate, or a note why not
 */
void
AddRate(const NcclSystem& system, const std::vector<bool>& isUsed, TopologyServer& server)
{
    uint64_t lowest = UINT64_MAX;
    uint64_t highest = 0;
    std::string unused;
    std::string limited;
    for (uint32_t i = 0; i < system.nics.size(); i++)
    {
        const NcclNic& nic = system.nics[i];
        if (!isUsed[i])
        {
            unused += (unused.empty() ? "" : ", ") + nic.name;
            continue;
        }
        lowest = std::min(lowest, GetRate(nic));
        highest = std::max(highest, GetRate(nic));
        if (limited.empty() && GetRate(nic) < nic.rateBps)
        {
            limited = nic.name;
        }
    }
    if (!unused.empty())
    {
        server.notes.push_back("no GPU uses " + unused + ": others are nearer to all");
    }
    if (lowest == 0)
    {
        server.notes.emplace_back("the file gives no speed of NICs: in a network give nicRate");
    }
    else if (lowest != highest)
    {
        server.notes.emplace_back("NICs are not equally fast: in a network give nicRate");
    }
    else
    {
        server.defaults["nicRate"] = std::to_string(lowest) + "bps";
        if (!limited.empty())
        {
            server.notes.push_back("the PCIe link of " + limited + " is slower than the NIC");
        }
    }
}

} // namespace

void
AddNcclNics(const NcclSystem& system, const std::vector<uint32_t>& order, TopologyServer& server)
{
    if (system.nics.empty())
    {
        server.notes.emplace_back("the file has no NICs: in a network give nicsPerGpu and nicRate");
        return;
    }
    std::map<std::vector<uint32_t>, Sharers> groups;
    std::vector<bool> isUsed(system.nics.size(), false);
    for (uint32_t number = 0; number < order.size(); number++)
    {
        const std::vector<uint32_t> nearest = GetNearest(system, system.gpus[order[number]]);
        Sharers& sharers = groups.emplace(nearest, Sharers{number, number, 0}).first->second;
        sharers.last = number;
        sharers.count++;
        for (const uint32_t nic : nearest)
        {
            isUsed[nic] = true;
        }
    }
    uint32_t nicsPerGpu = 0;
    uint32_t gpusPerNic = 0;
    if (IsEven(groups, nicsPerGpu, gpusPerNic))
    {
        server.defaults["nicsPerGpu"] = std::to_string(nicsPerGpu);
        server.defaults["gpusPerNic"] = std::to_string(gpusPerNic);
    }
    else
    {
        server.notes.emplace_back("the " + std::to_string(system.nics.size()) +
                                  " NICs are not spread evenly over the GPUs: in a network give "
                                  "nicsPerGpu and gpusPerNic");
    }
    AddRate(system, isUsed, server);
}

} // namespace ns3
