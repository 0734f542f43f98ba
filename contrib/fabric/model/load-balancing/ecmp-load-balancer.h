/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ECMP_LOAD_BALANCER_H
#define ECMP_LOAD_BALANCER_H

#include "load-balancer.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Equal-cost multipath by a hash of the flow (RFC 2992), salted per switch and per seed.
 *
 * The salt mixes ns-3's seed and run number with the node id, so that no two tiers decide alike
 * and another seed gives other paths.
 */
class EcmpLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Start(const LoadBalancerStart& start) override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;
    bool KeepsFlowsTogether() const override;

    /**
     * \param node node id of a switch or NIC
     * \return its salt under the present seed and run
     */
    static uint64_t GetSalt(uint32_t node);

  private:
    uint64_t m_salt{0}; //!< of this switch
};

} // namespace ns3

#endif /* ECMP_LOAD_BALANCER_H */
