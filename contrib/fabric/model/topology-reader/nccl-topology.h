/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_TOPOLOGY_H
#define NCCL_TOPOLOGY_H

#include "ns3/hardware-table.h"
#include "ns3/text-scanner.h"
#include "ns3/topology-server.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Makes a server of a topology that NCCL or RCCL wrote (doc/formats/topology-nccl.md).
 *
 * GPUs are numbered by their number on the host, else by rank, else by bus id, as CUDA does.
 * NVLinks go to NVSwitches or to other GPUs. PCIe switches and sockets without a GPU below are left
 * out, after the NICs next to each GPU have been found as NCCL does: those at the least distance.
 * Where they are spread evenly, they become the defaults nicsPerGpu, gpusPerNic and nicRate.
 *
 * \param file the file
 * \param table hardware parameters
 * \return the server, with a note for everything that is left out or assumed; a ConfigError with
 * file and line if the file is wrong
 */
TopologyServer ReadNcclTopology(const TextFile& file, const HardwareTable& table);

} // namespace ns3

#endif /* NCCL_TOPOLOGY_H */
