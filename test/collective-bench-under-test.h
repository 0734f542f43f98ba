/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_BENCH_UNDER_TEST_H
#define COLLECTIVE_BENCH_UNDER_TEST_H

#include "ns3/collective-bench-run.h"
#include "ns3/result-summary.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief What a benchmark of collectives leaves. */
struct CollectiveBenchOutcome
{
    int status{0};                        //!< of the program
    std::string out;                      //!< what it printed
    std::string error;                    //!< what it wrote to standard error
    RunSummary summary;                   //!< of a run that was not refused
    std::vector<CollectiveBenchRow> rows; //!< of its table
    std::string folder;                   //!< of its results

    /** \return the only row; a test fails if there are none or several */
    CollectiveBenchRecord GetRow() const;
    /** \return the lines of the table, each as its words; what stands behind a # left out */
    std::vector<std::vector<std::string>> GetTable() const;
    /** \return the lines that begin with a # */
    std::vector<std::string> GetComments() const;
    /** \param sql a query of results.db \return all values of all rows, with blanks between */
    std::string Ask(const std::string& sql) const;
};

/**
 * \ingroup tests
 * Does what collective-bench-example does.
 * \param words the command line, without --out
 * \return what that leaves; a refused run has written one line and nothing else
 */
CollectiveBenchOutcome RunBench(const std::vector<std::string>& words);

} // namespace ns3

#endif /* COLLECTIVE_BENCH_UNDER_TEST_H */
