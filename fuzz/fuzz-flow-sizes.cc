/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/flow-size-distribution.h"
#include "ns3/text-scanner.h"

/** Files of flow size distributions. */
void
ns3::FuzzOne(const std::string& input)
{
    const auto sizes = FlowSizeDistribution::Read(TextFile::FromString("input", input));
    sizes.GetMean();
    for (const double probability : {0.0, 1e-9, 0.5, 1.0})
    {
        sizes.GetQuantile(probability);
    }
}
