/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attention-kernel-op.h"

namespace ns3
{

namespace
{

/**
 * \param shape an attention shape
 * \param elementBytes bytes of an element
 * \param tensors how many tensors of each of the shapes [b, s, heads, d] and [b, s, kvHeads, d]
 * \return their bytes and those of the fp32 row statistics
 */
double
AttentionBytes(const KernelShape& shape, uint32_t elementBytes, uint32_t tensors)
{
    const double tokens = static_cast<double>(shape.at("b")) * shape.at("s");
    const double heads = shape.at("heads");
    const double kvHeads = shape.at("kvHeads");
    return tokens * (elementBytes * tensors * shape.at("headDim") * (heads + kvHeads) + 4 * heads);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(AttentionForwardKernelOp);

TypeId
AttentionForwardKernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AttentionForwardKernelOp")
                            .SetParent<KernelOp>()
                            .SetGroupName("Railyard")
                            .AddConstructor<AttentionForwardKernelOp>();
    return tid;
}

std::string
AttentionForwardKernelOp::GetName() const
{
    return "attention_fwd";
}

std::vector<KernelDimension>
AttentionForwardKernelOp::GetDimensions() const
{
    return {{"b"}, {"s"}, {"heads"}, {"kvHeads"}, {"headDim"}, {"causal", false, 0, 1}};
}

double
AttentionForwardKernelOp::GetFlops(const KernelShape& shape) const
{
    const double full = 4.0 * shape.at("b") * shape.at("heads") * shape.at("s") * shape.at("s") *
                        shape.at("headDim");
    return shape.at("causal") ? full / 2 : full;
}

double
AttentionForwardKernelOp::GetBytes(const KernelShape& shape, uint32_t elementBytes) const
{
    return AttentionBytes(shape, elementBytes, 2); // Q, O and K, V
}

double
AttentionForwardKernelOp::GetDefaultEfficiency(const GpuSpec& gpu) const
{
    return gpu.attentionEfficiency;
}

std::vector<KernelShape>
AttentionForwardKernelOp::GetEquivalentShapes(const KernelShape& shape) const
{
    KernelShape other = shape;
    other.at("causal") = 1 - other.at("causal");
    return {other};
}

NS_OBJECT_ENSURE_REGISTERED(AttentionBackwardKernelOp);

TypeId
AttentionBackwardKernelOp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AttentionBackwardKernelOp")
                            .SetParent<AttentionForwardKernelOp>()
                            .SetGroupName("Railyard")
                            .AddConstructor<AttentionBackwardKernelOp>();
    return tid;
}

std::string
AttentionBackwardKernelOp::GetName() const
{
    return "attention_bwd";
}

double
AttentionBackwardKernelOp::GetFlops(const KernelShape& shape) const
{
    return 2.5 * AttentionForwardKernelOp::GetFlops(shape);
}

double
AttentionBackwardKernelOp::GetBytes(const KernelShape& shape, uint32_t elementBytes) const
{
    return AttentionBytes(shape, elementBytes, 4); // Q, O, dQ, dO and K, V, dK, dV
}

} // namespace ns3
