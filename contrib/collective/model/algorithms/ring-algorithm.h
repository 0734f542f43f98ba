/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_ALGORITHM_H
#define RING_ALGORITHM_H

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What ring algorithms share: the number of channels and the order of each ring.
 */
class RingAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  protected:
    /**
     * \param request a request
     * \return on how many channels the operand travels: attribute Channels, or what its automatic
     * value stands for
     */
    uint32_t GetChannelCount(const CollectiveRequest& request) const;

    /**
     * \param request a request
     * \param channels the number of channels
     * \return the order of the group ranks on each channel
     */
    std::vector<std::vector<uint32_t>> GetOrders(const CollectiveRequest& request,
                                                 uint32_t channels) const;

    /**
     * \param chunkBytes the largest chunk
     * \param sliceBytes the largest slice, 0 for no slices
     * \return into how many slices every chunk is cut
     */
    static uint32_t GetSliceCount(uint64_t chunkBytes, uint64_t sliceBytes);

  private:
    uint32_t m_channels;        //!< attribute Channels
    uint64_t m_minChannelBytes; //!< attribute MinChannelBytes
    bool m_keepGroupOrder;      //!< attribute KeepGroupOrder
};

} // namespace ns3

#endif /* RING_ALGORITHM_H */
