/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_TOPOLOGY_READER_H
#define HPCC_TOPOLOGY_READER_H

#include "ns3/topology-file-reader.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Reads topology files of HPCC, ConWeave and ASTRA-sim's ns-3: `nodes switches links`.
 *
 * Nodes that are no switches are hosts: GPUs to a Topology, each in a server of its own. All links
 * are ETHERNET. Hosts may have any ids; ranks follow their ascending order (LinkListParser).
 */
class HpccTopologyReader : public TopologyFileReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetForm() const override;
    bool Recognises(const TextFile& file) const override;
    Topology Read(const TextFile& file) const override;
};

} // namespace ns3

#endif /* HPCC_TOPOLOGY_READER_H */
