/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SINGLE_SERVER_STRUCTURE_H
#define SINGLE_SERVER_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief One server by itself: its GPUs and NVSwitches, no network.
 */
class SingleServerStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* SINGLE_SERVER_STRUCTURE_H */
