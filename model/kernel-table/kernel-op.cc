/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-op.h"

#include "ns3/comma-list.h"
#include "ns3/type-catalogue.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(KernelOp);

TypeId
KernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::KernelOp").SetParent<Object>().SetGroupName("Railyard");
    return tid;
}

const std::map<std::string, Ptr<const KernelOp>>&
KernelOp::GetAll()
{
    static std::map<std::string, Ptr<const KernelOp>> ops;
    static uint32_t seen = 0;
    if (seen != TypeId::GetRegisteredN())
    {
        seen = TypeId::GetRegisteredN();
        for (const Ptr<KernelOp>& op : TypeCatalogue(GetTypeId()).CreateAll<KernelOp>())
        {
            ops.try_emplace(op->GetName(), op);
        }
    }
    return ops;
}

Ptr<const KernelOp>
KernelOp::Find(const std::string& name)
{
    const auto& ops = GetAll();
    auto it = ops.find(name);
    return it == ops.end() ? nullptr : it->second;
}

std::string
KernelOp::GetNames()
{
    std::string names;
    for (const auto& [name, op] : GetAll())
    {
        AppendToList(names, name);
    }
    return names;
}

uint32_t
KernelOp::GetElementBytes(const std::string& type)
{
    static const std::map<std::string, uint32_t> bytes{{"bf16", 2},
                                                       {"byte", 1},
                                                       {"fp16", 2},
                                                       {"fp32", 4},
                                                       {"fp64", 8},
                                                       {"fp8", 1},
                                                       {"int8", 1},
                                                       {"tf32", 4}};
    auto it = bytes.find(type);
    return it == bytes.end() ? 0 : it->second;
}

std::vector<KernelShape>
KernelOp::GetEquivalentShapes(const KernelShape&) const
{
    return {};
}

std::string
KernelOp::GetTableType(const std::string& type) const
{
    return type;
}

std::string
KernelOp::GetComplaint(const KernelShape& shape) const
{
    std::string names;
    std::string complaint;
    const auto dimensions = GetDimensions();
    bool complete = shape.size() == dimensions.size();
    for (const auto& dimension : dimensions)
    {
        AppendToList(names, dimension.name);
        auto it = shape.find(dimension.name);
        complete = complete && it != shape.end();
        if (it != shape.end() && (it->second < dimension.min || it->second > dimension.max))
        {
            complaint = dimension.name + " from " + std::to_string(dimension.min) + " to " +
                        std::to_string(dimension.max);
        }
    }
    return complete ? complaint : GetName() + " with the dimensions " + names;
}

double
KernelOp::GetIdealNs(const KernelShape& shape, const std::string& type, const GpuSpec& gpu) const
{
    const double flops = GetFlops(shape);
    const double bytes = GetBytes(shape, GetElementBytes(type));
    const double computeNs = flops > 0 ? 1e9 * flops / gpu.GetPeakFlops(type) : 0;
    return std::max(computeNs, 1e9 * bytes / gpu.memoryBytesPerSecond);
}

double
KernelOp::GetRooflineNs(const KernelShape& shape, const std::string& type, const GpuSpec& gpu) const
{
    GpuSpec reached = gpu;
    reached.memoryBytesPerSecond *= gpu.memoryEfficiency;
    for (auto& [name, flops] : reached.peakFlops)
    {
        flops *= GetDefaultEfficiency(gpu);
    }
    return GetIdealNs(shape, type, reached) + gpu.launchNs;
}

} // namespace ns3
