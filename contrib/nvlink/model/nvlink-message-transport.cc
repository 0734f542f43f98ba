/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-message-transport.h"

#include "nvswitch-device.h"

#include "ns3/abort.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlinkMessageTransport);

TypeId
NvlinkMessageTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NvlinkMessageTransport")
                            .SetParent<MessageTransport>()
                            .SetGroupName("Nvlink")
                            .AddConstructor<NvlinkMessageTransport>();
    return tid;
}

NvlinkMessageTransport::NvlinkMessageTransport() = default;
NvlinkMessageTransport::~NvlinkMessageTransport() = default;

void
NvlinkMessageTransport::DoDispose()
{
    for (const auto& device : m_devices)
    {
        if (device)
        {
            device->SetReceivedCallback({});
            device->SetSentCallback({});
        }
    }
    m_devices.clear();
    m_routes = nullptr;
    MessageTransport::DoDispose();
}

void
NvlinkMessageTransport::SetDevices(std::shared_ptr<const RouteTable> routes,
                                   const std::vector<Ptr<NvlinkDevice>>& devices)
{
    m_routes = std::move(routes);
    m_devices = devices;
    for (const auto& device : m_devices)
    {
        if (device)
        {
            // Bound to the bare pointer: the transport must not keep itself alive.
            device->SetReceivedCallback(
                MakeCallback(&NvlinkMessageTransport::NotifyReceived, this));
            device->SetSentCallback(MakeCallback(&NvlinkMessageTransport::NotifySent, this));
        }
    }
}

bool
NvlinkMessageTransport::CanReach(uint32_t src, uint32_t dst) const
{
    const uint32_t ranks = GetRankCount();
    return src < ranks && dst < ranks && src != dst && m_devices[src] && m_devices[dst] &&
           m_routes->NextPorts(src, dst).count > 0;
}

void
NvlinkMessageTransport::SetTeams(std::shared_ptr<RankTeams> teams)
{
    m_teams = std::move(teams);
}

bool
NvlinkMessageTransport::CanOffload(const std::vector<uint32_t>& ranks) const
{
    if (ranks.size() < 2 || ranks.back() >= m_devices.size() || !m_devices[ranks.front()])
    {
        return false;
    }
    const NvlinkDevice& first = *m_devices[ranks.front()];
    const auto isAlike = [&](uint32_t rank) {
        if (!m_devices[rank] || m_devices[rank]->GetPortCount() != first.GetPortCount())
        {
            return false;
        }
        for (uint32_t i = 0; i < first.GetPortCount(); i++)
        {
            const FabricPort& port = m_devices[rank]->GetPort(i);
            const auto* peer = dynamic_cast<NvSwitchDevice*>(port.GetPeer()->GetOwner());
            if (!peer || !peer->CanOffload() || peer != first.GetPort(i).GetPeer()->GetOwner() ||
                port.GetRateBps() != first.GetPort(i).GetRateBps())
            {
                return false;
            }
        }
        return true;
    };
    return first.GetPortCount() > 0 && std::all_of(ranks.begin(), ranks.end(), isAlike);
}

uint32_t
NvlinkMessageTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    NS_ABORT_MSG_IF(!CanOffload(ranks),
                    "no NVSwitches copy and add up for the team of rank "
                        << (ranks.empty() ? 0 : ranks.front()));
    return m_teams->Add(ranks);
}

Ptr<NvlinkDevice>
NvlinkMessageTransport::GetDevice(uint32_t rank) const
{
    return m_devices.at(rank);
}

uint32_t
NvlinkMessageTransport::GetRankCount() const
{
    return m_devices.size();
}

void
NvlinkMessageTransport::Send(const Message& message)
{
    const uint32_t ranks = GetRankCount();
    NS_ABORT_MSG_UNLESS(message.src < ranks && message.dst < ranks && m_devices[message.src],
                        "no NVLink route from rank " << message.src << " to rank " << message.dst
                                                     << ": the sender has no NVLink, or there is "
                                                        "no such rank");
    m_devices[message.src]->Send(message);
}

std::string
NvlinkMessageTransport::Describe(uint32_t src,
                                 const NvlinkSendFlow& flow,
                                 const NvlinkReceiveFlow* received,
                                 uint32_t sequence)
{
    const NvlinkSendFlow::Outgoing* outgoing = flow.Find(sequence);
    const NvlinkReceiveFlow::Incoming* incoming = received ? received->Find(sequence) : nullptr;
    std::ostringstream line;
    line << "NVLink: rank " << src << " to rank " << flow.GetDestination() << " channel "
         << flow.GetChannel() << ": ";
    if (!outgoing && !incoming)
    {
        line << "a message that has left and of which nothing has arrived";
        return line.str();
    }
    const Message& message = outgoing ? outgoing->message : incoming->message;
    const uint64_t since = outgoing ? outgoing->since : incoming->since;
    line << message.bytes << " bytes since " << TimeStep(since).GetNanoSeconds() << " ns, "
         << (outgoing ? outgoing->cutBytes : message.bytes) << " sent, "
         << (incoming ? incoming->receivedBytes : 0) << " received";
    return line.str();
}

std::string
NvlinkMessageTransport::Describe(uint32_t src,
                                 const NvlinkTeamKey& key,
                                 const NvlinkTeamFlow& flow) const
{
    const bool combines = key.kind == MessageKind::COMBINE;
    uint32_t arrived = flow.GetNextNumber();
    const std::vector<uint32_t> root{key.root};
    for (const uint32_t rank : combines ? root : m_teams->Get(key.team))
    {
        const NvlinkReceiveFlow* received = m_devices[rank]->FindTeamReceiveFlow(key);
        arrived = std::min(arrived, received ? received->GetNextSequence() : 0);
    }
    std::ostringstream line;
    if (arrived < flow.GetNextNumber())
    {
        line << "NVLink: rank " << src << " channel " << key.channel << ": " << flow.GetNextNumber()
             << " messages "
             << (combines ? "added up in switches for rank " + std::to_string(key.root)
                          : "copied in switches to its team")
             << ", of which " << arrived << " have arrived";
    }
    return line.str();
}

std::vector<std::string>
NvlinkMessageTransport::DescribePending() const
{
    std::vector<std::string> lines;
    for (uint32_t src = 0; src < GetRankCount(); src++)
    {
        if (!m_devices[src])
        {
            continue;
        }
        for (const NvlinkSendFlow& flow : m_devices[src]->GetSendFlows())
        {
            if (flow.IsShare())
            {
                continue;
            }
            const NvlinkReceiveFlow* received =
                m_devices[flow.GetDestination()]->FindReceiveFlow(src, flow.GetChannel());
            uint32_t sequence = received ? received->GetNextSequence() : 0;
            for (; sequence != flow.GetNextSequence(); sequence++)
            {
                lines.push_back(Describe(src, flow, received, sequence));
            }
        }
        for (const auto& [key, flow] : m_devices[src]->GetTeamFlows())
        {
            const std::string line = Describe(src, key, flow);
            if (!line.empty())
            {
                lines.push_back(line);
            }
        }
    }
    return lines;
}

} // namespace ns3
