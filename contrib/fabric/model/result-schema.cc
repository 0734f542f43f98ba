/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-schema.h"

#include "result-record-table.h"

namespace ns3
{

namespace
{

/** \return the description of the table that records of type R fill */
template <class R>
ResultTable
Describe()
{
    const RecordTable<R>& source = GetRecordTable<R>();
    ResultTable table{source.name, source.meaning, {}};
    for (const Field<R>& field : source.fields)
    {
        table.columns.push_back(field.column);
    }
    return table;
}

/** A list of record types. */
template <class... R>
struct RecordTypes
{
    /** \return their tables, in order */
    static std::vector<ResultTable> DescribeAll()
    {
        return {Describe<R>()...};
    }

    /** \return index of T in the list */
    template <class T>
    static std::size_t Find()
    {
        std::size_t index = 0;
        ((std::is_same_v<T, R> || (index++, false)) || ...);
        return index;
    }
};

/** The order of the tables. */
using AllRecords = RecordTypes<NodeRecord,
                               RankRecord,
                               RankPartRecord,
                               CollectiveRecord,
                               CollectiveBenchRecord,
                               FlowRecord,
                               SpanRecord,
                               LinkRecord,
                               PortRecord,
                               PauseRecord,
                               MetricRecord,
                               SeriesRecord,
                               FlowSizeRecord,
                               HistogramRecord,
                               EventRecord,
                               ResultColumnRecord>;

} // namespace

const std::vector<ResultTable>&
GetResultTables()
{
    static const std::vector<ResultTable> tables = AllRecords::DescribeAll();
    return tables;
}

template <class R>
std::size_t
GetResultTableIndex()
{
    return AllRecords::Find<R>();
}

template <class R>
void
MakeResultRow(const R& record, ResultRow& row)
{
    row.clear();
    for (const Field<R>& field : GetRecordTable<R>().fields)
    {
        row.push_back(field.get(record));
    }
}

/** Makes the two templates above for a record type. */
#define RAILYARD_INSTANTIATE(R)                                                                    \
    template std::size_t GetResultTableIndex<R>();                                                 \
    template void MakeResultRow<R>(const R&, ResultRow&)

RAILYARD_INSTANTIATE(NodeRecord);
RAILYARD_INSTANTIATE(RankRecord);
RAILYARD_INSTANTIATE(RankPartRecord);
RAILYARD_INSTANTIATE(CollectiveRecord);
RAILYARD_INSTANTIATE(CollectiveBenchRecord);
RAILYARD_INSTANTIATE(FlowRecord);
RAILYARD_INSTANTIATE(SpanRecord);
RAILYARD_INSTANTIATE(LinkRecord);
RAILYARD_INSTANTIATE(PortRecord);
RAILYARD_INSTANTIATE(PauseRecord);
RAILYARD_INSTANTIATE(MetricRecord);
RAILYARD_INSTANTIATE(SeriesRecord);
RAILYARD_INSTANTIATE(FlowSizeRecord);
RAILYARD_INSTANTIATE(HistogramRecord);
RAILYARD_INSTANTIATE(EventRecord);
RAILYARD_INSTANTIATE(ResultColumnRecord);

} // namespace ns3
