/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "red-ecn-marker.h"

#include "ns3/abort.h"

namespace ns3
{

EcnThresholds
EcnThresholds::ScaleByRate(DataRate rate)
{
    constexpr uint64_t kminRateOfOneByte = 250000; // 25 Gb/s / 100 KB
    constexpr uint64_t kmaxRateOfOneByte = 62500;  // 25 Gb/s / 400 KB
    return {rate.GetBitRate() / kminRateOfOneByte, rate.GetBitRate() / kmaxRateOfOneByte, 0.2};
}

RedEcnMarker::RedEcnMarker(const EcnThresholds& thresholds)
    : m_thresholds(thresholds)
{
    NS_ABORT_MSG_IF(thresholds.kminBytes > thresholds.kmaxBytes,
                    "ECN: Kmin " << thresholds.kminBytes << " B is above Kmax "
                                 << thresholds.kmaxBytes << " B");
    NS_ABORT_MSG_IF(!(thresholds.pmax >= 0.0 && thresholds.pmax <= 1.0),
                    "ECN: Pmax " << thresholds.pmax << " is no probability");
    if (thresholds.kmaxBytes > thresholds.kminBytes)
    {
        m_slope =
            thresholds.pmax / static_cast<double>(thresholds.kmaxBytes - thresholds.kminBytes);
    }
}

} // namespace ns3
