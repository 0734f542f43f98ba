/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MESSAGE_ROUTER_H
#define MESSAGE_ROUTER_H

#include "max-min-allocator.h"
#include "message-framing.h"

#include "ns3/nic-striping.h"
#include "ns3/reduction-tree.h"
#include "ns3/route-table.h"
#include "ns3/topology.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What a MessageRouter is told besides the topology. */
struct MessageRouterSettings
{
    MessageFraming ethernet;    //!< of messages between NICs
    MessageFraming nvlink;      //!< of messages over NVLink
    uint32_t teamUnitBytes{4096}; //!< MessageFraming::unitBytes of teams' messages, if smaller
    bool spreadEthernet{false}; //!< Ethernet switches share a flow evenly among equal paths,
                                //!< instead of choosing one by EcmpHash()
    /** Entropy of a flow for ECMP, from source, destination and channel; empty: EcmpHash(). */
    std::function<uint32_t(uint32_t, uint32_t, uint32_t)> entropy;
    /** Whether an NVSwitch adds and copies on the way; empty: none does. */
    std::function<bool(const TopologyNode&)> offersOffload;
    MessageFraming reduction; //!< of what network switches add up
    /** Whether a network switch adds up on the way; empty: none does. */
    std::function<bool(const TopologyNode&)> addsUp;
};

/** \ingroup fabric \brief A link in a resource of a MessageRouter. */
struct RouteLink
{
    uint32_t direction{0}; //!< twice the index of the link, plus 1 from its end b to its end a
    uint32_t share{MaxMinAllocator::FULL}; //!< of the resource's load, in MaxMinAllocator::FULL
};

/**
 * \ingroup fabric
 * \brief What messages share: a direction of a link, or those of all NVLinks of a GPU where every
 * message uses them alike.
 */
struct RouteResource
{
    uint64_t capacityBps{0};                           //!< of all its links, bit/s
    std::vector<RouteLink> links;                      //!< the links
    uint32_t reverse{MaxMinAllocator::NONE};           //!< the other direction
    TopologyLinkKind kind{TopologyLinkKind::ETHERNET}; //!< fabric
};

/** \ingroup fabric \brief The way of messages from a rank to another on a channel. */
struct MessageRoute
{
    std::vector<MaxMinAllocator::Use> uses; //!< resources, from the source on
    std::vector<uint32_t> hopUses;          //!< how many of them are of each hop
    std::vector<uint64_t> hopsBps;          //!< rate of a link of each hop, bit/s
    uint32_t slowestHop{0};                 //!< the first that a message alone is slowest on
    uint64_t rateBps{0};                    //!< rate there, over all links used, bit/s
    uint64_t delay{0};                      //!< of links and switches, ticks
    bool nvlink{false};                     //!< over NVLink, else Ethernet
    bool reduction{false};                  //!< up and down a tree of switches that add up
};

/**
 * \ingroup fabric
 * \brief Finds the ways of whole messages through a Topology, as the packet-level devices would.
 *
 * NVLink where the pair has a route, else Ethernet. Over NVLink a message uses all links on
 * shortest paths, in proportion to their rates (or to what lies behind, if that is slower), as
 * NvlinkDevice does. Where all GPUs of a server are wired alike to its NVSwitches, the links of a
 * GPU are one resource. Over Ethernet a channel uses one NIC of GPUs with several (StripeNics());
 * every switch, and a NIC with several ports, chooses one of the equal ports by the hash and salt
 * of EcmpLoadBalancer, or a message is spread evenly.
 */
class MessageRouter
{
  public:
    /**
     * \param topology the cluster; see Validate()
     * \param settings framing and choices
     */
    MessageRouter(const Topology& topology, MessageRouterSettings settings);

    /**
     * A ConfigError if the topology needs packets: links that lose frames or corrupt them.
     * \param topology a cluster
     */
    static void Validate(const Topology& topology);

    /** \return the number of ranks */
    uint32_t GetRankCount() const
    {
        return m_rankCount;
    }

    /** \return what messages share, by number */
    const std::vector<RouteResource>& GetResources() const
    {
        return m_resources;
    }

    /** \return twice the number of links */
    uint32_t GetDirectionCount() const
    {
        return static_cast<uint32_t>(2 * m_links.size());
    }

    /** \param nvlink NVLink, else Ethernet \return what the fabric adds */
    const MessageFraming& GetFraming(bool nvlink) const
    {
        return nvlink ? m_settings.nvlink : m_settings.ethernet;
    }

    /** \return what NVLink adds to messages of teams */
    const MessageFraming& GetTeamFraming() const
    {
        return m_teamFraming;
    }

    /** \param route a way \return what is added on it */
    const MessageFraming& GetFraming(const MessageRoute& route) const
    {
        return route.reduction ? m_settings.reduction : GetFraming(route.nvlink);
    }

    /** \param src a rank \param dst another one \return whether NVLink joins them */
    bool UsesNvlink(uint32_t src, uint32_t dst) const
    {
        return m_nvlink.NextPorts(src, dst).count > 0;
    }

    /** \param src a rank \param dst another one \return whether messages can go between them */
    bool CanReach(uint32_t src, uint32_t dst) const
    {
        return src != dst && (UsesNvlink(src, dst) || m_ethernet.NextPorts(src, dst).count > 0);
    }

    /**
     * Aborts, naming the pair, if there is none.
     * \param src a rank
     * \param dst another one
     * \param channel a channel
     * \return the way
     */
    MessageRoute Find(uint32_t src, uint32_t dst, uint32_t channel) const;

    /** \param ranks some ranks \return whether NVSwitches add and copy among all of them */
    bool CanOffload(const std::vector<uint32_t>& ranks) const;

    /**
     * \param sources ranks that CanOffload() holds for: each sends the whole message
     * \param sinks some of them: each receives the whole message
     * \return the way, over the links of all of them
     */
    MessageRoute FindOffloaded(const std::vector<uint32_t>& sources,
                               const std::vector<uint32_t>& sinks) const;

    /** \param ranks some ranks \return whether network switches add up among all of them */
    bool CanAllReduce(const std::vector<uint32_t>& ranks) const
    {
        return !FindTree(ranks).GetNodes().empty();
    }

    /**
     * \param ranks ranks that CanAllReduce() holds for: each sends the whole message up their tree
     * of switches, and receives the whole sum from there
     * \return the way, over all links of the tree, both ways
     */
    MessageRoute FindReduction(const std::vector<uint32_t>& ranks) const;

  private:
    /** The NVLinks of a GPU as a whole. */
    struct Bundle
    {
        uint32_t up{MaxMinAllocator::NONE};   //!< resource to the NVSwitches
        uint32_t down{MaxMinAllocator::NONE}; //!< resource from the NVSwitches
        uint64_t linkBps{0};                  //!< slowest of its links, bit/s
        uint64_t delay{0};                    //!< longest of its links, ticks
        uint32_t domain{0};                   //!< lowest NVSwitch of those that it is wired to
    };

    /** What a message uses of a hop: a link, or a bundle of them. */
    struct HopPart
    {
        uint32_t resource; //!< of the allocator
        uint64_t rateBps;  //!< of all its links, bit/s
        uint64_t linkBps;  //!< of its slowest link, bit/s
        uint64_t delay;    //!< of its longest link, ticks
    };

    /** Part of a message at a node on its way. */
    using Parts = std::map<uint32_t, uint32_t>;

    /** \param ranks some ranks \return their tree, without switches if there is none */
    ReductionTree FindTree(const std::vector<uint32_t>& ranks) const;
    /**
     * Adds one hop to a route, each part of which carries the whole message.
     * \param parts what the whole message uses at once
     * \param [in,out] route gets the hop
     */
    static void AddWholeHop(const std::vector<HopPart>& parts, MessageRoute& route);
    /**
     * Ends a hop, whose uses a route has already.
     * \param all rates and delay of its parts together; has no resource
     * \param uses how many they are
     * \param [in,out] route gets the hop
     */
    static void EndHop(const HopPart& all, uint32_t uses, MessageRoute& route);

    /** Makes a bundle of each GPU whose server is wired evenly. */
    void MakeBundles();
    /** \param gpus GPUs at the same NVSwitches \return whether all have the same links to them */
    bool AreAlike(const std::vector<uint32_t>& gpus) const;
    /** \param gpu a GPU \return rate to each node at the other end of its NVLinks, bit/s */
    std::map<uint32_t, uint64_t> GetNvlinkPeers(uint32_t gpu) const;
    /** \param gpu a GPU of an evenly wired server; gets its bundle */
    void MakeBundle(uint32_t gpu);
    /** Makes resources of all links that are in no bundle. */
    void MakeLinkResources();

    /**
     * \param node a node
     * \param link a link that ends there
     * \return the direction in which the node sends
     */
    uint32_t GetDirection(uint32_t node, uint32_t link) const
    {
        return 2 * link + (m_links[link].a == node ? 0 : 1);
    }

    /**
     * Adds one hop to a route.
     * \param routes the fabric
     * \param here where the parts of the message are
     * \param ends where the message comes from and goes to
     * \param entropy of the flow, for ECMP
     * \param [in,out] route gets the hop
     * \return where the parts are then
     */
    Parts AddHop(const RouteTable& routes,
                 const Parts& here,
                 const NicPair& ends,
                 uint32_t entropy,
                 MessageRoute& route) const;

    /**
     * \param routes the fabric
     * \param node a node
     * \param dst destination
     * \param nvlink whether a message goes in proportion to rates, else evenly
     * \param part what has come to the node
     * \return what goes by each of its next ports
     */
    std::vector<uint32_t> Divide(const RouteTable& routes,
                                 uint32_t node,
                                 uint32_t dst,
                                 bool nvlink,
                                 uint32_t part) const;

    uint32_t m_rankCount;                   //!< ranks
    MessageRouterSettings m_settings;       //!< framing and choices
    MessageFraming m_teamFraming;           //!< of messages of teams
    std::vector<TopologyNode> m_nodes;      //!< of the topology
    std::vector<TopologyLink> m_links;      //!< of the topology
    RouteTable m_nvlink;                    //!< routes over NVLink
    RouteTable m_ethernet;                  //!< routes over Ethernet
    std::vector<RouteResource> m_resources; //!< by number
    std::vector<uint32_t> m_ofDirection;    //!< resource of a direction that is in no bundle
    std::vector<Bundle> m_bundles;          //!< by GPU
    std::vector<uint64_t> m_salts;          //!< of ECMP, by node
};

} // namespace ns3

#endif /* MESSAGE_ROUTER_H */
