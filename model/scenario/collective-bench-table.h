/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_BENCH_TABLE_H
#define COLLECTIVE_BENCH_TABLE_H

#include "collective-bench-run.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Prints a CollectiveBenchRun in the manner of nccl-tests, so that programs that read its
 * output read this one, too: rows of words with blanks between, everything else behind a #.
 *
 * The columns are those of nccl-tests: size, count, type, redop, root, then time, algbw, busbw and
 * #wrong twice, for out-of-place and in-place. A simulated collective has no buffers, so that the
 * two are equal. A comparison has time and busbw of each algorithm, "-" where it cannot do the
 * size, and the fastest one's name at the end.
 */
class CollectiveBenchTable
{
  public:
    /**
     * \param out where to print
     * \param run what is measured
     */
    CollectiveBenchTable(std::ostream& out, const CollectiveBenchRun& run);

    /** Prints what is measured on what, and the names of the columns. */
    void PrintHeading() const;

    /** \param rows of a size, by contender, absent where one cannot do it; printed as a line */
    void PrintSize(const std::vector<std::optional<CollectiveBenchRecord>>& rows) const;

    /**
     * Prints averages, what the user should know, and where the results are.
     * \param summary of the run
     * \param folder of the results
     */
    void PrintEnd(const RunSummary& summary, const std::string& folder) const;

    /** \param time of an iteration \return it as nccl-tests prints it, in us */
    static std::string FormatTime(const Time& time);

  private:
    /** Prints the ranks, and where they are. */
    void PrintDevices() const;
    /** Prints the names of the columns. */
    void PrintColumns() const;
    /** Prints the names of the columns of a comparison. */
    void PrintComparedColumns() const;
    /** \param prefix of each line \param lines some lines, of which the first are printed */
    void PrintLines(const std::string& prefix, const std::vector<std::string>& lines) const;

    std::ostream& m_out;             //!< where to print
    const CollectiveBenchRun& m_run; //!< what is measured
};

} // namespace ns3

#endif /* COLLECTIVE_BENCH_TABLE_H */
