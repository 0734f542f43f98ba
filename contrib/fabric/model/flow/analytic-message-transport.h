/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ANALYTIC_MESSAGE_TRANSPORT_H
#define ANALYTIC_MESSAGE_TRANSPORT_H

#include "routed-message-transport.h"

#include "ns3/link-clock.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Carries messages in alpha + bytes * beta (Hockney, Parallel Computing 20(3), 1994), with
 * ports of the ranks that serve one message after another.
 *
 * Alpha is the latency of the route: propagation delays, switch latencies and, with
 * store-and-forward, the time of one packet on every link but the slowest. Beta is that of the
 * slowest link of the route, which the message has for itself: there is no contention inside the
 * fabric. The links of the source are busy with what it sends, first come, first served, and so are
 * those of the destination, by the arrival of first bits:
 *
 *     start  = max(now, source's links free)
 *     head   = start + alpha
 *     arrive = max(head + bytes * beta, destination's links free + bytes / their rate)
 *
 * Acknowledgements count as if both directions of a link were equally busy, as they are in
 * collectives: they lengthen the message that they belong to. A constant effort per message.
 */
class AnalyticMessageTransport : public RoutedMessageTransport
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    AnalyticMessageTransport();
    ~AnalyticMessageTransport() override;

  protected:
    // From RoutedMessageTransport.
    void NetworkSet() override;
    std::unique_ptr<MessageLane> MakeLane(const Message& ends, const MessageRoute& route) override;
    void Ready(MessageLane& lane, MessageRecord& record) override;
    double GetShareLeft(const MessageLane& lane, const MessageRecord& record) const override;

  private:
    class Lane;

    /** \brief The links of a rank that serve one message after another. */
    struct Port
    {
        LinkClock clock;       //!< time of bytes
        uint64_t freeAt{0};    //!< when it has served all so far, ticks
        uint64_t remainder{0}; //!< fraction of a tick that it is busy longer, see LinkClock
    };

    /**
     * \param lane a lane
     * \param hop a hop of its route
     * \param bytes what a message occupies
     * \param at when it begins at the earliest, ticks; made later if a port is not free then
     * \return when all ports of the hop have served it, ticks
     */
    uint64_t Serve(const MessageLane& lane, std::size_t hop, uint64_t bytes, uint64_t& at);

    /** \param lane a lane \param bytes payload \return what its links and ports are busy with */
    static uint64_t GetBusyBytes(MessageLane& lane, uint64_t bytes);
    /** \param lane whose next message has its first bit at the destination */
    void HeadArrived(Lane& lane);

    std::vector<Port> m_ports; //!< by resource
};

} // namespace ns3

#endif /* ANALYTIC_MESSAGE_TRANSPORT_H */
