/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RAIL_ONLY_STRUCTURE_H
#define RAIL_ONLY_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Rails that no switch joins: GPU i of every server is attached to rail switch i, and that
 * is all (W. Wang et al., "Rail-only: A Low-Cost High-Performance Network for Training LLMs with
 * Trillion Parameters", arXiv:2307.12169).
 *
 * What goes to a GPU on another rail has to take NVLink to a GPU on that rail first: see
 * PxnMessageTransport. With portsPerNic each port has a switch of its own, with gpusPerNic a rail
 * is that of a NIC. Parameters: gpus, and those of TopologyBuilder. Node ids: switches by rail and
 * port.
 */
class RailOnlyStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* RAIL_ONLY_STRUCTURE_H */
