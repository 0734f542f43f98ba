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
 * sits on rail i. Beside these rails of ranks there are those of NICs, the same if each rank has a
 * NIC of its own.
 */
class ServerLayout
{
  public:
    /** \param placement the server of each group rank, numbered in order of appearance */
    explicit ServerLayout(const std::vector<uint32_t>& placement);

    /**
     * With NICs, a rail is one of NICs: ranks that share a NIC share a rail. NICs of numbers that
     * all servers have are on the first rails, by their numbers; on the others NICs of different
     * numbers meet, each server's in ascending order.
     * \param placement as above
     * \param nics number of each group rank's NIC in its server, empty for those above
     */
    ServerLayout(const std::vector<uint32_t>& placement, const std::vector<uint32_t>& nics);

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

    /** \return the number of rails of NICs that all servers are on: the NICs of that with fewest */
    uint32_t GetNicRails() const
    {
        return m_nicRails;
    }

    /** \param server a server \return its group ranks by NIC, in the order of their rails */
    const std::vector<std::vector<uint32_t>>& GetNics(uint32_t server) const
    {
        return m_nics[server];
    }

    /**
     * \param server a server
     * \param rail a rail of NICs; beyond those of the server they repeat
     * \return the first group rank of that NIC
     */
    uint32_t GetHead(uint32_t server, uint32_t rail) const
    {
        return m_nics[server][rail % m_nics[server].size()].front();
    }

    /** \return true if all servers have equally many ranks */
    bool IsEven() const
    {
        return m_isEven;
    }

  private:
    /** \param nics number of each group rank's NIC; groups the ranks of servers by them */
    void SortByNic(const std::vector<uint32_t>& nics);

    std::vector<std::vector<uint32_t>> m_servers; //!< group ranks of each server
    std::vector<std::vector<std::vector<uint32_t>>> m_nics; //!< the same, by NIC
    uint32_t m_nicRails{0};                                 //!< fewest NICs in a server
    uint32_t m_rails{0};                          //!< fewest ranks in a server
    bool m_isEven{true};                          //!< all servers have as many
};

} // namespace ns3

#endif /* SERVER_LAYOUT_H */
