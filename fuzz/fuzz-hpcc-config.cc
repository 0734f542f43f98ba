/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/data-rate.h"
#include "ns3/hpcc-config-reader.h"
#include "ns3/text-scanner.h"

/** Configuration files of HPCC and its kin, and the congestion control that they ask for. */
void
ns3::FuzzOne(const std::string& input)
{
    const HpccConfig config = ReadHpccConfig(TextFile::FromString("input", input));
    MakeCongestionControlFactory(config).Create();
    bool scaled = false;
    ThresholdsFor(DataRate("400Gbps"), config, scaled);
    DescribeScaledThresholds(DataRate("400Gbps"), config);
    GetHpccLoadBalancer(config);
}
