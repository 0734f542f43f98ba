/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-fct-writer.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace ns3
{

namespace
{

constexpr uint64_t NS_PER_SECOND = 1000000000; //!< nanoseconds
constexpr uint64_t HEADER_BYTES = 48;          //!< what HPCC adds to a payload

} // namespace

HpccFctWriter::HpccFctWriter(const std::string& path, std::vector<HpccFlow> flows, Form form)
    : m_file(path),
      m_flows(std::move(flows)),
      m_form(form)
{
}

uint32_t
HpccFctWriter::GetAddress(uint32_t node)
{
    return 0x0b000001 + (node / 256) * 0x10000 + (node % 256) * 0x100;
}

uint64_t
HpccFctWriter::GetStandaloneNs(const RocePath& path, uint64_t bytes, uint32_t payloadBytes)
{
    uint64_t ns = 0;
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    for (const RocePath::Hop& hop : path.GetHops())
    {
        ns += 2 * TimeStep(hop.delay).GetNanoSeconds() +
              8 * NS_PER_SECOND * payloadBytes / hop.rateBps;
        slowest = std::min(slowest, hop.rateBps);
    }
    const uint64_t packets = (bytes + payloadBytes - 1) / payloadBytes;
    const auto bits = static_cast<unsigned __int128>(bytes + packets * HEADER_BYTES) * 8;
    return ns + static_cast<uint64_t>(bits * NS_PER_SECOND / slowest);
}

void
HpccFctWriter::Take(const FlowRecord& record)
{
    const HpccFlow& flow = m_flows.at(record.id);
    if (!record.end || !record.senderEnd || flow.standaloneNs == 0)
    {
        return;
    }
    const bool isHpcc = m_form == Form::HPCC;
    char line[160];
    std::snprintf(line,
                  sizeof(line),
                  isHpcc ? "%08" PRIx32 " %08" PRIx32 " %u %u %" PRIu64 " %" PRId64 " %" PRId64
                           " %" PRIu64 "\n"
                         : "%" PRIu32 " %" PRIu32 " %u %u %" PRIu64 " %" PRId64 " %" PRId64
                           " %" PRIu64 "\n",
                  isHpcc ? GetAddress(flow.src) : flow.src,
                  isHpcc ? GetAddress(flow.dst) : flow.dst,
                  flow.srcPort,
                  flow.dstPort,
                  record.bytes,
                  flow.start.GetNanoSeconds(),
                  (*record.senderEnd - flow.start).GetNanoSeconds(),
                  flow.standaloneNs);
    m_file.Write(line);
}

void
HpccFctWriter::Close()
{
    m_file.Close();
}

} // namespace ns3
