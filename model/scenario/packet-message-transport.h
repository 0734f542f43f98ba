/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACKET_MESSAGE_TRANSPORT_H
#define PACKET_MESSAGE_TRANSPORT_H

#include "ns3/network-message-transport.h"
#include "ns3/nvlink-message-transport.h"
#include "ns3/roce-message-transport.h"

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
 * \brief Carries messages packet by packet: over NVLink where there is a route, else over RoCE.
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
     */
    void SetTransports(Ptr<RoceMessageTransport> roce, Ptr<NvlinkMessageTransport> nvlink);

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
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
    /** Aborts, naming the pair, if neither fabric joins the ranks. \param message the message */
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

  protected:
    void DoDispose() override;

  private:
    static constexpr std::size_t MAX_MESSAGES = 16; //!< of a fabric that DescribePending() names

    /**
     * \param messages lines of a fabric
     * \param fabric its name
     * \param lines gets the first of those that it does not have, and how many there are more
     */
    static void AddMessages(const std::vector<std::string>& messages,
                            const std::string& fabric,
                            std::vector<std::string>& lines);

    /** \param message a message of a team, which is sent */
    void SendToTeam(const Message& message);

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

    // From MessageEndpoint.
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    Ptr<RoceMessageTransport> m_roce;                   //!< between servers
    Ptr<NvlinkMessageTransport> m_nvlink;               //!< inside servers
    /** Payload that is to arrive, by sender, receiver and channel. */
    std::map<Channel, uint64_t> m_channels;
    /** The same, of messages of teams, by flow and receiver. */
    std::map<std::pair<NvlinkTeamKey, uint32_t>, uint64_t> m_teamChannels;
    uint64_t m_sentBytes{0};                            //!< payload that is to arrive
    uint64_t m_receivedBytes{0};                        //!< payload that arrived
};

} // namespace ns3

#endif /* PACKET_MESSAGE_TRANSPORT_H */
