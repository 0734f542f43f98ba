/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_RECORD_TABLE_H
#define RESULT_RECORD_TABLE_H

#include "result-schema.h"

#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief A column and how its value is found in a record. */
template <class R>
struct Field
{
    ResultColumn column;          //!< the column
    ResultValue (*get)(const R&); //!< its value
};

/** \ingroup fabric \brief A table and how its rows are made from records. */
template <class R>
struct RecordTable
{
    std::string name;             //!< name of the table
    std::string meaning;          //!< what one row is
    std::vector<Field<R>> fields; //!< its columns
};

/** \ingroup fabric \return how a record of type R becomes a row */
template <class R>
const RecordTable<R>& GetRecordTable();

/** \cond */
template <>
const RecordTable<NodeRecord>& GetRecordTable();
template <>
const RecordTable<RankRecord>& GetRecordTable();
template <>
const RecordTable<RankPartRecord>& GetRecordTable();
template <>
const RecordTable<CollectiveRecord>& GetRecordTable();
template <>
const RecordTable<CollectiveBenchRecord>& GetRecordTable();
template <>
const RecordTable<FlowRecord>& GetRecordTable();
template <>
const RecordTable<SpanRecord>& GetRecordTable();
template <>
const RecordTable<LinkRecord>& GetRecordTable();
template <>
const RecordTable<PortRecord>& GetRecordTable();
template <>
const RecordTable<PauseRecord>& GetRecordTable();
template <>
const RecordTable<MetricRecord>& GetRecordTable();
template <>
const RecordTable<SeriesRecord>& GetRecordTable();
template <>
const RecordTable<FlowSizeRecord>& GetRecordTable();
template <>
const RecordTable<HistogramRecord>& GetRecordTable();
template <>
const RecordTable<EventRecord>& GetRecordTable();
template <>
const RecordTable<ResultColumnRecord>& GetRecordTable();
/** \endcond */

} // namespace ns3

#endif /* RESULT_RECORD_TABLE_H */
