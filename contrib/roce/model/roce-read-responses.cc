/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-read-responses.h"

#include "roce-verb.h"

#include "ns3/assert.h"
#include "ns3/roce-psn.h"

#include <algorithm>

namespace ns3
{

void
RoceReadResponses::Add(Job job, uint32_t mtuBytes)
{
    job.end = job.psn + PacketsOf(job.bytes, mtuBytes);
    const auto covers = [](const Job& a, const Job& b) { return a.psn <= b.psn && a.end >= b.end; };
    const auto isThere = [&](const Job& other) { return covers(other, job); };
    if (std::any_of(m_jobs.begin(), m_jobs.end(), isThere))
    {
        return; // still to be sent
    }
    const auto isPart = [&](const Job& other) { return covers(job, other); };
    m_jobs.erase(std::remove_if(m_jobs.begin(), m_jobs.end(), isPart), m_jobs.end());
    const auto behind = std::find_if(m_jobs.begin(), m_jobs.end(), [&job](const Job& other) {
        return other.psn > job.psn;
    });
    m_jobs.insert(behind, job);
}

bool
RoceReadResponses::TakeEarly(uint64_t psn, uint64_t& bytes)
{
    m_early.erase(m_early.begin(), m_early.lower_bound(psn)); // asked for again meanwhile
    const auto found = m_early.find(psn);
    if (found == m_early.end())
    {
        return false;
    }
    bytes = found->second;
    m_early.erase(found);
    return true;
}

bool
RoceReadResponses::BuildNext(FabricPacket& packet, uint32_t mtuBytes)
{
    NS_ASSERT_MSG(!m_jobs.empty(), "there is no response to send");
    Job& job = m_jobs.front();
    const RoceOpcode opcode = ReadResponseOpcode(job.first, job.psn + 1 == job.end);
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.payloadBytes = std::min<uint64_t>(mtuBytes, job.bytes);
    packet.frameBytes = RoceWire::FrameBytes(opcode, packet.payloadBytes);
    packet.psn = WirePsn(job.psn);
    packet.aeth = MakeAeth(AETH_ACK, job.msn);
    job.psn++;
    job.bytes -= packet.payloadBytes;
    job.first = false;
    const bool again = job.psn <= m_sentEnd;
    m_sentEnd = std::max(m_sentEnd, job.psn);
    if (job.psn == job.end)
    {
        m_jobs.pop_front();
    }
    return again;
}

} // namespace ns3
