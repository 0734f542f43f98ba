/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-summary.h"

#include "result-format.h"

#include <array>
#include <ctime>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace ns3
{

std::string
ToString(RunVerdict verdict)
{
    switch (verdict)
    {
    case RunVerdict::FINISHED:
        return "finished";
    case RunVerdict::INTERRUPTED:
        return "interrupted";
    default:
        return "unfinished";
    }
}

void
EngineSummary::FillFromHost()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    peakRssBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
    std::array<char, 256> text{};
    std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    date.assign(text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc));
    if (gethostname(text.data(), text.size() - 1) == 0)
    {
        host = text.data();
    }
}

void
RunSummary::Check() const
{
    int64_t sum = 0;
    std::set<std::string> names;
    for (const TimePart& part : breakdown)
    {
        sum += part.duration.GetPicoSeconds();
        if (!names.insert(part.name).second)
        {
            throw std::logic_error("the breakdown has two parts named '" + part.name + "'");
        }
    }
    if (sum != iterationTime.GetPicoSeconds())
    {
        throw std::logic_error("the parts of the breakdown add up to " +
                               FormatNanoseconds(PicoSeconds(sum)) + " ns, the iteration takes " +
                               FormatNanoseconds(iterationTime) + " ns");
    }
    if (verdict == RunVerdict::FINISHED && !unfinished.empty())
    {
        throw std::logic_error("a finished run has something unfinished: " + unfinished.front());
    }
    for (const CollectiveSummary& collective : collectives)
    {
        RequireFinite(collective.algbwGBps);
        RequireFinite(collective.busbwGBps);
        RequireFinite(collective.joinedBusbwGBps);
    }
    RequireFinite(flows.slowdown.mean);
    RequireFinite(flows.slowdown.max);
    RequireFinite(engine.wallSeconds);
}

} // namespace ns3
