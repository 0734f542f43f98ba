/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_SETUP_H
#define COLLECTIVE_SETUP_H

#include "ns3/collective-engine.h"
#include "ns3/collective-selector.h"
#include "ns3/topology.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Tells collectives what they cannot know by themselves: the GPU and the rates of the
 * cluster.
 */
class CollectiveSetup
{
  public:
    /** \param topology the cluster, must outlive it */
    explicit CollectiveSetup(const Topology& topology);

    /**
     * Gives an engine the selector that attribute Selector of CollectiveEngine names. NcclSelector
     * gets the GPU's entry of the hardware table and the rates of the topology's links where its
     * attributes do not say otherwise; a ConfigError if nothing is known of the GPU.
     * \param engine an engine that has not been used
     * \return the selector
     */
    Ptr<CollectiveSelector> Configure(Ptr<CollectiveEngine> engine) const;

    /** \return rate of the links of a GPU to others in its server, all together */
    DataRate GetIntraRate() const;

    /** \return a GPU's share of the rate of its server's NICs, 0 if there are none */
    DataRate GetInterRate() const;

    /** \return entry of section collectives of the hardware table for the topology's GPU */
    std::string GetGpu() const;

  private:
    const Topology& m_topology; //!< the cluster
};

} // namespace ns3

#endif /* COLLECTIVE_SETUP_H */
