/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parallel-layout.h"

#include "ns3/config-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * \param source file that is wrong
 * \param divisor phrase and number that must divide
 * \param dividend phrase and number that it must divide
 * \param value value of the divisor
 */
[[noreturn]] void
FailDivision(const std::string& source,
             const std::string& divisor,
             const std::string& dividend,
             uint64_t value)
{
    throw ConfigError(source, divisor, std::to_string(value), "a divisor of " + dividend);
}

/**
 * \param number a number
 * \param what what it counts
 * \return both as a phrase
 */
std::string
Count(uint64_t number, const std::string& what)
{
    return std::to_string(number) + " (" + what + ")";
}

} // namespace

const char*
GetGroupFamilyName(GroupFamily family)
{
    static constexpr std::array<const char*, GROUP_FAMILY_COUNT> names =
        {"TP", "DP", "EP", "DP_EP", "PP", "EMBEDDING", "WORLD", "SERVER", "CROSS_SERVER"};
    return names[static_cast<std::size_t>(family)];
}

std::string
ParallelGroup::GetLabel() const
{
    return std::string(GetGroupFamilyName(family)) + "[" + std::to_string(index) + "]";
}

ParallelLayout::ParallelLayout()
    : ParallelLayout(ParallelSizes(), "")
{
}

ParallelLayout::ParallelLayout(const ParallelSizes& sizes, const std::string& source)
    : m_sizes(sizes)
{
    Check(source);
    for (std::size_t i = 0; i < GROUP_FAMILY_COUNT; i++)
    {
        const auto family = static_cast<GroupFamily>(i);
        const bool perServer = family == GroupFamily::SERVER || family == GroupFamily::CROSS_SERVER;
        if (!perServer || (sizes.ranksPerServer > 0 &&
                           sizes.ranks % std::min(sizes.ranksPerServer, sizes.ranks) == 0))
        {
            AddFamily(family);
        }
    }
}

const ParallelSizes&
ParallelLayout::GetSizes() const
{
    return m_sizes;
}

uint32_t
ParallelLayout::GetDataParallel() const
{
    return m_sizes.ranks / (m_sizes.tensorParallel * m_sizes.pipelineParallel);
}

uint32_t
ParallelLayout::GetRanksPerStage() const
{
    return m_sizes.ranks / m_sizes.pipelineParallel;
}

uint32_t
ParallelLayout::GetStage(uint32_t rank) const
{
    return rank / GetRanksPerStage();
}

uint32_t
ParallelLayout::GetPipelinePeer(uint32_t rank, int32_t offset) const
{
    return static_cast<uint32_t>(rank + int64_t(offset) * GetRanksPerStage());
}

const std::vector<ParallelGroup>&
ParallelLayout::GetGroups() const
{
    return m_groups;
}

bool
ParallelLayout::HasFamily(GroupFamily family) const
{
    return !m_groupOfRank[static_cast<std::size_t>(family)].empty();
}

uint32_t
ParallelLayout::GetGroup(GroupFamily family, uint32_t rank) const
{
    return m_groupOfRank[static_cast<std::size_t>(family)][rank];
}

void
ParallelLayout::Check(const std::string& source) const
{
    const uint64_t tp = m_sizes.tensorParallel;
    const uint64_t pp = m_sizes.pipelineParallel;
    const uint64_t ep = m_sizes.expertParallel;
    const std::string ranks = Count(m_sizes.ranks, "GPUs of the workload");
    if (m_sizes.ranks == 0)
    {
        throw ConfigError(source, "number of GPUs", "0", "at least 1");
    }
    if (tp == 0 || pp == 0 || ep == 0)
    {
        const std::string name = tp == 0 ? "tensor" : pp == 0 ? "pipeline" : "expert";
        throw ConfigError(source, name + " parallel size", "0", "at least 1");
    }
    if (m_sizes.ranks % tp != 0)
    {
        FailDivision(source, "tensor parallel size", ranks, tp);
    }
    if (m_sizes.ranks % (tp * pp) != 0)
    {
        FailDivision(source,
                     "tensor parallel size " + std::to_string(tp) + " * pipeline stages " +
                         std::to_string(pp),
                     ranks,
                     tp * pp);
    }
    const uint64_t dp = m_sizes.ranks / (tp * pp);
    if (dp % ep != 0)
    {
        FailDivision(source,
                     "expert parallel size",
                     Count(dp,
                           "data parallel size, " + ranks + " / (tensor parallel size " +
                               std::to_string(tp) + " * pipeline stages " + std::to_string(pp) +
                               ")"),
                     ep);
    }
}

uint32_t
ParallelLayout::GetIndexInFamily(GroupFamily family, uint32_t rank) const
{
    const uint32_t tp = m_sizes.tensorParallel;
    const uint32_t ep = m_sizes.expertParallel;
    const uint32_t dp = GetDataParallel();
    const uint32_t tensor = rank % tp;
    const uint32_t data = rank / tp % dp;
    const uint32_t stage = rank / (tp * dp);
    switch (family)
    {
    case GroupFamily::TP:
        return rank / tp;
    case GroupFamily::DP:
        return stage * tp + tensor;
    case GroupFamily::EP:
        return (stage * (dp / ep) + data / ep) * tp + tensor;
    case GroupFamily::DP_EP:
        return (stage * ep + data % ep) * tp + tensor;
    case GroupFamily::PP:
    case GroupFamily::EMBEDDING:
        return rank % GetRanksPerStage();
    case GroupFamily::WORLD:
        return 0;
    case GroupFamily::SERVER:
        return rank / m_sizes.ranksPerServer;
    case GroupFamily::CROSS_SERVER:
        return rank % m_sizes.ranksPerServer;
    }
    return 0;
}

void
ParallelLayout::AddFamily(GroupFamily family)
{
    std::vector<uint32_t>& groupOfRank = m_groupOfRank[static_cast<std::size_t>(family)];
    groupOfRank.resize(m_sizes.ranks);
    const std::size_t first = m_groups.size();
    for (uint32_t rank = 0; rank < m_sizes.ranks; rank++)
    {
        const uint32_t index = GetIndexInFamily(family, rank);
        groupOfRank[rank] = first + index;
        while (m_groups.size() <= first + index)
        {
            const uint32_t next = m_groups.size() - first;
            m_groups.push_back({family, next, {}});
        }
        const uint32_t stage = GetStage(rank);
        const bool middle = stage > 0 && stage + 1 < m_sizes.pipelineParallel;
        if (family != GroupFamily::EMBEDDING || !middle)
        {
            m_groups[first + index].ranks.push_back(rank);
        }
    }
}

} // namespace ns3
