/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REDUCER_H
#define ROCE_REDUCER_H

#include "roce-reduction-hop.h"

#include "ns3/reduction-tree.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class FabricPort;
class RoceReductionListener;
class RoceSwitchDevice;

/**
 * \ingroup roce
 * \brief What adds up in a switch: SHARP's aggregation node.
 *
 * A stream is a sequence of fragments that a team adds up. What comes from the children is added up
 * fragment by fragment; a sum that is complete goes to the parent or, at the root, to all children,
 * as does what comes from the parent. A fragment is held in the reduction table from the first
 * contribution until all children have its sum, so that it can be repeated. A stream is let in only
 * if the table has room for all that it can ever hold: two windows, since no rank sends a fragment
 * before it has the sum of the one a window earlier. So the table cannot overflow.
 *
 * Adding takes no time beyond the switch's Latency, and is done on whole packets, also where
 * switches forward cut-through.
 */
class RoceReducer
{
  public:
    /**
     * \param device the switch
     * \param tableBytes size of the reduction table
     */
    RoceReducer(RoceSwitchDevice& device, uint64_t tableBytes);
    ~RoceReducer();
    RoceReducer(const RoceReducer&) = delete;
    RoceReducer& operator=(const RoceReducer&) = delete;

    /** \param settings of a stream \return what it takes of a table, bytes */
    static uint64_t GetNeededBytes(const RoceReductionSettings& settings)
    {
        return uint64_t{2} * settings.window * settings.fragmentBytes;
    }

    /** \return size of the table, bytes */
    uint64_t GetTableBytes() const
    {
        return m_tableBytes;
    }

    /** \return what is set aside for streams, bytes */
    uint64_t GetReservedBytes() const
    {
        return m_reservedBytes;
    }

    /** \return payload of the fragments held, bytes */
    uint64_t GetHeldBytes() const
    {
        return m_heldBytes;
    }

    /** \return the most that GetHeldBytes() ever was */
    uint64_t GetMaxHeldBytes() const
    {
        return m_maxHeldBytes;
    }

    /**
     * Sets memory aside for a stream, whose hops are made when it comes for the first time.
     * \param settings of the stream, must outlive the reducer
     * \param node this switch in the stream's tree
     * \param listener hears of the hops
     */
    void Reserve(const RoceReductionSettings& settings,
                 const ReductionTree::Node& node,
                 RoceReductionListener& listener);

    /** \param settings of a stream that holds nothing and lets its memory go */
    void Release(const RoceReductionSettings& settings);

    /** \param packet a frame of a stream, the reducer's from now on \param in where it arrived */
    void Receive(FabricPacket* packet, const FabricPort& in);

  private:
    class Stream;

    RoceSwitchDevice& m_device;                            //!< the switch
    uint64_t m_tableBytes;                                 //!< see GetTableBytes()
    uint64_t m_reservedBytes{0};                           //!< see GetReservedBytes()
    uint64_t m_heldBytes{0};                               //!< see GetHeldBytes()
    uint64_t m_maxHeldBytes{0};                            //!< see GetMaxHeldBytes()
    std::map<uint32_t, std::unique_ptr<Stream>> m_streams; //!< by number
};

/** \ingroup roce \brief Who hears of the hops of streams: RoceReductionTransport. */
class RoceReductionListener
{
  public:
    virtual ~RoceReductionListener() = default;

    /** \param stream a stream \param more one more of its hops waits for its peer, or one less */
    virtual void CountWaiting(uint32_t stream, bool more) = 0;

    /**
     * A hop has given up.
     * \param stream its stream
     * \param description of it, such as "leaf2 port 3 to the switch above"
     */
    virtual void HopFailed(uint32_t stream, const std::string& description) = 0;
};

} // namespace ns3

#endif /* ROCE_REDUCER_H */
