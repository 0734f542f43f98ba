/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table-data.h"

#include "kernel-op.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"

#include <cmath>

namespace ns3
{

namespace
{

/**
 * \param condition what must hold
 * \param place where the value was read
 * \param value the value
 * \param expected what was expected instead
 */
void
Require(bool condition,
        const KernelTablePlace& place,
        const std::string& value,
        const std::string& expected)
{
    if (!condition)
    {
        throw ConfigError(place.file, place.where, value, expected);
    }
}

/**
 * \param place where the value was read
 * \param name name of the value
 * \param value the value
 * \param max largest value allowed
 */
void
RequirePositive(const KernelTablePlace& place, const std::string& name, double value, double max)
{
    Require(std::isfinite(value) && value > 0 && value <= max,
            place,
            std::to_string(value),
            name + " above 0, at most " + std::to_string(max));
}

constexpr double MAX_RATE = 1e21;    //!< largest rate accepted: a zetta-anything per second
constexpr double MAX_TIME_NS = 1e15; //!< longest kernel accepted: 11 days
constexpr double MAX_FACTOR = 100;   //!< largest efficiency factor accepted

} // namespace

void
KernelTableData::AddGpu(const GpuSpec& gpu, const KernelTablePlace& place)
{
    Require(!gpu.name.empty(), place, gpu.name, "a GPU name");
    RequirePositive(place, "memory_bytes_per_s", gpu.memoryBytesPerSecond, MAX_RATE);
    RequirePositive(place, "gemm_efficiency", gpu.gemmEfficiency, 1);
    RequirePositive(place, "attention_efficiency", gpu.attentionEfficiency, 1);
    RequirePositive(place, "memory_efficiency", gpu.memoryEfficiency, 1);
    RequirePositive(place, "launch_ns", gpu.launchNs, MAX_TIME_NS);
    Require(!gpu.peakFlops.empty(), place, gpu.name, "a GPU with a peak for at least one type");
    for (const auto& [type, flops] : gpu.peakFlops)
    {
        Require(KernelOp::GetElementBytes(type) > 0, place, type, "a known element type");
        RequirePositive(place, "peak_" + type + "_flops", flops, MAX_RATE);
    }
    UseSource(gpu.source, place);
    Require(m_gpus.emplace(gpu.name, gpu).second, place, gpu.name, "a GPU that is not there yet");
}

void
KernelTableData::AddSource(const KernelSource& source, const KernelTablePlace& place)
{
    Require(!source.name.empty(), place, source.name, "a source name");
    Require(m_sources.emplace(source.name, source).second,
            place,
            source.name,
            "a source that is not there yet");
}

void
KernelTableData::UseSource(const std::string& name, const KernelTablePlace& place)
{
    if (m_sources.count(name) == 0)
    {
        KernelSource source;
        source.name = name;
        source.text = name;
        AddSource(source, place);
    }
}

const GpuSpec&
KernelTableData::RequireGpu(const std::string& gpu, const KernelTablePlace& place) const
{
    auto it = m_gpus.find(gpu);
    Require(it != m_gpus.end(), place, gpu, "a GPU of this table: " + GetGpuNames());
    return it->second;
}

void
KernelTableData::AddRow(KernelKey key, const KernelRow& row)
{
    const GpuSpec& gpu = RequireGpu(key.gpu, row.place);
    Require(!key.op.empty(), row.place, key.op, "an op name");
    Require(!key.type.empty(), row.place, key.type, "an element type");
    if (auto op = KernelOp::Find(key.op))
    {
        key.type = op->GetTableType(key.type);
        const std::string complaint = op->GetComplaint(key.shape);
        Require(complaint.empty(), row.place, FormatKernelShape(key.shape), complaint);
        Require(op->GetFlops(key.shape) == 0 || gpu.Supports(key.type),
                row.place,
                key.type,
                "a type of the " + gpu.name + ": " + gpu.GetTypeNames());
    }
    RequirePositive(row.place, "time_ns", row.timeNs, MAX_TIME_NS);
    UseSource(row.source, row.place);
    const auto [it, added] = m_rows.emplace(key, row);
    Require(added,
            row.place,
            key.ToString(),
            "a kernel that is not there yet (" + it->second.place.file + " " +
                it->second.place.where + ")");
}

void
KernelTableData::AddDerivation(const KernelFamily& family,
                               const KernelDerivation& derivation,
                               const KernelTablePlace& place)
{
    const auto& [gpu, op, type] = family;
    RequireGpu(gpu, place);
    const std::string expected = "one of the ops " + KernelOp::GetNames();
    Require(KernelOp::Find(op) != nullptr, place, op, expected);
    Require(KernelOp::Find(derivation.fromOp) != nullptr, place, derivation.fromOp, expected);
    RequirePositive(place, "efficiency_factor", derivation.efficiencyFactor, MAX_FACTOR);
    UseSource(derivation.source, place);
    Require(m_derivations.emplace(family, derivation).second,
            place,
            gpu + " " + op + " " + type,
            "a derivation that is not there yet");
    // Following the derivations from here must not lead back here.
    KernelFamily next{gpu, derivation.fromOp, derivation.fromType};
    for (auto it = m_derivations.find(next); next != family && it != m_derivations.end();
         it = m_derivations.find(next))
    {
        next = {gpu, it->second.fromOp, it->second.fromType};
    }
    Require(next != family, place, op + " " + type, "a derivation that does not end in itself");
}

void
KernelTableData::AddGpusOf(const KernelTableData& other)
{
    for (const auto& [name, gpu] : other.m_gpus)
    {
        m_sources.emplace(gpu.source, other.m_sources.at(gpu.source));
        m_gpus.emplace(name, gpu);
    }
}

const std::map<std::string, GpuSpec>&
KernelTableData::GetGpus() const
{
    return m_gpus;
}

std::string
KernelTableData::GetGpuNames() const
{
    std::string names;
    for (const auto& [name, gpu] : m_gpus)
    {
        AppendToList(names, name);
    }
    return names;
}

const std::map<std::string, KernelSource>&
KernelTableData::GetSources() const
{
    return m_sources;
}

const std::map<KernelKey, KernelRow>&
KernelTableData::GetRows() const
{
    return m_rows;
}

const std::map<KernelFamily, KernelDerivation>&
KernelTableData::GetDerivations() const
{
    return m_derivations;
}

} // namespace ns3
