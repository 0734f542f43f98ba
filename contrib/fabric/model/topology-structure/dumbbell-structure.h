/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DUMBBELL_STRUCTURE_H
#define DUMBBELL_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Two switches joined by one link, the bottleneck, with half of the NICs attached to each.
 *
 * Parameters: gpus (the first half is on the left, the second on the right), bottleneckRate, and
 * those of TopologyBuilder. Node ids: left switch before right switch.
 */
class DumbbellStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* DUMBBELL_STRUCTURE_H */
