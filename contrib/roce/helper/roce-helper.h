/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HELPER_H
#define ROCE_HELPER_H

#include "ns3/fabric-channel.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/roce-nic-device.h"
#include "ns3/roce-switch-device.h"
#include "ns3/route-table.h"
#include "ns3/topology.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief The Ethernet fabric of a cluster, as RoceHelper built it. */
struct RoceFabric
{
    std::shared_ptr<const RouteTable> routes;        //!< next ports of the fabric
    /** By rank, null for a GPU without NIC; GPUs that share a NIC have the same, GetRank() its owner. */
    std::vector<Ptr<RoceNicDevice>> nics;
    std::vector<Ptr<RoceSwitchDevice>> switches;     //!< by node id, null where there is none
    std::vector<Ptr<FabricChannel>> channels;        //!< by link of the topology, null for NVLink

    /**
     * \param stream first random stream to use
     * \return number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;

    /** \return the NICs, each once, by owner */
    std::vector<Ptr<RoceNicDevice>> GetNics() const;

    /** \param present routes of the links that are up, for NICs that choose among ports */
    void SetNicRoutes(const std::shared_ptr<const RouteTable>& present) const;

    /**
     * \return what of the settings the user may not have meant, one line each; once there are queue
     * pairs it is their classes that are looked at, not those that NICs have by themselves
     */
    std::vector<std::string> GetWarnings() const;
    /** \return what follows from the settings and is easily overlooked, one line each */
    std::vector<std::string> GetNotes() const;
    /** \return what PFC watchdogs did so far, a line, or none */
    std::vector<std::string> DescribeStorms() const;
    /**
     * \param port a port
     * \param priority a class
     * \return whether it is paused and its peer has not asked it to resume; a RESUME on its way
     * counts
     */
    static bool IsStillPaused(const FabricPort& port, uint32_t priority);
    /**
     * \param limit most ports to name
     * \return a line for every paused class of a port, with who has paused it and for how long
     */
    std::vector<std::string> DescribePauses(std::size_t limit) const;
};

/**
 * \ingroup roce
 * \brief Builds NICs, switches and links for the Ethernet links of a Topology.
 */
class RoceHelper
{
  public:
    RoceHelper();

    /** \param name attribute of RoceNicDevice \param value its value in every NIC */
    void SetNicAttribute(const std::string& name, const AttributeValue& value);
    /** \param name attribute of RoceSwitchDevice \param value its value in every switch */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);
    /** \param bytes preamble and gap around each frame, 20 on Ethernet */
    void SetFrameGap(uint32_t bytes);

    /**
     * \param topology the cluster; validated
     * \param nodes a Node for every node of the topology, by id
     * \param context shared state of the fabric
     * \return what was built; port p of a device is port p of the topology's Ethernet fabric
     */
    RoceFabric Install(const Topology& topology,
                       const NodeContainer& nodes,
                       Ptr<FabricContext> context) const;

  private:
    /**
     * \param topology the cluster
     * \param id a node with Ethernet ports
     * \param [out] fabric gets the device
     * \return its NIC or switch
     */
    Ptr<FabricDevice> MakeDevice(const Topology& topology, uint32_t id, RoceFabric& fabric) const;
    /**
     * Joins the devices.
     * \param topology the cluster
     * \param devices by node
     * \param [out] fabric gets the channels
     */
    void Link(const Topology& topology,
              const std::vector<Ptr<FabricDevice>>& devices,
              RoceFabric& fabric) const;

    ObjectFactory m_nicFactory;    //!< makes NICs
    ObjectFactory m_switchFactory; //!< makes switches
    uint32_t m_gapBytes;           //!< preamble and gap
};

} // namespace ns3

#endif /* ROCE_HELPER_H */
