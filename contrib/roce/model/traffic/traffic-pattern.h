/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TRAFFIC_PATTERN_H
#define TRAFFIC_PATTERN_H

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief Who sends to whom, as numbers among the hosts. */
struct TrafficPair
{
    uint32_t src{0}; //!< sender
    uint32_t dst{0}; //!< receiver, another one
};

/**
 * \ingroup roce
 * \brief Who sends to whom in generated traffic, and which links the load is that of.
 *
 * An arrival of PoissonTraffic draws the flows that start then: one, or those of a burst. A further
 * pattern is one subclass and its line in CMakeLists.txt; PoissonTraffic::Pattern names it.
 */
class TrafficPattern : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    TrafficPattern();

    /** \param hosts number of hosts; a ConfigError if the pattern cannot be drawn among them */
    virtual void Check(uint32_t hosts) const = 0;

    /**
     * \param hosts number of hosts, 0 to this less one
     * \param pairs gets the flows of one arrival; what was in it is gone
     */
    virtual void Draw(uint32_t hosts, std::vector<TrafficPair>& pairs) = 0;

    /** \param hosts number of hosts \return flows of an arrival, mean */
    virtual double GetFlowsPerArrival(uint32_t hosts) const;

    /**
     * \param hosts number of hosts
     * \return links that share the load: a load of 1 fills this many links of the link rate with
     * payload
     */
    virtual uint32_t GetLoadedLinks(uint32_t hosts) const = 0;

    /** \param stream first random stream to use \return number of streams used */
    int64_t AssignStreams(int64_t stream);

  protected:
    /** \param count number of choices, 1 or more \return one of them, from 0 on */
    uint32_t DrawOne(uint32_t count);
    /** \param count number of choices, 2 or more \param other no choice \return another of them */
    uint32_t DrawOther(uint32_t count, uint32_t other);

  private:
    Ptr<UniformRandomVariable> m_random; //!< draws hosts
};

} // namespace ns3

#endif /* TRAFFIC_PATTERN_H */
