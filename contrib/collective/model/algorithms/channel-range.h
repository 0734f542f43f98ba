/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CHANNEL_RANGE_H
#define CHANNEL_RANGE_H

#include "operand-division.h"

#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What algorithms share that choose their number of channels themselves: attributes
 * MinChannels and MaxChannels, which bound the choice, and who else may make it. A second base of
 * such an algorithm.
 *
 * NCCL's NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS (or _CTAS): as there, they bound what the
 * topology suggests; small operands may still use fewer.
 */
class ChannelRange
{
  public:
    virtual ~ChannelRange() = default;

    /**
     * Least part of the operand on an automatic channel, bytes: NCCL's ring with the Simple
     * protocol, 512 threads of 64 bytes (NCCL_SIMPLE_THREAD_THRESHOLD).
     */
    static constexpr uint64_t MIN_CHANNEL_BYTES = 32768;

    /** \return all types that declare the attributes by AddChannelAttributes() */
    static const std::vector<TypeId>& GetTypes();

    /**
     * Before the first plan.
     * \param division says how operands are divided, in place of the attributes for that; null,
     * as it is made, for these
     */
    void SetDivision(std::shared_ptr<const OperandDivision> division);

  protected:
    /**
     * \param tid a TypeId of a class that has this base
     * \return the same with the attributes MinChannels and MaxChannels
     */
    static TypeId AddChannelAttributes(TypeId tid);

    /**
     * \param channels what the topology suggests
     * \return what the attributes make of it, at most CollectiveTag::MAX_CHANNELS; MinChannels wins
     * over MaxChannels
     */
    uint32_t Bound(uint32_t channels) const;

    /**
     * \param request a request that is not empty
     * \param channels automatic channels, within the bounds
     * \param step channels that come together where the size limits them, without a division
     * \param minChannelBytes least share of a channel without a division, 0 for any
     * \return as many of them as the size of the operand is worth: at least one, without a division
     * `step` if there are as many
     */
    uint32_t Limit(const CollectiveRequest& request,
                   uint32_t channels,
                   uint32_t step,
                   uint64_t minChannelBytes) const;

    /**
     * \param request a request that is not empty
     * \param channels on how many channels it travels
     * \param sliceBytes largest message without a division, 0 for any
     * \return largest message, bytes, 0 for any
     */
    uint64_t GetSlice(const CollectiveRequest& request,
                      uint32_t channels,
                      uint64_t sliceBytes) const;

    uint32_t m_minChannels; //!< attribute MinChannels
    uint32_t m_maxChannels; //!< attribute MaxChannels

  private:
    std::shared_ptr<const OperandDivision> m_division; //!< see SetDivision()
};

} // namespace ns3

#endif /* CHANNEL_RANGE_H */
