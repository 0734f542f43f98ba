/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_NICS_H
#define NCCL_NICS_H

#include "nccl-system.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Gives every GPU the NICs that are next to it, as NCCL does: those at the least distance.
 *
 * GPUs with the same NICs share them: with two NICs for four GPUs, two GPUs share one each. If all
 * GPUs share alike, and those that share are neighbours, this gives the defaults nicsPerGpu and
 * gpusPerNic, and nicRate if all these NICs are equally fast (no faster than their PCIe links).
 * Otherwise a note says why not.
 *
 * \param system the file
 * \param order indices of the GPUs, by number
 * \param [in,out] server gets defaults and notes
 */
void AddNcclNics(const NcclSystem& system,
                 const std::vector<uint32_t>& order,
                 TopologyServer& server);

} // namespace ns3

#endif /* NCCL_NICS_H */
