/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INTERNET_HELPER_H
#define ROCE_INTERNET_HELPER_H

#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"
#include "ns3/roce-ethernet-segment.h"
#include "ns3/roce-helper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce-internet
 * \brief Gives the NICs of a RoceFabric Ethernet interfaces for ns-3's internet stack.
 *
 * \code
 *   RoceInternetHelper helper;
 *   NetDeviceContainer devices = helper.Install(fabric);
 *   InternetStackHelper().Install(nodes);
 *   Ipv4InterfaceContainer addresses = helper.AssignAddresses(devices); // or Ipv4AddressHelper
 * \endcode
 *
 * All interfaces of one helper can reach each other.
 */
class RoceInternetHelper
{
  public:
    RoceInternetHelper();

    /** \param name attribute of RoceEthernetDevice \param value its value in every interface */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Adds an interface to every NIC. Throws ConfigError if switches do not keep headroom for
     * frames as large as the MTU asks for (ns3::RoceSwitchDevice::MaxFrameBytes).
     * \param fabric NICs and switches
     * \return the interfaces, by rank
     */
    NetDeviceContainer Install(const RoceFabric& fabric);

    /**
     * Adds an interface to some NICs; see above.
     * \param fabric NICs and switches
     * \param ranks whose NICs
     * \return the interfaces, in that order
     */
    NetDeviceContainer Install(const RoceFabric& fabric, const std::vector<uint32_t>& ranks);

    /**
     * Gives interfaces the IPv4 addresses that RoCE packets of their ranks have (RoceAddress), in
     * 10.0.0.0/8; their nodes have an internet stack. As Ipv4AddressHelper does, it installs
     * ns-3's default queue disc where there is none.
     * \param devices the interfaces
     * \return the same with their addresses
     */
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const;

  private:
    /**
     * \param fabric whose switches are checked
     * \param mtu largest packet, bytes
     */
    static void CheckFrameSize(const RoceFabric& fabric, uint32_t mtu);

    ObjectFactory m_factory;            //!< makes interfaces
    Ptr<RoceEthernetSegment> m_segment; //!< joins them
};

} // namespace ns3

#endif /* ROCE_INTERNET_HELPER_H */
