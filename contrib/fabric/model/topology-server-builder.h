/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_SERVER_BUILDER_H
#define TOPOLOGY_SERVER_BUILDER_H

#include "topology-parameters.h"
#include "topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Adds what lies inside servers to a Topology: NVSwitches, NVLinks between GPUs, PCIe.
 *
 * The rate of a GPU, nvlinkRate, is that of the GPU with most NVLinks: every NVLink has an equal
 * part of it. PCIe is built where no NVSwitch joins the GPUs.
 *
 * Parameters it reads: server, gpusPerServer, nvlinkPlanes; with NVLinks nvlinkRate,
 * nvlinkEfficiency and nvlinkDelay; with PCIe pcieRate, pcieEfficiency and pcieDelay, and
 * socketRate if there are several sockets.
 */
class TopologyServerBuilder
{
  public:
    /**
     * \param parameters values of the template's parameters; a ConfigError if the server's wiring
     * is of another number of GPUs
     */
    explicit TopologyServerBuilder(const TopologyParameters& parameters);

    /**
     * Adds NVSwitches of all servers, then PCIe switches of all servers, and their links.
     * \param servers number of servers
     * \param [in,out] topology has the GPUs, and no other node
     */
    void Build(uint32_t servers, Topology& topology) const;

  private:
    /** \param servers number of servers \param [in,out] topology gets NVSwitches and links */
    void AddNvSwitches(uint32_t servers, Topology& topology) const;

    /** \param servers number of servers \param [in,out] topology gets direct NVLinks */
    void AddBridges(uint32_t servers, Topology& topology) const;

    /** \param servers number of servers \param [in,out] topology gets PCIe switches and links */
    void AddPcie(uint32_t servers, Topology& topology) const;

    /**
     * Adds the PCIe links of one server.
     * \param firstGpu node id of its first GPU
     * \param firstSwitch node id of its first PCIe switch
     * \param [in,out] topology gets the links
     */
    void AddPcieLinks(uint32_t firstGpu, uint32_t firstSwitch, Topology& topology) const;

    /**
     * \param gpu a GPU, by its number in the server
     * \return rate of its link to each NVSwitch per direction, bit/s; 0 where it has none
     */
    std::vector<uint64_t> GetPlaneRates(uint32_t gpu) const;

    /**
     * \param rate a parameter that is a rate
     * \param efficiency a parameter that is a share of it
     * \return the share, bit/s
     */
    uint64_t GetEffectiveRate(const std::string& rate, const std::string& efficiency) const;

    const TopologyParameters& m_parameters; //!< values
    const TopologyServer& m_server;         //!< the kind of server
    uint32_t m_gpus;                        //!< GPUs in a server
    uint32_t m_planes;                      //!< NVSwitches in a server
};

} // namespace ns3

#endif /* TOPOLOGY_SERVER_BUILDER_H */
