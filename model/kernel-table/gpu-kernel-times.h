/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPU_KERNEL_TIMES_H
#define GPU_KERNEL_TIMES_H

#include "kernel-time-source.h"

#include "ns3/kernel-call.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The kernel times of one GPU, for a workload: looks its calls up in a
 * KernelTimeSource.
 *
 * The dimensions of a call's shape are those of KernelOp::GetDimensions(), in that order: gemm
 * {m, n, k}, attention {b, s, heads, kvHeads, headDim, causal}, memory {bytes}.
 */
class GpuKernelTimes
{
  public:
    /**
     * \param source where to look
     * \param gpu name of the GPU
     */
    GpuKernelTimes(Ptr<KernelTimeSource> source, const std::string& gpu);

    /** \param call a kernel of a workload \return how long it runs; see GetKey() for errors */
    Time GetKernelTime(const KernelCall& call) const;

    /**
     * \param call a kernel of a workload
     * \return the key that is looked up; throws ConfigError for an unknown op or a shape with
     * another number of dimensions
     */
    KernelKey GetKey(const KernelCall& call) const;

  private:
    Ptr<KernelTimeSource> m_source; //!< where to look
    std::string m_gpu;                     //!< name of the GPU
};

} // namespace ns3

#endif /* GPU_KERNEL_TIMES_H */
