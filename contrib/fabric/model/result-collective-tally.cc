/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-collective-tally.h"

#include <algorithm>

namespace ns3
{

void
ResultCollectiveTally::Add(const CollectiveRecord& record)
{
    auto [found, isNew] =
        m_index.try_emplace(
            Key(record.kind,
                record.group,
                record.ranks,
                record.algorithm,
                record.protocol,
                record.bytes),
            m_entries.size());
    if (isNew)
    {
        Entry entry;
        entry.summary.kind = record.kind;
        entry.summary.group = record.group;
        entry.summary.ranks = record.ranks;
        entry.summary.algorithm = record.algorithm;
        entry.summary.protocol = record.protocol;
        entry.summary.bytes = record.bytes;
        entry.busFactor = record.busFactor;
        m_entries.push_back(entry);
    }
    Entry& entry = m_entries[found->second];
    if (!record.end)
    {
        entry.summary.unfinished++;
        return;
    }
    Time duration = *record.end - record.start;
    bool isFirst = entry.summary.count == 0;
    entry.summary.minTime = isFirst ? duration : std::min(entry.summary.minTime, duration);
    entry.summary.maxTime = isFirst ? duration : std::max(entry.summary.maxTime, duration);
    entry.summary.count++;
    entry.total += duration;
    entry.waits += record.lastStart - record.start;
}

void
ResultCollectiveTally::Add(const CollectiveBenchRecord& record)
{
    CollectiveSummary summary;
    summary.kind = record.kind;
    summary.group = "all";
    summary.ranks = record.ranks;
    summary.algorithm = record.algorithm;
    summary.protocol = record.protocol;
    summary.bytes = record.bytes;
    summary.count = record.iterations;
    summary.time = record.GetTime();
    summary.minTime = summary.time;
    summary.maxTime = summary.time;
    summary.algbwGBps = record.GetAlgbwGBps();
    summary.busbwGBps = record.GetBusbwGBps();
    summary.joinedBusbwGBps = summary.busbwGBps;
    m_rows.push_back(summary);
}

std::vector<CollectiveSummary>
ResultCollectiveTally::GetSummaries() const
{
    if (!m_rows.empty())
    {
        return m_rows;
    }
    std::vector<CollectiveSummary> summaries;
    for (const Entry& entry : m_entries)
    {
        CollectiveSummary summary = entry.summary;
        const int64_t total = entry.total.GetPicoSeconds();
        const int64_t waits = entry.waits.GetPicoSeconds();
        const auto count = static_cast<int64_t>(summary.count);
        // bytes per picosecond = 1e12 bytes/s = 1000 GB/s
        const double volume =
            static_cast<double>(summary.bytes) * static_cast<double>(count) * 1000.0;
        if (count > 0 && total > 0)
        {
            summary.time = PicoSeconds((total + count / 2) / count);
            summary.wait = PicoSeconds((waits + count / 2) / count);
            summary.algbwGBps = volume / static_cast<double>(total);
            summary.busbwGBps = summary.algbwGBps * entry.busFactor;
        }
        if (count > 0 && total > waits)
        {
            summary.joinedBusbwGBps =
                volume / static_cast<double>(total - waits) * entry.busFactor;
        }
        summaries.push_back(summary);
    }
    return summaries;
}

} // namespace ns3
