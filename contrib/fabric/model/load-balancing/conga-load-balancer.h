/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CONGA_LOAD_BALANCER_H
#define CONGA_LOAD_BALANCER_H

#include "discounting-rate-estimator.h"
#include "flowlet-table.h"
#include "load-balancer.h"

#include "ns3/random-variable-stream.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief CONGA: flowlets take the path whose most loaded link is the least loaded, as far as the
 * leaves tell each other (Alizadeh et al., SIGCOMM 2014).
 *
 * Every link between switches has a DiscountingRateEstimator; its congestion metric is X / (C tau),
 * of the present rate C, quantised to Q bits: min(2^Q - 1, floor(2^Q X / (C tau))). A frame that a
 * leaf sends up carries the number of its uplink (LBTag) and CE, which every switch raises to the
 * metric of the link that the frame leaves by. The leaf at the other end keeps CE by source leaf
 * and LBTag (Congestion-From-Leaf table) and returns an entry of it with every frame that it sends
 * to that leaf (FB_LBTag, FB_Metric), in turn, entries that have changed since they were last sent
 * first. The receiver of these keeps them by leaf and uplink (Congestion-To-Leaf table); an entry
 * counts less once it is older than AgingTime, and not at all at twice that age.
 *
 * The first frame of a flowlet (FlowletTable) takes the uplink of the smallest
 * max(metric of the uplink, metric of the table): the one that the flow had, if it is among
 * them, otherwise a random one of them.
 *
 * A switch with end points is a leaf, any other one a spine. Networks are refused in which an end
 * point is attached to several switches, or a spine to another spine. Between parallel links of a
 * spine and a leaf, and for frames that came from another switch, the choice is that of ECMP, as in
 * the paper.
 *
 * Fields have 8 bits each here, where the paper has 4 for the tags and 3 for the metrics: up to 255
 * uplinks. They lie in FabricPacket::overlay; the overlay's header (VXLAN in the paper, 50 bytes)
 * takes no room on the wire here. Acknowledgements carry them like any other frame.
 *
 * Assumed, where the paper is silent: T and alpha, of which it gives tau = 160 us only; how an
 * entry decays, linearly; that a frame counts, with preamble and gap, from its first bit on.
 */
class CongaLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    CongaLoadBalancer();

    /** \param start see LoadBalancer; a ConfigError if the network is no leaf-spine */
    void Start(const LoadBalancerStart& start) override;
    int64_t AssignStreams(int64_t stream) override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;
    bool KeepsOrder() const override;
    bool WatchesFrames() const override;
    void Arrived(FabricPacket& packet, FabricPort& in) override;
    void Departed(FabricPacket& packet, FabricPort& out) override;

    /** \param port number of a port \param now ticks \return metric of its link */
    uint32_t GetLocalMetric(uint32_t port, uint64_t now) const;

    /**
     * \param leaf node of another leaf within the routes
     * \param port number of an uplink
     * \param now ticks
     * \return metric of the path by that uplink, as that leaf has told, aged
     */
    uint32_t GetRemoteMetric(uint32_t leaf, uint32_t port, uint64_t now) const;

  private:
    /** Entry of the Congestion-To-Leaf table. */
    struct Told
    {
        uint32_t metric{0};  //!< as told
        uint64_t updated{0}; //!< when, ticks
    };

    /** Entry of the Congestion-From-Leaf table. */
    struct Seen
    {
        uint32_t metric{0};  //!< CE of the last frame
        bool valid{false};   //!< there was a frame
        bool changed{false}; //!< not told since it changed
    };

    /** What a leaf keeps about another one. */
    struct Leaf
    {
        std::vector<Told> to;   //!< by number of the own uplink, 1 and up
        std::vector<Seen> from; //!< by number of the other one's uplink, 1 and up
        uint32_t next{1};       //!< entry of `from` that is told next
    };

    /** The fields of FabricPacket::overlay. */
    struct Header
    {
        uint32_t tag{0};    //!< number of the uplink, 0: no header
        uint32_t ce{0};     //!< largest metric on the way
        uint32_t fbTag{0};  //!< number of an uplink of the receiver, 0: no feedback
        uint32_t metric{0}; //!< metric of the path by that

        /** \param word FabricPacket::overlay \return its fields */
        static Header Read(uint32_t word)
        {
            return {word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, word >> 24};
        }

        /** \return FabricPacket::overlay */
        uint32_t Write() const
        {
            return tag | ce << 8 | fbTag << 16 | metric << 24;
        }
    };

    /** Finds out which ports lead to end points; a ConfigError if the network is no leaf-spine. */
    void LookAround();
    /** \param problem what is wrong with the network, a phrase */
    [[noreturn]] void Refuse(const std::string& problem) const;
    /** \param end an end point \return node of its leaf */
    uint32_t FindLeaf(uint32_t end) const
    {
        return m_routes->GetPeer(m_routes->GetPlace(end), 0);
    }

    /**
     * \param packet a frame from an end point here
     * \param ports uplinks
     * \return index of the best
     */
    uint32_t ChooseUplink(const FabricPacket& packet, PortSpan ports);
    /** \param leaf what is known of a leaf \param [out] header gets the next feedback for it */
    static void TakeFeedback(Leaf& leaf, Header& header);

    uint32_t m_bits{0};            //!< Q
    Time m_interval;               //!< T
    double m_alpha{0};             //!< alpha
    Time m_agingTime;              //!< age from which an entry counts less
    Time m_flowletTimeout;         //!< longest gap within a flowlet
    uint32_t m_flowletEntries{0};  //!< size of the flowlet table
    FabricDevice* m_device{nullptr}; //!< the switch
    std::shared_ptr<const RouteTable> m_routes; //!< tells who is attached where
    uint32_t m_place{0};           //!< node of the switch within the routes
    uint64_t m_salt{0};            //!< of the hash of ECMP
    uint64_t m_intervalTicks{0};   //!< T, ticks
    uint64_t m_agingTicks{0};      //!< AgingTime, ticks
    double m_scale{0};             //!< metric = X / rate * this
    std::vector<uint32_t> m_tags;  //!< by port: number of the uplink; 0: leads to an end point
    bool m_isLeaf{false};          //!< has end points
    std::vector<DiscountingRateEstimator> m_estimators; //!< by port
    std::unordered_map<uint32_t, Leaf> m_leaves; //!< by node, never iterated
    Ptr<UniformRandomVariable> m_random;         //!< breaks ties
    FlowletTable m_flowlets;                     //!< the flowlets
    std::vector<uint32_t> m_best;                //!< of the present choice
};

} // namespace ns3

#endif /* CONGA_LOAD_BALANCER_H */
