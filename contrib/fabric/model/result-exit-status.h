/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_EXIT_STATUS_H
#define RESULT_EXIT_STATUS_H

#include "result-summary.h"

#include <functional>
#include <iosfwd>

namespace ns3
{

/** \ingroup fabric \brief What a program tells its shell. */
enum class ExitStatus : int
{
    FINISHED = 0,   //!< all work was done
    UNFINISHED = 1, //!< stuck or stopped; results were written
    BAD_INPUT = 2,  //!< a ConfigError; nothing was written
};

/**
 * \ingroup fabric
 * \param verdict a verdict
 * \return the status that goes with it
 */
ExitStatus GetExitStatus(RunVerdict verdict);

/**
 * \ingroup fabric
 * Runs a program and turns a ConfigError into one line and a status: the body of every main().
 * \param program does everything and returns the status
 * \param errors receives the line, normally std::cerr
 * \return the status as main() returns it
 */
int RunProgram(const std::function<ExitStatus()>& program, std::ostream& errors);

} // namespace ns3

#endif /* RESULT_EXIT_STATUS_H */
