/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ATTENTION_KERNEL_OP_H
#define ATTENTION_KERNEL_OP_H

#include "kernel-op.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief `attention_fwd`: flash attention, forward, on this rank's heads.
 *
 * Dimensions: b sequences of s tokens, `heads` query heads, `kvHeads` key and value heads, head
 * dimension headDim, causal 0 or 1. FLOPs 4 b heads s^2 headDim, half of it when causal: blocks
 * above the diagonal are skipped. Bytes: Q, K, V and O once, and the fp32 row statistics. The
 * other value of causal is equivalent: it changes the work much more than the efficiency.
 */
class AttentionForwardKernelOp : public KernelOp
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
 * \brief `attention_bwd`: flash attention, backward; dimensions as forward.
 *
 * FLOPs are 2.5 times the forward ones: five products instead of two, since the scores are
 * recomputed. Bytes: Q, K, V, O and their gradients once, and the row statistics.
 */
class AttentionBackwardKernelOp : public AttentionForwardKernelOp
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetFlops(const KernelShape& shape) const override;
    double GetBytes(const KernelShape& shape, uint32_t elementBytes) const override;
};

} // namespace ns3

#endif /* ATTENTION_KERNEL_OP_H */
