/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-message-transport.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/ecmp-hash.h"
#include "ns3/node.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceMessageTransport);

TypeId
RoceMessageTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceMessageTransport")
            .SetParent<MessageTransport>()
            .SetGroupName("Roce")
            .AddConstructor<RoceMessageTransport>()
            .AddAttribute("UseWrite",
                          "Carry messages by RDMA WRITE, as NCCL's network transport does, "
                          "instead of SEND.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RoceMessageTransport::m_useWrite),
                          MakeBooleanChecker());
    return tid;
}

RoceMessageTransport::RoceMessageTransport() = default;
RoceMessageTransport::~RoceMessageTransport() = default;

void
RoceMessageTransport::DoDispose()
{
    for (const auto& nic : m_nics)
    {
        if (nic)
        {
            nic->SetListener(nullptr);
        }
    }
    m_nics.clear();
    m_qps.clear();
    m_priorities.clear();
    MessageTransport::DoDispose();
}

void
RoceMessageTransport::SetNics(std::vector<Ptr<RoceNicDevice>> nics,
                              std::shared_ptr<const RouteTable> routes)
{
    m_nics = std::move(nics);
    m_routes = std::move(routes);
    m_qps.resize(m_nics.size());
    m_priorities.resize(m_nics.size());
    for (const auto& nic : m_nics)
    {
        if (nic)
        {
            nic->SetListener(this);
        }
    }
}

void
RoceMessageTransport::PinChannel(uint32_t channel, uint32_t port)
{
    m_pinned[channel] = port;
}

void
RoceMessageTransport::SetPriority(uint32_t a, uint32_t b, uint32_t channel, uint32_t priority)
{
    m_priorities[std::min(a, b)][MakeKey(std::max(a, b), channel)] = priority;
}

bool
RoceMessageTransport::CanReach(uint32_t src, uint32_t dst) const
{
    return m_nics[src] && m_nics[dst] && m_routes->NextPorts(src, dst).count > 0;
}

uint32_t
RoceMessageTransport::GetRankCount() const
{
    return m_nics.size();
}

void
RoceMessageTransport::Send(const Message& message)
{
    RoceQueuePair& qp = GetQueuePair(message.src, message.dst, message.channel);
    RoceWorkRequest request;
    request.verb = m_useWrite ? RoceVerb::WRITE : RoceVerb::SEND;
    request.bytes = message.bytes;
    request.cookie = message.tag;
    m_nics[message.src]->Post(qp, request);
}

RoceQueuePair&
RoceMessageTransport::GetQueuePair(uint32_t src, uint32_t dst, uint32_t channel)
{
    RoceQueuePair*& qp = m_qps[src][MakeKey(dst, channel)];
    if (!qp)
    {
        NS_ABORT_MSG_UNLESS(CanReach(src, dst),
                            "there is no Ethernet path from rank "
                                << src << " to rank " << dst << ": validate the topology");
        const NicPair ends = GetEnds(src, dst, channel);
        qp = &RoceNicDevice::Connect(*m_nics[src],
                                     *m_nics[dst],
                                     GetParameters(src, dst, channel, ends),
                                     GetParameters(dst, src, channel, {ends.dst, ends.src}));
        m_qps[dst][MakeKey(src, channel)] = &m_nics[dst]->FindQueuePair(qp->peerNumber);
    }
    return *qp;
}

NicPair
RoceMessageTransport::GetEnds(uint32_t src, uint32_t dst, uint32_t channel) const
{
    return m_pinned.count(channel) > 0 ? NicPair{src, dst}
                                       : StripeNics(*m_routes, src, dst, channel);
}

RoceQueuePairParameters
RoceMessageTransport::GetParameters(uint32_t src,
                                    uint32_t dst,
                                    uint32_t channel,
                                    const NicPair& ends) const
{
    RoceQueuePairParameters parameters;
    parameters.udpPort = RoceWire::SourcePort(EcmpHash(src, dst, channel, 0));
    const auto pinned = m_pinned.find(channel);
    parameters.port =
        pinned == m_pinned.end() ? RoceQueuePairParameters::ANY_PORT : pinned->second;
    const auto& priorities = m_priorities[std::min(src, dst)];
    const auto priority = priorities.find(MakeKey(std::max(src, dst), channel));
    if (priority != priorities.end())
    {
        parameters.priority = priority->second;
    }
    parameters.localRank = src;
    parameters.localEnd = ends.src;
    parameters.channel = channel;
    RocePath(*m_routes, *m_nics[src], ends.src, ends.dst).Describe(*m_nics[src], parameters);
    return parameters;
}

uint64_t
RoceMessageTransport::GetSpreadTime(const RocePath& path,
                                    uint64_t bytes,
                                    uint64_t tail,
                                    bool cutThrough)
{
    const auto ticksFor = [](uint64_t size, uint64_t rateBps) {
        return static_cast<uint64_t>(static_cast<unsigned __int128>(size) * 8 *
                                     FabricEngine::GetTicksPerSecond() / rateBps);
    };
    uint64_t once = 0;  // the smallest packet over all links
    uint64_t crowd = 0; // on some link: all packets, beyond that one
    uint64_t most = 0;  // all packets on some link
    for (const RocePath::Hop& hop : path.GetHops())
    {
        const uint64_t one = ticksFor(tail, hop.rateBps);
        const uint64_t all = std::max(one, ticksFor(bytes, hop.capacityBps));
        once += one;
        crowd = std::max(crowd, all - one);
        most = std::max(most, all);
    }
    return (cutThrough ? most : once + crowd) + path.GetDelay();
}

Time
RoceMessageTransport::GetIdealTime(const Message& message, bool cutThrough) const
{
    RoceNicDevice& nic = *m_nics[message.src];
    const uint32_t gap = nic.GetPort(0).GetGapBytes();
    const uint64_t mtu = nic.GetMtuBytes();
    const uint64_t bytes = message.bytes;
    const uint64_t packets = std::max<uint64_t>(1, (bytes + mtu - 1) / mtu);
    const uint64_t full = RoceWire::FullFrameBytes(mtu) + gap;
    const uint64_t tail =
        RoceWire::FrameBytes(RoceOpcode::SEND_LAST, bytes - (packets - 1) * mtu) + gap;
    const RocePath path = GetPath(message.src, message.dst, message.channel);
    if (path.GainsBySpreading())
    {
        return TimeStep(GetSpreadTime(path, (packets - 1) * full + tail, tail, cutThrough));
    }
    // Departure of the last full packet, and of the last packet, from each link in turn. The
    // slowest link so far sets the spacing of full packets.
    // Fractions of a tick are dropped link by link, as the ports do.
    uint64_t sumFull = 0;
    uint64_t spacing = 0;
    uint64_t last = 0;
    uint64_t slowest = 0; // all packets on the slowest link
    for (const RocePath::Hop& hop : path.GetHops())
    {
        const auto ticksFor = [&](uint64_t count, uint64_t size) {
            return static_cast<uint64_t>(static_cast<unsigned __int128>(count * size) * 8 *
                                         FabricEngine::GetTicksPerSecond() / hop.rateBps);
        };
        sumFull += ticksFor(1, full);
        spacing = packets > 2 ? std::max(spacing, ticksFor(packets - 2, full)) : 0;
        const uint64_t busy = packets > 1 ? sumFull + spacing : 0;
        last = std::max(last, busy) + ticksFor(1, tail);
        slowest = std::max(slowest, ticksFor(packets - 1, full) + ticksFor(1, tail));
    }
    return TimeStep((cutThrough ? slowest : last) + path.GetDelay());
}

RocePath
RoceMessageTransport::GetPath(uint32_t src, uint32_t dst, uint32_t channel) const
{
    const NicPair ends = GetEnds(src, dst, channel);
    return {*m_routes, *m_nics[src], ends.src, ends.dst};
}

RoceChannelState
RoceMessageTransport::GetChannelState(uint32_t src, uint32_t dst, uint32_t channel) const
{
    RoceChannelState state;
    const auto found = m_qps[src].find(MakeKey(dst, channel));
    if (found == m_qps[src].end())
    {
        return state;
    }
    const RoceQueuePair& qp = *found->second;
    if (qp.firstSent != UINT64_MAX)
    {
        state.firstSent = TimeStep(qp.firstSent);
    }
    state.receivedBytes = m_nics[dst]->FindQueuePair(qp.peerNumber).receivedBytes;
    state.retransmittedPackets = qp.retransmittedPackets;
    state.failed = qp.failed;
    return state;
}

Message
RoceMessageTransport::ToMessage(const RoceCompletion& completion, bool out)
{
    Message message;
    message.src = out ? completion.localRank : completion.peerRank;
    message.dst = out ? completion.peerRank : completion.localRank;
    message.channel = completion.channel;
    message.bytes = completion.bytes;
    message.tag = completion.cookie;
    return message;
}

void
RoceMessageTransport::MessageArrived(const RoceCompletion& completion)
{
    NotifyReceived(ToMessage(completion, false));
}

void
RoceMessageTransport::MessageCompleted(const RoceCompletion& completion)
{
    if (completion.status == RoceStatus::SUCCESS)
    {
        NotifySent(ToMessage(completion, true));
        return;
    }
    std::ostringstream line;
    line << "rank " << completion.localRank << " sends " << completion.bytes << " bytes to rank "
         << completion.peerRank << ": given up at " << Simulator::Now().As(Time::US);
    m_lost.push_back(line.str());
}

void
RoceMessageTransport::QueuePairFailed(const RoceQueuePair& qp, RoceStatus status)
{
    std::ostringstream line;
    line << "rank " << qp.parameters.localRank << " gave up sending to rank "
         << qp.parameters.peerRank << " after ";
    if (status == RoceStatus::RNR_RETRY_EXCEEDED)
    {
        line << qp.settings.rnrRetry << " retries for want of a receive";
    }
    else
    {
        line << qp.settings.retryCount << " retries without an acknowledgement";
    }
    line << ", at " << Simulator::Now().As(Time::US);
    const RoceNicDevice& nic = *m_nics[qp.parameters.localRank];
    if (!nic.HasPath(qp))
    {
        line << ": no port of its NIC leads there";
    }
    else if (!nic.GetPort(qp.port).IsUp())
    {
        line << ": port " << qp.port << " of its NIC is down";
    }
    m_failures.push_back(line.str());
}

const std::vector<std::string>&
RoceMessageTransport::GetFailures() const
{
    return m_failures;
}

std::vector<std::string>
RoceMessageTransport::DescribePending() const
{
    std::vector<std::string> lines = m_failures;
    lines.insert(lines.end(), m_lost.begin(), m_lost.end());
    for (uint32_t rank = 0; rank < m_nics.size(); rank++)
    {
        const auto& nic = m_nics[rank];
        for (uint32_t i = 0; nic && nic->GetRank() == rank && i < nic->GetQueuePairCount(); i++)
        {
            const RoceQueuePair& qp = nic->GetQueuePair(i);
            for (const RoceRequester::Entry& entry : qp.requester.GetMessages())
            {
                std::ostringstream line;
                line << "rank " << qp.parameters.localRank << " sends " << entry.request.bytes
                     << " bytes to rank " << qp.parameters.peerRank << " since "
                     << TimeStep(entry.request.postedAt).As(Time::US) << ", packets "
                     << std::max(qp.requester.GetUna(), entry.firstPsn) - entry.firstPsn << " of "
                     << entry.packets << " acknowledged";
                lines.push_back(line.str());
            }
        }
    }
    return lines;
}

} // namespace ns3
