/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "channel-range.h"

#include "ns3/collective-tag.h"
#include "ns3/object-base.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** \return the types that AddChannelAttributes() has seen */
std::vector<TypeId>&
GetKnownTypes()
{
    static std::vector<TypeId> types;
    return types;
}

} // namespace

const std::vector<TypeId>&
ChannelRange::GetTypes()
{
    return GetKnownTypes();
}

TypeId
ChannelRange::AddChannelAttributes(TypeId tid)
{
    GetKnownTypes().push_back(tid);
    return tid
        .AddAttribute("MinChannels",
                      "Automatic channels: at least so many, where the operand is not too small "
                      "(NCCL_MIN_NCHANNELS).",
                      UintegerValue(1),
                      MakeUintegerAccessor(&ChannelRange::m_minChannels),
                      MakeUintegerChecker<uint32_t>(1, CollectiveTag::MAX_CHANNELS))
        .AddAttribute("MaxChannels",
                      "Automatic channels: at most so many (NCCL_MAX_NCHANNELS).",
                      UintegerValue(CollectiveTag::MAX_CHANNELS),
                      MakeUintegerAccessor(&ChannelRange::m_maxChannels),
                      MakeUintegerChecker<uint32_t>(1, CollectiveTag::MAX_CHANNELS));
}

uint32_t
ChannelRange::Bound(uint32_t channels) const
{
    return std::clamp(std::min(channels, m_maxChannels),
                      m_minChannels,
                      CollectiveTag::MAX_CHANNELS);
}

void
ChannelRange::SetDivision(std::shared_ptr<const OperandDivision> division)
{
    m_division = std::move(division);
}

uint32_t
ChannelRange::Limit(const CollectiveRequest& request,
                    uint32_t channels,
                    uint32_t step,
                    uint64_t minChannelBytes) const
{
    if (m_division)
    {
        return m_division->GetChannels(request, channels);
    }
    if (minChannelBytes == 0)
    {
        return channels;
    }
    const uint64_t worthwhile = std::max<uint64_t>(request.bytes / minChannelBytes / step, 1);
    return static_cast<uint32_t>(std::min<uint64_t>(channels, worthwhile * step));
}

uint64_t
ChannelRange::GetSlice(const CollectiveRequest& request,
                       uint32_t channels,
                       uint64_t sliceBytes) const
{
    return m_division ? m_division->GetSliceBytes(request, channels, sliceBytes) : sliceBytes;
}

} // namespace ns3
