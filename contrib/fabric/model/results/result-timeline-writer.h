/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_TIMELINE_WRITER_H
#define RESULT_TIMELINE_WRITER_H

#include "result-file.h"
#include "result-writer.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Writes spans and events as a Chrome trace, which Perfetto (ui.perfetto.dev) opens.
 *
 * A server is a process, a stream of a rank is a thread of it, a span is a complete event ("X") and
 * an EventRecord is a global instant event ("i"). Spans of one stream that overlap are shown on
 * further tracks of that stream ("dp (2)"), because a thread of a trace can hold nested bars only.
 * The file is written as the records come; only the tracks are kept in memory.
 */
class ResultTimelineWriter final : public ResultSinkTemplate<ResultTimelineWriter, ResultWriter>
{
  public:
    /**
     * \param path the file; what it held is lost
     * \param rankLimit spans of ranks from this one on are left out
     */
    ResultTimelineWriter(const std::string& path, uint32_t rankLimit);

    void Close() override;

    /** \return number of spans left out because of the limit */
    uint64_t GetOmittedSpans() const;

    /** Other records have no place in a timeline. */
    template <class R>
    void Take(const R& /* record */)
    {
    }

    /** \param record tells the server of a rank */
    void Take(const NodeRecord& record);
    /** \param record becomes a bar */
    void Take(const SpanRecord& record);
    /** \param record becomes a mark across all tracks */
    void Take(const EventRecord& record);

  private:
    /** A thread of the trace. */
    struct Lane
    {
        uint32_t id; //!< thread id
        Time end;    //!< when its last span ended
    };

    /** All that belongs to one stream of one rank. */
    struct Track
    {
        int32_t server;          //!< server of the rank, 0 if unknown
        uint32_t order;          //!< order of the stream among those of the rank
        std::vector<Lane> lanes; //!< the first, and those for overlapping spans
    };

    /**
     * \param rank a rank
     * \param stream one of its streams
     * \return its track, made if it is new
     */
    Track& GetTrack(uint32_t rank, const std::string& stream);

    /**
     * \param track a track
     * \param span a span of it
     * \return the first lane that is free when the span starts
     */
    Lane& GetLane(Track& track, const SpanRecord& span);

    /** \param event a JSON object, written as the next element of the trace */
    void WriteEvent(const std::string& event);
    /** Writes the names of processes and threads. */
    void WriteNames();

    ResultFile m_file;                                          //!< the trace
    uint32_t m_rankLimit;                                       //!< ranks below this one are shown
    uint64_t m_omittedSpans{0};                                 //!< spans left out
    uint32_t m_lanes{0};                                        //!< number of threads
    bool m_empty{true};                                         //!< nothing was written yet
    bool m_hasEvents{false};                                    //!< an EventRecord was written
    std::map<int32_t, int32_t> m_servers;                       //!< server by rank
    std::map<uint32_t, uint32_t> m_streams;                     //!< number of streams by rank
    std::map<std::pair<uint32_t, std::string>, Track> m_tracks; //!< by rank and stream
};

} // namespace ns3

#endif /* RESULT_TIMELINE_WRITER_H */
