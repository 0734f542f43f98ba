/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_TOPOLOGY_READER_H
#define NCCL_TOPOLOGY_READER_H

#include "ns3/topology-file-reader.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Reads a topology that NCCL wrote (XML) as one server by itself: template single-server
 * with the file as its server.
 */
class NcclTopologyReader : public TopologyFileReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetForm() const override;
    bool Recognises(const TextFile& file) const override;
    Topology Read(const TextFile& file) const override;
};

} // namespace ns3

#endif /* NCCL_TOPOLOGY_READER_H */
