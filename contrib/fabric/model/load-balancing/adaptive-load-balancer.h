/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ADAPTIVE_LOAD_BALANCER_H
#define ADAPTIVE_LOAD_BALANCER_H

#include "flowlet-table.h"
#include "load-balancer.h"
#include "port-load.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Adaptive routing by the queues of the switch, in the manner of NVIDIA Spectrum-X.
 *
 * Every frame, or every flowlet if FlowletTimeout is above 0, takes a port of the lowest grade. An
 * idle port has grade 0, any other min(Levels - 1, 1 + floor(q / LevelBytes)) with q the bytes that
 * wait (PortLoad). The search begins at a random port, goes on in ascending order, round the end,
 * and takes the first port of the lowest grade; it stops at an idle one.
 *
 * Source: NVIDIA, Cumulus Linux user guide, "Adaptive Routing": paths are chosen "based on the
 * state of the switch, such as queue occupancy and port utilization", per packet. How Spectrum
 * grades queues is not published: levels, their size, the random start and that a busy line grades
 * above an idle one are assumptions. Every frame is routed so; on real switches eligible RoCE
 * frames alone are. Not modelled: utilisation thresholds, reports of congestion from other
 * switches, weights by what lies beyond the next hop.
 *
 * Per packet, frames of one flow may overtake each other: a go-back-N receiver then asks for them
 * again. Spectrum-X NICs put them in place as they come.
 */
class AdaptiveLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    AdaptiveLoadBalancer();

    void Start(const LoadBalancerStart& start) override;
    int64_t AssignStreams(int64_t stream) override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;
    bool KeepsOrder() const override;

  private:
    /** \param port a port \param now ticks \return its grade */
    uint64_t GetGrade(FabricPort& port, uint64_t now) const;
    /** \param ports a set of ports \param now ticks \return index of a port of the lowest grade */
    uint32_t FindLowest(PortSpan ports, uint64_t now);

    uint32_t m_levels{0};                //!< number of grades
    uint32_t m_levelBytes{0};            //!< bytes per grade
    Time m_flowletTimeout;               //!< longest gap within a flowlet; 0: every frame
    uint32_t m_flowletEntries{0};        //!< size of the table
    FabricDevice* m_device{nullptr};     //!< the switch
    Ptr<UniformRandomVariable> m_random; //!< draws where the search begins
    FlowletTable m_flowlets;             //!< the flowlets, if any
};

} // namespace ns3

#endif /* ADAPTIVE_LOAD_BALANCER_H */
