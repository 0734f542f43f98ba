/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-exit-status.h"

#include "config-error.h"
#include "huge-pages.h"

#include <exception>
#include <new>
#include <string>

namespace ns3
{

namespace
{

/**
 * \param errors receives the line
 * \param text what went wrong; shown on one line
 * \param status what it means
 * \return the status as main() returns it
 */
int
Report(std::ostream& errors, std::string text, ExitStatus status)
{
    for (char& c : text)
    {
        c = c == '\n' || c == '\r' ? ' ' : c;
    }
    errors << "error: " << text << std::endl;
    return static_cast<int>(status);
}

} // namespace

ExitStatus
GetExitStatus(RunVerdict verdict)
{
    return verdict == RunVerdict::FINISHED ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
}

int
RunProgram(const std::function<ExitStatus()>& program, std::ostream& errors, std::ostream& out)
{
    PreferHugePages();
    try
    {
        const ExitStatus status = program();
        out.flush();
        return out ? static_cast<int>(status)
                   : Report(errors,
                            "standard output cannot be written: what was printed is not complete",
                            ExitStatus::FAILED);
    }
    catch (const ConfigError& error)
    {
        return Report(errors, error.what(), ExitStatus::BAD_INPUT);
    }
    catch (const std::bad_alloc&)
    {
        return Report(errors, "out of memory: the input is too large here", ExitStatus::FAILED);
    }
    catch (const std::exception& error)
    {
        return Report(errors, std::string("internal: ") + error.what(), ExitStatus::FAILED);
    }
}

} // namespace ns3
