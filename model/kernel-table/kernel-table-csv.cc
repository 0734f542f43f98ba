/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table-csv.h"

#include "csv-file.h"

#include "ns3/config-error.h"
#include "ns3/source-folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

namespace ns3
{

namespace
{

/**
 * \param file a file
 * \param row a row, from 0
 * \return where it stands
 */
KernelTablePlace
GetPlace(const CsvFile& file, std::size_t row)
{
    return {file.GetPath(), "line " + std::to_string(file.GetLine(row))};
}

/**
 * \param name a column's name
 * \return the type in "peak_<type>_flops", empty if it is another column
 */
std::string
GetPeakType(const std::string& name)
{
    const std::string prefix = "peak_";
    const std::string suffix = "_flops";
    const bool match = name.size() > prefix.size() + suffix.size() &&
                       name.compare(0, prefix.size(), prefix) == 0 &&
                       name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    return match ? name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()) : "";
}

/**
 * Throw ConfigError for a column that is none of those known.
 * \param file a file
 * \param known the columns known
 * \param allowed tells whether another column is allowed
 */
void
RequireOnlyColumns(const CsvFile& file,
                   const std::vector<std::string>& known,
                   const std::function<bool(const std::string&)>& allowed)
{
    file.RequireColumns(known);
    for (const auto& column : file.GetColumns())
    {
        if (std::find(known.begin(), known.end(), column) == known.end() && !allowed(column))
        {
            throw ConfigError(file.GetPath(), file.GetHeaderLine(), column, "a known column");
        }
    }
}

/**
 * \param file a file of GPUs
 * \param data the table to fill
 */
void
ReadGpus(const CsvFile& file, KernelTableData& data)
{
    RequireOnlyColumns(file,
                       {"name",
                        "device",
                        "memory_bytes",
                        "memory_bytes_per_s",
                        "gemm_efficiency",
                        "attention_efficiency",
                        "memory_efficiency",
                        "launch_ns",
                        "source"},
                       [](const std::string& column) { return !GetPeakType(column).empty(); });
    for (std::size_t row = 0; row < file.GetRowCount(); ++row)
    {
        const auto number = [&](const char* column) {
            return file.Get(row, column).GetDouble(column);
        };
        GpuSpec gpu;
        gpu.name = file.GetText(row, "name");
        gpu.device = file.GetText(row, "device");
        gpu.memoryBytes = file.Get(row, "memory_bytes").GetUint("memory_bytes", 1);
        gpu.memoryBytesPerSecond = number("memory_bytes_per_s");
        gpu.gemmEfficiency = number("gemm_efficiency");
        gpu.attentionEfficiency = number("attention_efficiency");
        gpu.memoryEfficiency = number("memory_efficiency");
        gpu.launchNs = number("launch_ns");
        gpu.source = file.GetText(row, "source");
        for (const auto& column : file.GetColumns())
        {
            const std::string type = GetPeakType(column);
            if (!type.empty() && !file.GetText(row, column).empty())
            {
                gpu.peakFlops[type] = file.Get(row, column).GetDouble(column);
            }
        }
        data.AddGpu(gpu, GetPlace(file, row));
    }
}

/**
 * \param file a file of sources
 * \param data the table to fill
 */
void
ReadSources(const CsvFile& file, KernelTableData& data)
{
    RequireOnlyColumns(file,
                       {"source", "kind", "text", "url", "revision", "licence", "fit"},
                       [](const std::string&) { return false; });
    for (std::size_t row = 0; row < file.GetRowCount(); ++row)
    {
        const std::string kind = file.GetText(row, "kind");
        if (kind != "measured" && kind != "fitted")
        {
            file.Get(row, "kind").Fail("kind measured or fitted");
        }
        KernelSource source;
        source.name = file.GetText(row, "source");
        source.measured = kind == "measured";
        source.text = file.GetText(row, "text");
        source.url = file.GetText(row, "url");
        source.revision = file.GetText(row, "revision");
        source.licence = file.GetText(row, "licence");
        source.fit = file.GetText(row, "fit");
        data.AddSource(source, GetPlace(file, row));
    }
}

/**
 * \param file a file of derivations
 * \param data the table to fill
 */
void
ReadDerivations(const CsvFile& file, KernelTableData& data)
{
    RequireOnlyColumns(file,
                       {"gpu", "op", "type", "from_op", "from_type", "efficiency_factor", "source"},
                       [](const std::string&) { return false; });
    for (std::size_t row = 0; row < file.GetRowCount(); ++row)
    {
        KernelDerivation derivation;
        derivation.fromOp = file.GetText(row, "from_op");
        derivation.fromType = file.GetText(row, "from_type");
        derivation.efficiencyFactor =
            file.Get(row, "efficiency_factor").GetDouble("efficiency_factor");
        derivation.source = file.GetText(row, "source");
        data.AddDerivation(
            {file.GetText(row, "gpu"), file.GetText(row, "op"), file.GetText(row, "type")},
            derivation,
            GetPlace(file, row));
    }
}

/**
 * \param file a file of kernels
 * \param data the table to fill
 */
void
ReadKernels(const CsvFile& file, KernelTableData& data)
{
    const std::vector<std::string> fixed{"gpu", "op", "type", "time_ns", "source"};
    file.RequireColumns(fixed);
    for (std::size_t row = 0; row < file.GetRowCount(); ++row)
    {
        KernelKey key{file.GetText(row, "gpu"),
                      file.GetText(row, "op"),
                      file.GetText(row, "type"),
                      {}};
        for (const auto& column : file.GetColumns())
        {
            const bool isDimension = std::find(fixed.begin(), fixed.end(), column) == fixed.end();
            if (isDimension && !file.GetText(row, column).empty())
            {
                key.shape[column] = file.Get(row, column).GetUint(column);
            }
        }
        if (file.GetText(row, "source").empty())
        {
            file.Get(row, "source").Fail("where the time comes from");
        }
        data.AddRow(key,
                    {file.Get(row, "time_ns").GetDouble("time_ns"),
                     file.GetText(row, "source"),
                     GetPlace(file, row)});
    }
}

/** \brief What tells the files of one kind from others, and how to read them. */
struct FileKind
{
    const char* column;                             //!< a column that only they have
    void (*read)(const CsvFile&, KernelTableData&); //!< the reader
};

/** In the order of reading: what is referred to comes first. */
const FileKind FILE_KINDS[] = {{"kind", ReadSources},
                               {"memory_bytes_per_s", ReadGpus},
                               {"from_op", ReadDerivations},
                               {"time_ns", ReadKernels}};

/**
 * \param file a file
 * \return what it holds
 */
const FileKind*
GetKind(const CsvFile& file)
{
    for (const auto& kind : FILE_KINDS)
    {
        if (file.HasColumn(kind.column))
        {
            return &kind;
        }
    }
    throw ConfigError(file.GetPath(),
                      file.GetHeaderLine(),
                      file.GetColumns().front() + ",...",
                      "the header of kernels (gpu,op,type,<dimensions>,time_ns,source), GPUs, "
                      "sources or derivations");
}

/**
 * \param path a file or a folder
 * \return the CSV files, in the order of their names
 */
std::vector<std::string>
GetCsvPaths(const std::string& path)
{
    std::error_code error;
    if (!std::filesystem::is_directory(path, error))
    {
        return {path};
    }
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(path, error))
    {
        if (entry.path().extension() == ".csv")
        {
            paths.push_back(entry.path().string());
        }
    }
    if (error || paths.empty())
    {
        throw ConfigError(path, "", "a folder", "a folder with *.csv files");
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

} // namespace

std::string
GetShippedKernelTablePath()
{
    return GetSourceFolder() + "/data/kernels";
}

void
ReadKernelTableCsv(const std::string& path, KernelTableData& data)
{
    std::map<const FileKind*, std::vector<CsvFile>> files;
    for (const auto& name : GetCsvPaths(path))
    {
        CsvFile file(name);
        files[GetKind(file)].push_back(std::move(file));
    }
    for (const auto& kind : FILE_KINDS)
    {
        for (const auto& file : files[&kind])
        {
            kind.read(file, data);
        }
        if (kind.read == ReadGpus && data.GetGpus().empty())
        {
            KernelTableData shipped;
            ReadKernelTableCsv(GetShippedKernelTablePath(), shipped);
            data.AddGpusOf(shipped);
        }
    }
}

} // namespace ns3
