/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACKET_MESSAGE_TRANSPORT_H
#define PACKET_MESSAGE_TRANSPORT_H

#include "ns3/network-message-transport.h"
#include "ns3/nvlink-message-transport.h"
#include "ns3/rank-teams.h"
#include "ns3/roce-message-transport.h"
#include "ns3/roce-reduction-transport.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Where the payload of messages is. */
struct PacketVolume
{
    uint64_t sent{0};      //!< of all messages sent, bytes
    uint64_t received{0};  //!< of all messages that have arrived, bytes
    uint64_t arrived{0};   //!< that reached its receiver, of messages under way too, bytes
    uint64_t offloaded{0}; //!< of these, sums and copies that switches made, bytes
    std::string excess{};  //!< a channel that received more than was sent, empty for none
};

/**
 * \ingroup railyard
 * \brief Carries messages packet by packet: over NVLink where there is a route, else over RoCE;
 * those of teams over switches that add up, in servers or between them.
 */
class PacketMessageTransport : public NetworkMessageTransport, private MessageEndpoint
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    PacketMessageTransport();
    ~PacketMessageTransport() override;

    /**
     * \param roce between servers, with a rank for every GPU
     * \param nvlink inside servers, with a rank for every GPU
     * \param reduction between servers, with a rank for every GPU
     */
    void SetTransports(Ptr<RoceMessageTransport> roce,
                       Ptr<NvlinkMessageTransport> nvlink,
                       Ptr<RoceReductionTransport> reduction);

    /**
     * \param key a team's flow
     * \param dst a rank of the team
     * \return payload of it that arrived there, bytes
     */
    uint64_t GetArrivedBytes(const NvlinkTeamKey& key, uint32_t dst) const;

    /** \return where the payload of all messages is, by all channels' own counters */
    PacketVolume GetVolume() const;

    /** \return payload of all messages sent, bytes */
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /** \return payload of all messages that arrived, bytes */
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    // From NetworkMessageTransport.
    bool UsesNvlink(uint32_t src, uint32_t dst) const override
    {
        return m_nvlink->CanReach(src, dst);
    }

    bool CanReach(uint32_t src, uint32_t dst) const override
    {
        return UsesNvlink(src, dst) || m_roce->CanReach(src, dst);
    }

    uint64_t GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const override;
    std::vector<std::string> GetFailures() const override;

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    bool CanOffload(const std::vector<uint32_t>& ranks) const override;
    bool CanAllReduce(const std::vector<uint32_t>& ranks) const override;
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
    /** Aborts, naming the pair, if neither fabric joins the ranks. \param message the message */
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

  protected:
    void DoDispose() override;

  private:
    /** \param message a message of a team in a server, which is sent */
    void SendToTeam(const Message& message);
    /** \param message an ALL_REDUCE, which is sent */
    void SendToSwitches(const Message& message);

    /** \brief A team, as each fabric knows it. */
    struct Team
    {
        uint32_t nvlink;    //!< number of NvlinkMessageTransport, if it can
        uint32_t reduction; //!< number of RoceReductionTransport, if it can
    };

    /** Sender, receiver, channel. */
    using Channel = std::tuple<uint32_t, uint32_t, uint32_t>;

    /**
     * Adds up a channel.
     * \param channel the channel
     * \param arrived payload that arrived, bytes
     * \param sent payload that is to arrive, bytes
     * \param volume gets both
     */
    static void AddVolume(const Channel& channel,
                          uint64_t arrived,
                          uint64_t sent,
                          PacketVolume& volume);

    /** \param message of a fabric \return the same, with the number of its team here */
    Message ToOutside(Message message) const;

    // From MessageEndpoint.
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    Ptr<RoceMessageTransport> m_roce;                   //!< between servers
    Ptr<NvlinkMessageTransport> m_nvlink;               //!< inside servers
    Ptr<RoceReductionTransport> m_reduction;            //!< between servers, in switches
    RankTeams m_teamNumbers;                            //!< of all teams
    std::vector<Team> m_teams;                          //!< by number
    std::vector<uint32_t> m_nvlinkTeams;                //!< number here, by that of NVLink
    std::vector<uint32_t> m_reductionTeams;             //!< number here, by that of the reduction
    /** Payload that is to arrive, by sender, receiver and channel. */
    std::map<Channel, uint64_t> m_channels;
    /** The same, of messages of teams, by flow and receiver. */
    std::map<std::pair<NvlinkTeamKey, uint32_t>, uint64_t> m_teamChannels;
    /** The same, of ALL_REDUCE, by team, channel and rank. */
    std::map<Channel, uint64_t> m_reductions;
    uint64_t m_sentBytes{0};                            //!< payload that is to arrive
    uint64_t m_receivedBytes{0};                        //!< payload that arrived
};

} // namespace ns3

#endif /* PACKET_MESSAGE_TRANSPORT_H */
