/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LEAF_SPINE_STRUCTURE_H
#define LEAF_SPINE_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Leaves with equal blocks of neighbouring GPUs, each leaf wired to every spine.
 *
 * Parameters: gpus, leaves, spines, spineRate, linksPerPair (parallel links between a leaf and a
 * spine), and those of TopologyBuilder. With portsPerNic as many leaves in a row share a block of
 * GPUs, a port each. Node ids: leaves before spines.
 */
class LeafSpineStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* LEAF_SPINE_STRUCTURE_H */
