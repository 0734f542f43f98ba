/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WEIGHTED_ECMP_LOAD_BALANCER_H
#define WEIGHTED_ECMP_LOAD_BALANCER_H

#include "load-balancer.h"
#include "port-set-table.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Equal-cost multipath by a hash of the flow, with ports weighted by the present rate of
 * their link (WCMP: Zhou et al., EuroSys 2014).
 *
 * With rates r_i a flow takes port i with probability r_i / sum r. The hash h of 32 bits chooses
 * the first port i with h < ceil(2^32 (r_0 + ... + r_i) / sum r), so that ports of equal rate are
 * chosen as EcmpLoadBalancer would. Flows stay on their port. Hardware repeats table entries to
 * approximate such weights; here they are exact.
 *
 * Not modelled: weights by what lies beyond the link (WCMP reduces the weight of a next hop that
 * has fewer links to the destination).
 */
class WeightedEcmpLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Start(const LoadBalancerStart& start) override;
    void RoutesChanged() override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;
    bool KeepsFlowsTogether() const override;

  private:
    /** By port of a set: the first hash beyond it. */
    using Limits = std::vector<uint64_t>;

    /** \param ports a set of ports \return its limits */
    Limits MakeLimits(PortSpan ports) const;

    uint64_t m_salt{0};              //!< of this switch
    FabricDevice* m_device{nullptr}; //!< the switch
    PortSetTable<Limits> m_sets;     //!< limits of each set of ports
};

} // namespace ns3

#endif /* WEIGHTED_ECMP_LOAD_BALANCER_H */
