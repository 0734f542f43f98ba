/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "random-scenario.h"

#include "ns3/link-event-player.h"
#include "ns3/pfc-deadlock-detector.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <ostream>
#include <tuple>

namespace ns3
{

namespace
{

/** Long after everything has ended, failed or been found stuck. */
constexpr int64_t GUARD_SECONDS = 1000;

/** \ingroup tests \brief A run of a scenario. */
class ScenarioPlayer
{
  public:
    /** \param scenario what to run \param options how devices are set */
    ScenarioPlayer(const RandomScenario& scenario, const RoceTestOptions& options)
        : m_scenario(scenario),
          m_network(scenario.topology, options),
          m_links({scenario.topology,
                   m_network.fabric.channels,
                   {m_network.fabric.switches.begin(), m_network.fabric.switches.end()},
                   [this](const auto& routes) { m_network.fabric.SetNicRoutes(routes); }}),
          m_detector(CreateObject<PfcDeadlockDetector>())
    {
        m_detector->Start(m_network.context, m_network.fabric.switches);
    }

    ~ScenarioPlayer()
    {
        m_detector->Dispose();
    }

    /** \return what it gave */
    ScenarioOutcome Play();

  private:
    /** \param flow a message to be sent now */
    void Send(const RandomScenario::Flow& flow);
    /** Checks the end of every message: acknowledged, or its queue pair gave up and says so. */
    void CheckVerdict();
    /** Checks that every payload byte was delivered once. */
    void CheckBytes();
    /** Checks that every frame that was made has met its end. */
    void CheckFrames();

    const RandomScenario& m_scenario;    //!< what to run
    RoceTestNetwork m_network;           //!< the network
    LinkEventPlayer m_links;             //!< its links
    Ptr<PfcDeadlockDetector> m_detector; //!< stops what is stuck
    bool m_endless{false};               //!< something is scheduled still at the guard's time
};

ScenarioOutcome
ScenarioPlayer::Play()
{
    for (const RandomScenario::Flow& flow : m_scenario.flows)
    {
        Simulator::Schedule(flow.start, [this, &flow] { Send(flow); });
    }
    m_network.onReceived = [this](const Message&) { m_network.CheckLinkRates(); };
    m_links.Start(m_scenario.events);
    Simulator::Schedule(Seconds(GUARD_SECONDS), [this] {
        m_endless = !Simulator::IsFinished();
        Simulator::Stop();
    });
    Simulator::Run();
    EXPECT_FALSE(m_endless) << "something goes on for ever";
    ScenarioOutcome outcome;
    outcome.deadlock = m_detector->HasFound();
    EXPECT_TRUE(m_scenario.mayDeadlock || !outcome.deadlock);
    if (outcome.deadlock)
    {
        outcome.lines = m_detector->Describe();
        EXPECT_FALSE(outcome.lines.empty()) << "a deadlock without a name";
    }
    else
    {
        CheckVerdict();
        m_network.CheckNothingIsLeft();
        CheckFrames();
    }
    CheckBytes();
    for (const RoceTestNetwork::Flow& flow : m_network.flows)
    {
        outcome.times.push_back(flow.received);
        outcome.times.push_back(flow.acknowledged);
    }
    outcome.fingerprint = m_network.context->GetFingerprint();
    outcome.counters = m_network.Counters();
    const auto pending = m_network.transport->DescribePending();
    outcome.lines.insert(outcome.lines.end(), pending.begin(), pending.end());
    return outcome;
}

void
ScenarioPlayer::Send(const RandomScenario::Flow& flow)
{
    for (const uint32_t rank : {flow.src, flow.dst})
    {
        if (!m_scenario.classes.empty()) // holds for queue pairs that are made now
        {
            const UintegerValue priority(m_scenario.classes.at(flow.channel));
            m_network.fabric.nics[rank]->SetAttribute("Priority", priority);
        }
    }
    m_network.Send(flow.src, flow.dst, flow.bytes, flow.channel);
}

void
ScenarioPlayer::CheckVerdict()
{
    const RoceMessageTransport& transport = *m_network.transport;
    std::size_t lost = 0;
    ASSERT_EQ(m_network.flows.size(), m_scenario.flows.size());
    for (const RoceTestNetwork::Flow& flow : m_network.flows)
    {
        const Message& message = flow.message;
        if (!flow.acknowledged.IsNegative())
        {
            EXPECT_FALSE(flow.received.IsNegative());
            const Time ideal = transport.GetIdealTime(message, m_scenario.cutThrough);
            // After a cut frames may take a way with more hops that is faster.
            EXPECT_TRUE(flow.received >= ideal || !m_scenario.events.empty())
                << flow.received.As(Time::NS) << " from " << message.src << " to " << message.dst
                << ", ideal " << ideal.As(Time::NS);
            continue;
        }
        lost++;
        EXPECT_TRUE(transport.GetChannelState(message.src, message.dst, message.channel).failed)
            << "a message of " << message.bytes << " bytes from rank " << message.src << " to rank "
            << message.dst << " has no end";
    }
    EXPECT_EQ(transport.DescribePending().size(), transport.GetFailures().size() + lost);
    EXPECT_EQ(transport.GetFailures().empty(), lost == 0);
}

void
ScenarioPlayer::CheckBytes()
{
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::pair<uint64_t, uint64_t>> channels;
    for (const RoceTestNetwork::Flow& flow : m_network.flows)
    {
        const Message& message = flow.message;
        auto& [arrived, posted] = channels[{message.src, message.dst, message.channel}];
        arrived += flow.received.IsNegative() ? 0 : message.bytes;
        posted += message.bytes;
    }
    uint64_t delivered = 0;
    for (const auto& [key, bytes] : channels)
    {
        const auto [src, dst, channel] = key;
        const uint64_t received =
            m_network.transport->GetChannelState(src, dst, channel).receivedBytes;
        EXPECT_GE(received, bytes.first);
        EXPECT_LE(received, bytes.second);
        EXPECT_TRUE(received == bytes.first || bytes.first < bytes.second);
        delivered += received;
    }
    EXPECT_EQ(m_network.Counters().payloadBytesDelivered, delivered);
}

void
ScenarioPlayer::CheckFrames()
{
    uint64_t ended = m_network.Counters().linkLosses + m_network.Counters().drops;
    for (FabricPort* port : m_network.GetPorts())
    {
        // What a port receives is what its peer sent, less what the link lost.
        const FabricPortCounters sent = port->GetPeer()->GetCounters();
        const bool host = port->GetOwner()->GetInstanceTypeId() == RoceNicDevice::GetTypeId();
        if (host)
        {
            ended += sent.packets[0] + sent.packets[1] + sent.packets[2] - sent.lost;
            continue;
        }
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            const FabricPriorityCounters counters = port->GetPriorityCounters(priority);
            ended += counters.pausesReceived + counters.resumesReceived;
        }
    }
    EXPECT_EQ(ended, m_network.Counters().packets) << "frames made, and frames that ended";
}

} // namespace

bool
ScenarioOutcome::operator==(const ScenarioOutcome& o) const
{
    return fingerprint == o.fingerprint && times == o.times && lines == o.lines &&
           deadlock == o.deadlock &&
           std::memcmp(&counters, &o.counters, sizeof(counters)) == 0;
}

std::ostream&
operator<<(std::ostream& out, const ScenarioOutcome& outcome)
{
    const FabricCounters& c = outcome.counters;
    out << "fingerprint " << std::hex << outcome.fingerprint << std::dec << ", " << c.packets
        << " packets, " << c.packetHops << " hops, " << c.drops << " drops, " << c.linkLosses
        << " losses, " << c.ecnMarks << " marks, " << c.pfcPauses << " pauses, "
        << c.retransmittedPackets << " sent again, " << c.timeouts << " timeouts"
        << (outcome.deadlock ? ", deadlock" : "");
    for (const std::string& line : outcome.lines)
    {
        out << "\n    " << line;
    }
    return out;
}

ScenarioOutcome
PlayScenario(const RandomScenario& scenario, const std::string& engine)
{
    RoceTestOptions options = scenario.options;
    options.engine = engine;
    ScopedDefaults defaults;
    for (const auto& [name, value] : scenario.defaults)
    {
        defaults.Set(name, StringValue(value));
    }
    RngSeedManager::SetRun(scenario.seed + 1);
    ScenarioOutcome outcome = ScenarioPlayer(scenario, options).Play();
    RngSeedManager::SetRun(1);
    return outcome;
}

} // namespace ns3
