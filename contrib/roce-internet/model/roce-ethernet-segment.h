/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ETHERNET_SEGMENT_H
#define ROCE_ETHERNET_SEGMENT_H

#include "ns3/channel.h"
#include "ns3/ipv4-address.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RoceEthernetDevice;

/**
 * \ingroup roce-internet
 * \brief The Ethernet that the hosts of a fabric see: who is there, and which host has an address.
 *
 * To ns-3 it is one broadcast medium (GetChannel() of every RoceEthernetDevice). Frames do not pass
 * through it, they go through the ports and switches of the fabric.
 */
class RoceEthernetSegment : public Channel
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceEthernetSegment();
    ~RoceEthernetSegment() override;

    /** \param device a device that belongs to it from now on */
    void Add(Ptr<RoceEthernetDevice> device);

    /**
     * \param address an IPv4 address
     * \return rank of the first host that has it on its device here, as of when somebody first
     * asked for it; nothing if there is none so far
     */
    std::optional<uint32_t> FindRank(Ipv4Address address);

    // From Channel.
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /** Takes note of the addresses that hosts have now. */
    void ReadAddresses();

    std::vector<Ptr<RoceEthernetDevice>> m_devices; //!< in the order in which they were added
    std::unordered_map<uint32_t, uint32_t> m_ranks; //!< IPv4 address to rank; only looked up
};

} // namespace ns3

#endif /* ROCE_ETHERNET_SEGMENT_H */
