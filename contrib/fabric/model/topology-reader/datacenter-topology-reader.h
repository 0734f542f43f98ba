/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DATACENTER_TOPOLOGY_READER_H
#define DATACENTER_TOPOLOGY_READER_H

#include "ns3/topology-file-reader.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Reads topology files of ns3-datacenter: `nodes switches tors links`, and Reverie's, which
 * append the nominal rates of host and fabric links.
 *
 * As in HPCC's form, nodes that are no switches are hosts: GPUs to a Topology, each in a server of
 * its own, and all links are ETHERNET. The first `tors` switch ids are the switches that hosts are
 * attached to; the tiers of a Topology come from the links, so the number is checked only. The
 * nominal rates serve ns3-datacenter's load generator; every link line has its own rate.
 */
class DatacenterTopologyReader : public TopologyFileReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetForm() const override;
    bool Recognises(const TextFile& file) const override;
    Topology Read(const TextFile& file) const override;
};

} // namespace ns3

#endif /* DATACENTER_TOPOLOGY_READER_H */
