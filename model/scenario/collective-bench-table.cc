/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-table.h"

#include "ns3/attribute-text.h"
#include "ns3/result-format.h"

#include <algorithm>
#include <ostream>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_DEVICES = 64;  //!< ranks that have a line
constexpr std::size_t MAX_LINES = 20; //!< of a list

/** \param text some text \param width least width \return it, with blanks in front */
std::string
Pad(const std::string& text, std::size_t width)
{
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

/** \param text some text \param width width \return it in the middle */
std::string
Centre(const std::string& text, std::size_t width)
{
    const std::size_t blanks = width > text.size() ? width - text.size() : 0;
    return std::string(blanks / 2, ' ') + text + std::string(blanks - blanks / 2, ' ');
}

/** \param row a row \return time, algbw, busbw and #wrong */
std::string
FormatFigures(const CollectiveBenchRecord& row)
{
    return "  " + Pad(CollectiveBenchTable::FormatTime(row.GetTime()), 7) + "  " +
           Pad(FormatFixed(row.GetAlgbwGBps(), 2), 6) + "  " +
           Pad(FormatFixed(row.GetBusbwGBps(), 2), 6) + "  " +
           Pad(row.wrong ? std::to_string(*row.wrong) : "N/A", 6);
}

/** \param row a row \return what it is about */
std::string
FormatParameters(const CollectiveBenchRecord& row)
{
    return Pad(std::to_string(row.bytes), 12) + "  " + Pad(std::to_string(row.elements), 12) +
           "  " + Pad(row.type, 8) + "  " + Pad(row.operation, 6) + "  " +
           Pad(std::to_string(row.root), 6);
}

/** \param size a word \param count a word \param type a word \param redop a word
 * \param root a word \return the head of the columns that FormatParameters() fills */
std::string
FormatHead(const std::string& size,
           const std::string& count,
           const std::string& type,
           const std::string& redop,
           const std::string& root)
{
    return "# " + Pad(size, 10) + "  " + Pad(count, 12) + "  " + Pad(type, 8) + "  " +
           Pad(redop, 6) + "  " + Pad(root, 6);
}

/** \param rows of a size, at least one of them there \return which is the fastest */
std::optional<std::size_t>
FindBest(const std::vector<std::optional<CollectiveBenchRecord>>& rows)
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < rows.size(); i++)
    {
        if (rows[i] &&
            (!best || rows[i]->end - rows[i]->start < rows[*best]->end - rows[*best]->start))
        {
            best = i;
        }
    }
    return best;
}

} // namespace

CollectiveBenchTable::CollectiveBenchTable(std::ostream& out, const CollectiveBenchRun& run)
    : m_out(out),
      m_run(run)
{
}

std::string
CollectiveBenchTable::FormatTime(const Time& time)
{
    const double us = static_cast<double>(time.GetPicoSeconds()) / 1e6;
    return FormatFixed(us, us >= 10000 ? 0 : us >= 100 ? 1 : 2);
}

void
CollectiveBenchTable::PrintHeading() const
{
    const CollectiveBenchRunOptions& options = m_run.GetOptions();
    const bool isFactor = options.sizes.factor > 0;
    m_out << "# Railyard, revision " << GetRevision()
          << ": a simulation in the manner of nccl-tests\n"
          << "# Collective test starting: " << options.test.name << "\n"
          << "# nThread " << options.threads << " nGpus " << m_run.GetRankCount() / options.threads
          << " minBytes " << options.sizes.min << " maxBytes " << options.sizes.max
          << " step: " << (isFactor ? options.sizes.factor : options.sizes.step)
          << (isFactor ? "(factor)" : "(bytes)") << " warmup iters: " << options.warmUps
          << " iters: " << options.iterations << " agg iters: 1 validation: " << options.check
          << " graph: 0\n"
          << (options.isBlocking ? "# Blocking: ranks wait for the last one between iterations\n"
                                 : "")
          << "#\n";
    PrintDevices();
    m_out << "#\n";
    if (options.contest.IsComparison())
    {
        PrintComparedColumns();
    }
    else
    {
        PrintColumns();
    }
    m_out.flush();
}

void
CollectiveBenchTable::PrintDevices() const
{
    const Topology& topology = m_run.GetPlan();
    m_out << "# Using devices of " << topology.source << "\n";
    std::vector<uint32_t> devices(topology.nodes.size() + 1, 0); // by server: seen so far
    for (uint32_t rank = 0; rank < std::min(m_run.GetRankCount(), MAX_DEVICES); rank++)
    {
        const int32_t server = topology.nodes[rank].server;
        const std::string host =
            server < 0 ? topology.GetNodeName(rank) : "server" + std::to_string(server);
        const uint32_t device = server < 0 ? 0 : devices[server]++;
        m_out << "#  Rank " << Pad(std::to_string(rank), 2) << " Group  0 Pid      0 on "
              << Pad(host, 10) << " device " << Pad(std::to_string(device), 2) << " [0x"
              << (rank < 16 ? "0" : "") << std::hex << rank << std::dec << "] "
              << (topology.gpuType.empty() ? "GPU" : topology.gpuType) << " (simulated)\n";
    }
    if (m_run.GetRankCount() > MAX_DEVICES)
    {
        m_out << "#  and " << m_run.GetRankCount() - MAX_DEVICES << " more\n";
    }
}

void
CollectiveBenchTable::PrintColumns() const
{
    const std::vector<std::string> labels = m_run.GetLabels();
    if (!labels.front().empty())
    {
        m_out << "# Algorithm: " << labels.front() << "\n";
    }
    for (const std::string& protocol : m_run.GetOptions().contest.protocols)
    {
        m_out << "# Protocol: " << protocol << "\n";
    }
    m_out << "# In-place is out-of-place again: a simulated collective has no buffers.\n#\n"
          << FormatHead("", "", "", "", "") << Centre("out-of-place", 33) << Centre("in-place", 33)
          << "\n"
          << FormatHead("size", "count", "type", "redop", "root");
    for (int group = 0; group < 2; group++)
    {
        m_out << "     time   algbw   busbw  #wrong";
    }
    m_out << "\n" << FormatHead("(B)", "(elements)", "", "", "");
    for (int group = 0; group < 2; group++)
    {
        m_out << "     (us)  (GB/s)  (GB/s)        ";
    }
    m_out << "\n";
}

void
CollectiveBenchTable::PrintComparedColumns() const
{
    m_out << FormatHead("", "", "", "", "");
    const std::vector<std::string> labels = m_run.GetLabels();
    for (const std::string& label : labels)
    {
        m_out << "  " << Pad(label, 15);
    }
    m_out << "\n" << FormatHead("size", "count", "type", "redop", "root");
    for (const std::string& label : labels)
    {
        m_out << std::string(std::max<std::size_t>(label.size(), 15) - 15, ' ')
              << "     time   busbw";
    }
    m_out << "  best\n" << FormatHead("(B)", "(elements)", "", "", "");
    for (const std::string& label : labels)
    {
        m_out << std::string(std::max<std::size_t>(label.size(), 15) - 15, ' ')
              << "     (us)  (GB/s)";
    }
    m_out << "\n";
}

void
CollectiveBenchTable::PrintSize(const std::vector<std::optional<CollectiveBenchRecord>>& rows) const
{
    const std::optional<std::size_t> best = FindBest(rows);
    m_out << FormatParameters(*rows[*best]);
    if (!m_run.GetOptions().contest.IsComparison())
    {
        m_out << FormatFigures(*rows[*best]) << FormatFigures(*rows[*best]) << std::endl;
        return;
    }
    const std::vector<std::string> labels = m_run.GetLabels();
    for (std::size_t i = 0; i < rows.size(); i++)
    {
        const auto& row = rows[i];
        m_out << std::string(std::max<std::size_t>(labels[i].size(), 15) - 15, ' ') << "  "
              << Pad(row ? FormatTime(row->GetTime()) : "-", 7) << "  "
              << Pad(row ? FormatFixed(row->GetBusbwGBps(), 2) : "-", 6);
    }
    const bool isEmpty = rows[*best]->end == rows[*best]->start;
    m_out << "  " << (isEmpty ? "-" : labels[*best]) << std::endl;
}

void
CollectiveBenchTable::PrintEnd(const RunSummary& summary, const std::string& folder) const
{
    const std::vector<std::string> labels = m_run.GetLabels();
    uint64_t wrong = 0;
    for (const CollectiveBenchRow& row : m_run.GetRows())
    {
        wrong += row.record.wrong.value_or(0) > 0 ? 1 : 0;
    }
    m_out << "# Out of bounds values : " << wrong << (wrong > 0 ? " FAILED" : " OK") << "\n";
    for (std::size_t i = 0; i < labels.size(); i++)
    {
        double sum = 0;
        uint64_t count = 0;
        for (const CollectiveBenchRow& row : m_run.GetRows())
        {
            if (row.contender == i)
            {
                sum += row.record.GetBusbwGBps();
                count++;
            }
        }
        const bool isNamed = m_run.GetOptions().contest.IsComparison();
        m_out << "# Avg bus bandwidth    : " << (count > 0 ? sum / static_cast<double>(count) : 0)
              << (isNamed ? " " + labels[i] : " ") << "\n";
    }
    m_out << "#\n";
    PrintLines("unfinished", summary.unfinished);
    PrintLines("warning", summary.warnings);
    PrintLines("note", summary.notes);
    m_out << "# results: " << folder << "\n";
    m_out.flush();
}

void
CollectiveBenchTable::PrintLines(const std::string& prefix,
                                 const std::vector<std::string>& lines) const
{
    for (std::size_t i = 0; i < std::min(lines.size(), MAX_LINES); i++)
    {
        m_out << "# " << prefix << ": " << lines[i] << "\n";
    }
    if (lines.size() > MAX_LINES)
    {
        m_out << "# " << prefix << ": and " << lines.size() - MAX_LINES
              << " more lines in summary.json\n";
    }
}

} // namespace ns3
