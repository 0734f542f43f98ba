/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_TAG_H
#define COLLECTIVE_TAG_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What the tag of a Message says: which message of which plan of which collective it is.
 *
 * 64 bits: group 20, sequence 16, channel 6, message 22, the group in the highest bits.
 */
struct CollectiveTag
{
    static constexpr uint32_t MAX_GROUPS = 1U << 20;   //!< groups are numbered below this
    static constexpr uint32_t MAX_CHANNELS = 1U << 6;  //!< channels are numbered below this
    static constexpr uint32_t MAX_MESSAGES = 1U << 22; //!< messages are numbered below this
    static constexpr uint32_t MAX_OPEN = 1U << 15;     //!< collectives of a group that can be
                                                       //!< unfinished at a time

    uint32_t group{0};    //!< from CollectiveEngine::AddGroup()
    uint16_t sequence{0}; //!< how many collectives the group had before, modulo 2^16
    uint32_t channel{0};  //!< channel of the plan
    uint32_t message{0};  //!< PlanStep::message

    /** \return the tag */
    uint64_t Encode() const
    {
        return static_cast<uint64_t>(group) << 44 | static_cast<uint64_t>(sequence) << 28 |
               static_cast<uint64_t>(channel) << 22 | message;
    }

    /**
     * \param tag a tag
     * \return what it says
     */
    static CollectiveTag Decode(uint64_t tag)
    {
        return {static_cast<uint32_t>(tag >> 44),
                static_cast<uint16_t>(tag >> 28),
                static_cast<uint32_t>(tag >> 22) & (MAX_CHANNELS - 1),
                static_cast<uint32_t>(tag) & (MAX_MESSAGES - 1)};
    }

    /**
     * \param sequence the low 16 bits of a sequence number
     * \param near a full sequence number less than MAX_OPEN away from it
     * \return the full sequence number
     */
    static uint64_t ExpandSequence(uint16_t sequence, uint64_t near)
    {
        const auto distance = static_cast<int16_t>(sequence - static_cast<uint16_t>(near));
        return near + static_cast<int64_t>(distance);
    }
};

} // namespace ns3

#endif /* COLLECTIVE_TAG_H */
