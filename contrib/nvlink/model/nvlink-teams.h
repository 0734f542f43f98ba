/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_TEAMS_H
#define NVLINK_TEAMS_H

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief The teams of GPUs for which NVSwitches add up and copy, known to GPUs and switches alike:
 * NVIDIA's multicast groups.
 */
class NvlinkTeams
{
  public:
    /**
     * \param ranks the GPUs of a team, ascending
     * \return its number, the same for the same GPUs
     */
    uint32_t Add(const std::vector<uint32_t>& ranks)
    {
        const auto added = m_numbers.emplace(ranks, static_cast<uint32_t>(m_teams.size()));
        if (added.second)
        {
            m_teams.push_back(ranks);
        }
        return added.first->second;
    }

    /** \param team number of a team \return its GPUs, ascending */
    const std::vector<uint32_t>& Get(uint32_t team) const
    {
        return m_teams[team];
    }

  private:
    std::map<std::vector<uint32_t>, uint32_t> m_numbers; //!< by the GPUs
    std::vector<std::vector<uint32_t>> m_teams;          //!< by number
};

} // namespace ns3

#endif /* NVLINK_TEAMS_H */
