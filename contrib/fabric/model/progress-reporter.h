/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PROGRESS_REPORTER_H
#define PROGRESS_REPORTER_H

#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

namespace ns3
{

/** \ingroup fabric \brief How far a simulation has come. */
struct Progress
{
    Time now;                           //!< simulated time
    std::optional<double> fractionDone; //!< share of the work that is done, 0 to 1, if known
    uint64_t packetHops{0};             //!< packets times links crossed so far
};

/**
 * \ingroup fabric
 * \brief Says how far a run has come: a line on the terminal that changes, or a line a minute in
 * the log of a batch job.
 *
 * It schedules nothing and changes nothing in the simulation: whoever drives the events calls
 * Poll() now and then, for example every 65,536 events. Poll() reads the wall clock and writes at
 * most twice a second to a terminal and once a minute to a log.
 */
class ProgressReporter
{
  public:
    /** A wall clock. */
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    /** Where the lines go. */
    enum class Style : uint8_t
    {
        TERMINAL, //!< one line, written over
        LOG,      //!< a line a minute
        SILENT    //!< nowhere
    };

    /** Reports to standard error. */
    ProgressReporter();

    /**
     * \param out where the line goes
     * \param style what out is
     * \param clock the wall clock
     */
    ProgressReporter(std::ostream& out, Style style, Clock clock);

    /** Removes the line. */
    ~ProgressReporter();
    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;

    /** \return true if a line is written; if not, Poll() need not be called */
    bool IsEnabled() const;

    /** \param progress how far the run has come */
    void Poll(const Progress& progress);

    /** Removes the line, so that other text can follow. */
    void Finish();

  private:
    /** Least wall time between two updates of the line on a terminal. */
    static constexpr std::chrono::milliseconds TERMINAL_INTERVAL{500};
    /** Least wall time between two lines of a log. */
    static constexpr std::chrono::minutes LOG_INTERVAL{1};

    /**
     * \param progress how far the run has come
     * \param elapsed wall time since the beginning
     * \param sinceLast wall time since the last update
     * \return the line
     */
    std::string MakeLine(const Progress& progress,
                         std::chrono::duration<double> elapsed,
                         std::chrono::duration<double> sinceLast) const;

    std::ostream& m_out;                           //!< where the line goes
    Style m_style;                                 //!< what m_out is
    Clock m_clock;                                 //!< wall clock
    std::chrono::steady_clock::time_point m_start; //!< when the run began
    std::chrono::steady_clock::time_point m_last;  //!< last update
    uint64_t m_lastHops{0};                        //!< packet-hops then
    bool m_hasLine{false};                         //!< there is a line to remove
};

} // namespace ns3

#endif /* PROGRESS_REPORTER_H */
