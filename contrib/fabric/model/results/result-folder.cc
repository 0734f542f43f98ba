/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-folder.h"

#include "result-csv-writer.h"
#include "result-database-writer.h"
#include "result-summary-json.h"

namespace ns3
{

ResultFolder::ResultFolder(const ResultFolderOptions& options)
    : m_options(options),
      m_staging(options.path)
{
    m_writers.push_back(std::make_unique<ResultDatabaseWriter>(m_staging.GetFile("results.db")));
    if (options.timeline)
    {
        auto timeline = std::make_unique<ResultTimelineWriter>(m_staging.GetFile("timeline.json"),
                                                               options.timelineRanks);
        m_timeline = timeline.get();
        m_writers.push_back(std::move(timeline));
    }
    if (options.csv)
    {
        m_writers.push_back(std::make_unique<ResultCsvWriter>(m_staging.GetFolder()));
    }
}

const std::string&
ResultFolder::GetPath() const
{
    return m_options.path;
}

std::string
ResultFolder::AddFile(const std::string& name)
{
    return m_staging.AddFile(name);
}

void
ResultFolder::AddWriter(std::unique_ptr<ResultWriter> writer, bool records)
{
    (records ? m_writers : m_apart).push_back(std::move(writer));
}

RunSummary
ResultFolder::Commit(RunSummary summary)
{
    m_tally.Complete(summary);
    NoteOmissions(summary);
    ResultFile file(m_staging.GetFile("summary.json"));
    file.Write(MakeSummaryJson(summary));
    file.Close();
    for (auto* writers : {&m_writers, &m_apart})
    {
        for (auto& writer : *writers)
        {
            writer->Close();
        }
        writers->clear();
    }
    m_timeline = nullptr;
    m_staging.Commit();
    return summary;
}

void
ResultFolder::NoteOmissions(RunSummary& summary) const
{
    if (m_timeline && m_timeline->GetOmittedSpans() > 0)
    {
        summary.notes.push_back("timeline.json shows the ranks below " +
                                std::to_string(m_options.timelineRanks) + " only; " +
                                std::to_string(m_timeline->GetOmittedSpans()) +
                                " spans of the others are in results.db alone");
    }
}

} // namespace ns3
