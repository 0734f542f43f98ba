/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-key.h"

#include <tuple>

namespace ns3
{

std::string
FormatKernelShape(const KernelShape& shape)
{
    std::string text;
    for (const auto& [name, value] : shape)
    {
        text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
    }
    return text;
}

std::string
KernelKey::ToString() const
{
    return gpu + " " + op + " " + type + " " + FormatKernelShape(shape);
}

bool
operator==(const KernelKey& a, const KernelKey& b)
{
    return std::tie(a.gpu, a.op, a.type, a.shape) == std::tie(b.gpu, b.op, b.type, b.shape);
}

bool
operator<(const KernelKey& a, const KernelKey& b)
{
    return std::tie(a.gpu, a.op, a.type, a.shape) < std::tie(b.gpu, b.op, b.type, b.shape);
}

} // namespace ns3
