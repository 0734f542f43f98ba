/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpu-kernel-times.h"

#include "kernel-op.h"

#include "ns3/config-error.h"

namespace ns3
{

GpuKernelTimes::GpuKernelTimes(Ptr<KernelTimeSource> source, const std::string& gpu)
    : m_source(source),
      m_gpu(gpu)
{
}

KernelKey
GpuKernelTimes::GetKey(const KernelCall& call) const
{
    const auto op = KernelOp::Find(call.op);
    if (!op)
    {
        throw ConfigError("workload", "op", call.op, "one of " + KernelOp::GetNames());
    }
    const auto dimensions = op->GetDimensions();
    if (call.shape.size() != dimensions.size())
    {
        throw ConfigError("workload",
                          "shape of " + call.op,
                          std::to_string(call.shape.size()) + " dimensions",
                          std::to_string(dimensions.size()) + " dimensions");
    }
    KernelKey key{m_gpu, call.op, call.type, {}};
    for (std::size_t i = 0; i < dimensions.size(); ++i)
    {
        key.shape[dimensions[i].name] = call.shape[i];
    }
    return key;
}

Time
GpuKernelTimes::GetKernelTime(const KernelCall& call) const
{
    return m_source->Lookup(GetKey(call)).time;
}

} // namespace ns3
