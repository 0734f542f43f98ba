/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_TABLE_H
#define KERNEL_TABLE_H

#include "efficiency-interpolator.h"
#include "kernel-op.h"
#include "kernel-time-source.h"
#include "kernel-table-data.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The kernel performance table: measured times, interpolated in efficiency space.
 *
 * A key is answered by the first of:
 *  1. EXACT: a measured row for exactly this key.
 *  2. INTERPOLATED: efficiency = ideal time / time of the rows around the shape (of the same GPU,
 *     op and type), as EfficiencyInterpolator says; also those around an equivalent shape
 *     (KernelOp::GetEquivalentShapes) if they are nearer. Rows of a fit count as interpolated even
 *     on the node. The time is the ideal time of the shape asked for, divided by the efficiency,
 *     which is at most 1 here.
 *  3. INTERPOLATED: the efficiency of another op or type times a factor, where the table has such a
 *     derivation (weight gradients from forward products, for example).
 *  4. ROOFLINE: KernelOp::GetRooflineNs from the GPU's peaks.
 *
 * Ops without a KernelOp may be in the table too; they have exact answers alone, and another shape
 * is a ConfigError. Not modelled: clock and power limits over time, several kernels sharing a GPU,
 * launch gaps between kernels.
 *
 * An object made by its TypeId reads its file at the first question, which then may throw
 * ConfigError; Load() reads it at once.
 */
class KernelTable : public KernelTimeSource
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param path a database, a CSV file, or a folder of CSV files; empty for the default of
     * attribute Path, which is the shipped table
     * \return the table; throws ConfigError for what it cannot read
     */
    static Ptr<KernelTable> Load(const std::string& path = "");

    /** \return what it was read from: attribute Path, empty for the shipped table */
    std::string GetPath() const;

    /** \return what the table holds */
    const KernelTableData& GetData();

    /**
     * \param name a GPU's name
     * \return the GPU; throws ConfigError, naming those known, if there is none
     */
    const GpuSpec& GetGpu(const std::string& name);

  protected:
    KernelTime DoLookup(const KernelKey& key) override;

  private:
    /** Rows that may be interpolated between: family, and the dimensions that must agree. */
    using Neighbourhood = std::pair<KernelFamily, std::vector<uint64_t>>;

    /** \brief An efficiency, and in words where it comes from. */
    struct Efficiency
    {
        EfficiencyEstimate estimate; //!< the efficiency
        std::string note;            //!< how it was found
    };

    /** \param path see attribute Path */
    void SetPath(const std::string& path);

    /** Read the file if that was not done. */
    void EnsureRead();

    /** Sort the rows into neighbourhoods. */
    void BuildInterpolators();

    /**
     * Check the GPU, type and shape of a key; throws ConfigError.
     * \param key the key
     * \param op its op, may be null
     */
    void Validate(const KernelKey& key, Ptr<const KernelOp> op);

    /**
     * \param op an op
     * \param family GPU, op and type
     * \param shape a valid shape
     * \return where its neighbours are, and its position among them
     */
    static std::pair<Neighbourhood, std::vector<double>> Locate(const KernelOp& op,
                                                                const KernelFamily& family,
                                                                const KernelShape& shape);

    /**
     * \param family GPU, op and type
     * \param shape a valid shape
     * \return its efficiency from the rows of that family; nothing if none is near
     */
    std::optional<Efficiency> FindInFamily(const KernelFamily& family,
                                           const KernelShape& shape) const;

    /**
     * \param family GPU, op and type
     * \param shape a valid shape
     * \return its efficiency from the family's rows or from where it is derived
     */
    std::optional<Efficiency> FindEfficiency(const KernelFamily& family,
                                             const KernelShape& shape) const;

    /**
     * \param key a valid key
     * \param op its op
     * \return the answer from the GPU's peaks
     */
    KernelTime GetRoofline(const KernelKey& key, const KernelOp& op);

    std::string m_path;     //!< file as given, empty for the shipped table
    double m_reach{0};      //!< see attribute Reach
    double m_radius{0};     //!< see attribute Radius
    bool m_read{false};     //!< the file was read
    KernelTableData m_data; //!< what it holds
    std::map<Neighbourhood, EfficiencyInterpolator> m_interpolators; //!< rows, sorted
};

} // namespace ns3

#endif /* KERNEL_TABLE_H */
