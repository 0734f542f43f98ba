/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "progress-reporter.h"

#include "result-format.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr const char* CLEAR_LINE = "\r\033[K"; //!< back to the first column, erase to the right

/** \param seconds a duration \return it for a person: "12 s", "3 min 05 s", "2 h 07 min" */
std::string
FormatWallTime(double seconds)
{
    auto whole = static_cast<uint64_t>(std::max(seconds, 0.0));
    auto twoDigits = [](uint64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    if (whole < 60)
    {
        return std::to_string(whole) + " s";
    }
    if (whole < 3600)
    {
        return std::to_string(whole / 60) + " min " + twoDigits(whole % 60) + " s";
    }
    return std::to_string(whole / 3600) + " h " + twoDigits(whole % 3600 / 60) + " min";
}

} // namespace

ProgressReporter::ProgressReporter()
    : ProgressReporter(std::cerr,
                       isatty(STDERR_FILENO) == 1 ? Style::TERMINAL : Style::LOG,
                       [] { return std::chrono::steady_clock::now(); })
{
}

ProgressReporter::ProgressReporter(std::ostream& out, Style style, Clock clock)
    : m_out(out),
      m_style(style),
      m_clock(std::move(clock)),
      m_start(m_clock()),
      m_last(m_start)
{
}

ProgressReporter::~ProgressReporter()
{
    Finish();
}

bool
ProgressReporter::IsEnabled() const
{
    return m_style != Style::SILENT;
}

void
ProgressReporter::Poll(const Progress& progress)
{
    if (!IsEnabled())
    {
        return;
    }
    const bool terminal = m_style == Style::TERMINAL;
    const auto now = m_clock();
    if (now - m_last < (terminal ? TERMINAL_INTERVAL : LOG_INTERVAL))
    {
        return;
    }
    const std::string line = MakeLine(progress, now - m_start, now - m_last);
    m_out << (terminal ? CLEAR_LINE + line : "progress: " + line + "\n") << std::flush;
    m_last = now;
    m_lastHops = progress.packetHops;
    m_hasLine = terminal;
}

void
ProgressReporter::Finish()
{
    if (m_hasLine)
    {
        m_out << CLEAR_LINE << std::flush;
        m_hasLine = false;
    }
}

std::string
ProgressReporter::MakeLine(const Progress& progress,
                           std::chrono::duration<double> elapsed,
                           std::chrono::duration<double> sinceLast) const
{
    std::string line;
    bool isKnown = progress.fractionDone && std::isfinite(*progress.fractionDone);
    double done = isKnown ? std::clamp(*progress.fractionDone, 0.0, 1.0) : 0.0;
    if (isKnown)
    {
        line += FormatFixed(100.0 * done, 1) + " % | ";
    }
    line += "simulated " + FormatDuration(progress.now) + " | " + FormatWallTime(elapsed.count());
    if (done > 0.0)
    {
        line += ", " + FormatWallTime(elapsed.count() * (1.0 - done) / done) + " left";
    }
    double hopsPerSecond =
        static_cast<double>(progress.packetHops - std::min(progress.packetHops, m_lastHops)) /
        sinceLast.count();
    return line + " | " + FormatFixed(hopsPerSecond / 1e6, 2) + " M packet-hops/s";
}

} // namespace ns3
