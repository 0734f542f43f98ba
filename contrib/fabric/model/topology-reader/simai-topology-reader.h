/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_TOPOLOGY_READER_H
#define SIMAI_TOPOLOGY_READER_H

#include "ns3/topology-file-reader.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Reads SimAI topology files: `nodes gpus_per_server nvswitches switches links GPU_TYPE`.
 *
 * The server of a GPU is its rank / gpus_per_server; an NVSwitch stands in the server of the GPUs
 * it is wired to, or in none if those are of several. Links between GPUs and NVSwitches, two GPUs
 * or two NVSwitches are NVLINK, all others ETHERNET. An NVSwitch wired to a network switch is an
 * error.
 *
 * Departures from SimAI: parallel links between the same pair are all kept (SimAI keeps the last),
 * GPUs need no NVSwitch, any GPU type is taken, and what SimAI reads unchecked is checked.
 */
class SimAiTopologyReader : public TopologyFileReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetForm() const override;
    bool Recognises(const TextFile& file) const override;
    Topology Read(const TextFile& file) const override;
};

} // namespace ns3

#endif /* SIMAI_TOPOLOGY_READER_H */
