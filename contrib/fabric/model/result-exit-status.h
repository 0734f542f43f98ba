/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_EXIT_STATUS_H
#define RESULT_EXIT_STATUS_H

#include "result-summary.h"

#include <functional>
#include <iostream>

namespace ns3
{

/** \ingroup fabric \brief What a program tells its shell. */
enum class ExitStatus : int
{
    FINISHED = 0,   //!< all work was done
    UNFINISHED = 1, //!< stuck or stopped; results were written
    BAD_INPUT = 2,  //!< a ConfigError; nothing was written
    FAILED = 3,     //!< the program or its machine failed: no memory, no room for the output
};

/**
 * \ingroup fabric
 * \param verdict a verdict
 * \return the status that goes with it
 */
ExitStatus GetExitStatus(RunVerdict verdict);

/**
 * \ingroup fabric
 * Runs a program and turns every exception into one line and a status: the body of every main().
 * A ConfigError is bad input; anything else, and output that could not be written, is a failure.
 * \param program does everything and returns the status
 * \param errors receives the line, normally std::cerr
 * \param out where the program prints; flushed here
 * \return the status as main() returns it
 */
int RunProgram(const std::function<ExitStatus()>& program,
               std::ostream& errors,
               std::ostream& out = std::cout);

} // namespace ns3

#endif /* RESULT_EXIT_STATUS_H */
