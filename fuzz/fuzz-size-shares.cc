/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/size-shares.h"
#include "ns3/text-scanner.h"

#include <cstdlib>

/** Files of shares of an uneven all-to-all among three ranks. */
void
ns3::FuzzOne(const std::string& input)
{
    const auto shares = SizeShares::Read(TextFile::FromString("input", input), 3);
    for (const uint64_t elements : {uint64_t(0), uint64_t(1), uint64_t(1) << 50})
    {
        if (shares.Scale(elements, 2)->GetMeanBytes() != 2 * elements)
        {
            std::abort();
        }
    }
    shares.GetPeak();
}
