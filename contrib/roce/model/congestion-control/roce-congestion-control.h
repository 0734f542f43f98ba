/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_CONTROL_H
#define ROCE_CONGESTION_CONTROL_H

#include "ns3/object.h"
#include "ns3/telemetry-stack.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/** \ingroup roce \brief What a congestion control asks of the NICs and switches. */
struct CongestionControlNeeds
{
    bool ecn{false};           //!< data packets are ECN capable
    bool cnp{false};           //!< the receiving NIC answers marked packets with CNPs
    bool telemetry{false};     //!< data packets carry in-band telemetry, acknowledgements return it
    uint64_t cnpInterval{0};   //!< least time between two CNPs, ticks, 0 = the NIC's own
    uint32_t ackEveryBytes{0}; //!< ask for an ACK at least this often, 0 = the NIC's own interval
    uint32_t burstBytes{0};    //!< send bursts of this size at line rate, 0 = pace every packet

    /** \return whether it lives on acknowledgements, and so governs READs at the requester */
    bool LivesOnAcks() const
    {
        return ackEveryBytes > 0;
    }
};

/**
 * \ingroup roce
 * \brief What a congestion control knows of its queue pair before the first packet.
 */
struct CongestionControlStart
{
    uint64_t now{0};             //!< ticks
    uint64_t ticksPerSecond{0};  //!< ns-3's time resolution
    uint64_t lineRateBps{0};     //!< rate of the NIC port, bit/s
    uint32_t mtuBytes{0};        //!< payload bytes of a full packet
    uint32_t packetWireBytes{0}; //!< bytes a full packet takes on the wire, all headers and gaps
    uint64_t baseRtt{0};   //!< round trip of a full packet and its ACK in an idle network, ticks
    uint32_t activeQps{1}; //!< queue pairs with unacknowledged data on this port, this one included
    uint32_t switchCount{0}; //!< switches on the way to the receiver

    /** \return payload bytes outstanding when the idle path is full, rounded up; 0 = unknown */
    uint64_t GetPathPayloadBytes() const;
};

/** \ingroup roce \brief A data packet left: its first bit is on the link. */
struct SendEvent
{
    uint64_t now{0};          //!< ticks
    uint64_t psn{0};          //!< its number, 64 bit
    uint32_t wireBytes{0};    //!< bytes on the wire
    uint32_t payloadBytes{0}; //!< payload
};

/**
 * \ingroup roce
 * \brief An acknowledgement moved the window, or asked for packets to be sent again.
 *
 * The receiver counts the packets with CE between two acknowledgements, so that a fraction of
 * marks is right however many packets an acknowledgement answers. What acknowledgements without
 * news carried is added to the next event; what a lost one carried is lost.
 */
struct AckEvent
{
    uint64_t now{0};        //!< ticks
    uint64_t psn{0};        //!< everything up to this number is acknowledged, 64 bit
    uint64_t nextPsn{0};    //!< the next new packet's number, 64 bit
    uint64_t ackedBytes{0}; //!< payload newly acknowledged
    uint64_t rtt{0};        //!< time from the stamped packet's departure to now, ticks; 0 = none
    uint64_t markedBytes{0};   //!< payload that arrived with CE since the last event
    uint32_t markedPackets{0}; //!< packets that arrived with CE since the last event
    const TelemetryStack* telemetry{nullptr}; //!< of the packet answered, nullptr = none; valid
                                              //!< during the call
};

/** \ingroup roce \brief A congestion notification packet arrived. */
struct CnpEvent
{
    uint64_t now{0}; //!< ticks
};

/** \ingroup roce \brief The transport found a loss. */
struct LossEvent
{
    uint64_t now{0};     //!< ticks
    uint64_t psn{0};     //!< first packet to be sent again, 64 bit
    bool timeout{false}; //!< found by the local ACK timer, not by a NAK
};

/** \ingroup roce \brief The line rate of the queue pair is another one from now on. */
struct LineRateEvent
{
    uint64_t now{0};         //!< ticks
    uint64_t lineRateBps{0}; //!< rate of the NIC port, or of all that it is spread over, bit/s
};

/**
 * \ingroup roce
 * \brief Sender-side congestion control of one queue pair.
 *
 * One object per queue pair; it owns its state and its timers. Timers are lazy: they are evaluated
 * when an event arrives or the rate is asked for, and the result equals that of timers which
 * fire on their own. Every call carries the present time and time never runs backwards.
 */
class RoceCongestionControl : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** No change to come. */
    static constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();

    /** No window: the queue pair may have as much outstanding as PSN arithmetic allows. */
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /** \return a copy, with the same attributes, of one that was not started */
    virtual Ptr<RoceCongestionControl> Fork() const = 0;

    /** \return what it needs of the network */
    virtual CongestionControlNeeds GetNeeds() const = 0;

    /** \param start called once, at the first message of the queue pair, before anything else */
    virtual void Start(const CongestionControlStart& start) = 0;

    /** \param event a data packet left */
    virtual void OnSend(const SendEvent& event);
    /** \param event an acknowledgement arrived */
    virtual void OnAck(const AckEvent& event);
    /** \param event a congestion notification arrived */
    virtual void OnCnp(const CnpEvent& event);
    /** \param event packets were lost */
    virtual void OnLoss(const LossEvent& event);
    /**
     * The queue pair went on to a port of another rate, or that of its link changed. What the
     * attributes derive from the line rate follows it; what stood at a bound that the line rate set
     * stands at the new one, and what was below stays, as far as the new bound lets it (Follow()).
     * What is known of the old path, such as the base round trip time, stays too.
     * \param event from now on GetRateBps() is at most this line rate
     */
    virtual void OnLineRate(const LineRateEvent& event) = 0;

    /**
     * \param now ticks
     * \return the rate at which wire bytes may leave, bit/s, above 0 and at most the line rate
     */
    virtual uint64_t GetRateBps(uint64_t now) = 0;

    /**
     * The scheduler of the port asks while a packet waits for its rate, and no more: nothing is
     * scheduled for a queue pair that has nothing to send.
     * \param now ticks
     * \return when the rate next rises without any event, after now, or NEVER. A fall need not be
     * told: it is seen when the packet is due
     */
    virtual uint64_t GetNextChange(uint64_t now);

    /**
     * Plays all timers up to and including now, so that the trace sources have told all that has
     * changed by then: for who reads a series to its end. It changes nothing that comes later.
     * \param now ticks
     */
    virtual void CatchUp(uint64_t now);

    /** \return payload bytes that may be outstanding, or UNLIMITED */
    virtual uint64_t GetWindowBytes() const;

    /**
     * Signature of the trace source "Rate".
     * \param when time of the change, ticks; with lazy timers the report comes later than that
     * \param rateBps the new rate, bit/s
     */
    typedef void (*RateTracedCallback)(uint64_t when, uint64_t rateBps);

    /**
     * Signature of the trace source "Window".
     * \param when time of the change, ticks
     * \param windowBytes the new window, payload bytes
     */
    typedef void (*WindowTracedCallback)(uint64_t when, uint64_t windowBytes);

    /**
     * Signature of the trace source "Alpha".
     * \param when time of the change, ticks; with lazy timers the report comes later than that
     * \param alpha the new estimate of the share of marks, 0 to 1
     */
    typedef void (*AlphaTracedCallback)(uint64_t when, double alpha);

    /**
     * Signature of the trace source "Rtt".
     * \param when the acknowledgement arrived, ticks
     * \param rtt time since the packet that it answers departed, ticks
     */
    typedef void (*RttTracedCallback)(uint64_t when, uint64_t rtt);

    /** Fires trace source "Rtt"; for RoceQueuePair. \param event an acknowledgement */
    void TraceRtt(const AckEvent& event) const
    {
        m_rttTrace(event.now, event.rtt);
    }

  protected:
    /**
     * \param value a rate or a window
     * \param before bound that the old line rate set
     * \param after bound that the new one sets
     * \return what the value becomes: one that stood at its bound stands at the new one
     */
    static double Follow(double value, double before, double after)
    {
        return value >= before || value > after ? after : value;
    }

    /** Trace source "Rate", fired by the implementations whenever their rate changes. */
    TracedCallback<uint64_t, uint64_t> m_rateTrace;

    /** Trace source "Window", fired by the implementations whenever their window changes. */
    TracedCallback<uint64_t, uint64_t> m_windowTrace;

    /** Trace source "Alpha", fired by the implementations that have one whenever it changes. */
    TracedCallback<uint64_t, double> m_alphaTrace;

  private:
    /** Trace source "Rtt". */
    TracedCallback<uint64_t, uint64_t> m_rttTrace;
};

} // namespace ns3

#endif /* ROCE_CONGESTION_CONTROL_H */
