/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_COLLECTIVE_TALLY_H
#define RESULT_COLLECTIVE_TALLY_H

#include "result-records.h"
#include "result-summary.h"

#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Groups collectives by kind, purpose of the group, group size, algorithm and bytes, as a
 * table of nccl-tests does.
 *
 * The duration of a collective is from its first rank in to its last rank out, so bandwidths hold
 * the wait for late ranks and cannot exceed what the links carry; joinedBusbwGBps leaves the wait
 * out. Memory grows with the number of
 * different collectives alone.
 */
class ResultCollectiveTally
{
  public:
    /** \param record a collective */
    void Add(const CollectiveRecord& record);

    /**
     * A benchmark says itself what its collectives came to: once there is a row of one, the
     * summaries are its rows.
     * \param record a row
     */
    void Add(const CollectiveBenchRecord& record);

    /** \return one entry for each group of collectives, in order of first appearance */
    std::vector<CollectiveSummary> GetSummaries() const;

  private:
    /** Kind, purpose, ranks, algorithm, protocol, bytes. */
    using Key =
        std::tuple<std::string, std::string, uint32_t, std::string, std::string, uint64_t>;

    /** Collectives with the same key. */
    struct Entry
    {
        CollectiveSummary summary; //!< all but mean and bandwidths
        Time total;                //!< sum of the durations
        Time waits;                //!< sum of the times from first to last rank in
        double busFactor{1.0};     //!< busbw / algbw
    };

    std::map<Key, std::size_t> m_index; //!< where in m_entries
    std::vector<Entry> m_entries;       //!< in order of first appearance
    std::vector<CollectiveSummary> m_rows; //!< of a benchmark
};

} // namespace ns3

#endif /* RESULT_COLLECTIVE_TALLY_H */
