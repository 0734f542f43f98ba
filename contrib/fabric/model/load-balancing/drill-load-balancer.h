/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DRILL_LOAD_BALANCER_H
#define DRILL_LOAD_BALANCER_H

#include "load-balancer.h"
#include "port-load.h"
#include "port-set-table.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief DRILL(d, m): per packet the shortest of d random and m remembered queues (Ghorbani et
 * al., SIGCOMM 2017).
 *
 * For every frame, d different ports are drawn; to these come the m ports that were the least
 * loaded at the previous frame of the same set of ports. The frame takes the least loaded of them
 * (PortLoad), drawn ones first where loads are equal; the m least loaded are remembered. With d at
 * least the number of ports it joins the shortest queue.
 *
 * A switch has one forwarding engine here and it sees all queues as they are. Not modelled: the
 * paper's several engines with a memory each, its quiver of symmetric path components for unequal
 * topologies, and its shim that puts frames back in order. Frames of one flow may overtake each
 * other: a go-back-N receiver then asks for them again.
 */
class DrillLoadBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    DrillLoadBalancer();

    void Start(const LoadBalancerStart& start) override;
    int64_t AssignStreams(int64_t stream) override;
    void RoutesChanged() override;
    uint32_t Choose(FabricPacket& packet, PortSpan ports) override;

  private:
    /** What is kept for a set of ports. */
    struct Set
    {
        std::vector<uint32_t> order;      //!< all indices, shuffled as far as drawn
        std::vector<uint32_t> remembered; //!< indices of the least loaded ports
    };

    /** A port that may be chosen. */
    struct Candidate
    {
        PortLoad load;  //!< its load
        uint32_t rank;  //!< place among the candidates, which decides between equal loads
        uint32_t index; //!< of the port

        /** \param other another candidate \return whether this one comes before it */
        bool operator<(const Candidate& other) const
        {
            return load < other.load || (!(other.load < load) && rank < other.rank);
        }
    };

    /** \param count number of ports \return what is kept at first */
    static Set MakeSet(uint32_t count);

    /**
     * Draws ports without putting them back.
     * \param order all indices; the drawn ones come first
     * \return how many were drawn
     */
    uint32_t Draw(std::vector<uint32_t>& order);

    /** \param index of a port \param port the port, a candidate more \param now ticks */
    void AddCandidate(uint32_t index, FabricPort& port, uint64_t now);

    uint32_t m_samples{0};               //!< d
    uint32_t m_memory{0};                //!< m
    FabricDevice* m_device{nullptr};     //!< the switch
    Ptr<UniformRandomVariable> m_random; //!< draws ports
    PortSetTable<Set> m_sets;            //!< by set of ports
    std::vector<Candidate> m_candidates; //!< of the present frame
};

} // namespace ns3

#endif /* DRILL_LOAD_BALANCER_H */
