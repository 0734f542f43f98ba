/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/decimal-time.h"

/** Start times of flow files. */
void
ns3::FuzzOne(const std::string& input)
{
    for (const Time::Unit unit : {Time::S, Time::US, Time::NS})
    {
        Time time;
        ParseDecimalTime(input, unit, time);
    }
}
