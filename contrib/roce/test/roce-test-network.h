/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TEST_NETWORK_H
#define ROCE_TEST_NETWORK_H

#include "engine-under-test.h"
#include "star-topology.h"

#include "ns3/roce-helper.h"
#include "ns3/roce-message-transport.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief What a RoceTestNetwork is like. */
struct RoceTestOptions
{
    uint32_t mtuBytes{1000};                                   //!< payload of a full packet
    uint32_t gapBytes{0};                                      //!< around each frame
    uint32_t ackInterval{1};                                   //!< packets
    std::string congestionControl{"ns3::NoCongestionControl"}; //!< TypeId name
    std::string loadBalancer{"ns3::EcmpLoadBalancer"};         //!< TypeId name
    std::string engine{"fabric"};                              //!< event engine
    bool write{false};                                         //!< WRITE instead of SEND
    bool fingerprint{false};                                   //!< fold arrivals into one
    std::function<void(RoceHelper&)> configure;                //!< sets further attributes
};

/**
 * \ingroup tests
 * \param hostsPerLeaf hosts of each of two leaves
 * \param spines spines, each joined to both leaves
 * \param rate of every link
 * \param delay of every link
 * \return two leaves; nodes: hosts, leaves, spines
 */
Topology LeafPairTopology(uint32_t hostsPerLeaf,
                          uint32_t spines,
                          const std::string& rate,
                          Time delay);

/**
 * \ingroup tests
 * \param size hosts, each on a switch of its own; the switches form a ring
 * \return links of 100 Gb/s and 1 us; nodes: hosts, switches; port 0 of a switch is its host's
 */
Topology SwitchRingTopology(uint32_t size);

/**
 * \ingroup tests
 * \brief A cluster with NICs, switches and a transport whose every message is followed.
 *
 * Run() checks what must hold in every run: every payload byte delivered once, no record left, no
 * link above its rate.
 */
class RoceTestNetwork : private MessageEndpoint
{
  public:
    /** A message and what became of it. */
    struct Flow
    {
        Message message;   //!< as sent; the tag is its index
        Time start;        //!< when it was sent
        Time received;     //!< time from then to its arrival, negative before
        Time acknowledged; //!< time from then to its acknowledgement, negative before
    };

    /**
     * \param topology the cluster
     * \param options what it is like
     */
    explicit RoceTestNetwork(const Topology& topology, const RoceTestOptions& options = {});
    ~RoceTestNetwork() override;

    /**
     * Sends a message now.
     * \param src sending rank
     * \param dst receiving rank
     * \param bytes payload
     * \param channel channel
     * \return index of the flow
     */
    size_t Send(uint32_t src, uint32_t dst, uint64_t bytes, uint32_t channel = 0);

    /** Runs until all is done, and checks that it is. */
    void Run();
    /** \param duration to run on, whatever is done then */
    void RunFor(Time duration);
    /** Checks that no frame, no backlog and no pause is left anywhere. */
    void CheckNothingIsLeft();
    /** Checks that no link carried more than it can. */
    void CheckLinkRates();

    /** \return latest arrival of a message, as the time from its start */
    Time GetLastReceived() const;

    /** \param src a rank \param dst another \return payload that arrived in order so far, bytes */
    uint64_t GetReceivedBytes(uint32_t src, uint32_t dst) const;

    /** \return every port of every device */
    std::vector<FabricPort*> GetPorts();

    /** \return counters of the fabric */
    const FabricCounters& Counters() const
    {
        return context->counters;
    }

  private:
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    EngineUnderTest m_engine; //!< the simulation

  public:
    Ptr<FabricContext> context;                     //!< shared state
    RoceFabric fabric;                              //!< devices
    Ptr<RoceMessageTransport> transport;            //!< carries the messages
    std::vector<Flow> flows;                        //!< messages sent
    std::function<void(const Message&)> onReceived; //!< called for every arrival, if set
};

} // namespace ns3

#endif /* ROCE_TEST_NETWORK_H */
