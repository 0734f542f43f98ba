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

/** \ingroup fabric \brief What a load balancer is told before its first choice. */
struct LoadBalancerStart
{
    uint32_t node{0};              //!< node id of the switch
    uint64_t seed{0};              //!< random number of this switch under ns-3's seed and run
    FabricDevice* device{nullptr}; //!< the switch, for those who look at queues; outlives them
};

/**
 * \ingroup fabric
 * \brief Chooses among the equal-cost ports of a switch. One object per switch.
 *
 * Whatever is random must differ from switch to switch and from seed to seed: use
 * LoadBalancerStart::seed, or random variables with streams from AssignStreams().
 */
class LoadBalancer : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \param start called once, when all ports of the switch are there */
    virtual void Start(const LoadBalancerStart& start) = 0;

    /**
     * \param stream first random stream to use
     * \return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /** Routes or rates of links have changed: a PortSpan::id may stand for other ports now. */
    virtual void RoutesChanged();

    /**
     * \param packet the frame to forward; its fields may be changed
     * \param ports two or more ports of equal cost, ascending; ports.id tells sets apart
     * \return index of the choice
     */
    virtual uint32_t Choose(FabricPacket& packet, PortSpan ports) = 0;
};

} // namespace ns3

#endif /* LOAD_BALANCER_H */
