/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-datagram-queue.h"

#include "ns3/assert.h"
#include "ns3/roce-psn.h"

namespace ns3
{

void
RoceDatagramQueue::Post(const RoceWorkRequest& request, const RoceAddressHandle& to)
{
    m_entries.push_back({request, to, NEVER});
}

void
RoceDatagramQueue::BuildNext(FabricPacket& packet, uint32_t number)
{
    NS_ASSERT_MSG(HasNext(), "there is no datagram to send");
    const Entry& entry = m_entries[m_left++];
    const RoceOpcode opcode = entry.request.withImmediate ? RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE
                                                          : RoceOpcode::UD_SEND_ONLY;
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.payloadBytes = entry.request.bytes;
    packet.frameBytes = RoceWire::FrameBytes(opcode, packet.payloadBytes);
    packet.psn = WirePsn(m_psn++);
    packet.dst = entry.to.rank;
    packet.qp = entry.to.qp;
    packet.aeth = number;
    packet.messageBytes = entry.request.bytes;
    packet.cookie = entry.request.cookie;
    packet.immediate = entry.request.immediate;
}

bool
RoceDatagramQueue::TakeSent(uint64_t now, RoceWorkRequest& request, RoceAddressHandle& to)
{
    if (!HasDeparted() || GetNextDeparture() > now)
    {
        return false;
    }
    request = m_entries.front().request;
    to = m_entries.front().to;
    m_entries.pop_front();
    m_left--;
    m_departed--;
    return true;
}

} // namespace ns3
