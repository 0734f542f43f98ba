/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/flow-file.h"
#include "ns3/text-scanner.h"

/** Flow files of HPCC, ConWeave and ns3-rdma. */
void
ns3::FuzzOne(const std::string& input)
{
    FlowFileOptions options;
    options.isHost = {true, true, true, true, false};
    const FlowFile file = ReadFlowFile(TextFile::FromString("input", input), options);
    file.DescribeIgnored();
}
