/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GEMM_KERNEL_OP_H
#define GEMM_KERNEL_OP_H

#include "kernel-op.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief `gemm`: the matrix product C[m,n] = A[m,k] B[k,n].
 *
 * FLOPs 2 m n k; bytes (m k + k n) e + m n max(e, 2): below 16 bits the result is 16 bits wide.
 * The transposed product (n, m, k) is equivalent: cuBLAS computes C^T = B^T A^T just as well. On
 * the measured H100 rows with m, n >= 512 the two differ by 4.4 % on average.
 *
 * A layer of T tokens: forward (T, out, in), data gradient (T, in, out), weight gradient
 * `gemm_wgrad` (out, in, T).
 */
class GemmKernelOp : public KernelOp
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetName() const override;
    std::vector<KernelDimension> GetDimensions() const override;
    double GetFlops(const KernelShape& shape) const override;
    double GetBytes(const KernelShape& shape, uint32_t elementBytes) const override;
    double GetDefaultEfficiency(const GpuSpec& gpu) const override;
    std::vector<KernelShape> GetEquivalentShapes(const KernelShape& shape) const override;
};

/**
 * \ingroup railyard
 * \brief `gemm_wgrad`: a weight gradient, the matrix product added to an fp32 result.
 *
 * FLOPs 2 m n k; bytes (m k + k n) e + 8 m n: the fp32 result is read and written (Megatron's
 * main_grad).
 */
class GemmWgradKernelOp : public GemmKernelOp
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetBytes(const KernelShape& shape, uint32_t elementBytes) const override;
};

/**
 * \ingroup railyard
 * \brief `grouped_gemm`: `groups` independent products of m x n x k in one launch (experts).
 *
 * FLOPs and bytes are `groups` times those of a GEMM. m is the mean number of rows of a group.
 */
class GroupedGemmKernelOp : public KernelOp
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetName() const override;
    std::vector<KernelDimension> GetDimensions() const override;
    double GetFlops(const KernelShape& shape) const override;
    double GetBytes(const KernelShape& shape, uint32_t elementBytes) const override;
    double GetDefaultEfficiency(const GpuSpec& gpu) const override;
};

} // namespace ns3

#endif /* GEMM_KERNEL_OP_H */
