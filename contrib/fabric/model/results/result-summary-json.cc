/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-summary-json.h"

#include "result-json.h"

#include <nlohmann/json.hpp>

namespace ns3
{

namespace
{

using Json = nlohmann::ordered_json; //!< keeps the order of keys

constexpr int FORMAT_VERSION = 1; //!< version of the file's format

/** \param time a time \return its nanoseconds, exact to the picosecond below 4,500 seconds */
Json
ToNanoseconds(const Time& time)
{
    int64_t picoseconds = time.GetPicoSeconds();
    if (picoseconds % 1000 == 0)
    {
        return picoseconds / 1000;
    }
    return static_cast<double>(picoseconds) / 1000.0;
}

/** \param summary a summary \return the object "breakdown" */
Json
MakeBreakdown(const RunSummary& summary)
{
    Json parts = Json::object();
    for (const TimePart& part : summary.breakdown)
    {
        parts[part.name] = ToNanoseconds(part.duration);
    }
    return parts;
}

/** \param summary a summary \return the list "communication" */
Json
MakeCommunication(const RunSummary& summary)
{
    Json list = Json::array();
    for (const CommunicationSummary& kind : summary.communication)
    {
        Json entry;
        entry["name"] = kind.name;
        entry["totalNs"] = ToNanoseconds(kind.total);
        entry["exposedNs"] = ToNanoseconds(kind.exposed);
        entry["hiddenNs"] = ToNanoseconds(kind.total - kind.exposed);
        list.push_back(entry);
    }
    return list;
}

/** \param summary a summary \return the list "collectives" */
Json
MakeCollectives(const RunSummary& summary)
{
    Json list = Json::array();
    for (const CollectiveSummary& collective : summary.collectives)
    {
        Json entry;
        entry["kind"] = collective.kind;
        entry["group"] = collective.group;
        entry["ranks"] = collective.ranks;
        entry["algorithm"] = collective.algorithm;
        entry["protocol"] = collective.protocol;
        entry["bytes"] = collective.bytes;
        entry["count"] = collective.count;
        entry["unfinished"] = collective.unfinished;
        entry["timeNs"] = ToNanoseconds(collective.time);
        entry["minTimeNs"] = ToNanoseconds(collective.minTime);
        entry["maxTimeNs"] = ToNanoseconds(collective.maxTime);
        entry["algbwGBps"] = collective.algbwGBps;
        entry["busbwGBps"] = collective.busbwGBps;
        entry["waitNs"] = ToNanoseconds(collective.wait);
        entry["joinedBusbwGBps"] = collective.joinedBusbwGBps;
        list.push_back(entry);
    }
    return list;
}

/** \param times how long flows took \param [out] object gets them */
void
AddTimes(const FlowTimes& times, Json& object)
{
    object["meanNs"] = ToNanoseconds(times.mean);
    object["p50Ns"] = ToNanoseconds(times.p50);
    object["p90Ns"] = ToNanoseconds(times.p90);
    object["p95Ns"] = ToNanoseconds(times.p95);
    object["p99Ns"] = ToNanoseconds(times.p99);
    object["p999Ns"] = ToNanoseconds(times.p999);
    object["maxNs"] = ToNanoseconds(times.max);
}

/** \param ratios slowdowns of flows \param [out] object gets them */
void
AddSlowdowns(const FlowRatios& ratios, Json& object)
{
    object["meanSlowdown"] = ratios.mean;
    object["p50Slowdown"] = ratios.p50;
    object["p90Slowdown"] = ratios.p90;
    object["p95Slowdown"] = ratios.p95;
    object["p99Slowdown"] = ratios.p99;
    object["p999Slowdown"] = ratios.p999;
    object["maxSlowdown"] = ratios.max;
}

/** \param flows how long flows took \return the object "flows" */
Json
MakeFlows(const FlowSummary& flows)
{
    Json object;
    object["count"] = flows.count;
    object["unfinished"] = flows.unfinished;
    AddTimes(flows.completion, object);
    AddSlowdowns(flows.slowdown, object);
    Json list = Json::array();
    for (const FlowSizeRecord& sizes : flows.bySize)
    {
        Json entry;
        entry["fromBytes"] = sizes.fromBytes;
        entry["toBytes"] = sizes.toBytes ? Json(*sizes.toBytes) : Json();
        entry["flows"] = sizes.flows;
        AddTimes(sizes.completion, entry);
        AddSlowdowns(sizes.slowdown, entry);
        list.push_back(entry);
    }
    object["bySize"] = list;
    return object;
}

/** \param network counters \return the object "network" */
Json
MakeNetwork(const NetworkSummary& network)
{
    Json object;
    object["packets"] = network.packets;
    object["packetHops"] = network.packetHops;
    object["payloadBytesDelivered"] = network.payloadBytesDelivered;
    object["drops"] = network.drops;
    object["linkLosses"] = network.linkLosses;
    object["linkCorruptions"] = network.linkCorruptions;
    object["ecnMarks"] = network.ecnMarks;
    object["cnps"] = network.cnps;
    object["pfcPauses"] = network.pfcPauses;
    object["pfcResumes"] = network.pfcResumes;
    object["retransmittedPackets"] = network.retransmittedPackets;
    object["timeouts"] = network.timeouts;
    Json fabrics = Json::object();
    for (const FabricSummary& fabric : network.fabrics)
    {
        Json counts;
        counts["dataPacketHops"] = fabric.dataPacketHops;
        counts["ackPacketHops"] = fabric.ackPacketHops;
        counts["controlPacketHops"] = fabric.controlPacketHops;
        counts["wireBytes"] = fabric.wireBytes;
        fabrics[fabric.name] = counts;
    }
    object["fabrics"] = fabrics;
    return object;
}

/** \param table numbers of look-ups \return the object "kernelTable" */
Json
MakeKernelTable(const KernelTableSummary& table)
{
    Json object;
    object["exact"] = table.exact;
    object["interpolated"] = table.interpolated;
    object["roofline"] = table.roofline;
    return object;
}

/** \param pairs names and values \return an object of them */
template <class Value>
Json
MakeObject(const std::vector<std::pair<std::string, Value>>& pairs)
{
    Json object = Json::object();
    for (const auto& [name, value] : pairs)
    {
        object[name] = value;
    }
    return object;
}

/** \param keys keys of a configuration file \return the list "configuration" */
Json
MakeConfiguration(const std::vector<ConfigurationKey>& keys)
{
    Json list = Json::array();
    for (const ConfigurationKey& key : keys)
    {
        Json entry;
        entry["key"] = key.key;
        entry["value"] = key.value;
        entry["line"] = key.line;
        entry["effect"] = key.effect;
        entry["ignored"] = key.ignored;
        list.push_back(entry);
    }
    return list;
}

/** \param summary a summary \return the object "engine" */
Json
MakeEngine(const RunSummary& summary)
{
    const EngineSummary& engine = summary.engine;
    double packetHopsPerSecond = 0.0;
    if (engine.wallSeconds > 0.0)
    {
        packetHopsPerSecond = static_cast<double>(summary.network.packetHops) / engine.wallSeconds;
    }
    Json object;
    object["name"] = engine.name;
    object["events"] = engine.events;
    object["wallSeconds"] = engine.wallSeconds;
    object["packetHopsPerSecond"] = packetHopsPerSecond;
    object["peakRssBytes"] = engine.peakRssBytes;
    object["date"] = engine.date;
    object["host"] = engine.host;
    return object;
}

} // namespace

std::string
MakeSummaryJson(const RunSummary& summary)
{
    summary.Check();
    Json root;
    root["format"] = RESULT_SUMMARY_FORMAT;
    root["formatVersion"] = FORMAT_VERSION;
    root["verdict"] = ToString(summary.verdict);
    root["simulatedTimeNs"] = ToNanoseconds(summary.simulatedTime);
    root["iterations"] = summary.iterations;
    root["iterationTimeNs"] = ToNanoseconds(summary.iterationTime);
    root["breakdown"] = MakeBreakdown(summary);
    root["breakdownOf"] = summary.breakdownOf;
    root["computeStretchNs"] = ToNanoseconds(summary.computeStretch);
    root["communication"] = MakeCommunication(summary);
    root["collectives"] = MakeCollectives(summary);
    if (summary.flows.count > 0)
    {
        root["flows"] = MakeFlows(summary.flows);
    }
    root["network"] = MakeNetwork(summary.network);
    root["kernelTable"] = MakeKernelTable(summary.kernelTable);
    root["tables"] = MakeObject(summary.tables);
    root["input"] = MakeObject(summary.input);
    if (!summary.configuration.empty())
    {
        root["configuration"] = MakeConfiguration(summary.configuration);
    }
    root["seed"] = summary.seed;
    root["revision"] = summary.revision;
    root["unfinished"] = summary.unfinished;
    root["warnings"] = summary.warnings;
    root["notes"] = summary.notes;
    root["engine"] = MakeEngine(summary);
    return FormatJson(root);
}

} // namespace ns3
