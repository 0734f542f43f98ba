/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAR_STRUCTURE_H
#define STAR_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief One switch with all NICs attached to it, or one for each port of the NICs.
 *
 * Parameters: gpus, and those of TopologyBuilder.
 */
class StarStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* STAR_STRUCTURE_H */
