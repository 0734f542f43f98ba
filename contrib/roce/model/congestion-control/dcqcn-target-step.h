/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DCQCN_TARGET_STEP_H
#define DCQCN_TARGET_STEP_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * By how much one increase event of DCQCN lifts the target rate (SIGCOMM 2015, figure 7; IEEE
 * 802.1Qau).
 * \param timeStage expirations of the increase timer since the last cut, this event included
 * \param byteStage expirations of the byte counter since the last cut, this event included
 * \param threshold F, stages of fast recovery
 * \param additive step of additive increase, bit/s
 * \param hyper step of hyper increase, bit/s
 * \return 0 in fast recovery, additive, or (the smaller stage - F) times hyper, bit/s
 */
inline double
DcqcnTargetStep(uint64_t timeStage,
                uint64_t byteStage,
                uint64_t threshold,
                double additive,
                double hyper)
{
    if (std::max(timeStage, byteStage) < threshold)
    {
        return 0;
    }
    const uint64_t least = std::min(timeStage, byteStage);
    return least > threshold ? static_cast<double>(least - threshold) * hyper : additive;
}

} // namespace ns3

#endif /* DCQCN_TARGET_STEP_H */
