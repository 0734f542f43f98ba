/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TELEMETRY_HISTORY_H
#define TELEMETRY_HISTORY_H

#include "ns3/telemetry-stack.h"

#include <cstddef>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief The telemetry of the packet before, to which that of the next one is compared.
 *
 * Two packets can be compared where they left the same ports in the same order, the later one
 * later. Another path, or packets that overtook each other, start the comparison anew.
 */
class TelemetryHistory
{
  public:
    /**
     * \param stack telemetry of a packet
     * \return whether the packet before left the same ports, each of them earlier
     */
    bool IsComparable(const TelemetryStack& stack) const
    {
        if (stack.hops.empty() || stack.hops.size() != m_hops.size())
        {
            return false;
        }
        for (size_t i = 0; i < m_hops.size(); i++)
        {
            if (stack.hops[i].port != m_hops[i].port || stack.hops[i].when <= m_hops[i].when)
            {
                return false;
            }
        }
        return true;
    }

    /** \param stack becomes the packet before */
    void Keep(const TelemetryStack& stack)
    {
        m_hops = stack.hops;
    }

    /** \param i place on the path \return what the packet before carried from there */
    const TelemetryHop& GetHop(size_t i) const
    {
        return m_hops[i];
    }

  private:
    std::vector<TelemetryHop> m_hops; //!< of the packet before
};

} // namespace ns3

#endif /* TELEMETRY_HISTORY_H */
