/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What a node of a Topology is. */
enum class TopologyNodeKind : uint8_t
{
    GPU,         //!< an end point: a GPU (or a plain host) with its NIC and NVLink ports
    NVSWITCH,    //!< an NVSwitch inside a server
    PCIE_SWITCH, //!< a PCIe switch or a root complex inside a server
    SWITCH,      //!< a network switch
};

/**
 * \ingroup fabric
 * \param kind what a node is
 * \return "gpu", "nvswitch", "pcie" or "switch"
 */
const char* GetTopologyNodeKindName(TopologyNodeKind kind);

/** \ingroup fabric \brief Which fabric a link of a Topology belongs to. */
enum class TopologyLinkKind : uint8_t
{
    ETHERNET, //!< NIC to switch, switch to switch, or NIC to NIC
    /**
     * Inside a server, lossless: NVLink from a GPU to an NVSwitch or a GPU, and PCIe, where an end
     * is a PCIE_SWITCH.
     */
    NVLINK,
};

/** \ingroup fabric \brief A node of a Topology. */
struct TopologyNode
{
    /** Value of id of a node whose id is its index. */
    static constexpr uint32_t NO_ID = UINT32_MAX;

    TopologyNodeKind kind{TopologyNodeKind::GPU}; //!< what it is
    int32_t server{-1};                           //!< server it stands in, -1 for network switches
    int32_t tier{-1};   //!< switch tier (0 = next to the NICs), -1 unknown
    uint32_t id{NO_ID}; //!< id in the file, NO_ID: the node's index
    /** GPU without Ethernet links that uses the NIC of this one, NO_ID: no other's. */
    uint32_t nicOf{NO_ID};
    bool offload{false}; //!< NVSWITCH that multicasts and adds: NVLink SHARP, which NVLS needs
    /** GPU: NICs that its Ethernet ports are of, in turn: port p is one of NIC p modulo nics. */
    uint32_t nics{1};
};

/** \ingroup fabric \brief A full-duplex link of a Topology. */
struct TopologyLink
{
    uint32_t a{0};        //!< node at one end
    uint32_t b{0};        //!< node at the other end
    DataRate rate;        //!< bit rate per direction
    Time delay;           //!< propagation delay, one way
    double lossRate{0.0}; //!< probability that a frame is lost, per direction, in [0, 1)
    TopologyLinkKind kind{TopologyLinkKind::ETHERNET}; //!< fabric
    double bitErrorRate{0.0}; //!< probability that a bit is wrong, per direction, in [0, 1)
};

/**
 * \ingroup fabric
 * \brief A cluster as plain data: nodes, links, servers. Knows no simulation object.
 *
 * GPUs have the node ids 0 .. GetGpuCount()-1 and the rank of a GPU is its node id. The Ethernet
 * links of a GPU are ports of its NIC, or of its NICs (TopologyNode::nics); GPUs may share them
 * (TopologyNode::nicOf).
 * Port p of node n within one fabric is the p-th link of that kind that touches n, in link order;
 * several links between the same pair are all kept.
 */
class Topology
{
  public:
    std::string source;              //!< file or template it came from
    std::string gpuType;             //!< "H100", "A100", ..., empty if unknown
    uint32_t gpusPerServer{0};       //!< GPUs in each server, 0 if unknown
    std::vector<TopologyNode> nodes; //!< by node id
    std::vector<TopologyLink> links; //!< in file order
    std::vector<std::string> notes;  //!< what the reader wants the user to know, one line each

    /** \return the number of GPUs (end points) */
    uint32_t GetGpuCount() const;

    /**
     * \param kind a fabric
     * \return for every node the indices of its links of that kind, in link order: the ports
     */
    std::vector<std::vector<uint32_t>> GetPorts(TopologyLinkKind kind) const;

    /**
     * Files that go with a topology file (flows, traces) name nodes by the ids of that file.
     *
     * \return for every id of the file the node that has it, TopologyNode::NO_ID where none has
     */
    std::vector<uint32_t> GetNodesByFileId() const;

    /**
     * \param node index of a node
     * \return its name in results and messages: "node 5" by its id in the file; without one
     * "gpu5", or "switch0", "nvswitch1", "pcie2", counted from 0 behind the GPUs
     */
    std::string GetNodeName(uint32_t node) const;

    /** Makes all Ethernet ports of a GPU ports of one NIC. */
    void MergeNics();

    /** Makes every Ethernet port of a GPU a NIC of its own. */
    void SplitNics();

    /** Puts every GPU into a server of its own: plain hosts. */
    void SetHostServers();

    /**
     * Sets the tier of every network switch: Ethernet links to the nearest GPU, less one;
     * -1 where no GPU is in reach.
     */
    void AssignTiers();
};

} // namespace ns3

#endif /* TOPOLOGY_H */
