/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_DEFAULTS_H
#define HPCC_DEFAULTS_H

#include "ns3/hpcc-config.h"
#include "ns3/link-event-file.h"
#include "ns3/result-summary.h"
#include "ns3/roce-helper.h"
#include "ns3/scoped-defaults.h"
#include "ns3/topology.h"

#include <optional>
#include <string>
#include <vector>

/**
 * \file
 * \ingroup railyard
 * From a configuration file of the HPCC family to the attributes of NICs, switches and congestion
 * controls.
 */

namespace ns3
{

/** \ingroup railyard \brief What a user should know of how a configuration was applied. */
struct HpccFindings
{
    /** \param config its keys, with what they set by themselves */
    explicit HpccFindings(const HpccConfig& config);

    std::vector<std::string> warnings;  //!< what the simulation does otherwise than the file says
    std::vector<ConfigurationKey> keys; //!< all keys, by line

    /** \param key a key that has no effect \param reason why; nothing happens if it is not there */
    void Ignore(const std::string& key, const std::string& reason);
};

/**
 * \ingroup railyard
 * Finds a file that a configuration names: as the path says, from the working directory, from the
 * folder of the configuration and from the one above it, or by its name beside the configuration.
 * \param config the configuration
 * \param key the key that names it
 * \param path its value
 * \param option that could be given instead
 * \return where it is; a ConfigError if it is nowhere
 */
std::string FindHpccFile(const HpccConfig& config,
                         const std::string& key,
                         const std::string& path,
                         const std::string& option);

/**
 * \ingroup railyard
 * Makes a configuration the defaults of attributes, for objects to come.
 *
 * \param config the configuration; a ConfigError if it asks for what cannot be, such as a CC_MODE
 * whose congestion control this build lacks
 * \param congestionControl the congestion control to use instead of CC_MODE's, if any
 * \param defaults what they are set in
 * \return what to tell the user
 */
HpccFindings ApplyHpccConfig(const HpccConfig& config,
                             const std::optional<TypeId>& congestionControl,
                             ScopedDefaults& defaults);

/**
 * \ingroup railyard
 * Sets the ECN thresholds of all switch ports by the rates of their links.
 *
 * \param config with thresholds; without any the ports keep those of their attributes
 * \param fabric the switches
 * \return a note for every rate that the configuration has no thresholds for, slowest first
 */
std::vector<std::string> ApplyHpccThresholds(const HpccConfig& config, const RoceFabric& fabric);

/**
 * \ingroup railyard
 * Gives ERROR_RATE_PER_LINK to every Ethernet link that has no loss rate of its own, as HPCC does.
 *
 * \param config the configuration
 * \param topology gets the rates
 */
void ApplyHpccErrorRate(const HpccConfig& config, Topology& topology);

/**
 * \ingroup railyard
 * \param config the configuration
 * \param topology the cluster
 * \return what LINK_DOWN lets happen, 2 s and its time after the start; a ConfigError if there is
 * no such link
 */
std::vector<LinkEvent> GetHpccLinkEvents(const HpccConfig& config, const Topology& topology);

} // namespace ns3

#endif /* HPCC_DEFAULTS_H */
