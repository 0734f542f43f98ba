/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_CALL_H
#define KERNEL_CALL_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A kernel that a workload runs: what to look up in a table of kernel times.
 *
 * Operations and the meaning of their dimensions are those of the KernelOp classes.
 */
struct KernelCall
{
    std::string op;              //!< operation, such as "gemm"
    std::string type;            //!< data type, such as "bf16"
    std::vector<uint64_t> shape; //!< dimensions, whose meaning depends on the operation

    /**
     * \param other another call
     * \return true if this call comes first: by operation, type, then shape
     */
    bool operator<(const KernelCall& other) const
    {
        return std::tie(op, type, shape) < std::tie(other.op, other.type, other.shape);
    }
};

/** \ingroup railyard \brief Tells how long a kernel runs; a ConfigError if that is unknown. */
using KernelTimeFunction = std::function<Time(const KernelCall&)>;

} // namespace ns3

#endif /* KERNEL_CALL_H */
