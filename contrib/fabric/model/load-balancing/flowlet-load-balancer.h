/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOWLET_LOAD_BALANCER_H
#define FLOWLET_LOAD_BALANCER_H

#include "flowlet-table.h"
#include "load-balancer.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Flowlet switching with random choices: LetFlow (Vanini et al., NSDI 2017).
 *
 * A flowlet takes any of the ports with equal probability; its frames follow it (FlowletTable).
 * Nothing is measured: LetFlow rests on flowlets that end sooner on congested paths, which holds
 * for senders that pause (TCP, window-based congestion control), while a paced RDMA flow may have
 * no gaps and then stays where it began.
 */
class FlowletLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    FlowletLoadBalancer();

    void Start(const LoadBalancerStart& start) override;
    int64_t AssignStreams(int64_t stream) override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;
    bool KeepsOrder() const override;

  private:
    Time m_timeout;                      //!< longest gap within a flowlet
    uint32_t m_entries{0};               //!< size of the table
    FabricDevice* m_device{nullptr};     //!< the switch
    Ptr<UniformRandomVariable> m_random; //!< draws ports
    FlowletTable m_table;                //!< the flowlets
};

} // namespace ns3

#endif /* FLOWLET_LOAD_BALANCER_H */
