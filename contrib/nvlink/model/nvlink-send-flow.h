/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_SEND_FLOW_H
#define NVLINK_SEND_FLOW_H

#include "ns3/message-transport.h"
#include "ns3/route-table.h"

#include <deque>

namespace ns3
{

/** \ingroup nvlink \brief How messages are cut into packets. */
struct NvlinkCutting
{
    uint32_t granularity{0};    //!< largest payload of a packet, bytes
    uint32_t minGranularity{0}; //!< a packet does not get smaller to balance links, bytes
};

/** \ingroup nvlink \brief One packet cut from a message. */
struct NvlinkPiece
{
    const Message* message{nullptr}; //!< the message; valid until the flow is next changed
    uint64_t since{0};               //!< when the message was given to the device, ticks
    uint32_t sequence{0};            //!< number of the message within the flow
    uint32_t payloadBytes{0};        //!< payload, 0 only for an empty message
    uint32_t number{0};              //!< number of the message that receivers see
    uint64_t messageBytes{0};        //!< size of the message that receivers see
};

/**
 * \ingroup nvlink
 * \brief What a GPU sends to one GPU on one channel, or the shares of a team's messages that go by
 * one link: messages in order, cut piece by piece.
 *
 * Whichever link becomes free takes the next piece, so a message is spread over unequal links in
 * proportion to their rates. A piece is at most the granularity G and at most 1/k of what is left
 * of the message when k links serve the flow, but not below a minimum: pieces shrink towards the
 * end so that the links end together (guided self-scheduling, Polychronopoulos and Kuck, IEEE
 * Trans. Computers C-36(12), 1987). With one link pieces are G and the rest.
 */
class NvlinkSendFlow
{
  public:
    /** A message that has not left yet. */
    struct Outgoing
    {
        Message message;       //!< the message, or the share of one that goes by this flow
        uint64_t since{0};     //!< when it was given to the device, ticks
        uint32_t number{0};    //!< number that receivers see
        uint64_t allBytes{0};  //!< size of the whole message
        uint64_t cutBytes{0};  //!< payload handed to links
        uint32_t onLinks{0};   //!< pieces that links are sending
        bool cutWholly{false}; //!< every piece was handed to a link
    };

    /**
     * \param dst receiving GPU
     * \param channel channel
     * \param ports links to it, at least one
     * \param isShare whether its messages are shares of messages of a team
     */
    NvlinkSendFlow(uint32_t dst, uint32_t channel, PortSpan ports, bool isShare = false);

    /**
     * \param message appended
     * \param now ticks
     */
    void Push(const Message& message, uint64_t now);

    /**
     * \param message appended; its size is that of the share of it that goes by this flow
     * \param now ticks
     * \param number number of the whole message that receivers see
     * \param allBytes size of the whole message
     */
    void PushShare(const Message& message, uint64_t now, uint32_t number, uint64_t allBytes);

    /** \return whether there is something to cut */
    bool HasWork() const
    {
        return m_cutting < m_messages.size();
    }

    /**
     * Takes the next piece; there must be work.
     * \param cutting sizes
     * \return the piece
     */
    NvlinkPiece Cut(const NvlinkCutting& cutting);

    /**
     * The last bit of a piece has left.
     * \param sequence number of its message
     * \param done the message, or the share of it, if this was its last piece
     * \return whether all of it has left
     */
    bool PieceLeft(uint32_t sequence, Outgoing& done);

    /** \return receiving GPU */
    uint32_t GetDestination() const
    {
        return m_dst;
    }

    /** \return channel */
    uint32_t GetChannel() const
    {
        return m_channel;
    }

    /** \return whether its messages are shares of messages of a team */
    bool IsShare() const
    {
        return m_isShare;
    }

    /** \return links to the destination */
    PortSpan GetPorts() const
    {
        return m_ports;
    }

    /** \return number that the next message pushed will get */
    uint32_t GetNextSequence() const
    {
        return m_firstSequence + static_cast<uint32_t>(m_messages.size());
    }

    /** \param sequence number of a message \return it, or nullptr if it is not kept any more */
    const Outgoing* Find(uint32_t sequence) const;

  private:
    uint32_t m_dst;                  //!< receiving GPU
    uint32_t m_channel;              //!< channel
    PortSpan m_ports;                //!< links to it
    bool m_isShare;                  //!< its messages are shares of messages of a team
    uint32_t m_firstSequence{0};     //!< number of the first message kept
    std::size_t m_cutting{0};        //!< place of the message being cut
    std::deque<Outgoing> m_messages; //!< messages that have not left, and what waits behind them
};

} // namespace ns3

#endif /* NVLINK_SEND_FLOW_H */
