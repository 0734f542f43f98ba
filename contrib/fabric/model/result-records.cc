/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-records.h"

namespace ns3
{

namespace
{

/** \param time a time \return it in nanoseconds, the nearest double */
double
ToNanoseconds(const Time& time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1000.0;
}

} // namespace

double
CollectiveRecord::GetAlgbwGBps() const
{
    if (!end || *end <= start)
    {
        return 0.0;
    }
    return static_cast<double>(bytes) / ToNanoseconds(*end - start); // bytes per ns = GB/s
}

double
CollectiveRecord::GetBusbwGBps() const
{
    return GetAlgbwGBps() * busFactor;
}

Time
CollectiveBenchRecord::GetTime() const
{
    return iterations > 0 ? TimeStep((end - start).GetTimeStep() / iterations) : Time(0);
}

double
CollectiveBenchRecord::GetAlgbwGBps() const
{
    const double sum = static_cast<double>(bytes) * iterations;
    return end > start ? sum / ToNanoseconds(end - start) : 0.0; // bytes per ns = GB/s
}

double
CollectiveBenchRecord::GetBusbwGBps() const
{
    return GetAlgbwGBps() * busFactor;
}

bool
FlowRecord::IsOfTeam() const
{
    return path == "nvls" || path == "collnet";
}

double
FlowRecord::GetSlowdown() const
{
    if (!end || !ideal || !ideal->IsStrictlyPositive())
    {
        return 0.0;
    }
    return ToNanoseconds(*end - start) / ToNanoseconds(*ideal);
}

uint64_t
LinkRecord::GetWireBytes() const
{
    return dataWireBytes + ackWireBytes + controlWireBytes;
}

std::optional<double>
LinkRecord::GetUtilisation() const
{
    return isShared ? std::optional<double>(GetLoad()) : std::nullopt;
}

double
LinkRecord::GetLoad() const
{
    double capacityBits = static_cast<double>(rate.GetBitRate()) * ToNanoseconds(window) * 1e-9;
    return capacityBits > 0.0 ? static_cast<double>(GetWireBytes()) * 8.0 / capacityBits : 0.0;
}

} // namespace ns3
