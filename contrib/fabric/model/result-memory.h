/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_MEMORY_H
#define RESULT_MEMORY_H

#include "result-sink.h"

#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief A ResultSink that keeps all records in memory: for tests, bindings and small scripts.
 */
class ResultMemory final : public ResultSinkTemplate<ResultMemory>
{
  public:
    /**
     * \tparam R a record type
     * \return the records of that type, in the order recorded
     */
    template <class R>
    const std::vector<R>& Get() const
    {
        return std::get<std::vector<R>>(m_records);
    }

    /**
     * Keeps a record.
     * \param record the record
     */
    template <class R>
    void Take(const R& record)
    {
        std::get<std::vector<R>>(m_records).push_back(record);
    }

  private:
    std::tuple<std::vector<NodeRecord>,
               std::vector<RankRecord>,
               std::vector<RankPartRecord>,
               std::vector<CollectiveRecord>,
               std::vector<CollectiveBenchRecord>,
               std::vector<FlowRecord>,
               std::vector<SpanRecord>,
               std::vector<LinkRecord>,
               std::vector<PortRecord>,
               std::vector<PauseRecord>,
               std::vector<MetricRecord>,
               std::vector<SeriesRecord>,
               std::vector<FlowSizeRecord>,
               std::vector<HistogramRecord>,
               std::vector<EventRecord>>
        m_records; //!< by type
};

} // namespace ns3

#endif /* RESULT_MEMORY_H */
