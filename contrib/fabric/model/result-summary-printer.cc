/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-summary-printer.h"

#include "result-format.h"

#include <algorithm>
#include <ostream>

namespace ns3
{

namespace
{

constexpr std::size_t MAX_LINES = 20;   //!< of a list; the rest is in summary.json
constexpr std::size_t LABEL_WIDTH = 18; //!< first column

/** A table of texts: one row is one line. */
using TextTable = std::vector<std::vector<std::string>>;

/** \param part a duration \param total of which \return the share, 0 % of nothing */
std::string
FormatShare(const Time& part, const Time& total)
{
    double share = 0.0;
    if (!total.IsZero())
    {
        share = 100.0 * static_cast<double>(part.GetPicoSeconds()) /
                static_cast<double>(total.GetPicoSeconds());
    }
    return FormatFixed(share, 1) + " %";
}

/**
 * \param text a text
 * \param width wanted width
 * \param toTheRight true to put the blanks before the text
 * \return the text with blanks
 */
std::string
Pad(const std::string& text, std::size_t width, bool toTheRight)
{
    std::string blanks(width - std::min(width, text.size()), ' ');
    return toTheRight ? blanks + text : text + blanks;
}

/**
 * Prints a table, its columns as wide as they need to be.
 * \param out where to print
 * \param table the rows, all of the same length
 * \param textColumns this many columns hold text, the others numbers
 */
void
PrintTable(std::ostream& out, const TextTable& table, std::size_t textColumns)
{
    std::vector<std::size_t> widths(table.front().size(), 0);
    for (const auto& row : table)
    {
        for (std::size_t i = 0; i < row.size(); i++)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (const auto& row : table)
    {
        std::string line;
        for (std::size_t i = 0; i < row.size(); i++)
        {
            line += "  " + Pad(row[i], widths[i], i >= textColumns);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << "\n";
    }
}

/** \param label a word or two \return it as the first column */
std::string
Label(const std::string& label)
{
    return Pad(label, LABEL_WIDTH, false);
}

/** \param count a number \param what what is counted \return both, and a comma */
std::string
Count(uint64_t count, const std::string& what)
{
    return std::to_string(count) + " " + what;
}

} // namespace

SummaryPrinter::SummaryPrinter(std::ostream& out)
    : m_out(out)
{
}

void
SummaryPrinter::Print(const RunSummary& summary, const std::string& folder) const
{
    PrintVerdict(summary);
    PrintList("warnings", summary.warnings);
    PrintBreakdown(summary);
    PrintCommunication(summary);
    PrintCollectives(summary);
    PrintFlows(summary.flows);
    PrintCounters(summary);
    PrintIgnoredKeys(summary.configuration);
    PrintList("notes", summary.notes);
    PrintList("unfinished", summary.unfinished);
    if (!folder.empty())
    {
        m_out << "\n" << Label("results") << folder << "\n";
    }
    m_out.flush();
}

void
SummaryPrinter::PrintVerdict(const RunSummary& summary) const
{
    m_out << Label("verdict") << ToString(summary.verdict) << "\n";
    m_out << Label("simulated time") << FormatDuration(summary.simulatedTime) << "\n";
    if (summary.iterations > 0)
    {
        m_out << Label("iteration time") << FormatDuration(summary.iterationTime) << " ("
              << Count(summary.iterations, summary.iterations == 1 ? "iteration" : "iterations")
              << ")\n";
    }
}

void
SummaryPrinter::PrintBreakdown(const RunSummary& summary) const
{
    if (summary.breakdown.empty())
    {
        return;
    }
    TextTable table;
    for (const TimePart& part : summary.breakdown)
    {
        table.push_back({part.name,
                         FormatDuration(part.duration),
                         FormatShare(part.duration, summary.iterationTime)});
    }
    std::string of = summary.breakdownOf.empty() ? "" : ", " + summary.breakdownOf;
    m_out << "\nbreakdown of an iteration" << of << "\n";
    PrintTable(m_out, table, 1);
    if (summary.computeStretch.IsStrictlyPositive())
    {
        m_out << "of the compute " << FormatDuration(summary.computeStretch)
              << " because communication held SMs\n";
    }
}

void
SummaryPrinter::PrintCommunication(const RunSummary& summary) const
{
    if (summary.communication.empty())
    {
        return;
    }
    TextTable table{{"", "total", "exposed", "hidden", "hidden"}};
    for (const CommunicationSummary& kind : summary.communication)
    {
        Time hidden = kind.total - kind.exposed;
        table.push_back({kind.name,
                         FormatDuration(kind.total),
                         FormatDuration(kind.exposed),
                         FormatDuration(hidden),
                         FormatShare(hidden, kind.total)});
    }
    m_out << "\ncommunication\n";
    PrintTable(m_out, table, 1);
}

void
SummaryPrinter::PrintCollectives(const RunSummary& summary) const
{
    if (summary.collectives.empty())
    {
        return;
    }
    TextTable table{{"kind",
                     "group",
                     "ranks",
                     "bytes",
                     "count",
                     "time",
                     "of it waiting",
                     "algbw GB/s",
                     "busbw GB/s"}};
    for (const CollectiveSummary& entry : summary.collectives)
    {
        const bool any = entry.count > 0;
        table.push_back({entry.kind,
                         entry.group,
                         std::to_string(entry.ranks),
                         std::to_string(entry.bytes),
                         std::to_string(entry.count),
                         any ? FormatDuration(entry.time) : "-",
                         any ? FormatDuration(entry.wait) : "-",
                         any ? FormatFixed(entry.algbwGBps, 2) : "-",
                         any ? FormatFixed(entry.busbwGBps, 2) : "-"});
    }
    m_out << "\ncollectives (mean time, of it waiting for the last rank to join; bytes and busbw as "
             "in nccl-tests)\n";
    PrintTable(m_out, table, 2);
}

void
SummaryPrinter::PrintFlows(const FlowSummary& flows) const
{
    if (flows.count == 0)
    {
        return;
    }
    const FlowTimes& times = flows.completion;
    const FlowRatios& ratios = flows.slowdown;
    const auto slowdown = [](double ratio) { return ratio > 0 ? FormatFixed(ratio, 3) : "-"; };
    const TextTable table{{"", "mean", "p50", "p90", "p95", "p99", "p99.9", "max"},
                          {"completion time",
                           FormatDuration(times.mean),
                           FormatDuration(times.p50),
                           FormatDuration(times.p90),
                           FormatDuration(times.p95),
                           FormatDuration(times.p99),
                           FormatDuration(times.p999),
                           FormatDuration(times.max)},
                          {"slowdown",
                           slowdown(ratios.mean),
                           slowdown(ratios.p50),
                           slowdown(ratios.p90),
                           slowdown(ratios.p95),
                           slowdown(ratios.p99),
                           slowdown(ratios.p999),
                           slowdown(ratios.max)}};
    m_out << "\nflows: " << flows.count - flows.unfinished << " of " << flows.count
          << " finished\n";
    if (flows.unfinished < flows.count)
    {
        PrintTable(m_out, table, 1);
    }
}

void
SummaryPrinter::PrintIgnoredKeys(const std::vector<ConfigurationKey>& keys) const
{
    const char* title = "\nignored keys of the configuration\n";
    for (const ConfigurationKey& key : keys)
    {
        if (!key.ignored.empty())
        {
            m_out << title << "  " << key.key << " " << key.value << ": " << key.ignored << "\n";
            title = "";
        }
    }
}

void
SummaryPrinter::PrintCounters(const RunSummary& summary) const
{
    const NetworkSummary& network = summary.network;
    m_out << "\n"
          << Label("network") << Count(network.packets, "packets, ")
          << Count(network.packetHops, "packet-hops, ")
          << FormatBytes(network.payloadBytesDelivered) << " delivered\n";
    m_out << Label("") << Count(network.drops, "drops, ")
          << Count(network.linkLosses, "losses on links, ")
          << Count(network.retransmittedPackets, "retransmissions, ")
          << Count(network.timeouts, "timeouts\n");
    m_out << Label("") << Count(network.ecnMarks, "ECN marks, ") << Count(network.cnps, "CNPs, ")
          << Count(network.pfcPauses, "PFC pauses, ") << Count(network.pfcResumes, "PFC resumes\n");
    const KernelTableSummary& kernels = summary.kernelTable;
    if (kernels.exact + kernels.interpolated + kernels.roofline > 0)
    {
        m_out << Label("kernel times") << Count(kernels.exact, "exact, ")
              << Count(kernels.interpolated, "interpolated, ")
              << Count(kernels.roofline, "roofline\n");
    }
    const EngineSummary& engine = summary.engine;
    m_out << Label("engine") << engine.name << ", " << Count(engine.events, "events, ")
          << FormatFixed(engine.wallSeconds, 1) << " s wall time, peak memory "
          << FormatBytes(engine.peakRssBytes) << "\n";
}

void
SummaryPrinter::PrintList(const std::string& title, const std::vector<std::string>& lines) const
{
    if (lines.empty())
    {
        return;
    }
    m_out << "\n" << title << "\n";
    for (std::size_t i = 0; i < std::min(lines.size(), MAX_LINES); i++)
    {
        m_out << "  " << lines[i] << "\n";
    }
    if (lines.size() > MAX_LINES)
    {
        m_out << "  ... and " << lines.size() - MAX_LINES << " more in summary.json\n";
    }
}

} // namespace ns3
