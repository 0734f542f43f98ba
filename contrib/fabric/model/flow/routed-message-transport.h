/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROUTED_MESSAGE_TRANSPORT_H
#define ROUTED_MESSAGE_TRANSPORT_H

#include "message-lane.h"
#include "message-router.h"

#include "ns3/fabric-engine.h"
#include "ns3/fetch-lines.h"
#include "ns3/network-message-transport.h"
#include "ns3/rank-teams.h"

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What has gone over one direction of a link. */
struct RoutedLinkLoad
{
    uint64_t payloadBytes{0}; //!< payload
    uint64_t wireBytes{0};    //!< with headers
    uint64_t packets{0};      //!< data packets
    uint64_t acks{0};         //!< acknowledgements of what went the other way
    uint64_t ackWireBytes{0}; //!< their bytes on the wire
};

/** \ingroup fabric \brief Totals of a RoutedMessageTransport. */
struct RoutedVolume
{
    uint64_t sentBytes{0};      //!< payload of all messages given to the transport
    uint64_t receivedBytes{0};  //!< payload of all messages that have arrived, once each
    uint64_t packets{0};        //!< data packets and acknowledgements that end points have sent
    uint64_t deliveredBytes{0}; //!< payload that has arrived, each copy of a MULTICAST or of the
                                //!< sum of an ALL_REDUCE, and what is there of UNICAST messages
                                //!< under way
    uint64_t offloadedBytes{0}; //!< of these, what switches have added up or copied
};

/**
 * \ingroup fabric
 * \brief A MessageTransport without packets: every message goes as a whole along a route.
 *
 * What is common to all of them: lanes, one per (source, destination, channel), whose messages go
 * one after another; latencies; teams; and the bytes that every link has carried. How long a
 * message takes is the derived class's.
 */
class RoutedMessageTransport : public NetworkMessageTransport
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RoutedMessageTransport();
    ~RoutedMessageTransport() override;

    /**
     * \param topology the cluster, not kept; a ConfigError if it needs packets
     * \param settings framing and choices
     */
    void SetNetwork(const Topology& topology, const MessageRouterSettings& settings);

    /** \return the router */
    const MessageRouter& GetRouter() const
    {
        return *m_router;
    }

    /** \return the event engine */
    const FabricEngine& GetEngine() const
    {
        return m_engine;
    }

    /**
     * \return by direction (RouteLink::direction) what has gone over it; of messages under way what
     * has left, on their last links what these have carried (GetVolumeTaken())
     */
    std::vector<RoutedLinkLoad> GetLinkLoads() const;

    /** \return totals */
    RoutedVolume GetVolume() const;

    /** \param link one of the topology \return whether what passes there waits for each other */
    virtual bool SharesLink(const TopologyLink& link) const;

    /** \return a lane on which something is wrong, empty if all messages are where they should be
     * \param finished whether nothing may be under way any more */
    std::string FindLostBytes(bool finished) const;

    /**
     * \param message a UNICAST message
     * \return its time on an empty network, until its last byte is there
     */
    Time GetIdealTime(const Message& message) const;

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    bool CanOffload(const std::vector<uint32_t>& ranks) const override;
    bool CanAllReduce(const std::vector<uint32_t>& ranks) const override;
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
    /** Aborts, naming the pair, if there is no route. \param message the message */
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

    // From NetworkMessageTransport.
    bool UsesNvlink(uint32_t src, uint32_t dst) const override;
    bool CanReach(uint32_t src, uint32_t dst) const override;
    uint64_t GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const override;

  protected:
    void DoDispose() override;

    /** Called when the network is set. */
    virtual void NetworkSet() = 0;
    /**
     * \param ends a message of the new lane, for its ends, channel and kind
     * \param route its way
     * \return the lane
     */
    virtual std::unique_ptr<MessageLane> MakeLane(const Message& ends,
                                                  const MessageRoute& route) = 0;
    /** \param lane a lane whose memory was fetched: fetches what else a Send() on it touches */
    virtual void FetchForSend(const MessageLane& lane) const;
    /** \param lane a lane \param record a message that may go, when those before it have gone */
    virtual void Ready(MessageLane& lane, MessageRecord& record) = 0;
    /**
     * \param lane a lane
     * \param record its first message whose last bit has not left
     * \return share of it that has left
     */
    virtual double GetShareLeft(const MessageLane& lane, const MessageRecord& record) const = 0;
    /** \param lane a lane \return its volume, with what has left of a message under way */
    MessageVolume GetVolumeLeft(const MessageLane& lane) const;
    /**
     * \param lane a lane
     * \param record a message of it that has not arrived
     * \param hasLeft whether its last bit has left; else those of the messages before have
     * \return what is there of it, bytes; here as if it went at its route's rate
     */
    virtual uint64_t GetBytesThere(const MessageLane& lane,
                                   const MessageRecord& record,
                                   bool hasLeft) const;
    /**
     * \param lane a lane
     * \return what its last links have carried; what has left, unless both may differ for longer
     * than latencies
     */
    virtual MessageVolume GetVolumeTaken(const MessageLane& lane) const;

    /**
     * \param volume gets part of a message, but does not count it
     * \param lane its lane
     * \param record the message
     * \param share the part, from 0 to 1
     */
    static void AddShare(MessageVolume& volume,
                         const MessageLane& lane,
                         const MessageRecord& record,
                         double share);

    /**
     * A message that nobody acknowledges counts as sent now; its sender is told.
     * \param lane its lane
     * \param record the message, all before it have been sent
     */
    void SentNow(MessageLane& lane, MessageRecord& record);

    /** \param kind what the network does \return whether all ranks of a team contribute */
    static bool IsSum(MessageKind kind)
    {
        return kind == MessageKind::COMBINE || kind == MessageKind::ALL_REDUCE;
    }

  private:
    friend class MessageLane;

    /** Sender or destination, and channel. */
    using LaneMap = boost::container::flat_map<uint64_t, MessageLane*>;

    /** \brief The lane that a rank last used on one of some channels. */
    struct RecentLane
    {
        uint64_t key{0};            //!< MakeKey() of its peer and channel
        MessageLane* lane{nullptr}; //!< a UNICAST lane, or nullptr
    };

    /** Recent lanes of a rank: one each for channels that are equal modulo this number. */
    static constexpr uint32_t RECENT = 16;

    /** Does nothing: its event keeps this object until the simulation is destroyed. */
    void Retire();

    /** \param peer a rank \param channel a channel \return key of a lane */
    static uint64_t MakeKey(uint32_t peer, uint32_t channel)
    {
        return static_cast<uint64_t>(peer) << 32 | channel;
    }

    /** \param message a message \return its lane, made at first use */
    MessageLane& GetLane(const Message& message);
    /** \param message a message of a new lane \return its way */
    MessageRoute FindRoute(const Message& message) const;
    /** \param lane a lane \param bytes payload \param tag tag \return a message at its end */
    MessageRecord& Append(MessageLane& lane, uint64_t bytes, uint64_t tag);
    /** \param message a message \return the lanes among which its own is, by MakeKey() */
    LaneMap& GetLanes(const Message& message);
    /** \param message a rank's part of a sum */
    void Combine(const Message& message);
    /** \param message a message that has arrived, as its lane describes it */
    void Arrived(const Message& message);
    /** \param message a message that was acknowledged, as its lane describes it */
    void Acknowledged(const Message& message);

    /**
     * Fetches the lane that a rank may send on next: often the one of the channel of what it gets.
     * \param rank the rank
     * \param channel channel of a message that it will get
     * \param stage of FabricEvent::Fetcher
     */
    void FetchExpectedSend(uint32_t rank, uint32_t channel, uint32_t stage) const
    {
        const RecentLane& recent = m_recent[rank * RECENT + channel % RECENT];
        if (stage == 0)
        {
            FetchLines(&recent);
        }
        else if (recent.lane && stage == 1)
        {
            recent.lane->Fetch();
        }
        else if (recent.lane)
        {
            FetchForSend(*recent.lane);
        }
    }

    /** \param lane a lane \return what is there of messages that have not arrived as a whole,
     * bytes */
    uint64_t GetPartlyArrived(const MessageLane& lane) const;
    /** \param record a message that is done with */
    void Free(MessageRecord* record);
    /** \param lane a lane \return first message whose last bit has not left, or nullptr */
    static const MessageRecord* FindLeaving(const MessageLane& lane);

    FabricEngine m_engine;                                   //!< event engine
    std::unique_ptr<MessageRouter> m_router;                 //!< ways
    std::vector<RecentLane> m_recent; //!< by source and channel, RECENT for each source
    std::vector<LaneMap> m_bySource;                         //!< lanes by source
    std::vector<LaneMap> m_copies;                           //!< those of MULTICAST, by source
    std::vector<LaneMap> m_sums;                             //!< those of COMBINE, by destination
    LaneMap m_reductions;                                    //!< those of ALL_REDUCE, by team
    std::vector<std::unique_ptr<MessageLane>> m_lanes;       //!< all lanes, in order of first use
    RankTeams m_teams;                                       //!< teams by number
    std::vector<std::unique_ptr<MessageRecord[]>> m_slabs;   //!< memory of all records
    MessageRecord* m_free{nullptr};                          //!< records that are not in use
    uint64_t m_sentBytes{0};                                 //!< payload sent
    uint64_t m_receivedBytes{0};                             //!< payload that arrived
};

} // namespace ns3

#endif /* ROUTED_MESSAGE_TRANSPORT_H */
