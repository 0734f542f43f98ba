/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attribute-relations.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/roce-wire.h"

#include <string>

namespace ns3
{

void
RequireRelatedAttributes()
{
    const std::string low = "ns3::TimelyCongestionControl::TLow";
    const std::string high = "ns3::TimelyCongestionControl::THigh";
    if (AttributeText::GetDefaultTime(low) > AttributeText::GetDefaultTime(high))
    {
        throw ConfigError("attribute",
                          low,
                          AttributeText::GetDefaultOf(low),
                          "a time that is not above " + high + ", " +
                              AttributeText::GetDefaultOf(high));
    }
    for (const std::string device : {"RoceSwitchDevice", "NvSwitchDevice"})
    {
        const std::string latency = "ns3::" + device + "::Latency";
        if (AttributeText::GetDefaultTime(latency) > Seconds(1))
        {
            throw ConfigError("attribute",
                              latency,
                              AttributeText::GetDefaultOf(latency),
                              "1s or less");
        }
    }
    const std::string frame = "ns3::RoceSwitchDevice::MaxFrameBytes";
    const uint64_t mtu = AttributeText::GetDefaultUint("ns3::RoceNicDevice::MtuBytes");
    const uint64_t largest = RoceWire::FrameBytes(RoceOpcode::WRITE_ONLY, mtu);
    if (AttributeText::GetDefaultUint(frame) < largest)
    {
        throw ConfigError("attribute",
                          frame,
                          AttributeText::GetDefaultOf(frame),
                          std::to_string(largest) +
                              " or more, the largest frame of NICs with "
                              "ns3::RoceNicDevice::MtuBytes " +
                              std::to_string(mtu));
    }
}

} // namespace ns3
