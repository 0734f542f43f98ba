/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LOAD_BALANCER_H
#define LOAD_BALANCER_H

#include "ns3/fabric-packet.h"
#include "ns3/object.h"
#include "ns3/route-table.h"

namespace ns3
{

class FabricDevice;

/**
 * \ingroup fabric
 * \brief Chooses among the equal-cost ports of a switch. One object per switch.
 */
class LoadBalancer : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \param node node id of the switch: whatever is random must differ from switch to switch */
    virtual void SetNode(uint32_t node) = 0;

    /**
     * For those who look at queues; does nothing otherwise.
     * \param device the switch; outlives the load balancer
     */
    virtual void SetDevice(FabricDevice* device);

    /**
     * \param packet the frame to forward
     * \param ports two or more ports of equal cost, ascending
     * \return index of the choice
     */
    virtual uint32_t Choose(const FabricPacket& packet, PortSpan ports) = 0;
};

} // namespace ns3

#endif /* LOAD_BALANCER_H */
