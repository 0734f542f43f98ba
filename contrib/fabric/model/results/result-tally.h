/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_TALLY_H
#define RESULT_TALLY_H

#include "ns3/result-collective-tally.h"
#include "ns3/result-schema.h"
#include "ns3/result-sink.h"
#include "ns3/result-summary.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Counts what is recorded, and completes a summary with it.
 *
 * Bytes are conserved, or the run is not finished: where flows are recorded, each flow must have
 * delivered its size and their sum must be what the network delivered.
 */
class ResultTally final : public ResultSinkTemplate<ResultTally>
{
  public:
    ResultTally();

    /** \param record counted as a row */
    template <class R>
    void Take(const R& record)
    {
        m_rows[GetResultTableIndex<R>()]++;
    }

    /** \param record counted, and grouped for the summary */
    void Take(const CollectiveRecord& record);
    /** \param record counted, and a line of the summary */
    void Take(const CollectiveBenchRecord& record);
    /** \param record counted, and its bytes summed */
    void Take(const FlowRecord& record);
    /** \param record counted */
    void Take(const RankRecord& record);

    /**
     * Adds the tables and the collectives. Adds to RunSummary::unfinished, with the verdict, what
     * the records say is unfinished if nothing has been said there yet, and bytes that are missing.
     * \param summary the summary
     */
    void Complete(RunSummary& summary) const;

  private:
    /** Records of one kind that did not finish. */
    struct Unfinished
    {
        uint64_t count{0};   //!< how many
        std::string example; //!< the first

        /** \param text one that did not finish */
        void Add(const std::string& text);
        /**
         * \param kind what they are, in the plural
         * \param list receives a line if there are any
         */
        void Report(const std::string& kind, std::vector<std::string>& list) const;
    };

    std::vector<uint64_t> m_rows;        //!< by table
    ResultCollectiveTally m_collectives; //!< grouped
    Unfinished m_openRanks;              //!< ranks that did not finish
    Unfinished m_openCollectives;        //!< collectives without an end
    Unfinished m_openFlows;              //!< flows without an end, or with bytes missing
    uint64_t m_deliveredBytes{0};        //!< payload that arrived, of flows of no team
};

} // namespace ns3

#endif /* RESULT_TALLY_H */
