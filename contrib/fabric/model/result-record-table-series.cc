/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-record-table.h"
#include "result-record-value.h"

namespace ns3
{

using namespace recordvalue;

// Time series and statistics; for the rest see result-record-table.cc.
// clang-format off

using MetricRow = const MetricRecord&;
template <>
const RecordTable<MetricRecord>&
GetRecordTable()
{
    static const RecordTable<MetricRecord> table{
        "metrics", "one metric that table series has samples of", {
        {{"metric", "", TEXT, "name"}, [](MetricRow r) { return Text(r.name); }},
        {{"object", "", TEXT, "whose value it is: port, class of a port or queue pair"},
         [](MetricRow r) { return Text(r.object); }},
        {{"unit", "", TEXT, "unit of the values, empty for ratios and flags"},
         [](MetricRow r) { return Text(r.unit); }},
        {{"meaning", "", TEXT, "one line"}, [](MetricRow r) { return Text(r.meaning); }},
    }};
    return table;
}

using SeriesRow = const SeriesRecord&;
template <>
const RecordTable<SeriesRecord>&
GetRecordTable()
{
    static const RecordTable<SeriesRecord> table{
        "series", "one sample of a metric, those of a metric and object in order of time", {
        {{"time_ns", "ns", TIME, "when"}, [](SeriesRow r) { return ResultValue(r.time); }},
        {{"metric", "", TEXT, "what it is a sample of, see table metrics"},
         [](SeriesRow r) { return Text(r.metric->name); }},
        {{"node", "", INTEGER, "node of the port, or of the sending queue pair"},
         [](SeriesRow r) { return Int(r.node); }},
        {{"port", "", INTEGER, "port, NULL for queue pairs"},
         [](SeriesRow r) { return OptionalId(r.port); }},
        {{"priority", "", INTEGER, "class, NULL for a whole port and for queue pairs"},
         [](SeriesRow r) { return OptionalId(r.priority); }},
        {{"peer", "", INTEGER, "receiving node of a queue pair, NULL for ports"},
         [](SeriesRow r) { return OptionalId(r.peer); }},
        {{"channel", "", INTEGER, "which of the queue pairs to that node, NULL for ports"},
         [](SeriesRow r) { return OptionalId(r.channel); }},
        {{"value", "", REAL, "in the unit of the metric"},
         [](SeriesRow r) { return ResultValue(r.value); }},
    }};
    return table;
}

using SizeRow = const FlowSizeRecord&;
template <>
const RecordTable<FlowSizeRecord>&
GetRecordTable()
{
    static const RecordTable<FlowSizeRecord> table{
        "flow_sizes", "statistics of the flows of some sizes that finished, by nearest rank", {
        {{"from_bytes", "bytes", INTEGER, "least size"},
         [](SizeRow r) { return Int(r.fromBytes); }},
        {{"to_bytes", "bytes", INTEGER, "sizes are below this, NULL for no limit"},
         [](SizeRow r) { return r.toBytes ? Int(*r.toBytes) : ResultValue(); }},
        {{"flows", "", INTEGER, "flows that finished"}, [](SizeRow r) { return Int(r.flows); }},
        {{"mean_fct_ns", "ns", TIME, "mean completion time"},
         [](SizeRow r) { return ResultValue(r.completion.mean); }},
        {{"p50_fct_ns", "ns", TIME, "median"},
         [](SizeRow r) { return ResultValue(r.completion.p50); }},
        {{"p90_fct_ns", "ns", TIME, "90 % take this or less"},
         [](SizeRow r) { return ResultValue(r.completion.p90); }},
        {{"p95_fct_ns", "ns", TIME, "95 %"},
         [](SizeRow r) { return ResultValue(r.completion.p95); }},
        {{"p99_fct_ns", "ns", TIME, "99 %"},
         [](SizeRow r) { return ResultValue(r.completion.p99); }},
        {{"p999_fct_ns", "ns", TIME, "99.9 %"},
         [](SizeRow r) { return ResultValue(r.completion.p999); }},
        {{"max_fct_ns", "ns", TIME, "the longest"},
         [](SizeRow r) { return ResultValue(r.completion.max); }},
        {{"slowdowns", "", INTEGER, "of these flows, those whose slowdown is known"},
         [](SizeRow r) { return Int(r.slowdowns); }},
        {{"mean_slowdown", "", REAL, "mean slowdown, NULL if none is known"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.mean); }},
        {{"p50_slowdown", "", REAL, "median"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.p50); }},
        {{"p90_slowdown", "", REAL, "90 % have this or less"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.p90); }},
        {{"p95_slowdown", "", REAL, "95 %"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.p95); }},
        {{"p99_slowdown", "", REAL, "99 %"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.p99); }},
        {{"p999_slowdown", "", REAL, "99.9 %"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.p999); }},
        {{"max_slowdown", "", REAL, "the largest"},
         [](SizeRow r) { return OptionalRatio(r.slowdown.max); }},
    }};
    return table;
}

using BarRow = const HistogramRecord&;
template <>
const RecordTable<HistogramRecord>&
GetRecordTable()
{
    static const RecordTable<HistogramRecord> table{
        "histograms", "one bar of a histogram, those of a quantity and port upwards", {
        {{"quantity", "", TEXT, "fct (ns), slowdown, or depth (bytes in a port's egress queues)"},
         [](BarRow r) { return Text(r.quantity); }},
        {{"node", "", INTEGER, "node, NULL for flows"},
         [](BarRow r) { return OptionalId(r.node); }},
        {{"port", "", INTEGER, "port, NULL for flows"},
         [](BarRow r) { return OptionalId(r.port); }},
        {{"lower", "", REAL, "least value, in the unit of the quantity"},
         [](BarRow r) { return ResultValue(r.lower); }},
        {{"upper", "", REAL, "values are below this"},
         [](BarRow r) { return ResultValue(r.upper); }},
        {{"flows", "", INTEGER, "flows with such a value, NULL for ports"},
         [](BarRow r) { return r.flows ? Int(*r.flows) : ResultValue(); }},
        {{"duration_ns", "ns", TIME, "time with such a value, NULL for flows"},
         [](BarRow r) { return OptionalTime(r.duration); }},
    }};
    return table;
}

// clang-format on

} // namespace ns3
