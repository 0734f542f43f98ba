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

class HardwareTable;

/** \ingroup fabric \brief NVLinks that join two GPUs of a server directly. */
struct TopologyServerBridge
{
    uint32_t a{0};     //!< a GPU, by its number in the server
    uint32_t b{0};     //!< another one
    uint32_t count{0}; //!< NVLinks
};

/** \ingroup fabric \brief A PCIe switch or root complex of a server. */
struct TopologyServerPcieSwitch
{
    /** Value of parent of a root complex. */
    static constexpr uint32_t ROOT = UINT32_MAX;

    uint32_t parent{ROOT}; //!< the one above, which comes earlier in the list
    uint64_t rateBps{0};   //!< rate of the link to it per direction, 0: parameter pcieRate
};

/** \ingroup fabric \brief Where a GPU of a server is attached to PCIe. */
struct TopologyServerPciePort
{
    uint32_t above{0};   //!< PCIe switch or root complex
    uint64_t rateBps{0}; //!< rate of the link to it per direction, 0: parameter pcieRate
};

/**
 * \ingroup fabric
 * \brief A kind of server: how its GPUs are wired to NVSwitches, to each other and to PCIe, and
 * defaults for a template's parameters.
 *
 * Read from a description (JSON), or from a topology that NCCL wrote (XML).
 */
struct TopologyServer
{
    std::string name;    //!< "dgx-h100"
    std::string doc;     //!< one line
    std::string gpuType; //!< "H100", empty for a plain host

    /** GPUs that the wiring is of; 0: it is the same for any number of them. */
    uint32_t gpus{0};

    /**
     * NVLinks from a GPU to each NVSwitch of the server, by GPU, or one row for all of them; empty
     * if it has no NVSwitch.
     */
    std::vector<std::vector<uint32_t>> nvswitchLinks;

    /** Its NVSwitches multicast and add (NVLink SHARP, from the third generation of NVSwitch on).
     */
    bool nvls{false};

    std::vector<TopologyServerBridge> bridges;          //!< NVLinks without an NVSwitch
    std::vector<TopologyServerPcieSwitch> pcieSwitches; //!< empty: PCIe is left out
    std::vector<TopologyServerPciePort> pciePorts;      //!< by GPU, if there are PCIe switches

    /** Defaults by parameter name, as they would be typed. */
    std::map<std::string, std::string> defaults;

    std::vector<std::string> notes; //!< what the reader wants the user to know, one line each

    /**
     * \param path a server description (JSON), or a topology that NCCL wrote (XML)
     * \return it; a ConfigError with file and place if it is wrong
     */
    static TopologyServer Read(const std::string& path);

    /**
     * \param path a file, as above
     * \param table hardware parameters, instead of those in use
     * \return the server
     */
    static TopologyServer Read(const std::string& path, const HardwareTable& table);

    /** \return most NVLinks that a GPU has */
    uint32_t GetNvlinkCount() const;

    /**
     * Gives defaults that the server lacks, and that its GPU type implies: rates and delays of
     * NVLink and PCIe.
     * \param table hardware parameters
     */
    void AddHardwareDefaults(const HardwareTable& table);
};

} // namespace ns3

#endif /* TOPOLOGY_SERVER_H */
