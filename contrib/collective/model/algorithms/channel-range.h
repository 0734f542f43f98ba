/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CHANNEL_RANGE_H
#define CHANNEL_RANGE_H

#include "ns3/type-id.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What algorithms share that choose their number of channels themselves: attributes
 * MinChannels and MaxChannels, which bound the choice. A second base of such an algorithm.
 *
 * NCCL's NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS (or _CTAS): as there, they bound what the
 * topology suggests; small operands may still use fewer.
 */
class ChannelRange
{
  public:
    virtual ~ChannelRange() = default;

    /** \return all types that declare the attributes by AddChannelAttributes() */
    static const std::vector<TypeId>& GetTypes();

  protected:
    /**
     * \param tid a TypeId of a class that has this base
     * \return the same with the attributes MinChannels and MaxChannels
     */
    static TypeId AddChannelAttributes(TypeId tid);

    /**
     * \param channels what the topology suggests, a multiple of `step`
     * \param step channels that only come together
     * \return the multiple of `step` that the attributes make of it, at least one and at most
     * CollectiveTag::MAX_CHANNELS; MinChannels wins over MaxChannels
     */
    uint32_t Bound(uint32_t channels, uint32_t step) const;

    uint32_t m_minChannels; //!< attribute MinChannels
    uint32_t m_maxChannels; //!< attribute MaxChannels
};

} // namespace ns3

#endif /* CHANNEL_RANGE_H */
