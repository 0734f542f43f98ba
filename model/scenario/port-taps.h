/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PORT_TAPS_H
#define PORT_TAPS_H

#include "ns3/fabric-port.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Owns the taps of ports: any number for each.
 *
 * What is simulated stays the same. A port whose taps want it has an event for every departure.
 */
class PortTaps
{
  public:
    PortTaps();
    ~PortTaps();
    PortTaps(const PortTaps&) = delete;
    PortTaps& operator=(const PortTaps&) = delete;

    /**
     * \param port a connected port; must outlive Clear() or the simulation
     * \param tap who sees its frames from now on
     */
    void Add(FabricPort& port, std::unique_ptr<FabricTap> tap);

    /** Takes all taps off their ports and deletes them. */
    void Clear();

  private:
    class Group;

    std::vector<std::unique_ptr<Group>> m_groups; //!< one a port
    std::map<const FabricPort*, Group*> m_byPort; //!< only looked up
};

} // namespace ns3

#endif /* PORT_TAPS_H */
