/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_HELPER_H
#define NVLINK_HELPER_H

#include "ns3/fabric-context.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nvlink-message-transport.h"
#include "ns3/object-factory.h"
#include "ns3/topology.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief Puts NVLink interfaces and NVSwitches on the nodes of a Topology and joins them.
 */
class NvlinkHelper
{
  public:
    /** NVSwitches forward cut-through and spread packets over parallel links. */
    NvlinkHelper();

    /**
     * \param name attribute of NvlinkDevice
     * \param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param name attribute of NvSwitchDevice
     * \param value its value
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Throws ConfigError if an NVLink of the topology has no rate, loses frames or ends at a
     * network switch.
     * \param topology the cluster
     */
    static void Validate(const Topology& topology);

    /**
     * Creates the devices. Port p of a node is its p-th NVLink in link order. Throws ConfigError
     * if the topology is not valid or if granularity and headers make frames too large.
     * \param topology the cluster
     * \param nodes node i is node i of the topology
     * \param context what the devices share
     * \param routes routes of kind NVLINK over the same topology
     * \return the devices of nodes with NVLinks, in node order
     */
    NetDeviceContainer Install(const Topology& topology,
                               const NodeContainer& nodes,
                               Ptr<FabricContext> context,
                               const std::shared_ptr<const RouteTable>& routes) const;

    /**
     * \param topology the cluster
     * \param devices what Install() returned for it
     * \param routes the same routes
     * \return a transport between its GPUs
     */
    static Ptr<NvlinkMessageTransport> CreateTransport(
        const Topology& topology,
        const NetDeviceContainer& devices,
        const std::shared_ptr<const RouteTable>& routes);

  private:
    /**
     * Throws ConfigError if the frames of GPUs would be too large.
     * \return size of their largest frame, bytes
     */
    uint64_t GetMaxFrameBytes() const;

    /**
     * \param topology the cluster
     * \param nodes its nodes
     * \param context what the devices share
     * \param routes routes
     * \return by node: its device without ports, nullptr where the node has no NVLink
     */
    std::vector<Ptr<FabricDevice>> CreateDevices(
        const Topology& topology,
        const NodeContainer& nodes,
        Ptr<FabricContext> context,
        const std::shared_ptr<const RouteTable>& routes) const;

    ObjectFactory m_device; //!< makes interfaces of GPUs
    ObjectFactory m_switch; //!< makes NVSwitches
};

} // namespace ns3

#endif /* NVLINK_HELPER_H */
