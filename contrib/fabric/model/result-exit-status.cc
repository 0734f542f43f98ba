/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-exit-status.h"

#include "config-error.h"

#include <ostream>

namespace ns3
{

ExitStatus
GetExitStatus(RunVerdict verdict)
{
    return verdict == RunVerdict::FINISHED ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
}

int
RunProgram(const std::function<ExitStatus()>& program, std::ostream& errors)
{
    try
    {
        return static_cast<int>(program());
    }
    catch (const ConfigError& error)
    {
        errors << "error: " << error.what() << std::endl;
        return static_cast<int>(ExitStatus::BAD_INPUT);
    }
}

} // namespace ns3
