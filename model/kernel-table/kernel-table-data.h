/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_TABLE_DATA_H
#define KERNEL_TABLE_DATA_H

#include "gpu-spec.h"
#include "kernel-key.h"

#include <map>
#include <string>
#include <tuple>

namespace ns3
{

/** \ingroup railyard \brief Where a row was read, for error messages. */
struct KernelTablePlace
{
    std::string file;  //!< file or database
    std::string where; //!< "line 12" or "kernel id 12"
};

/** \ingroup railyard \brief Where numbers of the kernel table come from. */
struct KernelSource
{
    std::string name;     //!< short name, referred to by rows
    bool measured{true};  //!< a measurement; false: a fit, or an assumption
    std::string text;     //!< what was measured, on what, with what
    std::string url;      //!< where it was published; may be empty
    std::string revision; //!< commit or version of that; may be empty
    std::string licence;  //!< licence of the publication; may be empty
    std::string fit;      //!< how it was fitted, and the error; may be empty
};

/** \ingroup railyard \brief The time of one kernel. */
struct KernelRow
{
    double timeNs{0};       //!< duration, ns
    std::string source;     //!< name of the KernelSource
    KernelTablePlace place; //!< where the row was read
};

/** \ingroup railyard \brief GPU, op and type: the kernels that share a row of shapes. */
using KernelFamily = std::tuple<std::string, std::string, std::string>;

/**
 * \ingroup railyard
 * \brief "Kernels of this family reach `efficiencyFactor` times the efficiency of that one."
 */
struct KernelDerivation
{
    std::string fromOp;         //!< op whose rows are used
    std::string fromType;       //!< type whose rows are used
    double efficiencyFactor{1}; //!< efficiency relative to theirs
    std::string source;         //!< name of the KernelSource
};

/**
 * \ingroup railyard
 * \brief The content of a kernel table as plain data, checked row by row as it is filled.
 *
 * Every Add method throws ConfigError, naming the place, for a duplicate, an unknown name or a
 * value out of range. GPUs are added before the rows that name them. A row whose source was not
 * added declares it: a measurement, described by the name alone.
 */
class KernelTableData
{
  public:
    /**
     * \param gpu the GPU
     * \param place where it was read
     */
    void AddGpu(const GpuSpec& gpu, const KernelTablePlace& place);

    /**
     * \param source the source
     * \param place where it was read
     */
    void AddSource(const KernelSource& source, const KernelTablePlace& place);

    /**
     * \param key the kernel; the type becomes the one under which the table keeps the op
     * \param row its time, source and place
     */
    void AddRow(KernelKey key, const KernelRow& row);

    /**
     * \param family the kernels without rows of their own
     * \param derivation where their efficiency comes from
     * \param place where it was read
     */
    void AddDerivation(const KernelFamily& family,
                       const KernelDerivation& derivation,
                       const KernelTablePlace& place);

    /**
     * Add the GPUs of another table, and their sources.
     * \param other the other table
     */
    void AddGpusOf(const KernelTableData& other);

    /** \return all GPUs, by name */
    const std::map<std::string, GpuSpec>& GetGpus() const;

    /** \return the names of all GPUs, "A100, H100" */
    std::string GetGpuNames() const;

    /** \return all sources, by name */
    const std::map<std::string, KernelSource>& GetSources() const;

    /** \return all rows, by key */
    const std::map<KernelKey, KernelRow>& GetRows() const;

    /** \return all derivations, by the family that has none of its own */
    const std::map<KernelFamily, KernelDerivation>& GetDerivations() const;

  private:
    /**
     * \param gpu a GPU's name that must be known
     * \param place where it was read
     * \return the GPU
     */
    const GpuSpec& RequireGpu(const std::string& gpu, const KernelTablePlace& place) const;

    /**
     * Declare the source if nobody did.
     * \param name a source's name
     * \param place where it was read
     */
    void UseSource(const std::string& name, const KernelTablePlace& place);

    std::map<std::string, GpuSpec> m_gpus;                  //!< by name
    std::map<std::string, KernelSource> m_sources;          //!< by name
    std::map<KernelKey, KernelRow> m_rows;                  //!< by key
    std::map<KernelFamily, KernelDerivation> m_derivations; //!< by family
};

} // namespace ns3

#endif /* KERNEL_TABLE_DATA_H */
