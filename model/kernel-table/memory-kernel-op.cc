/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memory-kernel-op.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MemoryKernelOp);

TypeId
MemoryKernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MemoryKernelOp")
                            .SetParent<KernelOp>()
                            .SetGroupName("Railyard")
                            .AddConstructor<MemoryKernelOp>();
    return tid;
}

std::string
MemoryKernelOp::GetName() const
{
    return "memory";
}

std::vector<KernelDimension>
MemoryKernelOp::GetDimensions() const
{
    return {{"bytes", true, 1, uint64_t{1} << 50}};
}

double
MemoryKernelOp::GetFlops(const KernelShape&) const
{
    return 0;
}

double
MemoryKernelOp::GetBytes(const KernelShape& shape, uint32_t) const
{
    return shape.at("bytes");
}

double
MemoryKernelOp::GetDefaultEfficiency(const GpuSpec& gpu) const
{
    return gpu.memoryEfficiency;
}

std::string
MemoryKernelOp::GetTableType(const std::string&) const
{
    return "byte";
}

} // namespace ns3
