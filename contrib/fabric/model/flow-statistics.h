/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_STATISTICS_H
#define FLOW_STATISTICS_H

#include "result-records.h"

#include <cstdint>
#include <vector>

/**
 * \file
 * \ingroup fabric
 * Exact statistics of flows: every quantile is the value of a flow. The q-quantile of n values by
 * nearest rank is the ceil(q n)-th smallest: the least value that a share q of them does not
 * exceed.
 */

namespace ns3
{

/** \ingroup fabric \param times in any order \return their statistics, 0 if there are none */
FlowTimes SummarizeTimes(std::vector<Time> times);

/** \ingroup fabric \param ratios in any order \return their statistics, 0 if there are none */
FlowRatios SummarizeRatios(std::vector<double> ratios);

/**
 * \ingroup fabric
 * \brief Collects the flows that finished, and says how long they took, by size.
 *
 * \code
 *   FlowStatistics statistics({100000}); // below 100 KB, and from there on
 *   statistics.Add(5000, MicroSeconds(12), 1.4);
 *   for (const FlowSizeRecord& sizes : statistics.GetBySize()) ...
 * \endcode
 */
class FlowStatistics
{
  public:
    /** \return sizes at which ranges end if nobody says otherwise: 10^3, 10^4, ... 10^9 bytes */
    static std::vector<uint64_t> GetDefaultLimits();

    /** \param limits sizes at which one range ends and the next begins, bytes, ascending */
    explicit FlowStatistics(std::vector<uint64_t> limits = GetDefaultLimits());

    /**
     * \param bytes size of a flow
     * \param completion its completion time
     * \param slowdown its slowdown, 0 if unknown
     */
    void Add(uint64_t bytes, Time completion, double slowdown);

    /** \return the completion times of all flows */
    FlowTimes GetTimes() const;
    /** \return the slowdowns of all flows whose slowdown is known */
    FlowRatios GetSlowdowns() const;
    /** \return the statistics of each range of sizes that has flows, the smallest sizes first */
    std::vector<FlowSizeRecord> GetBySize() const;

    /**
     * \return histograms "fct", in ns, and "slowdown" of all flows: eight bars for each power of
     * two, those without flows left out
     */
    std::vector<HistogramRecord> GetHistograms() const;

  private:
    /** The flows of a range of sizes. */
    struct Range
    {
        std::vector<Time> times;       //!< completion times
        std::vector<double> slowdowns; //!< those known
    };

    /** \return all flows */
    Range GetAll() const;

    std::vector<uint64_t> m_limits; //!< ends of all ranges but the last, bytes
    std::vector<Range> m_ranges;    //!< one more than limits
};

} // namespace ns3

#endif /* FLOW_STATISTICS_H */
