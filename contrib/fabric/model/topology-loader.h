/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_LOADER_H
#define TOPOLOGY_LOADER_H

#include "topology.h"

#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Loads the topology that a user names, by file or by template.
 *
 * - a topology file of any form that a TopologyFileReader recognises: `cluster.txt`
 * - a template with values for its parameters: `rail-optimized:gpus=64,nicRate=400Gbps`,
 *   `star:hosts=4`, `fat-tree`
 * - a template of one's own: `my/cluster.json:gpus=16`
 *
 * A file wins over a template of the same name. Delays are rounded to ns-3's time resolution: set it
 * before.
 *
 * \param spec file, or template and values
 * \return the topology; a ConfigError that says what is wrong
 */
Topology LoadTopology(const std::string& spec);

} // namespace ns3

#endif /* TOPOLOGY_LOADER_H */
