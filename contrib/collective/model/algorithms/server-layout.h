/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SERVER_LAYOUT_H
#define SERVER_LAYOUT_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Which ranks of a group stand in which server. The i-th rank of a server in group order
 * sits on rail i.
 */
class ServerLayout
{
  public:
    /** \param placement the server of each group rank, numbered in order of appearance */
    explicit ServerLayout(const std::vector<uint32_t>& placement);

    /** \return the number of servers */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_servers.size());
    }

    /** \param server a server \return its group ranks by rail */
    const std::vector<uint32_t>& GetRanks(uint32_t server) const
    {
        return m_servers[server];
    }

    /** \return the number of rails that all servers are on: the ranks of the smallest */
    uint32_t GetRails() const
    {
        return m_rails;
    }

    /** \return true if all servers have equally many ranks */
    bool IsEven() const
    {
        return m_isEven;
    }

  private:
    std::vector<std::vector<uint32_t>> m_servers; //!< group ranks of each server
    uint32_t m_rails{0};                          //!< fewest ranks in a server
    bool m_isEven{true};                          //!< all servers have as many
};

} // namespace ns3

#endif /* SERVER_LAYOUT_H */
