/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table-database.h"

#include "kernel-table-csv.h"

#include "ns3/config-error.h"
#include "ns3/sqlite-database.h"

#include <cstdint>
#include <filesystem>

namespace ns3
{

namespace
{

const char* const SCHEMA_VERSION = "1"; //!< meta.schema_version

const char* const SCHEMA = R"(
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('measured', 'fitted')),
  text TEXT NOT NULL,
  url TEXT NOT NULL,
  revision TEXT NOT NULL,
  licence TEXT NOT NULL,
  fit TEXT NOT NULL
);
CREATE TABLE gpu (
  name TEXT PRIMARY KEY,
  device TEXT NOT NULL,
  memory_bytes INTEGER NOT NULL,
  memory_bytes_per_s REAL NOT NULL,
  gemm_efficiency REAL NOT NULL,
  attention_efficiency REAL NOT NULL,
  memory_efficiency REAL NOT NULL,
  launch_ns REAL NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source (id)
) WITHOUT ROWID;
CREATE TABLE gpu_peak (
  gpu TEXT NOT NULL REFERENCES gpu (name),
  type TEXT NOT NULL,
  flops REAL NOT NULL,
  PRIMARY KEY (gpu, type)
) WITHOUT ROWID;
CREATE TABLE derived (
  gpu TEXT NOT NULL REFERENCES gpu (name),
  op TEXT NOT NULL,
  type TEXT NOT NULL,
  from_op TEXT NOT NULL,
  from_type TEXT NOT NULL,
  efficiency_factor REAL NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source (id),
  PRIMARY KEY (gpu, op, type)
) WITHOUT ROWID;
CREATE TABLE kernel (
  id INTEGER PRIMARY KEY,
  gpu TEXT NOT NULL REFERENCES gpu (name),
  op TEXT NOT NULL,
  type TEXT NOT NULL,
  shape TEXT NOT NULL,
  time_ns REAL NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source (id),
  UNIQUE (gpu, op, type, shape)
);
)";

/**
 * \param text a shape as FormatKernelShape() writes it
 * \param place where it was read
 * \return the shape
 */
KernelShape
ParseShape(const std::string& text, const KernelTablePlace& place)
{
    KernelShape shape;
    for (std::size_t i = 0; i < text.size();)
    {
        const std::size_t equal = std::min(text.find('=', i), text.size());
        const std::size_t end = std::min(text.find(' ', i), text.size());
        const std::string digits = equal < end ? text.substr(equal + 1, end - equal - 1) : "";
        const bool good = equal > i && !digits.empty() && digits.size() < 19 &&
                          digits.find_first_not_of("0123456789") == std::string::npos;
        if (!good || !shape.emplace(text.substr(i, equal - i), std::stoull(digits)).second)
        {
            throw ConfigError(place.file, place.where, text, "a shape such as 'k=64 m=16 n=32'");
        }
        i = end + 1;
    }
    return shape;
}

/** \brief Reads the tables of one database in the order in which they refer to each other. */
class Reader
{
  public:
    /** \param path the database */
    explicit Reader(const std::string& path)
        : m_database(path, SqliteDatabase::Mode::READ)
    {
    }

    /** \return the content */
    KernelTableData Read()
    {
        CheckVersion();
        ReadSources();
        ReadGpus();
        ReadDerivations();
        ReadKernels();
        return std::move(m_data);
    }

  private:
    /**
     * \param table a table
     * \param row what identifies a row of it
     * \return the place
     */
    KernelTablePlace GetPlace(const std::string& table, const std::string& row) const
    {
        return {m_database.GetPath(), table + " " + row};
    }

    /** Refuse other databases and other versions. */
    void CheckVersion() const
    {
        std::string version = "no table meta";
        if (m_database.HasTable("meta"))
        {
            auto select = m_database.Prepare("SELECT value FROM meta WHERE key = 'schema_version'");
            version = select.Step() ? select.GetText(0) : "no schema_version";
        }
        if (version != SCHEMA_VERSION)
        {
            throw ConfigError(m_database.GetPath(),
                              "meta",
                              version,
                              std::string("a kernel table of schema_version ") + SCHEMA_VERSION);
        }
    }

    /** Read the table source. */
    void ReadSources()
    {
        auto select = m_database.Prepare(
            "SELECT name, kind, text, url, revision, licence, fit FROM source ORDER BY name");
        while (select.Step())
        {
            KernelSource source;
            source.name = select.GetText(0);
            source.measured = select.GetText(1) == "measured";
            source.text = select.GetText(2);
            source.url = select.GetText(3);
            source.revision = select.GetText(4);
            source.licence = select.GetText(5);
            source.fit = select.GetText(6);
            m_data.AddSource(source, GetPlace("source", source.name));
        }
    }

    /** Read the tables gpu and gpu_peak. */
    void ReadGpus()
    {
        auto peak = m_database.Prepare("SELECT type, flops FROM gpu_peak WHERE gpu = ?");
        auto select = m_database.Prepare(
            "SELECT gpu.name, device, memory_bytes, memory_bytes_per_s, gemm_efficiency, "
            "attention_efficiency, memory_efficiency, launch_ns, source.name "
            "FROM gpu JOIN source ON source.id = source_id ORDER BY gpu.name");
        while (select.Step())
        {
            GpuSpec gpu;
            gpu.name = select.GetText(0);
            gpu.device = select.GetText(1);
            gpu.memoryBytes = select.GetInteger(2);
            gpu.memoryBytesPerSecond = select.GetReal(3);
            gpu.gemmEfficiency = select.GetReal(4);
            gpu.attentionEfficiency = select.GetReal(5);
            gpu.memoryEfficiency = select.GetReal(6);
            gpu.launchNs = select.GetReal(7);
            gpu.source = select.GetText(8);
            peak.Bind(1, gpu.name);
            while (peak.Step())
            {
                gpu.peakFlops[peak.GetText(0)] = peak.GetReal(1);
            }
            peak.Reset();
            m_data.AddGpu(gpu, GetPlace("gpu", gpu.name));
        }
    }

    /** Read the table derived. */
    void ReadDerivations()
    {
        auto select = m_database.Prepare(
            "SELECT gpu, op, type, from_op, from_type, efficiency_factor, source.name "
            "FROM derived JOIN source ON source.id = source_id ORDER BY gpu, op, type");
        while (select.Step())
        {
            m_data.AddDerivation(
                {select.GetText(0), select.GetText(1), select.GetText(2)},
                {select.GetText(3), select.GetText(4), select.GetReal(5), select.GetText(6)},
                GetPlace("derived", select.GetText(0) + " " + select.GetText(1)));
        }
    }

    /** Read the table kernel. */
    void ReadKernels()
    {
        auto select = m_database.Prepare(
            "SELECT kernel.id, gpu, op, type, shape, time_ns, source.name "
            "FROM kernel JOIN source ON source.id = source_id ORDER BY kernel.id");
        while (select.Step())
        {
            const KernelTablePlace place = GetPlace("kernel id", select.GetText(0));
            const KernelKey key{select.GetText(1),
                                select.GetText(2),
                                select.GetText(3),
                                ParseShape(select.GetText(4), place)};
            m_data.AddRow(key, {select.GetReal(5), select.GetText(6), place});
        }
    }

    SqliteDatabase m_database; //!< the database
    KernelTableData m_data;    //!< what was read so far
};

/**
 * \param data the table
 * \param database an empty database
 * \return ids of the sources, by name
 */
std::map<std::string, int64_t>
WriteSources(const KernelTableData& data, SqliteDatabase& database)
{
    std::map<std::string, int64_t> ids;
    auto insert = database.Prepare("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    for (const auto& [name, source] : data.GetSources())
    {
        const int64_t id = ids.size() + 1;
        ids[name] = id;
        insert.Execute(id,
                       name,
                       source.measured ? "measured" : "fitted",
                       source.text,
                       source.url,
                       source.revision,
                       source.licence,
                       source.fit);
    }
    return ids;
}

/**
 * \param data the table
 * \param database an empty database
 */
void
WriteTables(const KernelTableData& data, SqliteDatabase& database)
{
    database.Execute(SCHEMA);
    database.Prepare("INSERT INTO meta VALUES ('schema_version', ?)").Execute(SCHEMA_VERSION);
    const auto ids = WriteSources(data, database);
    auto gpuInsert = database.Prepare("INSERT INTO gpu VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    auto peakInsert = database.Prepare("INSERT INTO gpu_peak VALUES (?, ?, ?)");
    for (const auto& [name, gpu] : data.GetGpus())
    {
        gpuInsert.Execute(name,
                          gpu.device,
                          gpu.memoryBytes,
                          gpu.memoryBytesPerSecond,
                          gpu.gemmEfficiency,
                          gpu.attentionEfficiency,
                          gpu.memoryEfficiency,
                          gpu.launchNs,
                          ids.at(gpu.source));
        for (const auto& [type, flops] : gpu.peakFlops)
        {
            peakInsert.Execute(name, type, flops);
        }
    }
    auto derivedInsert = database.Prepare("INSERT INTO derived VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const auto& [family, derivation] : data.GetDerivations())
    {
        derivedInsert.Execute(std::get<0>(family),
                              std::get<1>(family),
                              std::get<2>(family),
                              derivation.fromOp,
                              derivation.fromType,
                              derivation.efficiencyFactor,
                              ids.at(derivation.source));
    }
    auto kernelInsert = database.Prepare("INSERT INTO kernel VALUES (NULL, ?, ?, ?, ?, ?, ?)");
    for (const auto& [key, row] : data.GetRows())
    {
        kernelInsert.Execute(key.gpu,
                             key.op,
                             key.type,
                             FormatKernelShape(key.shape),
                             row.timeNs,
                             ids.at(row.source));
    }
}

} // namespace

KernelTableData
ReadKernelTableDatabase(const std::string& path)
{
    return Reader(path).Read();
}

void
WriteKernelTableDatabase(const KernelTableData& data, const std::string& path)
{
    const std::string partial = path + ".partial";
    std::error_code error;
    std::filesystem::remove(partial, error);
    try
    {
        {
            SqliteDatabase database(partial, SqliteDatabase::Mode::CREATE);
            SqliteTransaction transaction(database);
            WriteTables(data, database);
            transaction.Commit();
        }
        std::filesystem::rename(partial, path);
    }
    catch (const std::filesystem::filesystem_error& failure)
    {
        std::filesystem::remove(partial, error);
        throw ConfigError(path, "", failure.code().message(), "a file that can be written");
    }
    catch (...)
    {
        std::filesystem::remove(partial, error);
        throw;
    }
}

std::size_t
ImportKernelTable(const std::string& csvPath, const std::string& databasePath)
{
    KernelTableData data;
    std::error_code ignored;
    if (std::filesystem::exists(databasePath, ignored))
    {
        data = ReadKernelTableDatabase(databasePath);
    }
    const std::size_t before = data.GetRows().size();
    ReadKernelTableCsv(csvPath, data);
    WriteKernelTableDatabase(data, databasePath);
    return data.GetRows().size() - before;
}

} // namespace ns3
