/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_KEY_H
#define KERNEL_KEY_H

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The shape of a kernel: a whole number per dimension, by the dimension's name.
 *
 * Which dimensions an op has is said by its KernelOp: a GEMM has m, n and k.
 */
using KernelShape = std::map<std::string, uint64_t>;

/**
 * \ingroup railyard
 * \param shape a shape
 * \return "k=4096 m=2048 n=12288", dimensions in alphabetical order; the form in the database
 */
std::string FormatKernelShape(const KernelShape& shape);

/**
 * \ingroup railyard
 * \brief What identifies a kernel in the performance table.
 *
 * \code
 *   KernelKey{"H100", "gemm", "bf16", {{"m", 4096}, {"n", 12288}, {"k", 4096}}}
 * \endcode
 */
struct KernelKey
{
    std::string gpu;   //!< name of a GPU in the table: "H100"
    std::string op;    //!< name of a KernelOp: "gemm"
    std::string type;  //!< element type: "bf16", "fp16", "fp8", "int8", "tf32", "fp32"
    KernelShape shape; //!< the op's dimensions

    /** \return all of it, such as "H100 gemm bf16 k=4096 m=4096 n=12288" */
    std::string ToString() const;
};

/**
 * \param a a key
 * \param b another key
 * \return true if they are the same
 */
bool operator==(const KernelKey& a, const KernelKey& b);

/**
 * \param a a key
 * \param b another key
 * \return true if \p a comes first: by GPU, op, type, then shape
 */
bool operator<(const KernelKey& a, const KernelKey& b);

} // namespace ns3

#endif /* KERNEL_KEY_H */
