/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PXN_RAILS_H
#define PXN_RAILS_H

#include "topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Which GPU's NIC sends a message to another server so that it stays on the rail of its
 * receiver: what NCCL (2.12 and later) calls PXN, PCI x NVLink.
 *
 * The rail of a GPU is its number in its server, as in NCCL (`ncclTopoGetNetDev` of
 * `src/graph/search.cc` looks for the local GPU with the device number of the peer).
 * In a large NVLink domain whose GPUs repeat the same leaves over and over, as the trays of an
 * NVL72 do, it is the number in the tray. What is for a GPU on another rail goes over NVLink to the
 * sender's neighbour on that rail, whose NIC sends it. Where GPUs share a NIC, the one that owns it
 * (that the topology lists first) sends for all.
 *
 * NCCL takes as intermediate only ranks of the same communicator, here any GPU of the server is
 * one.
 */
class PxnRails
{
  public:
    /** \brief When a message goes by way of another GPU: NCCL_P2P_PXN_LEVEL. */
    enum Level : uint32_t
    {
        NEVER = 0, //!< the sender's own NIC sends all
        IF_REMOTE, //!< if the sender's own NIC is not on the rail of the receiver
        ALWAYS,    //!< as above, and to the GPU that owns a NIC which the sender shares with it
    };

    /** \param topology the cluster, of which nothing is kept \param level when to relay */
    PxnRails(const Topology& topology, uint32_t level);

    /** \return whether there can be any message that is relayed */
    bool HasRelays() const
    {
        return m_hasRelays;
    }

    /**
     * \param src sending rank
     * \param dst receiving rank
     * \return the rank of src's server whose NIC sends, src if it is its own. The caller sees to it
     * that there is a path from there.
     */
    uint32_t GetRelay(uint32_t src, uint32_t dst) const;

  private:
    /** Where a GPU is. */
    struct Place
    {
        uint32_t server{0};   //!< number of the server, in order of appearance
        uint32_t position{0}; //!< number of the GPU there
        uint32_t owner{0};    //!< the GPU whose NIC it uses
    };

    /** A server, or domain of NVLinks. */
    struct Server
    {
        std::vector<uint32_t> gpus; //!< by position
        uint32_t rails{0};          //!< the GPU at position p is on rail p modulo that
    };

    /** \param topology the cluster; places its GPUs */
    void PlaceGpus(const Topology& topology);
    /** \param topology the cluster; counts the rails of its servers */
    void CountRails(const Topology& topology);

    /** \param a a GPU \param b another one \return whether NVLinks join them, by a switch or none
     */
    bool AreJoined(uint32_t a, uint32_t b) const;

    uint32_t m_level;                           //!< when to relay
    bool m_hasRelays{false};                    //!< some server has NVLinks, and there are others
    std::vector<Place> m_places;                //!< by GPU
    std::vector<Server> m_servers;              //!< by number
    std::vector<std::vector<uint32_t>> m_peers; //!< by GPU: other ends of its NVLinks, ascending
};

} // namespace ns3

#endif /* PXN_RAILS_H */
