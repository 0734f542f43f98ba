/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-statistics.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * \param sorted values in ascending order, at least one
 * \param perMille 1 to 1000
 * \return the smallest value that so many per mille of the values do not exceed
 */
template <class T>
const T&
GetNearestRank(const std::vector<T>& sorted, uint64_t perMille)
{
    return sorted[(sorted.size() * perMille + 999) / 1000 - 1];
}

/** \param sorted values in ascending order, at least one \param mean their mean \return both */
template <class Statistics, class T>
Statistics
MakeStatistics(const std::vector<T>& sorted, const T& mean)
{
    return {mean,
            GetNearestRank(sorted, 500),
            GetNearestRank(sorted, 900),
            GetNearestRank(sorted, 950),
            GetNearestRank(sorted, 990),
            GetNearestRank(sorted, 999),
            sorted.back()};
}

/** Counts values by their logarithm, eight bars for each power of two, with exact limits. */
class LogHistogram
{
  public:
    /** \param value above 0 */
    void Add(double value)
    {
        int exponent = 0;
        const double mantissa = std::frexp(value, &exponent); // 0.5 to below 1
        m_bars[exponent * BARS + static_cast<int>((mantissa - 0.5) * 2 * BARS)]++;
    }

    /** \param quantity its name \param [out] records gets the bars */
    void Append(const std::string& quantity, std::vector<HistogramRecord>& records) const
    {
        for (const auto& [bar, flows] : m_bars)
        {
            HistogramRecord record;
            record.quantity = quantity;
            record.lower = GetLimit(bar);
            record.upper = GetLimit(bar + 1);
            record.flows = flows;
            records.push_back(record);
        }
    }

  private:
    static constexpr int BARS = 8; //!< for each power of two

    /** \param bar number of a bar \return its least value */
    static double GetLimit(int bar)
    {
        const int exponent = bar >= 0 ? bar / BARS : -((BARS - 1 - bar) / BARS);
        return std::ldexp(1.0 + static_cast<double>(bar - exponent * BARS) / BARS, exponent - 1);
    }

    std::map<int, uint64_t> m_bars; //!< flows by bar
};

} // namespace

FlowTimes
SummarizeTimes(std::vector<Time> times)
{
    if (times.empty())
    {
        return {};
    }
    std::sort(times.begin(), times.end());
    const auto size = static_cast<int64_t>(times.size());
    int64_t mean = 0; // quotients and remainders apart: the sum may not fit
    int64_t rest = 0;
    for (const Time& time : times)
    {
        mean += time.GetTimeStep() / size;
        rest += time.GetTimeStep() % size;
    }
    return MakeStatistics<FlowTimes>(times, TimeStep(mean + rest / size));
}

FlowRatios
SummarizeRatios(std::vector<double> ratios)
{
    if (ratios.empty())
    {
        return {};
    }
    std::sort(ratios.begin(), ratios.end());
    const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0);
    return MakeStatistics<FlowRatios>(ratios, sum / static_cast<double>(ratios.size()));
}

std::vector<uint64_t>
FlowStatistics::GetDefaultLimits()
{
    std::vector<uint64_t> limits;
    for (uint64_t limit = 1000; limit <= 1000000000; limit *= 10)
    {
        limits.push_back(limit);
    }
    return limits;
}

FlowStatistics::FlowStatistics(std::vector<uint64_t> limits)
    : m_limits(std::move(limits)),
      m_ranges(m_limits.size() + 1)
{
    NS_ABORT_MSG_IF(std::adjacent_find(m_limits.begin(), m_limits.end(), std::greater_equal<>()) !=
                        m_limits.end(),
                    "the limits of flow sizes must go upwards");
}

void
FlowStatistics::Add(uint64_t bytes, Time completion, double slowdown)
{
    const auto limit = std::upper_bound(m_limits.begin(), m_limits.end(), bytes);
    Range& range = m_ranges[limit - m_limits.begin()];
    range.times.push_back(completion);
    if (slowdown > 0)
    {
        range.slowdowns.push_back(slowdown);
    }
}

FlowStatistics::Range
FlowStatistics::GetAll() const
{
    Range all;
    for (const Range& range : m_ranges)
    {
        all.times.insert(all.times.end(), range.times.begin(), range.times.end());
        all.slowdowns.insert(all.slowdowns.end(), range.slowdowns.begin(), range.slowdowns.end());
    }
    return all;
}

FlowTimes
FlowStatistics::GetTimes() const
{
    return SummarizeTimes(GetAll().times);
}

FlowRatios
FlowStatistics::GetSlowdowns() const
{
    return SummarizeRatios(GetAll().slowdowns);
}

std::vector<FlowSizeRecord>
FlowStatistics::GetBySize() const
{
    std::vector<FlowSizeRecord> records;
    for (std::size_t i = 0; i < m_ranges.size(); i++)
    {
        const Range& range = m_ranges[i];
        if (range.times.empty())
        {
            continue;
        }
        FlowSizeRecord record;
        record.fromBytes = i > 0 ? m_limits[i - 1] : 0;
        if (i < m_limits.size())
        {
            record.toBytes = m_limits[i];
        }
        record.flows = range.times.size();
        record.completion = SummarizeTimes(range.times);
        record.slowdowns = range.slowdowns.size();
        record.slowdown = SummarizeRatios(range.slowdowns);
        records.push_back(record);
    }
    return records;
}

std::vector<HistogramRecord>
FlowStatistics::GetHistograms() const
{
    LogHistogram times;
    LogHistogram slowdowns;
    for (const Range& range : m_ranges)
    {
        for (const Time& time : range.times)
        {
            times.Add(std::max(1e-3, static_cast<double>(time.GetPicoSeconds()) / 1000.0));
        }
        for (const double slowdown : range.slowdowns)
        {
            slowdowns.Add(slowdown);
        }
    }
    std::vector<HistogramRecord> records;
    times.Append("fct", records);
    slowdowns.Append("slowdown", records);
    return records;
}

} // namespace ns3
