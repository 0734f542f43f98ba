/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_REDUCTION_TABLE_H
#define NVLINK_REDUCTION_TABLE_H

#include "ns3/fabric-packet.h"

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief What an NVSwitch is adding up: sums to which some GPUs of a team have not contributed.
 *
 * The GPUs of a team cut a message in the same way and send the pieces of a lane in order, so the
 * n-th piece of each belongs to the n-th sum of the lane.
 */
class NvlinkReductionTable
{
  public:
    /**
     * A contribution arrived.
     * \param packet the frame
     * \param team the GPUs of its team, ascending
     * \return whether the sum is complete; if it is, the frame is the sum's
     */
    bool Add(const FabricPacket& packet, const std::vector<uint32_t>& team);

    /** \return payload of the sums that are not complete, bytes */
    uint64_t GetHeldBytes() const
    {
        return m_heldBytes;
    }

    /** \return the most that GetHeldBytes() ever was */
    uint64_t GetMaxHeldBytes() const
    {
        return m_maxHeldBytes;
    }

  private:
    /** Team, receiver, channel, lane. */
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    /** \brief Sums of one lane. */
    struct Stream
    {
        std::vector<uint64_t> pieces; //!< by GPU of the team, how many it has sent
        uint64_t first{0};            //!< number of the first sum of m_missing
        std::deque<uint32_t> missing; //!< by sum, contributions that are missing
    };

    std::map<Key, Stream> m_streams; //!< all lanes that ever had a sum
    uint64_t m_heldBytes{0};         //!< see GetHeldBytes()
    uint64_t m_maxHeldBytes{0};      //!< see GetMaxHeldBytes()
};

} // namespace ns3

#endif /* NVLINK_REDUCTION_TABLE_H */
