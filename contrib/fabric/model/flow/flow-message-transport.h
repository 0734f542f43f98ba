/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_MESSAGE_TRANSPORT_H
#define FLOW_MESSAGE_TRANSPORT_H

#include "max-min-allocator.h"
#include "routed-message-transport.h"

#include "ns3/fabric-timer.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Carries messages as fluid flows that share links max-min fairly (MaxMinAllocator).
 *
 * The message that a lane sends is a flow over all links of its route at once; those behind it
 * wait. With B its bytes on the wire and r(t) its rate, its last bit leaves when the integral of r
 * reaches 8 B, and arrives after the propagation delays and switch latencies of the route and, with
 * store-and-forward, the time of one packet on every link but the slowest. Its sender hears so
 * after the way back of an acknowledgement, or, without acknowledgements, when the last bit leaves.
 *
 * Exact: rates are integers of 2^-10 bit/s, times integers of ticks, so volumes are integers of
 * 128 bits; nothing is rounded but the end of a message, up to a whole tick, and what is left of
 * that tick goes to the next message of the lane if that waits already.
 *
 * A packet is not divided: messages of one packet that a rank sends on several lanes begin one
 * after another, each when its links have had time for the one before, if it sends no longer ones.
 *
 * Rates change at most once per instant, behind all that happens then. Between two messages of a
 * lane that follow each other nothing changes.
 */
class FlowMessageTransport : public RoutedMessageTransport
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    FlowMessageTransport();
    ~FlowMessageTransport() override;

    /** \return the rates, for those who measure work */
    const MaxMinAllocator& GetAllocator() const
    {
        return m_allocator;
    }

  protected:
    // From RoutedMessageTransport.
    void NetworkSet() override;
    std::unique_ptr<MessageLane> MakeLane(const Message& ends, const MessageRoute& route) override;
    void FetchForSend(const MessageLane& lane) const override;
    void Ready(MessageLane& lane, MessageRecord& record) override;
    double GetShareLeft(const MessageLane& lane, const MessageRecord& record) const override;

  private:
    class Lane;
    /** Bits times ticks per second times 2^10. */
    using Volume = unsigned __int128;

    class Port;

    /** \param lane an idle lane \param record its next, which begins or waits for its turn
     * \param credit taken off its volume */
    void Start(Lane& lane, MessageRecord& record, uint64_t credit);
    /** \param lane a lane \param sharing whether it sends a message that shares its port, from now
     * on; it did the opposite */
    void SetSharing(Lane& lane, bool sharing);
    /** \param port a port \param sharing whether there is a sharer more, else one less */
    void SetSharing(Port& port, bool sharing);
    /** \param port where somebody waits; the first does no longer, and begins
     * \param credit taken off its volume */
    void BeginFirst(Port& port, uint64_t credit);
    /** \param port whose links have sent a packet: the next one begins
     * \param credit taken off its volume \return whether one has waited */
    bool PassTurn(Port& port, uint64_t credit);
    /** \param port whose timer is set to the end of the packet, if others wait for it */
    void AwaitTurn(Port& port);
    /** \param lane that sends nothing for now */
    void Rest(Lane& lane);
    /** \param route a way \return what a message on it uses of the allocator's resources */
    std::vector<MaxMinAllocator::Use> GetUses(const MessageRoute& route) const;
    /** \param lane an idle lane \param record what it sends now \param credit taken off its volume
     */
    void Begin(Lane& lane, MessageRecord& record, uint64_t credit);
    /** \param lane whose last bit leaves now */
    void End(Lane& lane);
    /** \param lane whose rate of the allocator holds from now on */
    void TakeRate(Lane& lane);
    /** \param lane a lane with a rate \return when its message ends, ticks */
    static uint64_t FindEnd(const Lane& lane);
    /** \param lane whose timer is set to the end of its message */
    void Await(Lane& lane);
    /** Has rates brought up to date at the end of this instant, if they may have to change. */
    void RequestUpdate()
    {
        if (m_allocator.IsDirty() && !m_updateRequested)
        {
            m_updateRequested = true;
            GetEngine().ScheduleAt(&m_update, GetEngine().Now());
        }
    }

    /** Brings rates up to date. */
    void Update();

    uint64_t m_volumePerByte{0}; //!< volume of a byte
    uint32_t m_mostFilled{0};    //!< attribute MostFilled
    MaxMinAllocator m_allocator; //!< rates
    std::vector<Lane*> m_flows;  //!< lanes by flow of the allocator
    std::deque<Port> m_ports;    //!< by resource; those of source ranks are used
    MemberEvent<FlowMessageTransport, &FlowMessageTransport::Update> m_update; //!< of this instant
    bool m_updateRequested{false}; //!< m_update is pending
    std::vector<std::pair<uint64_t, uint32_t>> m_earlier; //!< flows that end earlier now, and when
};

} // namespace ns3

#endif /* FLOW_MESSAGE_TRANSPORT_H */
