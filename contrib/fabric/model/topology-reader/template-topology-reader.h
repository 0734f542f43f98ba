/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TEMPLATE_TOPOLOGY_READER_H
#define TEMPLATE_TOPOLOGY_READER_H

#include "ns3/topology-file-reader.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Reads a topology template as if it were a topology: with all its defaults.
 */
class TemplateTopologyReader : public TopologyFileReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetForm() const override;
    bool Recognises(const TextFile& file) const override;
    Topology Read(const TextFile& file) const override;
};

} // namespace ns3

#endif /* TEMPLATE_TOPOLOGY_READER_H */
