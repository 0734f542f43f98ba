/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REDUCTION_TREE_H
#define ROCE_REDUCTION_TREE_H

#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricPort;
class RoceNicDevice;
class RoceSwitchDevice;

/**
 * \ingroup roce
 * \brief The switches that add up for a team, and how they hang together.
 *
 * Leaves are the switches that the NICs are attached to. The root is the switch that is nearest to
 * the farthest of them; among equal ones, and among equal ports to the next switch, the lowest rank
 * of the team chooses, by its number, so that the trees of rails lie side by side. All ways to the
 * root are shortest ones, and a switch has one parent.
 */
class RoceReductionTree
{
  public:
    /** Port of a switch that has none: of the root to its parent. */
    static constexpr uint32_t NO_PORT = UINT32_MAX;

    /** \brief A switch. */
    struct Node
    {
        RoceSwitchDevice* device{nullptr};    //!< the switch
        uint32_t parentPort{NO_PORT};         //!< towards the root
        std::vector<uint32_t> childPorts{};   //!< to NICs and switches below
        std::vector<uint32_t> childRanks{};   //!< lowest rank below each of them
        uint32_t rank{UINT32_MAX};            //!< lowest rank below
    };

    /** No tree. */
    RoceReductionTree() = default;

    /**
     * \param nics by rank, null for a GPU without one
     * \param ranks those that are to be joined, ascending
     */
    RoceReductionTree(const std::vector<Ptr<RoceNicDevice>>& nics,
                      const std::vector<uint32_t>& ranks);

    /**
     * \return the switches, a parent before its children; empty if there is no tree: fewer than two
     * ranks, one without a NIC or with the NIC of another, a NIC with several ports or without a
     * switch, switches that do not add up, links that are down
     */
    const std::vector<Node>& GetNodes() const
    {
        return m_nodes;
    }

    /** \return links from the root to the farthest NIC */
    uint32_t GetDepth() const
    {
        return m_depth;
    }

  private:
    /** \brief A switch that was found. */
    struct Found
    {
        RoceSwitchDevice* device;         //!< the switch
        std::vector<uint32_t> ports;      //!< to other switches, up
        std::vector<uint32_t> neighbours; //!< by entry of ports: place of that switch
        uint64_t farthest;                //!< links to the farthest leaf
        uint64_t sum;                     //!< links to all leaves
        uint32_t node;                    //!< its node of the tree, NO_PORT without one
    };

    /**
     * \param nics by rank
     * \param ranks the team
     * \return the port of the switch that each is attached to, empty if there is no tree
     */
    static std::vector<FabricPort*> FindLeafPorts(const std::vector<Ptr<RoceNicDevice>>& nics,
                                                  const std::vector<uint32_t>& ranks);
    /** \param leaves some switches; finds all that are joined to the first */
    void Explore(const std::vector<FabricPort*>& leaves);
    /** \param from place of a switch \return links from it to each, UINT64_MAX where no way leads */
    std::vector<uint64_t> GetDistances(uint32_t from) const;
    /** \param device a switch that was found \return its place, NO_PORT if it was not */
    uint32_t FindPlace(const RoceSwitchDevice* device) const;
    /**
     * \param leaves places of the leaves
     * \param choice chooses among equals
     * \return place of the root, NO_PORT if there is none
     */
    uint32_t ChooseRoot(const std::vector<uint32_t>& leaves, uint32_t choice);
    /**
     * Adds a switch and all above it that are not there.
     * \param place of the switch
     * \param distances to the root
     * \param choice chooses among equals
     * \return its node
     */
    uint32_t AddNode(uint32_t place, const std::vector<uint64_t>& distances, uint32_t choice);

    std::vector<Found> m_found; //!< while the tree is built
    std::vector<Node> m_nodes;  //!< see GetNodes()
    uint32_t m_depth{0};        //!< see GetDepth()
};

} // namespace ns3

#endif /* ROCE_REDUCTION_TREE_H */
