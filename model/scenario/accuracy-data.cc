/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy-data.h"

#include "nccl-test.h"

#include "ns3/config-error.h"
#include "ns3/csv-file.h"
#include "ns3/text-value.h"

#include <optional>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_GPUS = 1U << 20;  //!< most ranks of a row
constexpr uint64_t MAX_BYTES = 1ULL << 50; //!< largest operand of a row
constexpr double MAX_MICROSECONDS = 1e12; //!< longest time of a row

/** What tables call collectives. */
const std::map<std::string, CollectiveKind> KINDS{
    {"all_reduce", CollectiveKind::ALL_REDUCE},
    {"all_gather", CollectiveKind::ALL_GATHER},
    {"reduce_scatter", CollectiveKind::REDUCE_SCATTER},
    {"all_to_all", CollectiveKind::ALL_TO_ALL},
    {"broadcast", CollectiveKind::BROADCAST},
    {"reduce", CollectiveKind::REDUCE},
};

/** What tables call types that have another name in nccl-tests; those without one are of float. */
const std::map<std::string, std::string> TYPES{{"", "float"},
                                               {"fp32", "float"},
                                               {"fp16", "half"},
                                               {"bf16", "bfloat16"},
                                               {"fp8", "f8e4m3"}};

/** \param type a type, as tables call it \return it, absent if it is not known */
std::optional<NcclType>
FindType(const std::string& type)
{
    const auto other = TYPES.find(type);
    const std::string& name = other == TYPES.end() ? type : other->second;
    try
    {
        return NcclType::Find(TextValue("table", "dtype", name));
    }
    catch (const ConfigError&)
    {
        return std::nullopt;
    }
}

/**
 * \param table a table
 * \param row one of its rows
 * \param column a column
 * \return the text there, empty without the column
 */
std::string
GetOptional(const CsvFile& table, std::size_t row, const std::string& column)
{
    return table.HasColumn(column) ? table.GetText(row, column) : "";
}

/**
 * \param table a table
 * \param row one of its rows
 * \return why it cannot be used, empty if it can
 */
std::string
FindObstacle(const CsvFile& table, std::size_t row)
{
    const std::string quality = GetOptional(table, row, "quality");
    if (!quality.empty() && quality != "measured")
    {
        return "not measured: " + quality;
    }
    if (KINDS.count(table.GetText(row, "collective")) == 0)
    {
        return "collective " + table.GetText(row, "collective");
    }
    const std::string type = GetOptional(table, row, "dtype");
    if (!FindType(type))
    {
        return "type " + type;
    }
    if (table.GetText(row, "size_bytes").empty())
    {
        return "no size";
    }
    return table.GetText(row, "time_us").empty() ? "no time" : "";
}

} // namespace

void
AccuracyData::Load(const std::string& path)
{
    const CsvFile table(path);
    const bool hasSystem = table.HasColumn("system");
    table.RequireColumns({hasSystem ? "system" : "platform",
                          "collective",
                          "gpus",
                          "size_bytes",
                          "time_us"});
    for (std::size_t row = 0; row < table.GetRowCount(); row++)
    {
        const std::string obstacle = FindObstacle(table, row);
        if (!obstacle.empty())
        {
            m_skipped[obstacle]++;
            continue;
        }
        MeasuredCollective measured;
        measured.platform = table.GetText(row, hasSystem ? "system" : "platform");
        measured.kind = KINDS.at(table.GetText(row, "collective"));
        measured.type = GetOptional(table, row, "dtype");
        const NcclType type = FindType(measured.type).value();
        measured.elementBytes = type.bytes;
        measured.elementType = type.element;
        measured.nodes = table.HasColumn("nodes")
                             ? static_cast<uint32_t>(
                                   table.Get(row, "nodes").GetUint("servers", 1, MAX_GPUS))
                             : 1;
        measured.gpus =
            static_cast<uint32_t>(table.Get(row, "gpus").GetUint("ranks", 1, MAX_GPUS));
        measured.bytes = table.Get(row, "size_bytes").GetUint("bytes", 1, MAX_BYTES);
        measured.microseconds =
            table.Get(row, "time_us").GetDouble("time", 1e-3, MAX_MICROSECONDS);
        measured.source = path + ":" + std::to_string(table.GetLine(row));
        const std::string algorithm = GetOptional(table, row, "algo");
        const std::size_t forced = algorithm.find(" forced");
        measured.algorithm = forced == std::string::npos ? "" : algorithm.substr(0, forced);
        if (measured.gpus % measured.nodes != 0)
        {
            m_skipped["ranks not even over servers"]++;
            continue;
        }
        m_rows.push_back(measured);
    }
}

} // namespace ns3
