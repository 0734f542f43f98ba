/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-size-distribution.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/source-folder.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace ns3
{

namespace
{

/** No flow has more bytes, as in a flow file: a petabyte (binary). */
constexpr double MAX_BYTES = static_cast<double>(uint64_t(1) << 50);

/** \param file a distribution \return its lines that are neither blank nor a comment, in order */
std::vector<TextLine>
GetPointLines(const TextFile& file)
{
    std::vector<TextLine> lines;
    for (std::size_t i = file.FindText(0); i < file.GetLineCount(); i = file.FindText(i + 1))
    {
        if (file.GetLine(i).GetWord(0).front() != '#')
        {
            lines.push_back(file.GetLine(i));
        }
    }
    if (lines.empty())
    {
        file.GetLine(0).Fail("bytes and cumulative probability");
    }
    return lines;
}

/** \param line the last of a distribution \return what it calls the share of all flows */
double
FindWhole(const TextLine& line)
{
    line.RequireCount(2, "bytes, cumulative probability");
    const double whole = line.Get(1).GetDouble("cumulative probability", 0, 100);
    if (whole != 1 && whole != 100)
    {
        line.Get(1).Fail("1 or 100 in the last line: a distribution ends with all flows");
    }
    return whole;
}

/** \return names of the shipped distributions, with commas between them */
std::string
ListShipped()
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator(GetSourceFolder() + "/data/flow-sizes", ignored))
    {
        if (entry.path().extension() == ".txt")
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return JoinList(names);
}

} // namespace

FlowSizeDistribution
FlowSizeDistribution::Read(const std::string& path)
{
    return Read(TextFile(path));
}

FlowSizeDistribution
FlowSizeDistribution::Read(const TextFile& file)
{
    FlowSizeDistribution result;
    const std::vector<TextLine> lines = GetPointLines(file);
    const double whole = FindWhole(lines.back());
    Point last;
    for (const TextLine& line : lines)
    {
        line.RequireCount(2, "bytes, cumulative probability");
        Point point;
        point.bytes = line.Get(0).GetDouble("bytes", 0, MAX_BYTES);
        point.probability = line.Get(1).GetDouble("cumulative probability", 0, whole) / whole;
        if (point.bytes < last.bytes)
        {
            line.Get(0).Fail("a size that is not below that of the line above");
        }
        if (point.probability < last.probability)
        {
            line.Get(1).Fail("a cumulative probability that is not below that of the line above");
        }
        if (result.m_points.empty() && point.probability > 0)
        {
            result.m_points.push_back({point.bytes, 0}); // a share of flows has the first size
        }
        result.m_points.push_back(point);
        last = point;
    }
    if (last.bytes < 1)
    {
        lines.back().Get(0).Fail("a distribution with flows of 1 byte or more");
    }
    return result;
}

FlowSizeDistribution
FlowSizeDistribution::Constant(uint64_t bytes)
{
    FlowSizeDistribution result;
    const auto size = static_cast<double>(std::max<uint64_t>(bytes, 1));
    result.m_points = {{size, 0}, {size, 1}};
    return result;
}

std::string
FlowSizeDistribution::Find(const std::string& name)
{
    if (name.find_first_of("/.") != std::string::npos)
    {
        return name;
    }
    const std::string path = GetSourceFolder() + "/data/flow-sizes/" + name + ".txt";
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
    {
        throw ConfigError("flow sizes",
                          "",
                          name,
                          "a file, or one of the shipped distributions: " + ListShipped());
    }
    return path;
}

double
FlowSizeDistribution::GetMean() const
{
    double mean = 0;
    for (std::size_t i = 1; i < m_points.size(); i++)
    {
        mean += (m_points[i].probability - m_points[i - 1].probability) *
                (m_points[i].bytes + m_points[i - 1].bytes) / 2;
    }
    return mean;
}

uint64_t
FlowSizeDistribution::GetQuantile(double probability) const
{
    const double p = std::clamp(probability, 0.0, 1.0);
    const auto isBelow = [](const Point& point, double value) { return point.probability < value; };
    const auto upper = std::lower_bound(m_points.begin() + 1, m_points.end(), p, isBelow);
    const Point& high = upper == m_points.end() ? m_points.back() : *upper;
    const Point& low = *(upper - 1);
    double bytes = high.bytes;
    if (high.probability > low.probability)
    {
        const double share = (p - low.probability) / (high.probability - low.probability);
        bytes = low.bytes + share * (high.bytes - low.bytes);
    }
    return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(bytes)));
}

} // namespace ns3
