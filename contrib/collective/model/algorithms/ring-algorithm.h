/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_ALGORITHM_H
#define RING_ALGORITHM_H

#include "channel-range.h"

#include "ns3/collective-algorithm.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What ring algorithms share: the number of channels and the order of each ring.
 */
class RingAlgorithm : public CollectiveAlgorithm, public ChannelRange
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

  private:
    /** \param text attribute Order; a ConfigError if it is not an order */
    void SetOrder(const std::string& text);
    /** \return attribute Order */
    std::string GetOrder() const;
    /** \param request a request \return whether attribute Order is meant for it */
    bool HasOrder(const CollectiveRequest& request) const;

    uint32_t m_channels;        //!< attribute Channels
    uint64_t m_minChannelBytes; //!< attribute MinChannelBytes
    bool m_keepGroupOrder;      //!< attribute KeepGroupOrder
    std::vector<uint32_t> m_order; //!< attribute Order; empty for none
};

} // namespace ns3

#endif /* RING_ALGORITHM_H */
