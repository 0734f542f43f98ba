/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-message-transport.h"

#include <algorithm>
#include <optional>

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
        m_reduction->Dispose();
    }
    m_reduction = nullptr;
    m_roce = nullptr;
    m_nvlink = nullptr;
    NetworkMessageTransport::DoDispose();
}

void
PacketMessageTransport::SetTransports(Ptr<RoceMessageTransport> roce,
                                      Ptr<NvlinkMessageTransport> nvlink,
                                      Ptr<RoceReductionTransport> reduction)
{
    m_roce = roce;
    m_nvlink = nvlink;
    m_reduction = reduction;
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        m_roce->SetEndpoint(rank, this);
        m_nvlink->SetEndpoint(rank, this);
        m_reduction->SetEndpoint(rank, this);
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
    if (message.kind == MessageKind::ALL_REDUCE)
    {
        SendToSwitches(message);
        return;
    }
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

bool
PacketMessageTransport::CanAllReduce(const std::vector<uint32_t>& ranks) const
{
    return m_reduction->CanAllReduce(ranks);
}

uint32_t
PacketMessageTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    if (const std::optional<uint32_t> known = m_teamNumbers.Find(ranks))
    {
        return *known;
    }
    const uint32_t number = m_teamNumbers.Add(ranks);
    const auto add = [&](MessageTransport& fabric, std::vector<uint32_t>& numbers) {
        const uint32_t added = fabric.AddTeam(ranks);
        numbers.resize(std::max<std::size_t>(numbers.size(), added + 1));
        numbers[added] = number;
        return added;
    };
    const bool canReduce = m_reduction->CanAllReduce(ranks);
    const bool usesNvlink = m_nvlink->CanOffload(ranks) || !canReduce;
    m_teams.push_back({usesNvlink ? add(*m_nvlink, m_nvlinkTeams) : 0,
                       canReduce ? add(*m_reduction, m_reductionTeams) : 0});
    return number;
}

void
PacketMessageTransport::SendToSwitches(const Message& message)
{
    m_sentBytes += message.bytes;
    Message inside = message;
    inside.team = m_teams[message.team].reduction;
    m_reductions[{inside.team, message.channel, message.src}] += message.bytes;
    m_reduction->Send(inside);
}

void
PacketMessageTransport::SendToTeam(const Message& message)
{
    Message inside = message;
    inside.team = m_teams[message.team].nvlink;
    const NvlinkTeamKey key = NvlinkTeamKey::Of(inside);
    for (const uint32_t rank : m_nvlink->GetTeam(inside.team))
    {
        // Everybody gets a multicast; what is combined arrives once, for all who contribute to it.
        if (message.kind == MessageKind::MULTICAST || (rank == message.src && rank == message.dst))
        {
            m_sentBytes += message.bytes;
            m_teamChannels[{key, rank}] += message.bytes;
        }
    }
    m_nvlink->Send(inside);
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
    std::vector<std::string> lines = m_roce->GetFailures();
    const std::vector<std::string>& more = m_reduction->GetFailures();
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
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
    for (const auto& [key, sent] : m_reductions)
    {
        const auto& [team, channel, rank] = key;
        const uint64_t arrived = m_reduction->GetArrivedBytes(team, channel, rank);
        volume.offloaded += arrived;
        AddVolume({rank, rank, channel}, arrived, sent, volume);
    }
    return volume;
}

void
PacketMessageTransport::MessageReceived(const Message& message)
{
    m_receivedBytes += message.bytes;
    NotifyReceived(ToOutside(message));
}

void
PacketMessageTransport::MessageSent(const Message& message)
{
    NotifySentObserved(ToOutside(message));
}

Message
PacketMessageTransport::ToOutside(Message message) const
{
    if (message.kind != MessageKind::UNICAST)
    {
        const bool reduces = message.kind == MessageKind::ALL_REDUCE;
        message.team = (reduces ? m_reductionTeams : m_nvlinkTeams)[message.team];
    }
    return message;
}

std::vector<std::string>
PacketMessageTransport::DescribePending() const
{
    std::vector<std::string> lines = GetFailures();
    AddMessages(m_roce->DescribePending(), "over RoCE", lines);
    AddMessages(m_reduction->DescribePending(), "over switches that add up", lines);
    AddMessages(m_nvlink->DescribePending(), "over NVLink", lines);
    return lines;
}

} // namespace ns3
