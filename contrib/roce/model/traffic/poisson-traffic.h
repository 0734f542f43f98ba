/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef POISSON_TRAFFIC_H
#define POISSON_TRAFFIC_H

#include "traffic-pattern.h"

#include "ns3/data-rate.h"
#include "ns3/flow-file.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Draws flows: Poisson arrivals, sizes from a distribution, hosts by a pattern.
 *
 * Arrivals are a Poisson process whose rate makes payload fill Load of the links that the pattern
 * names: with mean size m, n flows an arrival, k links of rate C there are Load k C / (8 m n)
 * arrivals a second. Headers come on top of the load. Gaps, sizes and hosts come from a random
 * stream each, so that the same seed has the same arrivals whatever the sizes.
 *
 * \code
 *   auto traffic = CreateObjectWithAttributes<PoissonTraffic>("Sizes", StringValue("web-search"),
 *                                                             "Load", DoubleValue(0.8));
 *   traffic->AssignStreams(1000);
 *   FlowFile flows = traffic->Draw({0, 1, 2, 3}, DataRate("100Gbps"));
 *   WriteFlowFile("flows.txt", flows);
 * \endcode
 */
class PoissonTraffic : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    PoissonTraffic();

    /**
     * \param hosts their node ids
     * \param linkRate what a load of 1 is, where LinkRate is 0
     * \return the flows, by start time; a ConfigError if they cannot be drawn
     */
    FlowFile Draw(const std::vector<uint32_t>& hosts, DataRate linkRate);

    /** \param stream first random stream to use \return number of streams used */
    int64_t AssignStreams(int64_t stream);

    /** \return what is drawn, in a line */
    std::string Describe() const;

  private:
    /**
     * \param meanBytes mean size of a flow
     * \param hosts number of hosts
     * \param linkRate what a load of 1 is
     * \return mean time between two arrivals, ticks
     */
    double GetMeanGap(double meanBytes, uint32_t hosts, DataRate linkRate) const;

    // Attributes.
    std::string m_sizes;  //!< distribution of sizes
    uint64_t m_flowBytes; //!< size of every flow, 0: of the distribution
    TypeId m_patternType; //!< class of the pattern
    double m_load;        //!< load of the links that the pattern names
    DataRate m_linkRate;  //!< what a load of 1 is, 0: what the caller says
    Time m_start;         //!< no flow starts before
    Time m_duration;      //!< every flow starts before m_start + this
    uint64_t m_maxFlows;  //!< most flows, 0: no limit
    uint32_t m_priority;  //!< traffic class of the flows

    Ptr<ExponentialRandomVariable> m_gap;     //!< gaps, in units of their mean
    Ptr<UniformRandomVariable> m_probability; //!< of the sizes
    Ptr<TrafficPattern> m_pattern;            //!< who sends to whom
    int64_t m_patternStream{-1};              //!< its random stream, below 0: ns-3's choice
};

} // namespace ns3

#endif /* POISSON_TRAFFIC_H */
