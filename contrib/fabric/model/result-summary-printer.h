/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_SUMMARY_PRINTER_H
#define RESULT_SUMMARY_PRINTER_H

#include "result-summary.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Prints a RunSummary for a person.
 *
 * The same numbers as in summary.json, rounded. A share of nothing is 0 %.
 */
class SummaryPrinter
{
  public:
    /** \param out where to print */
    explicit SummaryPrinter(std::ostream& out);

    /**
     * \param summary the summary
     * \param folder where the result files are; empty if none were written
     */
    void Print(const RunSummary& summary, const std::string& folder) const;

  private:
    /** Prints verdict and times. \param summary the summary */
    void PrintVerdict(const RunSummary& summary) const;
    /** Prints the parts of the iteration. \param summary the summary */
    void PrintBreakdown(const RunSummary& summary) const;
    /** Prints how much communication was hidden. \param summary the summary */
    void PrintCommunication(const RunSummary& summary) const;
    /** Prints the collectives as nccl-tests does. \param summary the summary */
    void PrintCollectives(const RunSummary& summary) const;
    /** Prints how long flows took. \param flows of the run */
    void PrintFlows(const FlowSummary& flows) const;
    /** \param keys keys of a configuration file; prints those without effect, a line each */
    void PrintIgnoredKeys(const std::vector<ConfigurationKey>& keys) const;
    /** Prints counters, kernel table and engine. \param summary the summary */
    void PrintCounters(const RunSummary& summary) const;
    /**
     * Prints a list of lines, cut where it is long.
     * \param title its title
     * \param lines the lines
     */
    void PrintList(const std::string& title, const std::vector<std::string>& lines) const;

    std::ostream& m_out; //!< where to print
};

} // namespace ns3

#endif /* RESULT_SUMMARY_PRINTER_H */
