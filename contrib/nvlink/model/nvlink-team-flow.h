/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_TEAM_FLOW_H
#define NVLINK_TEAM_FLOW_H

#include "ns3/message-transport.h"

#include <cstdint>
#include <deque>
#include <tuple>
#include <vector>

namespace ns3
{

/** \ingroup nvlink \brief What tells the flows of teams apart. */
struct NvlinkTeamKey
{
    MessageKind kind; //!< MULTICAST or COMBINE
    uint32_t team;    //!< number of the team
    uint32_t root;    //!< the GPU that multicasts or gets the sum
    uint32_t channel; //!< channel

    /** \param message a message of a team \return its key */
    static NvlinkTeamKey Of(const Message& message)
    {
        return {message.kind,
                message.team,
                message.kind == MessageKind::COMBINE ? message.dst : message.src,
                message.channel};
    }

    /** \param other a key \return whether this one comes first, in some order */
    bool operator<(const NvlinkTeamKey& other) const
    {
        return std::tie(kind, team, root, channel) <
               std::tie(other.kind, other.team, other.root, other.channel);
    }
};

/** \ingroup nvlink \brief The part of a message of a team that travels over one link. */
struct NvlinkShare
{
    uint32_t lane{0};  //!< which link of the GPU
    uint64_t bytes{0}; //!< payload
};

/**
 * \ingroup nvlink
 * \brief What a GPU sends for a team: messages in order, each striped over its links.
 *
 * What the GPUs of a team send has to meet in the same switch, piece by piece. So a message is not
 * spread by whichever link is free: its shares follow from its size, its number and the rates of
 * the links alone, which are the same for all GPUs of a team. They are proportional to the rates;
 * a message too small for a least share on every link uses fewer, and each begins on another one.
 */
class NvlinkTeamFlow
{
  public:
    /** \param rates rate of each lane, bit/s; not empty, none 0 */
    explicit NvlinkTeamFlow(std::vector<uint64_t> rates);

    /**
     * \param bytes size of a message
     * \param number its number within the flow
     * \param leastBytes least share of a lane, where the message is not smaller
     * \return its shares, at least one, together all of it
     */
    std::vector<NvlinkShare> Split(uint64_t bytes, uint32_t number, uint64_t leastBytes) const;

    /**
     * \param message a message
     * \param lanes over how many lanes it travels
     * \return its number
     */
    uint32_t Push(const Message& message, uint32_t lanes);

    /** \return number that the next message will get */
    uint32_t GetNextNumber() const
    {
        return m_firstNumber + static_cast<uint32_t>(m_messages.size());
    }

    /**
     * The share of a lane has left.
     * \param number number of its message
     * \param done the message, if this was its last share
     * \return whether all of the message has left
     */
    bool ShareLeft(uint32_t number, Message& done);

  private:
    /** \brief A message that has not left. */
    struct Outgoing
    {
        Message message; //!< the message
        uint32_t lanes;  //!< shares that have not left
    };

    std::vector<uint64_t> m_rates;   //!< by lane, bit/s
    uint32_t m_firstNumber{0};       //!< of the first of m_messages
    std::deque<Outgoing> m_messages; //!< those that have not left, and what waits behind them
};

} // namespace ns3

#endif /* NVLINK_TEAM_FLOW_H */
