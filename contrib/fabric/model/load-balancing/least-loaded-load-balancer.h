/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LEAST_LOADED_LOAD_BALANCER_H
#define LEAST_LOADED_LOAD_BALANCER_H

#include "load-balancer.h"

#include "ns3/fabric-device.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Spreads packets of any size over parallel links of any rate, for cut-through switches.
 *
 * The head of a packet came to the switch at r = arrival - size / ingress rate. A port is in time
 * if it has been free since r or earlier. Of the ports in time the one that became free last is
 * taken, which leaves the others to packets whose heads came earlier but whose tails are still to
 * come: so packets keep to the lane they came on when both sides have the same links. If no port
 * is in time, the one that will have sent the packet first is taken; of equal ones the lowest.
 *
 * When a port becomes free is estimated as max(f, now + q / rate) with f the end of the frames
 * whose departure is fixed already and q the bytes queued: exact for up to 16 frames. Packets of
 * one flow may overtake each other, which NVLink messages do not mind. A GPU spreads addresses
 * over its links in steps far below a simulated packet; the sum over many is as even as this.
 */
class LeastLoadedLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Start(const LoadBalancerStart& start) override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;

  private:
    /**
     * \param port a port
     * \param now ticks
     * \return when it will have sent what it has, ticks
     */
    static uint64_t GetFreeTime(FabricPort& port, uint64_t now);

    FabricDevice* m_device{nullptr}; //!< the switch
};

} // namespace ns3

#endif /* LEAST_LOADED_LOAD_BALANCER_H */
