/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/result-timeline-writer.h"

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{

namespace
{

using nlohmann::json;

/** Writes a timeline and reads it back. */
class FabricResultTimeline : public testing::Test
{
  protected:
    void SetUp() override
    {
        UsePicoseconds();
    }

    /** \return the trace events, after everything was recorded */
    json Finish()
    {
        m_writer.Close();
        m_text = ReadFile(m_path);
        return json::parse(m_text).at("traceEvents");
    }

    std::string m_path{NewFolderName()};                                         //!< the file
    std::string m_text;                                                          //!< its content
    ResultTimelineWriter m_writer{m_path, std::numeric_limits<uint32_t>::max()}; //!< under test
};

/** \param events trace events \param what "thread" or "process" \return names by tid or pid */
std::map<int, std::string>
GetNames(const json& events, const std::string& what)
{
    std::map<int, std::string> names;
    for (const json& event : events)
    {
        if (event.at("ph") == "M" && event.at("name") == what + "_name")
        {
            names[event.at(what == "thread" ? "tid" : "pid")] = event.at("args").at("name");
        }
    }
    return names;
}

/** \param events trace events \return those that are spans */
std::vector<json>
GetSpans(const json& events)
{
    std::vector<json> spans;
    for (const json& event : events)
    {
        if (event.at("ph") == "X")
        {
            spans.push_back(event);
        }
    }
    return spans;
}

} // namespace

TEST_F(FabricResultTimeline, H25OneTrackPerRankAndStream)
{
    RecordSome(m_writer);
    json events = Finish();
    auto threads = GetNames(events, "thread");
    EXPECT_EQ(threads.size(), 8U); // 4 ranks, compute and dp
    EXPECT_EQ(GetNames(events, "process"),
              (std::map<int, std::string>{{1, "cluster"}, {2, "server 0"}, {3, "server 1"}}));
    std::map<std::string, int> spansByTrack;
    for (const json& span : GetSpans(events))
    {
        std::string track = threads.at(span.at("tid"));
        spansByTrack[track]++;
        int rank = span.at("args").at("rank");
        EXPECT_EQ(track.rfind("rank " + std::to_string(rank) + " ", 0), 0U) << track;
        EXPECT_EQ(span.at("pid"), 2 + rank / 2);
    }
    EXPECT_EQ(spansByTrack.size(), 8U);
    EXPECT_EQ(spansByTrack["rank 2 dp"], 1);
}

TEST_F(FabricResultTimeline, TimesAreExactMicroseconds)
{
    SpanRecord span = MakeSpan(0, "tp", PicoSeconds(1), PicoSeconds(87044961));
    span.bytes = 4096;
    span.collective = 0;
    span.iteration = 2;
    m_writer.Record(span);
    json events = Finish();
    EXPECT_NE(m_text.find(R"("ts":0.000001,"dur":87.04496,)"), std::string::npos) << m_text;
    EXPECT_EQ(events.at(0).at("args"),
              json::parse(R"({"rank":0,"bytes":4096,"collective":0,"iteration":2})"));
}

TEST_F(FabricResultTimeline, EmptyRunIsAValidTrace)
{
    EXPECT_TRUE(Finish().empty());
}

TEST_F(FabricResultTimeline, TextIsEscaped)
{
    SpanRecord span = MakeSpan(0, "a\"b\\c", PicoSeconds(0), PicoSeconds(1));
    span.name = "line\nbreak \xff end";
    m_writer.Record(span);
    json events = Finish();
    EXPECT_EQ(events.at(0).at("name"), "line\nbreak \xEF\xBF\xBD end");
    EXPECT_EQ(GetNames(events, "thread").begin()->second, "rank 0 a\"b\\c");
}

TEST_F(FabricResultTimeline, OverlapOpensAnotherTrack)
{
    m_writer.Record(MakeSpan(0, "dp", MicroSeconds(2), MicroSeconds(4)));
    m_writer.Record(MakeSpan(0, "dp", MicroSeconds(0), MicroSeconds(5)));
    m_writer.Record(MakeSpan(0, "dp", MicroSeconds(5), MicroSeconds(6)));
    json events = Finish();
    auto threads = GetNames(events, "thread");
    std::vector<std::string> tracks;
    for (const json& span : GetSpans(events))
    {
        tracks.push_back(threads.at(span.at("tid")));
    }
    EXPECT_EQ(tracks, (std::vector<std::string>{"rank 0 dp", "rank 0 dp (2)", "rank 0 dp"}));
}

TEST_F(FabricResultTimeline, RefusesASpanThatEndsBeforeItStarts)
{
    EXPECT_THROW(m_writer.Record(MakeSpan(0, "dp", MicroSeconds(2), MicroSeconds(1))),
                 std::logic_error);
}

TEST_F(FabricResultTimeline, EventsMarkTheWholeCluster)
{
    m_writer.Record(EventRecord{MicroSeconds(2), "link-down", "link 0-4 went down"});
    json events = Finish();
    EXPECT_EQ(events.at(0).at("ph"), "i");
    EXPECT_EQ(events.at(0).at("ts"), 2);
    EXPECT_EQ(events.at(0).at("args").at("text"), "link 0-4 went down");
    EXPECT_EQ(GetNames(events, "process").at(1), "cluster");
}

TEST(FabricResultTimelineLimit, LeavesRanksOut)
{
    UsePicoseconds();
    std::string path = NewFolderName();
    ResultTimelineWriter writer(path, 2);
    RecordSome(writer);
    EXPECT_EQ(writer.GetOmittedSpans(), 4U);
    writer.Close();
    for (const json& span : GetSpans(json::parse(ReadFile(path)).at("traceEvents")))
    {
        EXPECT_LT(span.at("args").at("rank"), 2);
    }
}

} // namespace ns3
