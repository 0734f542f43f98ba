/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-message-transport.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketMessageTransport);

TypeId
PacketMessageTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacketMessageTransport")
                            .SetParent<NetworkMessageTransport>()
                            .SetGroupName("Railyard")
                            .AddConstructor<PacketMessageTransport>();
    return tid;
}

PacketMessageTransport::PacketMessageTransport() = default;
PacketMessageTransport::~PacketMessageTransport() = default;

void
PacketMessageTransport::DoDispose()
{
    if (m_roce)
    {
        m_roce->Dispose();
        m_nvlink->Dispose();
    }
    m_roce = nullptr;
    m_nvlink = nullptr;
    NetworkMessageTransport::DoDispose();
}

void
PacketMessageTransport::SetTransports(Ptr<RoceMessageTransport> roce,
                                      Ptr<NvlinkMessageTransport> nvlink)
{
    m_roce = roce;
    m_nvlink = nvlink;
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        m_roce->SetEndpoint(rank, this);
        m_nvlink->SetEndpoint(rank, this);
    }
}

uint32_t
PacketMessageTransport::GetRankCount() const
{
    return m_roce->GetRankCount();
}

void
PacketMessageTransport::Send(const Message& message)
{
    if (message.kind != MessageKind::UNICAST)
    {
        SendToTeam(message);
        return;
    }
    m_sentBytes += message.bytes;
    m_channels[{message.src, message.dst, message.channel}] += message.bytes;
    if (UsesNvlink(message.src, message.dst))
    {
        m_nvlink->Send(message);
    }
    else
    {
        m_roce->Send(message);
    }
}

bool
PacketMessageTransport::CanOffload(const std::vector<uint32_t>& ranks) const
{
    return m_nvlink->CanOffload(ranks);
}

uint32_t
PacketMessageTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    return m_nvlink->AddTeam(ranks);
}

void
PacketMessageTransport::SendToTeam(const Message& message)
{
    const NvlinkTeamKey key = NvlinkTeamKey::Of(message);
    for (const uint32_t rank : m_nvlink->GetTeam(message.team))
    {
        // Everybody gets a multicast; what is combined arrives once, for all who contribute to it.
        if (message.kind == MessageKind::MULTICAST || (rank == message.src && rank == message.dst))
        {
            m_sentBytes += message.bytes;
            m_teamChannels[{key, rank}] += message.bytes;
        }
    }
    m_nvlink->Send(message);
}

uint64_t
PacketMessageTransport::GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const
{
    if (!UsesNvlink(src, dst))
    {
        return m_roce->GetChannelState(src, dst, channel).receivedBytes;
    }
    const NvlinkReceiveFlow* flow = m_nvlink->GetDevice(dst)->FindReceiveFlow(src, channel);
    return flow ? flow->GetReceivedBytes() : 0;
}

uint64_t
PacketMessageTransport::GetArrivedBytes(const NvlinkTeamKey& key, uint32_t dst) const
{
    const NvlinkReceiveFlow* flow = m_nvlink->GetDevice(dst)->FindTeamReceiveFlow(key);
    return flow ? flow->GetReceivedBytes() : 0;
}

void
PacketMessageTransport::AddVolume(const Channel& channel,
                                  uint64_t arrived,
                                  uint64_t sent,
                                  PacketVolume& volume)
{
    volume.arrived += arrived;
    if (arrived > sent && volume.excess.empty())
    {
        const auto& [src, dst, number] = channel;
        volume.excess = "rank " + std::to_string(dst) + " received " + std::to_string(arrived) +
                        " bytes from rank " + std::to_string(src) + " on channel " +
                        std::to_string(number) + ", which sent " + std::to_string(sent);
    }
}

std::vector<std::string>
PacketMessageTransport::GetFailures() const
{
    return m_roce->GetFailures();
}

PacketVolume
PacketMessageTransport::GetVolume() const
{
    PacketVolume volume{m_sentBytes, m_receivedBytes, 0, 0, {}};
    for (const auto& [key, sent] : m_channels)
    {
        const auto& [src, dst, channel] = key;
        AddVolume(key, GetArrivedBytes(src, dst, channel), sent, volume);
    }
    for (const auto& [key, sent] : m_teamChannels)
    {
        const auto& [flow, dst] = key;
        const uint64_t arrived = GetArrivedBytes(flow, dst);
        volume.offloaded += arrived;
        AddVolume({flow.root, dst, flow.channel}, arrived, sent, volume);
    }
    return volume;
}

void
PacketMessageTransport::MessageReceived(const Message& message)
{
    m_receivedBytes += message.bytes;
    NotifyReceived(message);
}

void
PacketMessageTransport::MessageSent(const Message& message)
{
    NotifySentObserved(message);
}

std::vector<std::string>
PacketMessageTransport::DescribePending() const
{
    std::vector<std::string> lines = m_roce->GetFailures();
    AddMessages(m_roce->DescribePending(), "RoCE", lines);
    AddMessages(m_nvlink->DescribePending(), "NVLink", lines);
    return lines;
}

void
PacketMessageTransport::AddMessages(const std::vector<std::string>& messages,
                                    const std::string& fabric,
                                    std::vector<std::string>& lines)
{
    std::size_t unnamed = 0;
    for (std::size_t i = 0, named = 0; i < messages.size(); i++)
    {
        if (std::find(lines.begin(), lines.end(), messages[i]) != lines.end())
        {
            continue;
        }
        if (named++ < MAX_MESSAGES)
        {
            lines.push_back(messages[i]);
        }
        else
        {
            unnamed++;
        }
    }
    if (unnamed > 0)
    {
        lines.push_back("and " + std::to_string(unnamed) + " more messages over " + fabric +
                        ": those without end_ns in table flows");
    }
}

} // namespace ns3
