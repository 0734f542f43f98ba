/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_VALIDATOR_H
#define TOPOLOGY_VALIDATOR_H

#include "topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What ValidateTopology() found, one line each. */
struct TopologyFindings
{
    std::vector<std::string> errors;   //!< no run can work
    std::vector<std::string> warnings; //!< a run works only if it does not need what is missing
};

/**
 * \ingroup fabric
 * \brief Says before a run what cannot work on a topology.
 *
 * Errors: no GPU; fewer GPUs than ranks; a GPU that a rank runs on has no link (unless it is the
 * only rank); a link of rate 0 or of an impossible loss rate, a link to itself or to no node; GPUs
 * that are not numbered 0 to G-1.
 *
 * Warnings: two ranks' GPUs without a route in either fabric (the first such pair; GPUs do not
 * forward, but by PXN, see PxnRails); a GPU beyond the ranks, or a switch, without a link; fewer
 * ranks than GPUs.
 * \param topology the cluster
 * \param ranks ranks that will run, on GPUs 0 to ranks-1; 0 for one on each GPU
 * \return what was found
 */
TopologyFindings ValidateTopology(const Topology& topology, uint32_t ranks = 0);

/**
 * \ingroup fabric
 * \brief Throws a ConfigError with the first error that ValidateTopology() finds.
 * \param topology the cluster
 * \param ranks ranks that will run, 0 for one on each GPU
 * \return the warnings
 */
std::vector<std::string> RequireValidTopology(const Topology& topology, uint32_t ranks = 0);

} // namespace ns3

#endif /* TOPOLOGY_VALIDATOR_H */
