/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-record-table.h"

#include "result-record-value.h"

namespace ns3
{

using namespace recordvalue;

// The lists below are the schema of results.db and of the CSV files. doc/formats/results-db.md
// repeats them for people, and a test compares the two.
// clang-format off

using NodeRow = const NodeRecord&;
template <>
const RecordTable<NodeRecord>&
GetRecordTable()
{
    static const RecordTable<NodeRecord> table{
        "nodes", "one node of the cluster", {
        {{"node", "", INTEGER, "node id"}, [](NodeRow r) { return Int(r.node); }},
        {{"kind", "", TEXT, "gpu, nvswitch, pcie or switch"},
         [](NodeRow r) { return Text(r.kind); }},
        {{"name", "", TEXT, "name for people"}, [](NodeRow r) { return Text(r.name); }},
        {{"server", "", INTEGER, "server it stands in, NULL for network switches"},
         [](NodeRow r) { return OptionalId(r.server); }},
        {{"rank", "", INTEGER, "rank that runs on it, NULL for none"},
         [](NodeRow r) { return OptionalId(r.rank); }},
    }};
    return table;
}

using RankRow = const RankRecord&;
template <>
const RecordTable<RankRecord>&
GetRecordTable()
{
    static const RecordTable<RankRecord> table{
        "ranks", "how one rank spent the run", {
        {{"rank", "", INTEGER, "rank"}, [](RankRow r) { return Int(r.rank); }},
        {{"finished", "", INTEGER, "1 if it did all its work, else 0"},
         [](RankRow r) { return Int(r.finished); }},
        {{"end_ns", "ns", TIME, "when its last work ended"},
         [](RankRow r) { return ResultValue(r.end); }},
        {{"compute_ns", "ns", TIME, "duration of its compute"},
         [](RankRow r) { return ResultValue(r.compute); }},
        {{"compute_stretch_ns",
          "ns",
          TIME,
          "of it, what kernels took longer as communication held SMs"},
         [](RankRow r) { return ResultValue(r.computeStretch); }},
        {{"exposed_communication_ns", "ns", TIME, "duration it waited for communication alone"},
         [](RankRow r) { return ResultValue(r.exposedCommunication); }},
        {{"idle_ns", "ns", TIME, "duration it had nothing to do"},
         [](RankRow r) { return ResultValue(r.idle); }},
    }};
    return table;
}

using RankPartRow = const RankPartRecord&;
template <>
const RecordTable<RankPartRecord>&
GetRecordTable()
{
    static const RecordTable<RankPartRecord> table{
        "rank_parts", "one part of one rank's time", {
        {{"rank", "", INTEGER, "rank"}, [](RankPartRow r) { return Int(r.rank); }},
        {{"part", "", TEXT, "category, as in the breakdown of summary.json"},
         [](RankPartRow r) { return Text(r.part); }},
        {{"duration_ns", "ns", TIME, "time spent in it"},
         [](RankPartRow r) { return ResultValue(r.duration); }},
    }};
    return table;
}

using CollectiveRow = const CollectiveRecord&;
template <>
const RecordTable<CollectiveRecord>&
GetRecordTable()
{
    static const RecordTable<CollectiveRecord> table{
        "collectives", "one collective operation of one group, in order of completion", {
        {{"collective", "", INTEGER, "id, unique in the run"},
         [](CollectiveRow r) { return Int(r.id); }},
        {{"kind", "", TEXT, "AllReduce, AllGather, ReduceScatter, AllToAll, ..."},
         [](CollectiveRow r) { return Text(r.kind); }},
        {{"group_kind", "", TEXT, "what the group is for: TP, DP, EP, ..."},
         [](CollectiveRow r) { return Text(r.group); }},
        {{"group_index", "", INTEGER, "which of the groups with that purpose"},
         [](CollectiveRow r) { return Int(r.groupIndex); }},
        {{"ranks", "", INTEGER, "size of the group"}, [](CollectiveRow r) { return Int(r.ranks); }},
        {{"algorithm", "", TEXT, "Ring, Tree, ..., empty if there was nothing to move"},
         [](CollectiveRow r) { return Text(r.algorithm); }},
        {{"protocol", "", TEXT, "LL, LL128, Simple, empty if kernels cost nothing"},
         [](CollectiveRow r) { return Text(r.protocol); }},
        {{"size_bytes", "bytes", INTEGER,
          "size as nccl-tests counts it: the whole buffer of a rank"},
         [](CollectiveRow r) { return Int(r.bytes); }},
        {{"label", "", TEXT, "operation of the workload it belongs to"},
         [](CollectiveRow r) { return Text(r.label); }},
        {{"iteration", "", INTEGER, "iteration, from 0, NULL for none"},
         [](CollectiveRow r) { return OptionalId(r.iteration); }},
        {{"start_ns", "ns", TIME, "the first rank entered"},
         [](CollectiveRow r) { return ResultValue(r.start); }},
        {{"last_start_ns", "ns", TIME, "the last rank entered"},
         [](CollectiveRow r) { return ResultValue(r.lastStart); }},
        {{"end_ns", "ns", TIME, "the last rank left, NULL if it did not finish"},
         [](CollectiveRow r) { return OptionalTime(r.end); }},
        {{"algbw_GBps", "1e9 bytes/s", REAL,
          "size_bytes / (end - start), NULL if that is unknown or 0"},
         [](CollectiveRow r) { return OptionalRatio(r.GetAlgbwGBps()); }},
        {{"busbw_GBps", "1e9 bytes/s", REAL, "algbw_GBps times the factor of nccl-tests"},
         [](CollectiveRow r) { return OptionalRatio(r.GetBusbwGBps()); }},
    }};
    return table;
}

using BenchRow = const CollectiveBenchRecord&;
template <>
const RecordTable<CollectiveBenchRecord>&
GetRecordTable()
{
    static const RecordTable<CollectiveBenchRecord> table{
        "collective_bench",
        "one row of a benchmark of collectives, in the order in which they were run", {
        {{"kind", "", TEXT, "AllReduce, AllGather, ReduceScatter, AllToAll, ..."},
         [](BenchRow r) { return Text(r.kind); }},
        {{"algorithm", "", TEXT, "Ring, Tree, ..., empty if there was nothing to move"},
         [](BenchRow r) { return Text(r.algorithm); }},
        {{"protocol", "", TEXT, "LL, LL128, Simple, empty if kernels cost nothing"},
         [](BenchRow r) { return Text(r.protocol); }},
        {{"ranks", "", INTEGER, "size of the group"}, [](BenchRow r) { return Int(r.ranks); }},
        {{"size_bytes", "bytes", INTEGER,
          "size as nccl-tests counts it: the whole buffer of a rank"},
         [](BenchRow r) { return Int(r.bytes); }},
        {{"count", "", INTEGER,
          "elements as the call of NCCL has them, of one rank where it says so"},
         [](BenchRow r) { return Int(r.elements); }},
        {{"type", "", TEXT, "type of an element: float, half, ..."},
         [](BenchRow r) { return Text(r.type); }},
        {{"redop", "", TEXT, "sum, ..., none where nothing is reduced"},
         [](BenchRow r) { return Text(r.operation); }},
        {{"root", "", INTEGER, "root, NULL for none"},
         [](BenchRow r) { return OptionalId(r.root); }},
        {{"warmup_iterations", "", INTEGER, "iterations before that were not timed"},
         [](BenchRow r) { return Int(r.warmUps); }},
        {{"iterations", "", INTEGER, "timed iterations, one behind the other"},
         [](BenchRow r) { return Int(r.iterations); }},
        {{"start_ns", "ns", TIME, "all ranks entered the first timed iteration"},
         [](BenchRow r) { return ResultValue(r.start); }},
        {{"end_ns", "ns", TIME, "the last rank left the last one"},
         [](BenchRow r) { return ResultValue(r.end); }},
        {{"time_ns", "ns", TIME, "(end - start) / iterations"},
         [](BenchRow r) { return ResultValue(r.GetTime()); }},
        {{"algbw_GBps", "1e9 bytes/s", REAL, "size_bytes / time, NULL if that is 0"},
         [](BenchRow r) { return OptionalRatio(r.GetAlgbwGBps()); }},
        {{"busbw_GBps", "1e9 bytes/s", REAL, "algbw_GBps times the factor of nccl-tests"},
         [](BenchRow r) { return OptionalRatio(r.GetBusbwGBps()); }},
        {{"wrong", "", INTEGER, "elements not proven right, NULL if nothing was proven"},
         [](BenchRow r) { return r.wrong ? Int(*r.wrong) : ResultValue(); }},
    }};
    return table;
}

using FlowRow = const FlowRecord&;
template <>
const RecordTable<FlowRecord>&
GetRecordTable()
{
    static const RecordTable<FlowRecord> table{
        "flows", "one message from rank to rank, in order of completion", {
        {{"flow", "", INTEGER, "id, unique in the run"}, [](FlowRow r) { return Int(r.id); }},
        {{"src_rank", "", INTEGER, "sending rank"}, [](FlowRow r) { return Int(r.src); }},
        {{"dst_rank", "", INTEGER, "receiving rank"}, [](FlowRow r) { return Int(r.dst); }},
        {{"payload_bytes", "bytes", INTEGER, "size"}, [](FlowRow r) { return Int(r.bytes); }},
        {{"delivered_bytes", "bytes", INTEGER, "payload that reached the receiver, once each"},
         [](FlowRow r) { return Int(r.deliveredBytes); }},
        {{"start_ns", "ns", TIME, "the first bit leaves the sender"},
         [](FlowRow r) { return ResultValue(r.start); }},
        {{"end_ns", "ns", TIME, "the receiver has the last byte, NULL if unfinished"},
         [](FlowRow r) { return OptionalTime(r.end); }},
        {{"sender_end_ns", "ns", TIME, "the sender has the last ACK, NULL if unfinished"},
         [](FlowRow r) { return OptionalTime(r.senderEnd); }},
        {{"ideal_ns", "ns", TIME,
          "duration on an empty network, NULL over NVLink, in whole or in part"},
         [](FlowRow r) { return OptionalTime(r.ideal); }},
        {{"slowdown", "", REAL, "(end - start) / ideal, NULL if unknown"},
         [](FlowRow r) { return OptionalRatio(r.GetSlowdown()); }},
        {{"collective", "", INTEGER, "collective it belongs to, NULL for none"},
         [](FlowRow r) { return OptionalId(r.collective); }},
        {{"step", "", INTEGER, "step of the collective's plan, from 0, NULL for none"},
         [](FlowRow r) { return OptionalId(r.step); }},
        {{"channel", "", INTEGER, "channel of the collective, or queue pair"},
         [](FlowRow r) { return Int(r.channel); }},
        {{"path",
          "",
          TEXT,
          "nvlink, nvls and collnet (by way of a team), nic, or pxn (by way of another NIC)"},
          [](FlowRow r) { return Text(r.path); }},
        {{"retransmitted_packets", "packets", INTEGER, "data packets sent again"},
         [](FlowRow r) { return Int(r.retransmittedPackets); }},
    }};
    return table;
}

using SpanRow = const SpanRecord&;
template <>
const RecordTable<SpanRecord>&
GetRecordTable()
{
    static const RecordTable<SpanRecord> table{
        "spans", "one operation of one rank on one stream, in order of completion", {
        {{"rank", "", INTEGER, "rank"}, [](SpanRow r) { return Int(r.rank); }},
        {{"stream", "", TEXT, "compute, tp, dp, ..."}, [](SpanRow r) { return Text(r.stream); }},
        {{"name", "", TEXT, "operation"}, [](SpanRow r) { return Text(r.name); }},
        {{"category", "", TEXT, "compute, collective, p2p, ..."},
         [](SpanRow r) { return Text(r.category); }},
        {{"start_ns", "ns", TIME, "begin"}, [](SpanRow r) { return ResultValue(r.start); }},
        {{"end_ns", "ns", TIME, "end"}, [](SpanRow r) { return ResultValue(r.end); }},
        {{"collective", "", INTEGER, "collective it belongs to, NULL for none"},
         [](SpanRow r) { return OptionalId(r.collective); }},
        {{"size_bytes", "bytes", INTEGER, "bytes moved, 0 for compute"},
         [](SpanRow r) { return Int(r.bytes); }},
        {{"iteration", "", INTEGER, "iteration, from 0, NULL for none"},
         [](SpanRow r) { return OptionalId(r.iteration); }},
    }};
    return table;
}

using LinkRow = const LinkRecord&;
template <>
const RecordTable<LinkRecord>&
GetRecordTable()
{
    static const RecordTable<LinkRecord> table{
        "links", "one direction of one link: what left through a port", {
        {{"node", "", INTEGER, "sending node"}, [](LinkRow r) { return Int(r.node); }},
        {{"port", "", INTEGER, "its port"}, [](LinkRow r) { return Int(r.port); }},
        {{"peer", "", INTEGER, "receiving node"}, [](LinkRow r) { return Int(r.peer); }},
        {{"peer_port", "", INTEGER, "port of the receiving node"},
         [](LinkRow r) { return Int(r.peerPort); }},
        {{"kind", "", TEXT, "ethernet or nvlink"}, [](LinkRow r) { return Text(r.kind); }},
        {{"rate_bps", "bits/s", INTEGER, "bit rate"},
         [](LinkRow r) { return Int(r.rate.GetBitRate()); }},
        {{"window_ns", "ns", TIME, "duration over which was counted"},
         [](LinkRow r) { return ResultValue(r.window); }},
        {{"data_packets", "packets", INTEGER, "data packets, repeated ones included"},
         [](LinkRow r) { return Int(r.dataPackets); }},
        {{"payload_bytes", "bytes", INTEGER, "payload in the data packets"},
         [](LinkRow r) { return Int(r.payloadBytes); }},
        {{"data_wire_bytes", "bytes", INTEGER, "bytes on the wire of the data packets"},
         [](LinkRow r) { return Int(r.dataWireBytes); }},
        {{"ack_packets", "packets", INTEGER, "ACK and NAK packets"},
         [](LinkRow r) { return Int(r.ackPackets); }},
        {{"ack_wire_bytes", "bytes", INTEGER, "bytes on the wire of the ACK and NAK packets"},
         [](LinkRow r) { return Int(r.ackWireBytes); }},
        {{"control_packets", "packets", INTEGER, "CNP and PFC frames"},
         [](LinkRow r) { return Int(r.controlPackets); }},
        {{"control_wire_bytes", "bytes", INTEGER, "bytes on the wire of the CNP and PFC frames"},
         [](LinkRow r) { return Int(r.controlWireBytes); }},
        {{"wire_bytes", "bytes", INTEGER, "all bytes on the wire"},
         [](LinkRow r) { return Int(r.GetWireBytes()); }},
        {{"ecn_marked_packets", "packets", INTEGER, "packets marked on their way out"},
         [](LinkRow r) { return Int(r.ecnMarks); }},
        {{"dropped_packets", "packets", INTEGER, "packets that found no room before this port"},
         [](LinkRow r) { return Int(r.drops); }},
        {{"lost_packets", "packets", INTEGER, "packets lost on the wire"},
         [](LinkRow r) { return Int(r.losses); }},
        {{"corrupted_packets", "packets", INTEGER, "of these, those that arrived with wrong bits"},
         [](LinkRow r) { return Int(r.corruptions); }},
        {{"paused_ns", "ns", TIME, "duration in which at least one priority was paused"},
         [](LinkRow r) { return ResultValue(r.paused); }},
        {{"utilisation", "", REAL,
          "wire bits / (rate * window), between 0 and 1, NULL where the network does not share the "
          "link"},
         [](LinkRow r) { return OptionalReal(r.GetUtilisation()); }},
    }};
    return table;
}

using PortRow = const PortRecord&;
template <>
const RecordTable<PortRecord>&
GetRecordTable()
{
    static const RecordTable<PortRecord> table{
        "ports", "totals of one priority of one port that saw anything", {
        {{"node", "", INTEGER, "node"}, [](PortRow r) { return Int(r.node); }},
        {{"port", "", INTEGER, "port"}, [](PortRow r) { return Int(r.port); }},
        {{"priority", "", INTEGER, "priority"}, [](PortRow r) { return Int(r.priority); }},
        {{"pauses_sent", "frames", INTEGER,
          "PAUSE frames (NVLink: stops) sent to the neighbour, with refreshes"},
         [](PortRow r) { return Int(r.pausesSent); }},
        {{"resumes_sent", "frames", INTEGER, "RESUME frames sent to the neighbour"},
         [](PortRow r) { return Int(r.resumesSent); }},
        {{"pauses_received", "frames", INTEGER,
          "PAUSE frames (NVLink: stops) received, with refreshes"},
         [](PortRow r) { return Int(r.pausesReceived); }},
        {{"resumes_received", "frames", INTEGER, "RESUME frames received"},
         [](PortRow r) { return Int(r.resumesReceived); }},
        {{"paused_ns", "ns", TIME, "duration in which the neighbour's PAUSE held it"},
         [](PortRow r) { return ResultValue(r.paused); }},
        {{"longest_pause_ns", "ns", TIME, "the longest of these durations"},
         [](PortRow r) { return ResultValue(r.longestPause); }},
        {{"paused_at_end", "", INTEGER,
          "1 if held when the run ended and not asked to resume, else 0"},
         [](PortRow r) { return Int(r.pausedAtEnd); }},
        {{"max_queue_bytes", "bytes", INTEGER,
          "the deepest egress queue, 0 if every packet left at once"},
         [](PortRow r) { return Int(r.maxQueueBytes); }},
        {{"ecn_marked_packets", "packets", INTEGER, "packets marked"},
         [](PortRow r) { return Int(r.ecnMarks); }},
        {{"dropped_packets", "packets", INTEGER, "packets that found no room"},
         [](PortRow r) { return Int(r.droppedPackets); }},
        {{"watchdog_discarded_packets", "packets", INTEGER, "packets a PFC watchdog discarded"},
         [](PortRow r) { return Int(r.watchdogDiscards); }},
    }};
    return table;
}

using PauseRow = const PauseRecord&;
template <>
const RecordTable<PauseRecord>&
GetRecordTable()
{
    static const RecordTable<PauseRecord> table{
        "pauses", "one PFC frame, at the node that sends it, in order of time", {
        {{"time_ns", "ns", TIME, "when it was sent"},
         [](PauseRow r) { return ResultValue(r.time); }},
        {{"node", "", INTEGER, "sender"}, [](PauseRow r) { return Int(r.node); }},
        {{"port", "", INTEGER, "port it leaves through"}, [](PauseRow r) { return Int(r.port); }},
        {{"priority", "", INTEGER, "priority it speaks of"},
         [](PauseRow r) { return Int(r.priority); }},
        {{"action", "", TEXT, "pause or resume"},
         [](PauseRow r) { return ResultValue(std::string_view(r.pause ? "pause" : "resume")); }},
    }};
    return table;
}

using EventRow = const EventRecord&;
template <>
const RecordTable<EventRecord>&
GetRecordTable()
{
    static const RecordTable<EventRecord> table{
        "events", "something worth a line, in order of time", {
        {{"time_ns", "ns", TIME, "when"}, [](EventRow r) { return ResultValue(r.time); }},
        {{"kind", "", TEXT, "short word for filters"}, [](EventRow r) { return Text(r.kind); }},
        {{"text", "", TEXT, "the whole story"}, [](EventRow r) { return Text(r.text); }},
    }};
    return table;
}

using ColumnRow = const ResultColumnRecord&;
template <>
const RecordTable<ResultColumnRecord>&
GetRecordTable()
{
    static const RecordTable<ResultColumnRecord> table{
        "columns", "what one column of any table means", {
        {{"table_name", "", TEXT, "table"}, [](ColumnRow r) { return Text(r.table->name); }},
        {{"column_name", "", TEXT, "column"}, [](ColumnRow r) { return Text(r.column->name); }},
        {{"unit", "", TEXT, "unit, empty for ids, names, flags and ratios"},
         [](ColumnRow r) { return Text(r.column->unit); }},
        {{"meaning", "", TEXT, "one line"}, [](ColumnRow r) { return Text(r.column->meaning); }},
    }};
    return table;
}

// clang-format on

} // namespace ns3
