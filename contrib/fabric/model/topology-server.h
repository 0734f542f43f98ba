/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_SERVER_H
#define TOPOLOGY_SERVER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A kind of server as a JSON file describes it: defaults for a template's parameters, and
 * how its GPUs are wired to its NVSwitches.
 */
struct TopologyServer
{
    std::string name;    //!< "dgx-h100"
    std::string doc;     //!< one line
    std::string gpuType; //!< "H100", empty for a plain host

    /** NVLinks from each GPU to each NVSwitch of the server; empty if it has none. */
    std::vector<uint32_t> nvswitchLinks;

    /** Its NVSwitches multicast and add (NVLink SHARP, from the third generation of NVSwitch on). */
    bool nvls{false};

    /** Defaults by parameter name, as they would be typed. */
    std::map<std::string, std::string> defaults;

    /**
     * \param path a server description
     * \return it
     */
    static TopologyServer Read(const std::string& path);
};

} // namespace ns3

#endif /* TOPOLOGY_SERVER_H */
