/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_FOLDER_H
#define RESULT_FOLDER_H

#include "result-staging.h"
#include "result-tally.h"
#include "result-timeline-writer.h"
#include "result-writer.h"

#include "ns3/result-sink.h"
#include "ns3/result-summary.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What a ResultFolder writes, and where. */
struct ResultFolderOptions
{
    std::string path;            //!< the folder
    bool csv{false};             //!< also write every table as a CSV file
    bool timeline{true};         //!< write timeline.json
    uint32_t timelineRanks{128}; //!< ranks from this one on are left out of the timeline
};

/**
 * \ingroup fabric
 * \brief The results of a run: a folder with summary.json, results.db, timeline.json and CSV files.
 *
 * Make it before the simulation starts: a folder that cannot be written throws ConfigError at once.
 * Record() whatever the run brings, in order; rows go to the disk as they come. Commit() makes the
 * files visible, all at once; without it (the run was refused) nothing remains.
 *
 * \code
 *   ResultFolder results({"out"});
 *   network.SetResultSink(results);
 *   Simulator::Run();
 *   RunSummary summary = results.Commit(MakeSummary());
 *   SummaryPrinter(std::cout).Print(summary, results.GetPath());
 *   return GetExitStatus(summary.verdict);
 * \endcode
 */
class ResultFolder final : public ResultSinkTemplate<ResultFolder>
{
  public:
    /** \param options what to write, and where */
    explicit ResultFolder(const ResultFolderOptions& options);

    /** \return the folder */
    const std::string& GetPath() const;

    /**
     * Another file of the result, written by the caller and closed before Commit().
     * \param name its name in the folder
     * \return where to write it
     */
    std::string AddFile(const std::string& name);

    /**
     * \param writer another writer, closed by Commit()
     * \param records whether it gets all records, or those alone that somebody hands to it
     */
    void AddWriter(std::unique_ptr<ResultWriter> writer, bool records);

    /**
     * Writes the summary and makes all files visible; the last call.
     * \param summary what the caller knows; tables and collectives are filled in here, and
     * whatever the records show to be unfinished
     * \return the summary as written: its verdict is the one that counts
     */
    RunSummary Commit(RunSummary summary);

    /**
     * Writes a record.
     * \param record the record
     */
    template <class R>
    void Take(const R& record)
    {
        m_tally.Record(record);
        for (auto& writer : m_writers)
        {
            writer->Record(record);
        }
    }

  private:
    /**
     * Says in a summary what the timeline lacks.
     * \param summary the summary
     */
    void NoteOmissions(RunSummary& summary) const;

    ResultFolderOptions m_options;                        //!< what to write, and where
    ResultStaging m_staging;                              //!< the folder on disk
    ResultTally m_tally;                                  //!< counts for the summary
    std::vector<std::unique_ptr<ResultWriter>> m_writers; //!< the files
    std::vector<std::unique_ptr<ResultWriter>> m_apart;   //!< files that get no records from here
    ResultTimelineWriter* m_timeline{nullptr};            //!< one of m_writers, if wanted
};

} // namespace ns3

#endif /* RESULT_FOLDER_H */
