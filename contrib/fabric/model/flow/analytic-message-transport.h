/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ANALYTIC_MESSAGE_TRANSPORT_H
#define ANALYTIC_MESSAGE_TRANSPORT_H

#include "routed-message-transport.h"
#include "turn-port.h"

#include <cstdint>
#include <deque>
#include <memory>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Carries messages in alpha + bytes * beta (Hockney, Parallel Computing 20(3), 1994), with
 * ports of the ranks at which messages take turns.
 *
 * Alpha is the latency of the route: propagation delays, switch latencies and, with
 * store-and-forward, the time of one packet on every link but the slowest. Beta is that of the
 * slowest link of the route, which the message has for itself: there is no contention inside the
 * fabric. The links of the source are shared by what it sends, and so are those of the destination
 * by what arrives there, each port for itself, as TurnPort says. What ranks of a server have in
 * common, the links between its PCIe switches, sockets and tiers of NVSwitches, is shared by all
 * that passes: a message has left its source when all of them have had time for it.
 *
 *     head   = begin + alpha
 *     arrive = max(head + bytes * beta, source done + alpha, destination done)
 *
 * where the source begins with a message when the lane's one before has left, and the destination
 * when its head is there. What a message cannot use of its share of a port, because it is slower
 * elsewhere, others do not get meanwhile, but later.
 *
 * Acknowledgements count as if both directions of a link were equally busy, as they are in
 * collectives: they lengthen the message that they belong to.
 */
class AnalyticMessageTransport : public RoutedMessageTransport
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    AnalyticMessageTransport();
    ~AnalyticMessageTransport() override;

    // From RoutedMessageTransport.
    bool SharesLink(const TopologyLink& link) const override;

  protected:
    // From RoutedMessageTransport.
    void NetworkSet() override;
    std::unique_ptr<MessageLane> MakeLane(const Message& ends, const MessageRoute& route) override;
    void FetchForSend(const MessageLane& lane) const override;
    void Ready(MessageLane& lane, MessageRecord& record) override;
    double GetShareLeft(const MessageLane& lane, const MessageRecord& record) const override;
    MessageVolume GetVolumeTaken(const MessageLane& lane) const override;
    uint64_t GetBytesThere(const MessageLane& lane,
                           const MessageRecord& record,
                           bool hasLeft) const override;

  private:
    class Lane;
    class LaneEnd;

    /**
     * \param framing of a lane
     * \param bytes payload
     * \return what its links and ports are busy with
     */
    static uint64_t GetBusyBytes(const MessageFraming& framing, uint64_t bytes);

    /**
     * Has a message served.
     * \param lane its lane
     * \param isSource by the ports of the source, else by those of the destination
     * \param record the message
     */
    void Serve(Lane& lane, bool isSource, MessageRecord& record);
    /**
     * \param end of a lane, whose message is served
     * \param first first of MessageRoute::uses that serve it
     * \param count how many of them, all of one hop
     */
    void AddToPorts(LaneEnd& end, uint32_t first, uint32_t count);
    /** \param bytes of a message, on the wire \param use of a port \return what passes there */
    static uint64_t GetPart(uint64_t bytes, const MaxMinAllocator::Use& use);
    /**
     * \param end of a lane, whose message is served
     * \param first first of MessageRoute::uses that serve it
     * \param count how many of them
     * \return least share of it that has been served at one of them
     */
    double GetServedShare(const LaneEnd& end, uint32_t first, uint32_t count) const;
    /** \param lane a lane of several hops, whose destination is served a message \return share of
     * it that has been served there */
    double GetTakenShare(const Lane& lane) const;
    /** \param lane whose source begins to send */
    void Leaving(Lane& lane);
    /** \param lane whose source has sent a message */
    void Left(Lane& lane);
    /** \param lane whose next message has its first bit at the destination */
    void HeadArrived(Lane& lane);
    /** \param lane a lane \param record message whose head is there, after all before it */
    void Take(Lane& lane, MessageRecord& record);
    /** \param lane whose destination has had time for a message */
    void Taken(Lane& lane);
    /** \param lane a lane \param record message both ends of which are done with it */
    void Complete(Lane& lane, MessageRecord& record);

    std::deque<TurnPort> m_ports; //!< by resource, at stable addresses
};

} // namespace ns3

#endif /* ANALYTIC_MESSAGE_TRANSPORT_H */
