/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SPRAY_LOAD_BALANCER_H
#define SPRAY_LOAD_BALANCER_H

#include "load-balancer.h"

#include <vector>

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
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;

  private:
    /** Turn of one set of ports. */
    struct Turn
    {
        uint32_t set;  //!< PortSpan::id
        uint32_t next; //!< index of the next port
    };

    /** \param ports a set of ports \return its turn, a new one if need be */
    Turn& FindTurn(PortSpan ports);

    uint32_t m_node{0};         //!< node id; where the first turn begins
    std::vector<Turn> m_turns; //!< few per switch
};

} // namespace ns3

#endif /* SPRAY_LOAD_BALANCER_H */
