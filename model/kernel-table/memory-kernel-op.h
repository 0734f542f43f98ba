/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MEMORY_KERNEL_OP_H
#define MEMORY_KERNEL_OP_H

#include "kernel-op.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief `memory`: a kernel that only waits for memory, by the bytes it reads and writes.
 *
 * Norms, activations, residual additions, rotary embedding, embedding lookup, cross-entropy,
 * optimizer. The one dimension is `bytes`, read and written together; the type does not matter and
 * is kept as "byte".
 */
class MemoryKernelOp : public KernelOp
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::string GetName() const override;
    std::vector<KernelDimension> GetDimensions() const override;
    double GetFlops(const KernelShape& shape) const override;
    double GetBytes(const KernelShape& shape, uint32_t elementBytes) const override;
    double GetDefaultEfficiency(const GpuSpec& gpu) const override;
    std::string GetTableType(const std::string& type) const override;
};

} // namespace ns3

#endif /* MEMORY_KERNEL_OP_H */
