/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_CHANNEL_H
#define FABRIC_CHANNEL_H

#include "fabric-device.h"

#include "ns3/channel.h"

#include <array>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A full-duplex link between two ports. The ports do the work: the channel tells ns-3 who
 * is joined with whom.
 */
class FabricChannel : public Channel
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Adds a port to each device and joins them.
     * \param a a device whose fabric is set
     * \param b another one
     * \param link parameters of both directions
     * \return the channel
     */
    static Ptr<FabricChannel> Connect(Ptr<FabricDevice> a,
                                      Ptr<FabricDevice> b,
                                      const FabricLinkParameters& link);

    /** \param end 0 or 1 \return the port at that end */
    FabricPort* GetPort(uint32_t end) const;

    // From Channel.
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  private:
    std::array<FabricPort*, 2> m_ports{}; //!< both ends, owned by their devices
};

} // namespace ns3

#endif /* FABRIC_CHANNEL_H */
