/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PORT_FINDER_H
#define PORT_FINDER_H

#include "cluster.h"

#include "ns3/text-value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief A port of a node, or all of its ports, as the user names them. */
struct PortName
{
    uint32_t node{0};             //!< id in the topology file; in a template GPUs, then switches
    std::optional<uint32_t> port; //!< number of the Ethernet link at that node, in order of the file
    std::string option;           //!< option that names it, for errors

    /**
     * \param option the option
     * \param text "3" or "3:0", several with commas
     * \param needsPort whether "3" will not do
     * \return the ports, each named once; a ConfigError says what is wrong
     */
    static std::vector<PortName> ParseList(const std::string& option,
                                           const std::string& text,
                                           bool needsPort);

    /** \param other another name \return whether both name a port of the same node */
    bool Overlaps(const PortName& other) const;
};

/** \ingroup railyard \brief Finds Ethernet ports by the ids of the topology file. */
class PortFinder
{
  public:
    /** \param cluster whose ports */
    explicit PortFinder(Cluster& cluster);

    /** \param node node of the topology \return its Ethernet device, may be null */
    FabricDevice* GetDevice(uint32_t node) const;

    /** \param name a port or a node \return the ports; a ConfigError if there are none */
    std::vector<FabricPort*> Find(const PortName& name) const;

    /** \param value id of a node in the topology file \return the node; a ConfigError if none */
    uint32_t FindNode(const TextValue& value) const;

    /** \param port an Ethernet port of the cluster \return its node in the topology */
    uint32_t GetNode(const FabricPort& port) const;

    /** \return the ports of all switches, or of all nodes \param hosts also those of hosts */
    std::vector<FabricPort*> GetPorts(bool hosts) const;

  private:
    Cluster& m_cluster;            //!< whose ports
    std::vector<uint32_t> m_nodes; //!< node by id of the topology file
};

} // namespace ns3

#endif /* PORT_FINDER_H */
