/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gemm-kernel-op.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * \param shape a shape with m, n, k
 * \return 2 m n k
 */
double
ProductFlops(const KernelShape& shape)
{
    return 2.0 * shape.at("m") * shape.at("n") * shape.at("k");
}

/**
 * \param shape a shape with m, n, k
 * \param elementBytes bytes of an operand's element
 * \param resultBytes bytes moved per element of the result
 * \return bytes of the operands and of the result
 */
double
ProductBytes(const KernelShape& shape, uint32_t elementBytes, uint32_t resultBytes)
{
    const double m = shape.at("m");
    const double n = shape.at("n");
    const double k = shape.at("k");
    return (m * k + k * n) * elementBytes + m * n * resultBytes;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(GemmKernelOp);

TypeId
GemmKernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GemmKernelOp")
                            .SetParent<KernelOp>()
                            .SetGroupName("Railyard")
                            .AddConstructor<GemmKernelOp>();
    return tid;
}

std::string
GemmKernelOp::GetName() const
{
    return "gemm";
}

std::vector<KernelDimension>
GemmKernelOp::GetDimensions() const
{
    return {{"m"}, {"n"}, {"k"}};
}

double
GemmKernelOp::GetFlops(const KernelShape& shape) const
{
    return ProductFlops(shape);
}

double
GemmKernelOp::GetBytes(const KernelShape& shape, uint32_t elementBytes) const
{
    return ProductBytes(shape, elementBytes, std::max(elementBytes, 2U));
}

double
GemmKernelOp::GetDefaultEfficiency(const GpuSpec& gpu) const
{
    return gpu.gemmEfficiency;
}

std::vector<KernelShape>
GemmKernelOp::GetEquivalentShapes(const KernelShape& shape) const
{
    KernelShape transposed = shape;
    std::swap(transposed.at("m"), transposed.at("n"));
    return {transposed};
}

NS_OBJECT_ENSURE_REGISTERED(GemmWgradKernelOp);

TypeId
GemmWgradKernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GemmWgradKernelOp")
                            .SetParent<GemmKernelOp>()
                            .SetGroupName("Railyard")
                            .AddConstructor<GemmWgradKernelOp>();
    return tid;
}

std::string
GemmWgradKernelOp::GetName() const
{
    return "gemm_wgrad";
}

double
GemmWgradKernelOp::GetBytes(const KernelShape& shape, uint32_t elementBytes) const
{
    return ProductBytes(shape, elementBytes, 8);
}

NS_OBJECT_ENSURE_REGISTERED(GroupedGemmKernelOp);

TypeId
GroupedGemmKernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GroupedGemmKernelOp")
                            .SetParent<KernelOp>()
                            .SetGroupName("Railyard")
                            .AddConstructor<GroupedGemmKernelOp>();
    return tid;
}

std::string
GroupedGemmKernelOp::GetName() const
{
    return "grouped_gemm";
}

std::vector<KernelDimension>
GroupedGemmKernelOp::GetDimensions() const
{
    return {{"groups"}, {"m"}, {"n"}, {"k"}};
}

double
GroupedGemmKernelOp::GetFlops(const KernelShape& shape) const
{
    return shape.at("groups") * ProductFlops(shape);
}

double
GroupedGemmKernelOp::GetBytes(const KernelShape& shape, uint32_t elementBytes) const
{
    return shape.at("groups") * ProductBytes(shape, elementBytes, std::max(elementBytes, 2U));
}

double
GroupedGemmKernelOp::GetDefaultEfficiency(const GpuSpec& gpu) const
{
    return gpu.gemmEfficiency;
}

} // namespace ns3
