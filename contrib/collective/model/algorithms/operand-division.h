/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef OPERAND_DIVISION_H
#define OPERAND_DIVISION_H

#include "ns3/collective-request.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Into how many channels and how large slices an operand is divided: who chooses an
 * algorithm may say so instead of its attributes (see ChannelRange::SetDivision()).
 */
class OperandDivision
{
  public:
    virtual ~OperandDivision() = default;

    /**
     * Equal arguments give equal numbers.
     * \param request a request that is not empty
     * \param most what the topology and the bounds of the algorithm suggest, at least 1
     * \return on how many channels the operand travels, 1 to `most`
     */
    virtual uint32_t GetChannels(const CollectiveRequest& request, uint32_t most) const = 0;

    /**
     * Equal arguments give equal sizes.
     * \param request a request that is not empty
     * \param channels on how many channels it travels
     * \param most largest message by the algorithm's attribute SliceBytes, 0 for any
     * \return largest message, bytes, 0 for any
     */
    virtual uint64_t GetSliceBytes(const CollectiveRequest& request,
                                   uint32_t channels,
                                   uint64_t most) const = 0;
};

} // namespace ns3

#endif /* OPERAND_DIVISION_H */
