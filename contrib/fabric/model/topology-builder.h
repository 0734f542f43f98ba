/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_BUILDER_H
#define TOPOLOGY_BUILDER_H

#include "topology-parameters.h"
#include "topology.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Puts a Topology together from servers and switches, for the TopologyStructures.
 *
 * Nodes are numbered in the order GPUs, NVSwitches, PCIe switches, switches, as in SimAI files.
 *
 * Parameters it reads: those of TopologyServerBuilder; with NICs nicsPerGpu, nicRate (per NIC),
 * delay, lossRate and bitErrorRate (of every Ethernet link); for structures that ask for them
 * portsPerNic and gpusPerNic.
 */
class TopologyBuilder
{
  public:
    /**
     * \param parameters values of the template's parameters
     */
    explicit TopologyBuilder(const TopologyParameters& parameters);

    /**
     * \param gpus GPUs of the cluster, a multiple of gpusPerServer
     * \param parameter parameter that this number comes from, for errors
     *
     * Adds servers with what lies inside them, see TopologyServerBuilder.
     */
    void AddServers(uint64_t gpus, const std::string& parameter);

    /**
     * \param count number of network switches to add
     * \return node id of the first; the others follow
     */
    uint32_t AddSwitches(uint64_t count);

    /**
     * Gives every NIC several ports, each with an equal part of its rate and a leaf of its own.
     * \return parameter portsPerNic
     */
    uint32_t UsePortsPerNic();

    /**
     * Lets GPUs share NICs: that many GPUs of a server, in a row, have the NICs of the first.
     * \return parameter gpusPerNic
     */
    uint32_t UseGpusPerNic();

    /**
     * Says how many links ConnectNics() and ConnectSwitches() will add.
     * \param gpus GPUs whose NICs will be connected
     * \param links links between switches; a ConfigError if the sum exceeds what a template may
     * make
     */
    void ReserveEthernet(uint64_t gpus, uint64_t links);

    /**
     * Wires the NICs of a GPU, if it has any of its own.
     * \param gpu the GPU
     * \param leaf the switch that port 0 of them is attached to; port 1 is to the next one, ...
     */
    void ConnectNics(uint32_t gpu, uint32_t leaf);

    /**
     * \param a a switch
     * \param b another
     * \param rate rate of a link, per direction
     * \param count number of parallel links
     */
    void ConnectSwitches(uint32_t a, uint32_t b, DataRate rate, uint64_t count);

    /** \return GPUs in a server */
    uint32_t GetGpusPerServer() const;

    /** \return the topology, with tiers */
    Topology Finish();

  private:
    const TopologyParameters& m_parameters; //!< values
    TopologyLink m_ethernet;                //!< delay and loss of Ethernet links
    DataRate m_portRate;                    //!< rate of a port of a NIC
    uint64_t m_portsPerNic{1};              //!< ports of a NIC
    uint64_t m_gpusPerNic{1};               //!< GPUs that share NICs
    uint64_t m_nicsPerGpu{0};               //!< NICs of a GPU
    Topology m_topology;                    //!< what was built so far
};

} // namespace ns3

#endif /* TOPOLOGY_BUILDER_H */
