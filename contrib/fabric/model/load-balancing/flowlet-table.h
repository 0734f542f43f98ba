/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOWLET_TABLE_H
#define FLOWLET_TABLE_H

#include "ns3/ecmp-hash.h"
#include "ns3/fabric-packet.h"
#include "ns3/nstime.h"
#include "ns3/route-table.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The flowlets of a switch: where each flow was sent, and when it was last seen.
 *
 * A flow keeps its port until more than the timeout lies between two of its frames: then a new
 * flowlet begins, which may take another port without overtaking, if paths differ by less than the
 * timeout. The table is indexed by a hash of the flow, without tags, as in hardware: flows that
 * fall on one entry are one flow here. Gaps are measured exactly; hardware sweeps an age bit, which
 * ends a flowlet after one to two timeouts. An entry takes 16 bytes, all of them allotted with the
 * first frame.
 */
class FlowletTable
{
  public:
    static constexpr uint32_t MAX_ENTRIES = 1U << 20; //!< largest size: 16 MiB in every switch

    /**
     * \param entries size, above 0, MAX_ENTRIES at most
     * \param timeout longest gap within a flowlet
     * \param salt of the hash
     */
    void Configure(uint32_t entries, Time timeout, uint64_t salt);

    /**
     * \tparam F a callable without arguments that returns an index below ports.count
     * \param packet a frame
     * \param ports its ports
     * \param now ticks
     * \param pick chooses for a flowlet that begins
     * \return index of the port that the frame takes
     */
    template <typename F>
    uint32_t Choose(const FabricPacket& packet, PortSpan ports, uint64_t now, F pick)
    {
        Entry& entry = Find(packet);
        uint32_t choice =
            now - entry.lastSeen <= m_timeoutTicks ? IndexOf(ports, entry.port) : ports.count;
        if (choice == ports.count)
        {
            choice = pick();
        }
        entry = {now, ports[choice]};
        return choice;
    }

    /**
     * \param packet a frame
     * \param ports its ports
     * \return index of the port that its flow took last, ports.count if it is not there
     */
    uint32_t FindLast(const FabricPacket& packet, PortSpan ports)
    {
        return IndexOf(ports, Find(packet).port);
    }

  private:
    /** Where a flow goes. */
    struct Entry
    {
        uint64_t lastSeen{0};      //!< last frame, ticks
        uint16_t port{UINT16_MAX}; //!< its port, UINT16_MAX before the first frame
    };

    /** \param packet a frame \return the entry of its flow */
    Entry& Find(const FabricPacket& packet)
    {
        if (m_entries.empty())
        {
            m_entries.resize(m_size);
        }
        const uint32_t hash = EcmpHash(packet.src, packet.dst, packet.flow, m_salt);
        return m_entries[EcmpChoice(hash, m_size)];
    }

    /** \param ports a set \param port a port \return its index, ports.count if it is not there */
    static uint32_t IndexOf(PortSpan ports, uint16_t port)
    {
        const uint16_t* found = std::lower_bound(ports.begin(), ports.end(), port);
        return found != ports.end() && *found == port ? found - ports.begin() : ports.count;
    }

    uint32_t m_size{1};           //!< number of entries
    uint64_t m_timeoutTicks{0};   //!< longest gap within a flowlet, ticks
    uint64_t m_salt{0};           //!< of the hash
    std::vector<Entry> m_entries; //!< by hash; empty before the first frame
};

} // namespace ns3

#endif /* FLOWLET_TABLE_H */
