/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sm-sharing.h"

#include "ns3/assert.h"
#include "ns3/config-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

void
SmCost::Require() const
{
    if (!IsModelled())
    {
        return;
    }
    const std::string prefix = "ns3::WorkloadExecutor::";
    if (gpu == 0)
    {
        throw ConfigError("attribute",
                          prefix + "GpuSms",
                          "0",
                          "how many SMs a GPU has, since communication holds some of them");
    }
    for (const auto& [name, sms] :
         {std::pair("CollectiveSms", collective), std::pair("TransferSms", transfer)})
    {
        if (sms >= gpu)
        {
            throw ConfigError("attribute",
                              prefix + name,
                              std::to_string(sms),
                              "fewer than the " + std::to_string(gpu) + " SMs of the GPU");
        }
    }
}

SmSharing::SmSharing(uint32_t sms)
    : m_sms(sms)
{
}

void
SmSharing::Start(uint32_t stream, Time duration, Time now)
{
    NS_ASSERT_MSG(m_kernels.count(stream) == 0, "stream " << stream << " computes already");
    m_kernels[stream] = {now, duration, __int128(duration.GetTimeStep()) * m_sms, now};
}

Time
SmSharing::End(uint32_t stream, Time now)
{
    const auto found = m_kernels.find(stream);
    const Time longer = now - found->second.begin - found->second.duration;
    m_kernels.erase(found);
    return longer;
}

bool
SmSharing::SetTaken(uint32_t sms, Time now)
{
    const uint32_t taken = std::min(sms, m_sms - 1);
    if (taken == m_taken)
    {
        return false;
    }
    for (auto& [stream, kernel] : m_kernels)
    {
        kernel.remaining -= __int128((now - kernel.since).GetTimeStep()) * (m_sms - m_taken);
        kernel.remaining = std::max<__int128>(kernel.remaining, 0);
        kernel.since = now;
    }
    m_taken = taken;
    return true;
}

Time
SmSharing::GetRemaining(uint32_t stream) const
{
    const uint32_t left = m_sms - m_taken;
    const __int128 remaining = m_kernels.at(stream).remaining;
    return TimeStep(static_cast<uint64_t>((remaining + left - 1) / left));
}

} // namespace ns3
