/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROUTED_TRANSPORT_UNDER_TEST_H
#define ROUTED_TRANSPORT_UNDER_TEST_H

#include "engine-under-test.h"

#include "ns3/routed-message-transport.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A transport without packets on an engine of its own; hears of all its messages.
 * \tparam Transport its class
 */
template <typename Transport>
class RoutedTransportUnderTest : private MessageEndpoint
{
  public:
    /** \brief Something that happened to a message. */
    struct Happening
    {
        uint64_t at{0};       //!< when, ticks
        Message message;      //!< to which
        bool received{false}; //!< it arrived, else it was acknowledged
    };

    /**
     * \param topology the cluster
     * \param settings framing and choices
     * \param engine "fabric" or "default"
     */
    explicit RoutedTransportUnderTest(const Topology& topology,
                                      const MessageRouterSettings& settings = {},
                                      const std::string& engine = "fabric")
        : m_engine(engine),
          transport(CreateObject<Transport>())
    {
        transport->SetNetwork(topology, settings);
        for (uint32_t rank = 0; rank < transport->GetRankCount(); rank++)
        {
            transport->SetEndpoint(rank, this);
        }
    }

    ~RoutedTransportUnderTest()
    {
        transport->Dispose();
    }

    /**
     * \param src source
     * \param dst destination
     * \param bytes payload
     * \param tag tag
     * \param channel channel
     */
    void Send(uint32_t src, uint32_t dst, uint64_t bytes, uint64_t tag = 0, uint32_t channel = 0)
    {
        Message message;
        message.src = src;
        message.dst = dst;
        message.bytes = bytes;
        message.tag = tag;
        message.channel = channel;
        transport->Send(message);
    }

    /** Runs all events; every message must have arrived and been acknowledged. */
    void Run()
    {
        Simulator::Run();
        EXPECT_EQ(transport->FindLostBytes(true), "");
        EXPECT_TRUE(transport->DescribePending().empty());
    }

    /** \param tag of a message \return when it arrived, ns */
    double GetArrivalNs(uint64_t tag) const
    {
        return Find(tag, true) / 1000.0;
    }

    /** \return when the last message arrived, ns */
    double GetLastNs() const
    {
        uint64_t last = 0;
        for (const Happening& happening : happenings)
        {
            last = happening.received ? std::max(last, happening.at) : last;
        }
        return last / 1000.0;
    }

    /** \param tag of a message \return when its sender heard so, ns */
    double GetSentNs(uint64_t tag) const
    {
        return Find(tag, false) / 1000.0;
    }

    /** \return a hash of all that happened, in order */
    uint64_t GetFingerprint() const
    {
        uint64_t hash = 1469598103934665603ULL;
        const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
        for (const Happening& happening : happenings)
        {
            mix(happening.at);
            mix(happening.message.src);
            mix(happening.message.dst);
            mix(happening.message.tag);
            mix(happening.received);
        }
        return hash;
    }

    std::vector<Happening> happenings;              //!< in order
    std::function<void(const Message&)> onReceived; //!< what a rank does when a message arrives

  private:
    /** \param tag of a message \param received its arrival \return when, ticks */
    uint64_t Find(uint64_t tag, bool received) const
    {
        for (const Happening& happening : happenings)
        {
            if (happening.message.tag == tag && happening.received == received)
            {
                return happening.at;
            }
        }
        ADD_FAILURE() << "message " << tag << " never ended";
        return 0;
    }

    void MessageReceived(const Message& message) override
    {
        EXPECT_EQ(Simulator::GetContext(), message.dst);
        happenings.push_back({EngineUnderTest::Now(), message, true});
        if (onReceived)
        {
            onReceived(message);
        }
    }

    void MessageSent(const Message& message) override
    {
        EXPECT_EQ(Simulator::GetContext(), message.src);
        happenings.push_back({EngineUnderTest::Now(), message, false});
    }

    EngineUnderTest m_engine; //!< the engine

  public:
    Ptr<Transport> transport; //!< on test
};

/** \ingroup tests \return framing of the handed cases: 1000 bytes behind 62, store-and-forward */
inline MessageFraming
CaseFraming()
{
    MessageFraming framing;
    framing.payloadBytes = 1000;
    framing.unitBytes = 1000;
    framing.headerBytes = 62;
    framing.storeAndForward = true;
    return framing;
}

/**
 * \ingroup tests
 * \param planes rates of a GPU to each NVSwitch
 * \param gpus number of GPUs, at all NVSwitches
 * \param delay of every link
 * \return a server
 */
inline Topology
NvswitchTopology(const std::vector<std::string>& planes, uint32_t gpus, Time delay)
{
    Topology topology;
    topology.nodes.resize(gpus + planes.size());
    for (uint32_t i = 0; i < planes.size(); i++)
    {
        topology.nodes[gpus + i].kind = TopologyNodeKind::NVSWITCH;
        for (uint32_t gpu = 0; gpu < gpus; gpu++)
        {
            TopologyLink link;
            link.a = gpu;
            link.b = gpus + i;
            link.rate = DataRate(planes[i]);
            link.delay = delay;
            link.kind = TopologyLinkKind::NVLINK;
            topology.links.push_back(link);
        }
    }
    return topology;
}

} // namespace ns3

#endif /* ROUTED_TRANSPORT_UNDER_TEST_H */
