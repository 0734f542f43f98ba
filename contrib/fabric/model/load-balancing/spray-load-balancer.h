/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SPRAY_LOAD_BALANCER_H
#define SPRAY_LOAD_BALANCER_H

#include "load-balancer.h"
#include "port-set-table.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Per-packet spraying: the frames of a switch take its equal-cost ports in turn.
 *
 * Every set of ports has its own turn, so that each of its ports gets the same number of frames
 * within one. Frames of one flow may overtake each other: a go-back-N receiver then asks for them
 * again.
 */
class SprayLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Start(const LoadBalancerStart& start) override;
    void RoutesChanged() override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;

  private:
    uint32_t m_node{0};             //!< node id; where the first turn begins
    PortSetTable<uint32_t> m_turns; //!< by set of ports: index of the next one
};

} // namespace ns3

#endif /* SPRAY_LOAD_BALANCER_H */
