/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_OP_H
#define KERNEL_OP_H

#include "gpu-spec.h"
#include "kernel-key.h"

#include "ns3/object.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief A dimension of a kernel's shape. */
struct KernelDimension
{
    std::string name;                                   //!< "m"
    bool interpolated{true};                            //!< false: rows must agree in it exactly
    uint64_t min{1};                                    //!< smallest value allowed
    uint64_t max{std::numeric_limits<uint32_t>::max()}; //!< largest value allowed
};

/**
 * \ingroup railyard
 * \brief A kind of kernel: its dimensions, and what a shape costs in FLOPs and in bytes.
 *
 * A kind is a subclass with a TypeId; Find() and GetAll() see whatever is registered, so a new one
 * needs no edit elsewhere. FLOPs and bytes give the *ideal time*
 *
 *   ideal = max(FLOPs / peak, bytes / bandwidth)
 *
 * and a measured time is kept as *efficiency* = ideal / time, which varies slowly with the shape
 * and is what the table interpolates. Bytes are compulsory traffic: every operand once.
 */
class KernelOp : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return the kinds known now, by name */
    static const std::map<std::string, Ptr<const KernelOp>>& GetAll();

    /**
     * \param name a kind's name
     * \return the kind, null if there is none
     */
    static Ptr<const KernelOp> Find(const std::string& name);

    /** \return the names of the kinds known now, "attention_fwd, gemm" */
    static std::string GetNames();

    /**
     * \param type element type
     * \return bytes of an element, 0 for an unknown type
     */
    static uint32_t GetElementBytes(const std::string& type);

    /** \return the name in keys, "gemm" */
    virtual std::string GetName() const = 0;

    /** \return the dimensions, in the order that people write them */
    virtual std::vector<KernelDimension> GetDimensions() const = 0;

    /**
     * \param shape a valid shape
     * \return floating-point operations executed
     */
    virtual double GetFlops(const KernelShape& shape) const = 0;

    /**
     * \param shape a valid shape
     * \param elementBytes bytes of an element of the key's type
     * \return bytes read and written
     */
    virtual double GetBytes(const KernelShape& shape, uint32_t elementBytes) const = 0;

    /**
     * \param gpu a GPU
     * \return the share of the peak FLOP/s to assume for a shape that the table does not know
     */
    virtual double GetDefaultEfficiency(const GpuSpec& gpu) const = 0;

    /**
     * \param shape a valid shape
     * \return other shapes of the same op whose efficiency may stand in for this one's
     */
    virtual std::vector<KernelShape> GetEquivalentShapes(const KernelShape& shape) const;

    /**
     * \param type the type in a key
     * \return the type under which the table keeps the op; the same unless the op has no type
     */
    virtual std::string GetTableType(const std::string& type) const;

    /**
     * \param shape any shape
     * \return empty if the shape is valid, otherwise what would be: "dimensions m, n, k"
     */
    std::string GetComplaint(const KernelShape& shape) const;

    /**
     * \param shape a valid shape
     * \param type element type that the GPU supports, or the op's own GetTableType()
     * \param gpu the GPU
     * \return max(FLOPs / peak, bytes / bandwidth), ns
     */
    double GetIdealNs(const KernelShape& shape, const std::string& type, const GpuSpec& gpu) const;

    /**
     * The time to assume for a shape that the table does not know:
     * max(FLOPs / (efficiency peak), bytes / (memoryEfficiency bandwidth)) + launch.
     *
     * \param shape a valid shape
     * \param type element type that the GPU supports, or the op's own GetTableType()
     * \param gpu the GPU
     * \return the time, ns
     */
    double GetRooflineNs(const KernelShape& shape,
                         const std::string& type,
                         const GpuSpec& gpu) const;
};

} // namespace ns3

#endif /* KERNEL_OP_H */
