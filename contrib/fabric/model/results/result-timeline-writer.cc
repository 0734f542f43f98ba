/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-timeline-writer.h"

#include "result-json.h"

#include "ns3/result-format.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{

namespace
{

constexpr int32_t CLUSTER_PROCESS = 1;      //!< process of the events
constexpr int32_t FIRST_SERVER_PROCESS = 2; //!< process of server 0 (Perfetto reserves 0)

/** \param server a server \return its process id */
int32_t
GetProcess(int32_t server)
{
    return FIRST_SERVER_PROCESS + server;
}

/**
 * \param what "process" or "thread"
 * \param ids "pid" and, for a thread, "tid", as JSON members
 * \param name its name
 * \param order its place on the screen
 * \return the two metadata events that say so, separated as in an array
 */
std::string
MakeName(const std::string& what, const std::string& ids, const std::string& name, uint64_t order)
{
    return R"({"ph":"M","name":")" + what + R"(_name",)" + ids + R"(,"args":{"name":)" +
           QuoteJson(name) + "}},\n" + R"({"ph":"M","name":")" + what + R"(_sort_index",)" + ids +
           R"(,"args":{"sort_index":)" + std::to_string(order) + "}}";
}

/** \param process a process id \return it as a JSON member */
std::string
MakePid(int32_t process)
{
    return R"("pid":)" + std::to_string(process);
}

/** \param thread a thread id \return it as a JSON member */
std::string
MakeTid(uint32_t thread)
{
    return R"("tid":)" + std::to_string(thread);
}

/** \param span a span \return what is known of it beside its name and times, as a JSON object */
std::string
MakeArguments(const SpanRecord& span)
{
    std::string arguments = R"({"rank":)" + std::to_string(span.rank);
    if (span.bytes > 0)
    {
        arguments += R"(,"bytes":)" + std::to_string(span.bytes);
    }
    if (span.collective >= 0)
    {
        arguments += R"(,"collective":)" + std::to_string(span.collective);
    }
    if (span.iteration >= 0)
    {
        arguments += R"(,"iteration":)" + std::to_string(span.iteration);
    }
    return arguments + "}";
}

} // namespace

ResultTimelineWriter::ResultTimelineWriter(const std::string& path, uint32_t rankLimit)
    : m_file(path),
      m_rankLimit(rankLimit)
{
    m_file.Write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

void
ResultTimelineWriter::Close()
{
    WriteNames();
    m_file.Write("\n]}\n");
    m_file.Close();
}

uint64_t
ResultTimelineWriter::GetOmittedSpans() const
{
    return m_omittedSpans;
}

void
ResultTimelineWriter::Take(const NodeRecord& record)
{
    if (record.rank >= 0)
    {
        m_servers[record.rank] = record.server;
    }
}

void
ResultTimelineWriter::Take(const SpanRecord& record)
{
    if (record.end < record.start)
    {
        throw std::logic_error("span '" + record.name + "' ends before it starts");
    }
    if (record.rank >= m_rankLimit)
    {
        m_omittedSpans++;
        return;
    }
    Track& track = GetTrack(record.rank, record.stream);
    Lane& lane = GetLane(track, record);
    lane.end = record.end;
    WriteEvent(R"({"ph":"X",)" + MakePid(GetProcess(track.server)) + "," + MakeTid(lane.id) +
               R"(,"ts":)" + FormatMicroseconds(record.start) + R"(,"dur":)" +
               FormatMicroseconds(record.end - record.start) + R"(,"name":)" +
               QuoteJson(record.name) + R"(,"cat":)" + QuoteJson(record.category) + R"(,"args":)" +
               MakeArguments(record) + "}");
}

void
ResultTimelineWriter::Take(const EventRecord& record)
{
    m_hasEvents = true;
    WriteEvent(R"({"ph":"i","s":"g",)" + MakePid(CLUSTER_PROCESS) + "," + MakeTid(0) + R"(,"ts":)" +
               FormatMicroseconds(record.time) + R"(,"name":)" + QuoteJson(record.kind) +
               R"(,"cat":"event","args":{"text":)" + QuoteJson(record.text) + "}}");
}

ResultTimelineWriter::Track&
ResultTimelineWriter::GetTrack(uint32_t rank, const std::string& stream)
{
    auto [found, isNew] = m_tracks.try_emplace({rank, stream});
    if (isNew)
    {
        auto server = m_servers.find(static_cast<int32_t>(rank));
        found->second.server = server == m_servers.end() ? 0 : std::max(server->second, 0);
        found->second.order = m_streams[rank]++;
    }
    return found->second;
}

ResultTimelineWriter::Lane&
ResultTimelineWriter::GetLane(Track& track, const SpanRecord& span)
{
    auto isFree = [&span](const Lane& lane) { return lane.end <= span.start; };
    auto lane = std::find_if(track.lanes.begin(), track.lanes.end(), isFree);
    if (lane == track.lanes.end())
    {
        lane = track.lanes.insert(lane, Lane{++m_lanes, span.start});
    }
    return *lane;
}

void
ResultTimelineWriter::WriteEvent(const std::string& event)
{
    m_file.Write(m_empty ? event : ",\n" + event);
    m_empty = false;
}

void
ResultTimelineWriter::WriteNames()
{
    if (m_hasEvents)
    {
        WriteEvent(MakeName("process", MakePid(CLUSTER_PROCESS), "cluster", 0));
    }
    std::set<int32_t> named;
    for (const auto& [key, track] : m_tracks)
    {
        std::string pid = MakePid(GetProcess(track.server));
        if (named.insert(track.server).second)
        {
            WriteEvent(MakeName("process",
                                pid,
                                "server " + std::to_string(track.server),
                                GetProcess(track.server)));
        }
        // by rank, then by stream as they came, then by lane
        uint64_t order = (uint64_t{key.first} << 16) + (uint64_t{track.order} << 8);
        std::string name = "rank " + std::to_string(key.first) + " " + key.second;
        for (std::size_t i = 0; i < track.lanes.size(); i++)
        {
            std::string suffix = i == 0 ? "" : " (" + std::to_string(i + 1) + ")";
            WriteEvent(
                MakeName("thread", pid + "," + MakeTid(track.lanes[i].id), name + suffix, order++));
        }
    }
}

} // namespace ns3
