/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACKET_SCENARIO_H
#define PACKET_SCENARIO_H

#include "ns3/fabric-context.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-message-transport.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \brief Figures of one run of a PacketScenario. */
struct PacketFigures
{
    uint64_t packets{0};      //!< frames created
    uint64_t packetHops{0};   //!< frames that crossed a link
    uint64_t events{0};       //!< events run
    uint64_t pauses{0};       //!< PAUSE frames
    double simulatedUs{0};    //!< when the last message arrived, microseconds
    double wallSeconds{0};    //!< time of Simulator::Run() alone
    uint64_t peakRssBytes{0}; //!< peak resident memory of the process
};

/**
 * \brief A fabric with traffic in which the next message may depend on those that arrived.
 *
 * The work is that of the published comparison: 128 hosts, 3-tier k=8 fat tree, 400 Gb/s, 1 us,
 * payload of 4096 bytes, one ACK per data packet, everything starts at t = 0.
 */
class PacketScenario : private MessageEndpoint
{
  public:
    /** Called with a message that arrived (or was acknowledged) and the scenario's transport. */
    using Next = std::function<void(const Message&, MessageTransport&)>;

    /**
     * \param topology template or file
     * \param congestionControl TypeId name
     */
    PacketScenario(const std::string& topology, const std::string& congestionControl);
    ~PacketScenario() override;

    /** \param next what to send when a message arrived */
    void OnReceived(Next next);
    /** \param next what to send when a message was acknowledged */
    void OnSent(Next next);
    /** \param message sent at t = 0 */
    void Send(const Message& message);
    /** \return number of ranks */
    uint32_t GetRankCount() const;
    /** \return figures of the run; every message must have arrived */
    PacketFigures Run();

  private:
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    Ptr<FabricContext> m_context;          //!< shared state
    RoceFabric m_fabric;                   //!< devices
    Ptr<RoceMessageTransport> m_transport; //!< messages
    Next m_onReceived;                     //!< reaction
    Next m_onSent;                         //!< reaction
    Time m_lastArrival;                    //!< of a message
};

} // namespace ns3

#endif /* PACKET_SCENARIO_H */
