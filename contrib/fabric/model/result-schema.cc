/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-schema.h"

namespace ns3
{

namespace
{

/** A column and how its value is found in a record. */
template <class R>
struct Field
{
    ResultColumn column;          //!< the column
    ResultValue (*get)(const R&); //!< its value
};

/** A table and how its rows are made from records. */
template <class R>
struct RecordTable
{
    std::string name;             //!< name of the table
    std::string meaning;          //!< what one row is
    std::vector<Field<R>> fields; //!< its columns
};

constexpr auto INTEGER = ResultColumnType::INTEGER; //!< short for the lists below
constexpr auto TIME = ResultColumnType::TIME;       //!< short for the lists below
constexpr auto REAL = ResultColumnType::REAL;       //!< short for the lists below
constexpr auto TEXT = ResultColumnType::TEXT;       //!< short for the lists below

/** \param value an unsigned number, a flag or a small signed number \return it as a value */
template <class T>
ResultValue
Int(T value)
{
    return static_cast<int64_t>(value);
}

/** \param value an id, -1 for none \return it as a value, NULL for none */
ResultValue
OptionalId(int64_t value)
{
    return value < 0 ? ResultValue() : ResultValue(value);
}

/** \param time a time that may be absent \return it as a value, NULL if absent */
ResultValue
OptionalTime(const std::optional<Time>& time)
{
    return time ? ResultValue(*time) : ResultValue();
}

/** \param value a ratio, 0 for unknown \return it as a value, NULL for unknown */
ResultValue
OptionalRatio(double value)
{
    return value > 0.0 ? ResultValue(value) : ResultValue();
}

/** \param text a text that outlives the row \return it as a value */
ResultValue
Text(const std::string& text)
{
    return std::string_view(text);
}

/** \return how a record of type R becomes a row */
template <class R>
const RecordTable<R>& GetRecordTable();

// The lists below are the schema of results.db and of the CSV files. doc/formats/results-db.md
// repeats them for people, and a test compares the two.
// clang-format off

using Node = const NodeRecord&;
template <>
const RecordTable<NodeRecord>&
GetRecordTable()
{
    static const RecordTable<NodeRecord> table{
        "nodes", "one node of the cluster", {
        {{"node", "", INTEGER, "node id"}, [](Node r) { return Int(r.node); }},
        {{"kind", "", TEXT, "gpu, nvswitch or switch"}, [](Node r) { return Text(r.kind); }},
        {{"name", "", TEXT, "name for people"}, [](Node r) { return Text(r.name); }},
        {{"server", "", INTEGER, "server it stands in, NULL for network switches"},
         [](Node r) { return OptionalId(r.server); }},
        {{"rank", "", INTEGER, "rank that runs on it, NULL for none"},
         [](Node r) { return OptionalId(r.rank); }},
    }};
    return table;
}

using Rank = const RankRecord&;
template <>
const RecordTable<RankRecord>&
GetRecordTable()
{
    static const RecordTable<RankRecord> table{
        "ranks", "how one rank spent the run", {
        {{"rank", "", INTEGER, "rank"}, [](Rank r) { return Int(r.rank); }},
        {{"finished", "", INTEGER, "1 if it did all its work, else 0"},
         [](Rank r) { return Int(r.finished); }},
        {{"end_ns", "ns", TIME, "when its last work ended"},
         [](Rank r) { return ResultValue(r.end); }},
        {{"compute_ns", "ns", TIME, "duration of its compute"},
         [](Rank r) { return ResultValue(r.compute); }},
        {{"exposed_communication_ns", "ns", TIME, "duration it waited for communication alone"},
         [](Rank r) { return ResultValue(r.exposedCommunication); }},
        {{"idle_ns", "ns", TIME, "duration it had nothing to do"},
         [](Rank r) { return ResultValue(r.idle); }},
    }};
    return table;
}

using RankPart = const RankPartRecord&;
template <>
const RecordTable<RankPartRecord>&
GetRecordTable()
{
    static const RecordTable<RankPartRecord> table{
        "rank_parts", "one part of one rank's time", {
        {{"rank", "", INTEGER, "rank"}, [](RankPart r) { return Int(r.rank); }},
        {{"part", "", TEXT, "category, as in the breakdown of summary.json"},
         [](RankPart r) { return Text(r.part); }},
        {{"duration_ns", "ns", TIME, "time spent in it"},
         [](RankPart r) { return ResultValue(r.duration); }},
    }};
    return table;
}

using Collective = const CollectiveRecord&;
template <>
const RecordTable<CollectiveRecord>&
GetRecordTable()
{
    static const RecordTable<CollectiveRecord> table{
        "collectives", "one collective operation of one group, in order of completion", {
        {{"collective", "", INTEGER, "id, unique in the run"},
         [](Collective r) { return Int(r.id); }},
        {{"kind", "", TEXT, "AllReduce, AllGather, ReduceScatter, AllToAll, ..."},
         [](Collective r) { return Text(r.kind); }},
        {{"group_kind", "", TEXT, "what the group is for: TP, DP, EP, ..."},
         [](Collective r) { return Text(r.group); }},
        {{"group_index", "", INTEGER, "which of the groups with that purpose"},
         [](Collective r) { return Int(r.groupIndex); }},
        {{"ranks", "", INTEGER, "size of the group"}, [](Collective r) { return Int(r.ranks); }},
        {{"size_bytes", "bytes", INTEGER, "size as nccl-tests counts it: the whole buffer of a rank"},
         [](Collective r) { return Int(r.bytes); }},
        {{"label", "", TEXT, "operation of the workload it belongs to"},
         [](Collective r) { return Text(r.label); }},
        {{"iteration", "", INTEGER, "iteration, from 0, NULL for none"},
         [](Collective r) { return OptionalId(r.iteration); }},
        {{"start_ns", "ns", TIME, "the first rank entered"},
         [](Collective r) { return ResultValue(r.start); }},
        {{"last_start_ns", "ns", TIME, "the last rank entered"},
         [](Collective r) { return ResultValue(r.lastStart); }},
        {{"end_ns", "ns", TIME, "the last rank left, NULL if it did not finish"},
         [](Collective r) { return OptionalTime(r.end); }},
        {{"algbw_GBps", "1e9 bytes/s", REAL, "size_bytes / (end - start), NULL if that is unknown or 0"},
         [](Collective r) { return OptionalRatio(r.GetAlgbwGBps()); }},
        {{"busbw_GBps", "1e9 bytes/s", REAL, "algbw_GBps times the factor of nccl-tests"},
         [](Collective r) { return OptionalRatio(r.GetBusbwGBps()); }},
    }};
    return table;
}

using Flow = const FlowRecord&;
template <>
const RecordTable<FlowRecord>&
GetRecordTable()
{
    static const RecordTable<FlowRecord> table{
        "flows", "one message from rank to rank, in order of completion", {
        {{"flow", "", INTEGER, "id, unique in the run"}, [](Flow r) { return Int(r.id); }},
        {{"src_rank", "", INTEGER, "sending rank"}, [](Flow r) { return Int(r.src); }},
        {{"dst_rank", "", INTEGER, "receiving rank"}, [](Flow r) { return Int(r.dst); }},
        {{"payload_bytes", "bytes", INTEGER, "size"}, [](Flow r) { return Int(r.bytes); }},
        {{"delivered_bytes", "bytes", INTEGER, "payload that reached the receiver, once each"},
         [](Flow r) { return Int(r.deliveredBytes); }},
        {{"start_ns", "ns", TIME, "the first bit leaves the sender"},
         [](Flow r) { return ResultValue(r.start); }},
        {{"end_ns", "ns", TIME, "the receiver has the last byte, NULL if unfinished"},
         [](Flow r) { return OptionalTime(r.end); }},
        {{"sender_end_ns", "ns", TIME, "the sender has the last ACK, NULL if unfinished"},
         [](Flow r) { return OptionalTime(r.senderEnd); }},
        {{"ideal_ns", "ns", TIME, "duration on an empty network, NULL if not computed"},
         [](Flow r) { return OptionalTime(r.ideal); }},
        {{"slowdown", "", REAL, "(end - start) / ideal, NULL if unknown"},
         [](Flow r) { return OptionalRatio(r.GetSlowdown()); }},
        {{"collective", "", INTEGER, "collective it belongs to, NULL for none"},
         [](Flow r) { return OptionalId(r.collective); }},
        {{"step", "", INTEGER, "step of the collective's plan, from 0, NULL for none"},
         [](Flow r) { return OptionalId(r.step); }},
        {{"channel", "", INTEGER, "channel of the collective, or queue pair"},
         [](Flow r) { return Int(r.channel); }},
        {{"path", "", TEXT, "nvlink or nic"}, [](Flow r) { return Text(r.path); }},
        {{"retransmitted_packets", "packets", INTEGER, "data packets sent again"},
         [](Flow r) { return Int(r.retransmittedPackets); }},
    }};
    return table;
}

using Span = const SpanRecord&;
template <>
const RecordTable<SpanRecord>&
GetRecordTable()
{
    static const RecordTable<SpanRecord> table{
        "spans", "one operation of one rank on one stream, in order of completion", {
        {{"rank", "", INTEGER, "rank"}, [](Span r) { return Int(r.rank); }},
        {{"stream", "", TEXT, "compute, tp, dp, ..."}, [](Span r) { return Text(r.stream); }},
        {{"name", "", TEXT, "operation"}, [](Span r) { return Text(r.name); }},
        {{"category", "", TEXT, "compute, collective, p2p, ..."},
         [](Span r) { return Text(r.category); }},
        {{"start_ns", "ns", TIME, "begin"}, [](Span r) { return ResultValue(r.start); }},
        {{"end_ns", "ns", TIME, "end"}, [](Span r) { return ResultValue(r.end); }},
        {{"collective", "", INTEGER, "collective it belongs to, NULL for none"},
         [](Span r) { return OptionalId(r.collective); }},
        {{"size_bytes", "bytes", INTEGER, "bytes moved, 0 for compute"},
         [](Span r) { return Int(r.bytes); }},
        {{"iteration", "", INTEGER, "iteration, from 0, NULL for none"},
         [](Span r) { return OptionalId(r.iteration); }},
    }};
    return table;
}

using Link = const LinkRecord&;
template <>
const RecordTable<LinkRecord>&
GetRecordTable()
{
    static const RecordTable<LinkRecord> table{
        "links", "one direction of one link: what left through a port", {
        {{"node", "", INTEGER, "sending node"}, [](Link r) { return Int(r.node); }},
        {{"port", "", INTEGER, "its port"}, [](Link r) { return Int(r.port); }},
        {{"peer", "", INTEGER, "receiving node"}, [](Link r) { return Int(r.peer); }},
        {{"peer_port", "", INTEGER, "port of the receiving node"},
         [](Link r) { return Int(r.peerPort); }},
        {{"kind", "", TEXT, "ethernet or nvlink"}, [](Link r) { return Text(r.kind); }},
        {{"rate_bps", "bits/s", INTEGER, "bit rate"},
         [](Link r) { return Int(r.rate.GetBitRate()); }},
        {{"window_ns", "ns", TIME, "duration over which was counted"},
         [](Link r) { return ResultValue(r.window); }},
        {{"data_packets", "packets", INTEGER, "data packets, repeated ones included"},
         [](Link r) { return Int(r.dataPackets); }},
        {{"payload_bytes", "bytes", INTEGER, "payload in the data packets"},
         [](Link r) { return Int(r.payloadBytes); }},
        {{"data_wire_bytes", "bytes", INTEGER, "bytes on the wire of the data packets"},
         [](Link r) { return Int(r.dataWireBytes); }},
        {{"ack_packets", "packets", INTEGER, "ACK and NAK packets"},
         [](Link r) { return Int(r.ackPackets); }},
        {{"ack_wire_bytes", "bytes", INTEGER, "bytes on the wire of the ACK and NAK packets"},
         [](Link r) { return Int(r.ackWireBytes); }},
        {{"control_packets", "packets", INTEGER, "CNP and PFC frames"},
         [](Link r) { return Int(r.controlPackets); }},
        {{"control_wire_bytes", "bytes", INTEGER, "bytes on the wire of the CNP and PFC frames"},
         [](Link r) { return Int(r.controlWireBytes); }},
        {{"wire_bytes", "bytes", INTEGER, "all bytes on the wire"},
         [](Link r) { return Int(r.GetWireBytes()); }},
        {{"ecn_marked_packets", "packets", INTEGER, "packets marked on their way out"},
         [](Link r) { return Int(r.ecnMarks); }},
        {{"dropped_packets", "packets", INTEGER, "packets that found no room before this port"},
         [](Link r) { return Int(r.drops); }},
        {{"lost_packets", "packets", INTEGER, "packets lost on the wire"},
         [](Link r) { return Int(r.losses); }},
        {{"paused_ns", "ns", TIME, "duration in which at least one priority was paused"},
         [](Link r) { return ResultValue(r.paused); }},
        {{"utilisation", "", REAL, "wire bits / (rate * window), between 0 and 1"},
         [](Link r) { return ResultValue(r.GetUtilisation()); }},
    }};
    return table;
}

using Port = const PortRecord&;
template <>
const RecordTable<PortRecord>&
GetRecordTable()
{
    static const RecordTable<PortRecord> table{
        "ports", "totals of one priority of one port that saw anything", {
        {{"node", "", INTEGER, "node"}, [](Port r) { return Int(r.node); }},
        {{"port", "", INTEGER, "port"}, [](Port r) { return Int(r.port); }},
        {{"priority", "", INTEGER, "priority"}, [](Port r) { return Int(r.priority); }},
        {{"pauses_sent", "frames", INTEGER, "PAUSE frames (NVLink: stops) sent to the neighbour, with refreshes"},
         [](Port r) { return Int(r.pausesSent); }},
        {{"resumes_sent", "frames", INTEGER, "RESUME frames sent to the neighbour"},
         [](Port r) { return Int(r.resumesSent); }},
        {{"pauses_received", "frames", INTEGER, "PAUSE frames (NVLink: stops) received, with refreshes"},
         [](Port r) { return Int(r.pausesReceived); }},
        {{"resumes_received", "frames", INTEGER, "RESUME frames received"},
         [](Port r) { return Int(r.resumesReceived); }},
        {{"paused_ns", "ns", TIME, "duration in which the neighbour's PAUSE held it"},
         [](Port r) { return ResultValue(r.paused); }},
        {{"longest_pause_ns", "ns", TIME, "the longest of these durations"},
         [](Port r) { return ResultValue(r.longestPause); }},
        {{"paused_at_end", "", INTEGER, "1 if still held when the run ended, else 0"},
         [](Port r) { return Int(r.pausedAtEnd); }},
        {{"max_queue_bytes", "bytes", INTEGER, "the deepest egress queue, 0 if every packet left at once"},
         [](Port r) { return Int(r.maxQueueBytes); }},
        {{"ecn_marked_packets", "packets", INTEGER, "packets marked"},
         [](Port r) { return Int(r.ecnMarks); }},
        {{"dropped_packets", "packets", INTEGER, "packets that found no room"},
         [](Port r) { return Int(r.droppedPackets); }},
        {{"watchdog_discarded_packets", "packets", INTEGER, "packets a PFC watchdog discarded"},
         [](Port r) { return Int(r.watchdogDiscards); }},
    }};
    return table;
}

using Pause = const PauseRecord&;
template <>
const RecordTable<PauseRecord>&
GetRecordTable()
{
    static const RecordTable<PauseRecord> table{
        "pauses", "one PFC frame, at the node that sends it, in order of time", {
        {{"time_ns", "ns", TIME, "when it was sent"},
         [](Pause r) { return ResultValue(r.time); }},
        {{"node", "", INTEGER, "sender"}, [](Pause r) { return Int(r.node); }},
        {{"port", "", INTEGER, "port it leaves through"}, [](Pause r) { return Int(r.port); }},
        {{"priority", "", INTEGER, "priority it speaks of"},
         [](Pause r) { return Int(r.priority); }},
        {{"action", "", TEXT, "pause or resume"},
         [](Pause r) { return ResultValue(std::string_view(r.pause ? "pause" : "resume")); }},
    }};
    return table;
}

using Series = const SeriesRecord&;
template <>
const RecordTable<SeriesRecord>&
GetRecordTable()
{
    static const RecordTable<SeriesRecord> table{
        "series", "one sample of an egress queue, those of a queue in order of time", {
        {{"time_ns", "ns", TIME, "when"}, [](Series r) { return ResultValue(r.time); }},
        {{"node", "", INTEGER, "node"}, [](Series r) { return Int(r.node); }},
        {{"port", "", INTEGER, "port"}, [](Series r) { return Int(r.port); }},
        {{"priority", "", INTEGER, "priority"}, [](Series r) { return Int(r.priority); }},
        {{"queue_bytes", "bytes", INTEGER, "bytes waiting"},
         [](Series r) { return Int(r.queueBytes); }},
    }};
    return table;
}

using Event = const EventRecord&;
template <>
const RecordTable<EventRecord>&
GetRecordTable()
{
    static const RecordTable<EventRecord> table{
        "events", "something worth a line, in order of time", {
        {{"time_ns", "ns", TIME, "when"}, [](Event r) { return ResultValue(r.time); }},
        {{"kind", "", TEXT, "short word for filters"}, [](Event r) { return Text(r.kind); }},
        {{"text", "", TEXT, "the whole story"}, [](Event r) { return Text(r.text); }},
    }};
    return table;
}

using Column = const ResultColumnRecord&;
template <>
const RecordTable<ResultColumnRecord>&
GetRecordTable()
{
    static const RecordTable<ResultColumnRecord> table{
        "columns", "what one column of any table means", {
        {{"table_name", "", TEXT, "table"}, [](Column r) { return Text(r.table->name); }},
        {{"column_name", "", TEXT, "column"}, [](Column r) { return Text(r.column->name); }},
        {{"unit", "", TEXT, "unit, empty for ids, names, flags and ratios"},
         [](Column r) { return Text(r.column->unit); }},
        {{"meaning", "", TEXT, "one line"}, [](Column r) { return Text(r.column->meaning); }},
    }};
    return table;
}

// clang-format on

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
                               FlowRecord,
                               SpanRecord,
                               LinkRecord,
                               PortRecord,
                               PauseRecord,
                               SeriesRecord,
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
RAILYARD_INSTANTIATE(FlowRecord);
RAILYARD_INSTANTIATE(SpanRecord);
RAILYARD_INSTANTIATE(LinkRecord);
RAILYARD_INSTANTIATE(PortRecord);
RAILYARD_INSTANTIATE(PauseRecord);
RAILYARD_INSTANTIATE(SeriesRecord);
RAILYARD_INSTANTIATE(EventRecord);
RAILYARD_INSTANTIATE(ResultColumnRecord);

} // namespace ns3
