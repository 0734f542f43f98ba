/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LOAD_BALANCER_H
#define LOAD_BALANCER_H

#include "ns3/fabric-packet.h"
#include "ns3/object.h"
#include "ns3/route-table.h"

#include <memory>

namespace ns3
{

class FabricDevice;
class FabricPort;

/** \ingroup fabric \brief What a load balancer is told before its first choice. */
struct LoadBalancerStart
{
    uint32_t node{0};              //!< node id of the switch
    uint64_t seed{0};              //!< random number of this switch under ns-3's seed and run
    FabricDevice* device{nullptr}; //!< the switch, for those who look at queues; outlives them
    std::shared_ptr<const RouteTable> routes{}; //!< of the fabric at the start, may be null
    uint32_t place{0};                          //!< the switch's node within these routes
};

/**
 * \ingroup fabric
 * \brief Chooses among the equal-cost ports of a switch or of a NIC. One object per device.
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

    /**
     * \return whether all frames of a flow take the same port as long as routes stay as they are,
     * so that no flow is faster than one path
     */
    virtual bool KeepsFlowsTogether() const;

    /**
     * \return whether frames of a flow that follow one another closely take the same port, so that
     * they hardly ever overtake each other; as KeepsFlowsTogether() unless a class says otherwise
     */
    virtual bool KeepsOrder() const;

    /**
     * Asked once, after Start().
     * \return whether Arrived() and Departed() are to be called
     */
    virtual bool WatchesFrames() const;

    /**
     * A frame is about to be forwarded.
     * \param packet the frame; its fields may be changed
     * \param in port where it came in
     */
    virtual void Arrived(FabricPacket& packet, FabricPort& in);

    /**
     * A frame's first bit left: packet.start says when. Told before the frame arrives anywhere, in
     * the order of departures of the port, and no later than FabricPort::Advance() of that time.
     * \param packet the frame; its fields may be changed
     * \param out port where it left
     */
    virtual void Departed(FabricPacket& packet, FabricPort& out);
};

} // namespace ns3

#endif /* LOAD_BALANCER_H */
