/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PORT_SET_TABLE_H
#define PORT_SET_TABLE_H

#include "ns3/route-table.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief What a load balancer keeps for each set of equal-cost ports, found by PortSpan::id.
 *
 * Frames mostly ask for the set that was asked for last, which is looked at first; the others are
 * found by bisection.
 *
 * \tparam T what is kept
 */
template <typename T>
class PortSetTable
{
  public:
    /**
     * \tparam F a callable without arguments that returns a T
     * \param ports a set of ports
     * \param make makes what is kept for a set that is asked for the first time
     * \return what is kept for the set, valid until the next call
     */
    template <typename F>
    T& Find(PortSpan ports, F make)
    {
        if (m_last < m_entries.size() && m_entries[m_last].id == ports.id)
        {
            return m_entries[m_last].kept;
        }
        const auto isBefore = [](const Entry& entry, uint32_t id) { return entry.id < id; };
        auto found = std::lower_bound(m_entries.begin(), m_entries.end(), ports.id, isBefore);
        if (found == m_entries.end() || found->id != ports.id)
        {
            found = m_entries.insert(found, {ports.id, make()});
        }
        m_last = found - m_entries.begin();
        return found->kept;
    }

    /** Forgets all sets. */
    void Clear()
    {
        m_entries.clear();
    }

  private:
    /** A set and what is kept for it. */
    struct Entry
    {
        uint32_t id; //!< PortSpan::id
        T kept;      //!< what is kept
    };

    std::vector<Entry> m_entries; //!< by ascending id
    std::size_t m_last{0};        //!< the one asked for last
};

} // namespace ns3

#endif /* PORT_SET_TABLE_H */
