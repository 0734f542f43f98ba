/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_TAPS_H
#define FLOW_TAPS_H

#include "cluster.h"
#include "port-taps.h"

#include "ns3/result-folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief A port of a node, as the user names it. */
struct FlowRunPort
{
    uint32_t node{0}; //!< id in the topology file; in a template GPUs come first, then switches
    uint32_t port{0}; //!< number of the Ethernet link at that node, in the order of the file
};

/** \ingroup railyard \brief What a run of flows watches at its ports: frames and queues. */
class FlowTaps
{
  public:
    /**
     * \param cluster whose ports
     * \param nodes node by id of the topology file
     * \param topology name of the topology, for errors
     */
    FlowTaps(Cluster& cluster, const std::vector<uint32_t>& nodes, const std::string& topology);

    /** \param port a port \return it; a ConfigError if there is none */
    FabricPort& FindPort(const FlowRunPort& port);

    /**
     * \param port its frames go to a pcap file
     * \param results gets the file
     * \return a note that says so
     */
    std::string AddPcap(const FlowRunPort& port, ResultFolder& results);

    /** \param interval see QueueRecorder \param results gets the queues of all switches */
    void AddQueues(Time interval, ResultFolder& results);

    /** Takes all taps off their ports. */
    void Clear();

  private:
    /** \param node a node of the topology \return its Ethernet device, may be null */
    FabricDevice* GetEthernetDevice(uint32_t node);

    Cluster& m_cluster;            //!< whose ports
    std::vector<uint32_t> m_nodes; //!< node by id of the topology file
    std::string m_topology;        //!< name of the topology
    PortTaps m_taps;               //!< queues and pcap
};

} // namespace ns3

#endif /* FLOW_TAPS_H */
