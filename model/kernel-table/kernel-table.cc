/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table.h"

#include "kernel-table-csv.h"
#include "kernel-table-database.h"

#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace ns3
{

namespace
{

/**
 * \param ns nanoseconds, greater than 0
 * \return the time, at least one tick of the resolution that is set
 */
Time
ToTime(double ns)
{
    const Time time = PicoSeconds(std::llround(ns * 1000));
    return std::max(time, TimeStep(1));
}

/**
 * \param format printf format for one number
 * \param value the number
 * \return the text
 */
std::string
Format(const char* format, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/**
 * \param path a file
 * \return true if it begins as every SQLite database does
 */
bool
IsDatabase(const std::string& path)
{
    const std::string magic = "SQLite format 3";
    std::string begin(magic.size(), '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
    return begin == magic;
}

/**
 * \param path a database, a CSV file or a folder
 * \return its content
 */
KernelTableData
ReadAny(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored) && IsDatabase(path))
    {
        return ReadKernelTableDatabase(path);
    }
    KernelTableData data;
    ReadKernelTableCsv(path, data);
    return data;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(KernelTable);

TypeId
KernelTable::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::KernelTable")
            .SetParent<KernelTimeSource>()
            .SetGroupName("Railyard")
            .AddConstructor<KernelTable>()
            .AddAttribute("Path",
                          "Database, CSV file or folder of CSV files; empty for the table that "
                          "Railyard ships.",
                          StringValue(""),
                          MakeStringAccessor(&KernelTable::SetPath, &KernelTable::GetPath),
                          MakeStringChecker())
            .AddAttribute(
                "Reach",
                "Octaves (factors of two) in each dimension from a shape to a row, beyond "
                "which the roofline answers. 1: the node distance of the shipped fits.",
                DoubleValue(1),
                MakeDoubleAccessor(&KernelTable::m_reach),
                MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Radius",
                "Octaves (Euclidean) from a shape within which rows have weight. 2.5: the "
                "errors on held-out rows, doc/formats/kernel-table.md.",
                DoubleValue(2.5),
                MakeDoubleAccessor(&KernelTable::m_radius),
                MakeDoubleChecker<double>(0));
    return tid;
}

Ptr<KernelTable>
KernelTable::Load(const std::string& path)
{
    Ptr<KernelTable> table = CreateObject<KernelTable>();
    if (!path.empty())
    {
        table->SetPath(path);
    }
    table->EnsureRead();
    return table;
}

void
KernelTable::SetPath(const std::string& path)
{
    m_path = path;
    m_read = false;
    ForgetAnswers();
}

std::string
KernelTable::GetPath() const
{
    return m_path;
}

void
KernelTable::EnsureRead()
{
    if (!m_read)
    {
        m_data = ReadAny(m_path.empty() ? GetShippedKernelTablePath() : m_path);
        BuildInterpolators();
        m_read = true;
    }
}

const KernelTableData&
KernelTable::GetData()
{
    EnsureRead();
    return m_data;
}

const GpuSpec&
KernelTable::GetGpu(const std::string& name)
{
    const auto& gpus = GetData().GetGpus();
    auto it = gpus.find(name);
    if (it == gpus.end())
    {
        throw ConfigError("kernel table", "gpu", name, "one of " + m_data.GetGpuNames());
    }
    return it->second;
}

std::pair<KernelTable::Neighbourhood, std::vector<double>>
KernelTable::Locate(const KernelOp& op, const KernelFamily& family, const KernelShape& shape)
{
    Neighbourhood neighbourhood{family, {}};
    std::vector<double> position;
    for (const auto& dimension : op.GetDimensions())
    {
        const uint64_t value = shape.at(dimension.name);
        if (dimension.interpolated)
        {
            position.push_back(std::log2(static_cast<double>(value)));
        }
        else
        {
            neighbourhood.second.push_back(value);
        }
    }
    return {neighbourhood, position};
}

void
KernelTable::BuildInterpolators()
{
    m_interpolators.clear();
    for (const auto& [key, row] : m_data.GetRows())
    {
        if (auto op = KernelOp::Find(key.op))
        {
            const double idealNs =
                op->GetIdealNs(key.shape, key.type, m_data.GetGpus().at(key.gpu));
            const auto [where, position] = Locate(*op, {key.gpu, key.op, key.type}, key.shape);
            m_interpolators[where].Add(position, idealNs / row.timeNs, row.source);
        }
    }
}

void
KernelTable::Validate(const KernelKey& key, Ptr<const KernelOp> op)
{
    const GpuSpec& gpu = GetGpu(key.gpu);
    if (!op)
    {
        throw ConfigError("kernel table",
                          "op",
                          key.ToString(),
                          "a kernel of the table, or one of the ops " + KernelOp::GetNames());
    }
    const std::string complaint = op->GetComplaint(key.shape);
    if (!complaint.empty())
    {
        throw ConfigError("kernel table", "shape", key.ToString(), complaint);
    }
    if (op->GetFlops(key.shape) > 0 && !gpu.Supports(key.type))
    {
        throw ConfigError("kernel table",
                          "type",
                          key.type,
                          "a type of the " + gpu.name + ": " + gpu.GetTypeNames());
    }
}

std::optional<KernelTable::Efficiency>
KernelTable::FindInFamily(const KernelFamily& family, const KernelShape& shape) const
{
    const auto op = KernelOp::Find(std::get<1>(family));
    std::vector<KernelShape> candidates = op->GetEquivalentShapes(shape);
    candidates.insert(candidates.begin(), shape);
    std::optional<Efficiency> best;
    for (const auto& candidate : candidates)
    {
        const auto [where, position] = Locate(*op, family, candidate);
        auto it = m_interpolators.find(where);
        const auto found = it == m_interpolators.end()
                               ? std::nullopt
                               : it->second.Estimate(position, m_reach, m_radius);
        if (found && (!best || found->nearestOctaves < best->estimate.nearestOctaves))
        {
            std::string note = std::to_string(found->rows) + " rows, nearest at " +
                               Format("%.2f", found->nearestOctaves) + " octaves from " +
                               found->source;
            if (candidate != shape)
            {
                note += ", around the equivalent " + FormatKernelShape(candidate);
            }
            best = Efficiency{*found, note};
        }
    }
    return best;
}

std::optional<KernelTable::Efficiency>
KernelTable::FindEfficiency(const KernelFamily& family, const KernelShape& shape) const
{
    auto found = FindInFamily(family, shape);
    const auto it = m_data.GetDerivations().find(family);
    if (found || it == m_data.GetDerivations().end())
    {
        return found;
    }
    const KernelDerivation& derivation = it->second;
    const auto from = KernelOp::Find(derivation.fromOp);
    if (from->GetComplaint(shape).empty())
    {
        found =
            FindEfficiency({std::get<0>(family), derivation.fromOp, derivation.fromType}, shape);
    }
    if (found)
    {
        found->estimate.efficiency *= derivation.efficiencyFactor;
        found->note = Format("%.3f", derivation.efficiencyFactor) + " times the efficiency of " +
                      derivation.fromOp + " " + derivation.fromType + " (" + derivation.source +
                      "): " + found->note;
    }
    return found;
}

KernelTime
KernelTable::GetRoofline(const KernelKey& key, const KernelOp& op)
{
    const GpuSpec& gpu = GetGpu(key.gpu);
    const double flops = op.GetFlops(key.shape);
    const double computeNs =
        flops > 0 ? 1e9 * flops / (op.GetDefaultEfficiency(gpu) * gpu.GetPeakFlops(key.type)) : 0;
    const double ns = op.GetRooflineNs(key.shape, key.type, gpu);
    const bool computeBound = ns - gpu.launchNs <= computeNs;
    const std::string note =
        "no row within " + Format("%g", m_reach) + " octaves; " +
        (computeBound
             ? Format("%g", op.GetDefaultEfficiency(gpu)) + " of the peak " + key.type + " rate"
             : Format("%g", gpu.memoryEfficiency) + " of the memory bandwidth") +
        " + " + Format("%g", gpu.launchNs) + " ns launch (" + gpu.source + ")";
    return {ToTime(ns), KernelProvenance::ROOFLINE, note};
}

KernelTime
KernelTable::DoLookup(const KernelKey& asked)
{
    EnsureRead();
    KernelKey key = asked;
    const auto op = KernelOp::Find(key.op);
    if (op)
    {
        key.type = op->GetTableType(key.type);
    }
    const auto row = m_data.GetRows().find(key);
    if (row != m_data.GetRows().end() && m_data.GetSources().at(row->second.source).measured)
    {
        return {ToTime(row->second.timeNs), KernelProvenance::EXACT, row->second.source};
    }
    Validate(key, op);
    if (const auto found = FindEfficiency({key.gpu, key.op, key.type}, key.shape))
    {
        const double idealNs = op->GetIdealNs(key.shape, key.type, GetGpu(key.gpu));
        const double efficiency = std::min(found->estimate.efficiency, 1.0);
        return {ToTime(idealNs / efficiency), KernelProvenance::INTERPOLATED, found->note};
    }
    return GetRoofline(key, *op);
}

} // namespace ns3
