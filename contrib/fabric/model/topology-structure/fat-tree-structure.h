/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FAT_TREE_STRUCTURE_H
#define FAT_TREE_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The k-ary fat tree of Al-Fares, Loukissas, Vahdat, SIGCOMM 2008: k pods of k/2 edge and
 * k/2 aggregation switches, k^2/4 core switches, k^3/4 GPUs.
 *
 * Aggregation switch j of every pod is wired to the core switches j k/2 .. (j+1) k/2 - 1.
 * Parameters: k, linkRate (between switches), linksPerPair, and those of TopologyBuilder. Node ids:
 * edge switches by pod, aggregation switches by pod, core switches.
 */
class FatTreeStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* FAT_TREE_STRUCTURE_H */
