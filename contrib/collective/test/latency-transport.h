/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LATENCY_TRANSPORT_H
#define LATENCY_TRANSPORT_H

#include "ns3/data-rate.h"
#include "ns3/message-transport.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A transport for tests: a latency, and a rate at which one message at a time passes.
 *
 * Without links of its own, all ranks hang on a switch that never blocks: a rank sends and receives
 * one message at a time at the rate. With SetLink(), only pairs with a link can talk, each link at
 * its rate and one message at a time. The first byte needs the latency; a message passes sender
 * and receiver at the same rate. The acknowledgement comes when the message has arrived, plus a
 * delay.
 */
class LatencyTransport : public MessageTransport
{
  public:
    /**
     * \param ranks the number of ranks
     * \param rate the rate of a rank, per direction
     * \param latency of a message's first byte
     */
    LatencyTransport(uint32_t ranks, DataRate rate, Time latency);

    /**
     * \param src a rank
     * \param dst another
     * \param rate the rate of the link from the one to the other
     */
    void SetLink(uint32_t src, uint32_t dst, DataRate rate);

    /** \param delay from arrival to acknowledgement */
    void SetAcknowledgementDelay(Time delay);

    /** Copies and adds up for any team from now on; all ranks must hang on the switch. */
    void EnableOffload();
    /** Does all-reduces for any team from now on. */
    void EnableRailOffload();

    uint32_t GetRankCount() const override;
    bool CanOffload(const std::vector<uint32_t>& ranks) const override;
    bool CanAllReduce(const std::vector<uint32_t>& ranks) const override;
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

    /** \return the payload that each rank has sent */
    const std::vector<uint64_t>& GetBytesSent() const;

    /** \return the payload that each rank has received */
    const std::vector<uint64_t>& GetBytesReceived() const;

    /** \return the number of messages sent */
    uint64_t GetMessageCount() const;

    std::function<void(const Message&)> onSend; //!< called with every message that is sent

  private:
    /** Where one message passes at a time. */
    struct Gate
    {
        DataRate rate;  //!< its rate
        Time freeAt{0}; //!< when the last message has passed
    };

    /**
     * A message passes a gate after all that came before.
     * \param gate the gate
     * \param bytes size of the message
     * \param earliest when it is there
     * \return when it begins to pass
     */
    static Time Pass(Gate& gate, uint64_t bytes, Time earliest);

    /**
     * \param message a message of a team
     * \param firstByte when its first byte has passed the sender and the latency
     */
    void SendToTeam(const Message& message, Time firstByte);

    /**
     * Aborts if the ranks of a team do not contribute to the same sums in the same order.
     * \param message a contribution
     * \param dst a rank of the team, of which each has sums of its own
     * \param firstByte when its first byte has passed the sender and the latency
     * \return when the last of the team's first bytes has, absent if some are to come
     */
    std::optional<Time> Contribute(const Message& message, uint32_t dst, Time firstByte);

    /** \param message its first byte has reached the receiver */
    void ReachIngress(const Message& message);

    /**
     * \param message the message
     * \param arrival when it will have arrived
     */
    void ScheduleArrival(const Message& message, Time arrival);

    /**
     * \param message has arrived
     */
    void Arrive(const Message& message);

    /**
     * \param message is acknowledged
     */
    void Acknowledge(const Message& message);

    Time m_latency;                                        //!< of the first byte
    Time m_acknowledgementDelay;                           //!< from arrival on
    std::vector<Gate> m_egress;                            //!< by rank
    std::vector<Gate> m_ingress;                           //!< by rank
    std::map<std::pair<uint32_t, uint32_t>, Gate> m_links; //!< by sender and receiver
    std::vector<uint64_t> m_sent;                          //!< payload by sender
    std::vector<uint64_t> m_received;                      //!< payload by receiver
    /** \brief A sum to which some ranks have not contributed. */
    struct Sum
    {
        uint64_t tag{0};           //!< of what is added up
        uint32_t contributions{0}; //!< how many have
        Time firstByte{0};         //!< when the first byte of the last one came
    };

    bool m_offload{false};                      //!< copies and adds up
    bool m_railOffload{false};                  //!< does all-reduces
    std::vector<std::vector<uint32_t>> m_teams; //!< by number
    /** By team, receiver, channel and number among them. */
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>, Sum> m_sums;
    /** How many there were by team, receiver, channel and sender. */
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, uint64_t> m_contributed;
    uint64_t m_messages{0}; //!< sent
    uint64_t m_arrived{0};  //!< received
};

} // namespace ns3

#endif /* LATENCY_TRANSPORT_H */
