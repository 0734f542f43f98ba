/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-reduction-transport.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/roce-psn.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceReductionTransport);

/** \ingroup roce \brief A rank in a stream. */
class RoceReductionTransport::Member : public RoceReductionHopUser
{
  public:
    /**
     * \param transport whose stream
     * \param stream the stream
     * \param rank the rank
     * \param nic its NIC
     */
    Member(RoceReductionTransport& transport, Stream& stream, uint32_t rank, RoceNicDevice& nic)
        : m_transport(transport),
          m_stream(stream),
          m_nic(nic),
          m_hop(*this,
                *nic.GetFabric(),
                stream.settings,
                {rank, rank, nic.GetNode()->GetId(), 0, false})
    {
    }

    /** \param message to be added up */
    void Push(const Message& message)
    {
        m_messages.push_back({message, 0, Simulator::Now()});
        m_pushed++;
    }

    /** Sends what the window lets. */
    void Fill()
    {
        const RoceReductionSettings& settings = m_stream.settings;
        while (m_sending < m_messages.size() &&
               m_hop.GetSent() < m_hop.GetReceived() + settings.window)
        {
            Outgoing& outgoing = m_messages[m_sending];
            const uint64_t left = outgoing.message.bytes - outgoing.sentBytes;
            const auto bytes =
                static_cast<uint32_t>(std::min<uint64_t>(left, settings.fragmentBytes));
            outgoing.sentBytes += bytes;
            m_sending += bytes == left;
            m_hop.Send(bytes, bytes == left);
        }
    }

    /** Lets a rank that waited for memory begin, in an event of its own node. */
    void ScheduleFill()
    {
        Simulator::ScheduleWithContext(m_nic.GetNode()->GetId(), Time(0), &Member::Fill, this);
    }

    /** \param frame a frame from the leaf switch */
    void Receive(const FabricPacket& frame)
    {
        m_hop.Receive(frame);
    }

    /** \return its rank */
    uint32_t GetRank() const
    {
        return m_hop.GetPeerRank();
    }

    /** \return name of its NIC */
    std::string GetName() const
    {
        return m_nic.GetName();
    }

    /** \return messages sent so far */
    uint64_t GetPushed() const
    {
        return m_pushed;
    }

    /** \return messages whose sum has arrived */
    uint64_t GetDone() const
    {
        return m_pushed - m_messages.size();
    }

    /** \return payload of the sums that arrived, bytes */
    uint64_t GetArrivedBytes() const
    {
        return m_arrivedBytes;
    }

    /** \return what is under way, without what it waits for, empty if nothing is */
    std::string Describe() const
    {
        std::ostringstream line;
        if (!m_messages.empty())
        {
            const Outgoing& first = m_messages.front();
            line << "rank " << GetRank() << " adds " << first.message.bytes
                 << " bytes to its team's in switches, channel " << first.message.channel
                 << ", since " << first.since.As(Time::US) << ": " << first.sentBytes
                 << " sent, sums of " << m_frontBytes << " received";
        }
        if (m_messages.size() > 1)
        {
            line << ", and " << m_messages.size() - 1 << " more messages behind it";
        }
        return line.str();
    }

  private:
    /** \brief A message whose sum has not arrived. */
    struct Outgoing
    {
        Message message;    //!< the message
        uint64_t sentBytes; //!< of it
        Time since;         //!< when it was given
    };

    // From RoceReductionHopUser.
    void Emit(RoceReductionHop&, FabricPacket* frame) override
    {
        if (frame->GetClass() == FrameClass::DATA)
        {
            m_nic.SendFrame(frame, 0);
            return;
        }
        m_nic.GetFabric()->counters.packets++;
        m_nic.GetPort(0).Enqueue(frame, m_nic.GetFabric()->engine.Now());
    }

    void Accept(RoceReductionHop&, uint64_t, uint32_t payloadBytes, bool last) override
    {
        m_nic.GetFabric()->counters.payloadBytesDelivered += payloadBytes;
        m_arrivedBytes += payloadBytes;
        m_frontBytes += payloadBytes;
        if (last)
        {
            const Message message = m_messages.front().message;
            NS_ABORT_MSG_IF(m_sending == 0 || m_frontBytes != message.bytes,
                            "rank " << GetRank() << " got a sum of " << m_frontBytes
                                    << " bytes for a message of " << message.bytes);
            m_messages.pop_front();
            m_sending--;
            m_frontBytes = 0;
            m_transport.NotifySent(message);
            m_transport.NotifyReceived(message);
            m_transport.Ended(m_stream);
        }
        Fill();
    }

    void Acknowledged(RoceReductionHop&, uint64_t, uint64_t) override
    {
    }

    void CountWaiting(RoceReductionHop&, bool more) override
    {
        m_transport.CountWaiting(m_stream.settings.stream, more);
    }

    void GaveUp(RoceReductionHop&) override
    {
        m_transport.HopFailed(m_stream.settings.stream,
                              m_nic.GetName() + " to " +
                                  m_nic.GetPort(0).GetPeer()->GetOwner()->GetName());
    }

    RoceReductionTransport& m_transport; //!< whose stream
    Stream& m_stream;                    //!< the stream
    RoceNicDevice& m_nic;                //!< its NIC
    RoceReductionHop m_hop;              //!< to the leaf switch
    std::deque<Outgoing> m_messages;     //!< those whose sums have not arrived
    std::size_t m_sending{0};            //!< of these, sent completely
    uint64_t m_pushed{0};                //!< messages so far
    uint64_t m_frontBytes{0};            //!< of the first one's sum, arrived
    uint64_t m_arrivedBytes{0};          //!< of all sums
};

TypeId
RoceReductionTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceReductionTransport")
            .SetParent<MessageTransport>()
            .SetGroupName("Roce")
            .AddConstructor<RoceReductionTransport>()
            .AddAttribute("WindowBytes",
                          "Payload of a rank on one channel of a team whose sums have not arrived, "
                          "at most, bytes. 1 MiB: a round trip of 20 us at 400 Gb/s.",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&RoceReductionTransport::m_windowBytes),
                          MakeUintegerChecker<uint64_t>(1, uint64_t{1} << 32));
    return tid;
}

RoceReductionTransport::RoceReductionTransport() = default;
RoceReductionTransport::~RoceReductionTransport() = default;

void
RoceReductionTransport::DoDispose()
{
    for (const auto& nic : m_nics)
    {
        if (nic)
        {
            nic->SetReductionListener(nullptr);
        }
    }
    MessageTransport::DoDispose();
}

void
RoceReductionTransport::SetDevices(std::vector<Ptr<RoceNicDevice>> nics,
                                   std::vector<Ptr<RoceSwitchDevice>> switches,
                                   std::shared_ptr<const RouteTable> routes)
{
    m_nics = std::move(nics);
    m_switches = std::move(switches);
    m_routes = std::move(routes);
    for (const auto& nic : m_nics)
    {
        if (nic)
        {
            nic->SetReductionListener(this);
        }
    }
    Simulator::ScheduleDestroy(&RoceReductionTransport::Retire, Ptr<RoceReductionTransport>(this));
}

void
RoceReductionTransport::Retire()
{
}

ReductionTree
RoceReductionTransport::FindTree(const std::vector<uint32_t>& ranks) const
{
    if (ranks.empty() || ranks.back() >= m_nics.size())
    {
        return {};
    }
    return {*m_routes, ranks, [this](uint32_t node) {
                return m_switches[node] && m_switches[node]->GetReducer();
            }};
}

RoceReducer&
RoceReductionTransport::GetReducer(const ReductionTree::Node& node) const
{
    return *m_switches[node.node]->GetReducer();
}

uint32_t
RoceReductionTransport::GetRankCount() const
{
    return m_nics.size();
}

RoceReductionSettings
RoceReductionTransport::GetSettings() const
{
    const auto nic = std::find_if(m_nics.begin(), m_nics.end(), [](const auto& n) { return n; });
    RoceReductionSettings settings;
    settings.priority = (*nic)->GetPriority();
    settings.dscp = (*nic)->GetDscp(settings.priority);
    settings.ackTimeout = (*nic)->GetAckTimeout();
    settings.retryCount = (*nic)->GetRetryCount();
    settings.fragmentBytes = (*nic)->GetMtuBytes();
    settings.window = std::max<uint64_t>(1, m_windowBytes / settings.fragmentBytes);
    return settings;
}

bool
RoceReductionTransport::CanAllReduce(const std::vector<uint32_t>& ranks) const
{
    if (m_teams.Find(ranks))
    {
        return true;
    }
    const ReductionTree tree = FindTree(ranks);
    return !tree.GetNodes().empty() &&
           std::all_of(tree.GetNodes().begin(), tree.GetNodes().end(), [this](const auto& node) {
               return GetReducer(node).GetTableBytes() >=
                      RoceReducer::GetNeededBytes(GetSettings());
           });
}

uint32_t
RoceReductionTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    if (const std::optional<uint32_t> known = m_teams.Find(ranks))
    {
        return *known;
    }
    NS_ABORT_MSG_UNLESS(CanAllReduce(ranks),
                        "no switches add up for the team of rank "
                            << (ranks.empty() ? 0 : ranks.front())
                            << " (attributes InNetworkReduction and ReductionTableBytes of "
                               "ns3::RoceSwitchDevice)");
    m_trees.push_back(FindTree(ranks));
    return m_teams.Add(ranks);
}

const std::vector<uint32_t>&
RoceReductionTransport::GetTeam(uint32_t team) const
{
    return m_teams.Get(team);
}

const ReductionTree&
RoceReductionTransport::GetTree(uint32_t team) const
{
    return m_trees.at(team);
}

RoceReductionTransport::Stream&
RoceReductionTransport::GetStream(const Message& message)
{
    const auto [number, isNew] =
        m_streamNumbers.try_emplace({message.team, message.channel},
                                    static_cast<uint32_t>(m_streams.size()));
    if (isNew)
    {
        NS_ABORT_MSG_IF(m_streams.size() >= PSN_COUNT, "there are 2^24 reductions at most");
        Stream& stream = m_streams.emplace_back();
        stream.settings = GetSettings();
        stream.settings.stream = number->second;
        stream.team = message.team;
        stream.channel = message.channel;
        for (const uint32_t rank : GetTeam(message.team))
        {
            stream.members.push_back(
                std::make_unique<Member>(*this, stream, rank, *m_nics[rank]));
        }
    }
    return m_streams[number->second];
}

RoceReductionTransport::Member&
RoceReductionTransport::GetMember(const Stream& stream, uint32_t rank) const
{
    const std::vector<uint32_t>& ranks = GetTeam(stream.team);
    const auto place = std::lower_bound(ranks.begin(), ranks.end(), rank);
    NS_ABORT_MSG_IF(place == ranks.end() || *place != rank,
                    "rank " << rank << " is not in team " << stream.team);
    return *stream.members[place - ranks.begin()];
}

uint64_t
RoceReductionTransport::GetArrivedBytes(uint32_t team, uint32_t channel, uint32_t rank) const
{
    const auto number = m_streamNumbers.find({team, channel});
    return number == m_streamNumbers.end()
               ? 0
               : GetMember(m_streams[number->second], rank).GetArrivedBytes();
}

void
RoceReductionTransport::Send(const Message& message)
{
    NS_ABORT_MSG_IF(message.kind != MessageKind::ALL_REDUCE || message.src != message.dst,
                    "switches do ALL_REDUCE from a rank to itself, and nothing else");
    Stream& stream = GetStream(message);
    Member& member = GetMember(stream, message.src);
    member.Push(message);
    const bool idle = stream.underWay++ == 0;
    if (stream.granted)
    {
        member.Fill();
    }
    else if (idle)
    {
        m_waiting.push_back(stream.settings.stream);
        Grant();
    }
}

const RoceSwitchDevice*
RoceReductionTransport::FindFull(const Stream& stream) const
{
    for (const ReductionTree::Node& node : GetTree(stream.team).GetNodes())
    {
        const RoceReducer& reducer = GetReducer(node);
        if (reducer.GetTableBytes() - reducer.GetReservedBytes() <
            RoceReducer::GetNeededBytes(stream.settings))
        {
            return PeekPointer(m_switches[node.node]);
        }
    }
    return nullptr;
}

void
RoceReductionTransport::Grant()
{
    std::deque<uint32_t> waiting;
    std::set<uint32_t> claimed; // by node: an earlier one waits for the memory of this switch
    waiting.swap(m_waiting);
    for (const uint32_t number : waiting)
    {
        Stream& stream = m_streams[number];
        const auto& nodes = GetTree(stream.team).GetNodes();
        const bool isClaimed = std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
            return claimed.count(node.node) > 0;
        });
        if (isClaimed || FindFull(stream))
        {
            m_waiting.push_back(number);
            for (const auto& node : nodes)
            {
                claimed.insert(node.node);
            }
            continue;
        }
        stream.granted = true;
        for (const auto& node : nodes)
        {
            GetReducer(node).Reserve(stream.settings, node, *this);
        }
        for (const auto& member : stream.members)
        {
            member->ScheduleFill();
        }
    }
}

void
RoceReductionTransport::Ended(Stream& stream)
{
    if (--stream.underWay > 0 || !stream.granted)
    {
        return;
    }
    stream.granted = false;
    for (const ReductionTree::Node& node : GetTree(stream.team).GetNodes())
    {
        GetReducer(node).Release(stream.settings);
    }
    Grant();
}

void
RoceReductionTransport::CountWaiting(uint32_t stream, bool more)
{
    if (more)
    {
        m_streams[stream].underWay++;
        return;
    }
    Ended(m_streams[stream]);
}

void
RoceReductionTransport::HopFailed(uint32_t stream, const std::string& description)
{
    std::ostringstream line;
    line << "in-network reduction of the team of rank " << GetTeam(m_streams[stream].team).front()
         << ", channel " << m_streams[stream].channel << ": no answer from " << description
         << " after " << m_streams[stream].settings.retryCount << " retries, at "
         << Simulator::Now().As(Time::US);
    m_failures.push_back(line.str());
}

void
RoceReductionTransport::FrameArrived(const FabricPacket& frame, FabricPort&)
{
    GetMember(m_streams.at(frame.qp), frame.dst).Receive(frame);
}

void
RoceReductionTransport::FrameTaken(uint32_t)
{
}

std::string
RoceReductionTransport::DescribeWait(const Stream& stream, const Member& member) const
{
    if (!stream.granted)
    {
        const RoceSwitchDevice* full = FindFull(stream);
        return full ? "; the reduction table of " + full->GetName() + " has no room" : "";
    }
    for (const auto& other : stream.members)
    {
        if (other->GetPushed() <= member.GetDone())
        {
            return "; rank " + std::to_string(other->GetRank()) + " has sent nothing for it";
        }
    }
    return "";
}

std::vector<std::string>
RoceReductionTransport::DescribePending() const
{
    std::vector<std::string> lines = m_failures;
    for (const Stream& stream : m_streams)
    {
        for (const auto& member : stream.members)
        {
            const std::string line = member->Describe();
            if (!line.empty())
            {
                lines.push_back(line + DescribeWait(stream, *member));
            }
        }
    }
    return lines;
}

} // namespace ns3
