/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RANK_TEAMS_H
#define RANK_TEAMS_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Teams of ranks for which switches add up and copy, by number; the same ranks are the same
 * team.
 */
class RankTeams
{
  public:
    /** \param ranks a team's, ascending \return its number, if it was added */
    std::optional<uint32_t> Find(const std::vector<uint32_t>& ranks) const
    {
        const auto found = m_numbers.find(ranks);
        return found == m_numbers.end() ? std::nullopt : std::optional(found->second);
    }

    /**
     * \param ranks a team's, ascending
     * \return its number, the same for the same ranks
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

    /** \param team number of a team \return its ranks, ascending */
    const std::vector<uint32_t>& Get(uint32_t team) const
    {
        return m_teams.at(team);
    }

  private:
    std::map<std::vector<uint32_t>, uint32_t> m_numbers; //!< by ranks
    std::deque<std::vector<uint32_t>> m_teams;           //!< by number, at stable addresses
};

} // namespace ns3

#endif /* RANK_TEAMS_H */
