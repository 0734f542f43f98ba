/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RAIL_OPTIMIZED_STRUCTURE_H
#define RAIL_OPTIMIZED_STRUCTURE_H

#include "ns3/topology-structure.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Rails as in NVIDIA Spectrum-X: GPU i of every server is attached to rail leaf i.
 *
 * Servers are grouped into segments of serversPerSegment; a segment has one leaf per rail, and each
 * leaf is wired to every spine. Traffic between GPUs of the same number needs no spine inside a
 * segment. With portsPerNic each port has a leaf of its own (dual ToR, as in Alibaba HPN); with
 * planes the leaves of port p are wired to the spines of plane p mod planes only (dual plane). With
 * gpusPerNic a rail is that of a NIC. Parameters: gpus, serversPerSegment, spines (0: as many as
 * make a full leaf's rate upwards at least that of its NICs), planes, spineRate, linksPerPair, and
 * those of TopologyBuilder. Node ids: leaves by segment, rail and port, then spines by plane.
 */
class RailOptimizedStructure : public TopologyStructure
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Topology Build(const TopologyParameters& parameters) const override;
};

} // namespace ns3

#endif /* RAIL_OPTIMIZED_STRUCTURE_H */
