/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NIC_UNDER_TEST_H
#define NIC_UNDER_TEST_H

#include "engine-under-test.h"

#include "ns3/node.h"
#include "ns3/roce-nic-device.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A wire with somebody on it who reads, changes and takes away frames.
 *
 * A store-and-forward device with two ports.
 */
class TamperedWire : public FabricDevice
{
  public:
    /** A frame that passed, or was taken away. */
    struct Frame
    {
        uint64_t when;         //!< its last bit reached the device, ticks
        uint32_t from;         //!< port where it came in
        RoceOpcode opcode;     //!< what it is, of RoCE frames
        FrameClass frameClass; //!< data, ACK, control
        uint32_t psn;          //!< packet number, 24 bit
        uint32_t frameBytes;   //!< size without preamble and gap
        uint32_t payloadBytes; //!< payload
        bool ackRequest;       //!< AckReq
        bool nak;              //!< an ACK with a NAK syndrome
        uint32_t priority;     //!< class
        bool dropped;          //!< taken away
        uint32_t aeth;         //!< AETH
    };

    std::vector<Frame> frames; //!< in the order in which they came
    /** Whether to take a frame away, which may be changed as well. Given the port it came in. */
    std::function<bool(FabricPacket&, uint32_t)> drop;
    /** How much longer than others a frame takes, ticks; frames may overtake it. */
    std::function<uint64_t(const FabricPacket&)> hold;
    bool writesDown{true}; //!< fills `frames`

    void Receive(FabricPacket* packet, FabricPort& port) override
    {
        if (writesDown)
        {
            WriteDown(*packet, port.GetIndex());
        }
        if (drop && drop(*packet, port.GetIndex()))
        {
            if (writesDown)
            {
                frames.back().dropped = true;
            }
            GetFabric()->pool.Release(packet);
            return;
        }
        FabricPort& out = GetPort(1 - port.GetIndex());
        if (hold)
        {
            Simulator::Schedule(TimeStep(hold(*packet)),
                                [this, &out, packet]() { out.Enqueue(packet, NowTicks()); });
            return;
        }
        out.Enqueue(packet, NowTicks());
    }

    /** \param from port of entry \param frameClass class \return frames of that kind */
    std::vector<Frame> Select(uint32_t from, FrameClass frameClass) const
    {
        std::vector<Frame> selected;
        for (const Frame& frame : frames)
        {
            if (frame.from == from && frame.frameClass == frameClass)
            {
                selected.push_back(frame);
            }
        }
        return selected;
    }

  private:
    /** \param packet a frame \param from port where it came in */
    void WriteDown(const FabricPacket& packet, uint32_t from)
    {
        const bool isAck = packet.GetClass() == FrameClass::ACK;
        frames.push_back({NowTicks(),
                          from,
                          static_cast<RoceOpcode>(packet.opcode),
                          packet.GetClass(),
                          packet.psn,
                          packet.frameBytes,
                          packet.payloadBytes,
                          packet.ackRequest == 1,
                          isAck && packet.aeth >> 24 == AETH_NAK_SEQUENCE,
                          packet.priority,
                          false,
                          packet.aeth});
    }
};

/** \ingroup tests \brief A completion and when it was told. */
struct NotedCompletion
{
    uint64_t when;             //!< ticks
    RoceCompletion completion; //!< what was told
};

/** \ingroup tests \brief Writes down what a NIC tells. */
class NotingListener : public RoceNicListener
{
  public:
    std::vector<NotedCompletion> arrived;      //!< messages that arrived
    std::vector<NotedCompletion> acknowledged; //!< messages that were acknowledged
    std::vector<NotedCompletion> lost;         //!< messages that ended without
    std::vector<uint64_t> failed;              //!< when queue pairs gave up, ticks

    void MessageArrived(const RoceCompletion& completion) override
    {
        arrived.push_back({EngineUnderTest::Now(), completion});
    }

    void MessageCompleted(const RoceCompletion& completion) override
    {
        const bool success = completion.status == RoceStatus::SUCCESS;
        (success ? acknowledged : lost).push_back({EngineUnderTest::Now(), completion});
    }

    void QueuePairFailed(const RoceQueuePair& qp, RoceStatus status) override
    {
        failed.push_back(EngineUnderTest::Now());
    }
};

/** \ingroup tests \brief What a NicUnderTest is like. */
struct NicOptions
{
    uint32_t mtuBytes{1000};                                   //!< payload of a full packet
    uint32_t ackInterval{1};                                   //!< packets
    uint8_t ackTimeout{4};                                     //!< exponent: 65.5 us
    uint32_t retryCount{7};                                    //!< timeouts
    uint32_t rnrRetry{7};                                      //!< RNR NAKs
    uint32_t rnrTimer{12};                                     //!< code: 0.64 ms
    uint32_t maxReads{16};                                     //!< under way
    uint64_t firstPsn{0};                                      //!< of the NIC on test
    std::string congestionControl{"ns3::NoCongestionControl"}; //!< TypeId name
    std::string lossRecovery{"ns3::GoBackNLossRecovery"};      //!< TypeId name
    uint64_t rateBps{100000000000};                            //!< of both links
    uint64_t delay{500000};                                    //!< of both links, ticks
    std::string engine{"fabric"};                              //!< event engine
};

/**
 * \ingroup tests
 * \brief Two NICs with a TamperedWire between them; the one on test sends to the other.
 *
 * Links without preamble and gap, so that H is 62.
 */
class NicUnderTest
{
  public:
    /** \param options what it is like */
    explicit NicUnderTest(const NicOptions& options = {})
        : m_engine(options.engine),
          context(Create<FabricContext>()),
          nic(CreateObject<RoceNicDevice>()),
          peer(CreateObject<RoceNicDevice>()),
          wire(CreateObject<TamperedWire>()),
          m_options(options)
    {
        Add(wire);
        for (const auto& device : {nic, peer})
        {
            device->SetAttribute("MtuBytes", UintegerValue(options.mtuBytes));
            device->SetAttribute("AckInterval", UintegerValue(options.ackInterval));
            device->SetAttribute("AckTimeoutExponent", UintegerValue(options.ackTimeout));
            device->SetAttribute("RetryCount", UintegerValue(options.retryCount));
            device->SetAttribute("RnrRetry", UintegerValue(options.rnrRetry));
            device->SetAttribute("MinRnrTimer", UintegerValue(options.rnrTimer));
            device->SetAttribute("MaxOutstandingReads", UintegerValue(options.maxReads));
            device->SetAttribute("CongestionControl",
                                 TypeIdValue(TypeId::LookupByName(options.congestionControl)));
            device->SetAttribute("LossRecovery",
                                 TypeIdValue(TypeId::LookupByName(options.lossRecovery)));
            Add(device);
            FabricPort::Connect(device->AddPort(),
                                wire->AddPort(),
                                {options.rateBps, options.delay, 0, 0});
        }
        nic->SetRank(0);
        peer->SetRank(1);
        nic->SetListener(&sender);
        peer->SetListener(&receiver);
    }

    /** \return a new queue pair from the NIC on test to its peer */
    RoceQueuePair& AddQueuePair()
    {
        RoceQueuePairParameters parameters;
        parameters.firstPsn = m_options.firstPsn;
        return RoceNicDevice::Connect(*nic, *peer, parameters, {});
    }

    /** \return the first queue pair of the NIC on test, made when first asked for */
    RoceQueuePair& Qp()
    {
        return nic->GetQueuePairCount() ? nic->GetQueuePair(0) : AddQueuePair();
    }

    /**
     * Posts a message to the first queue pair now.
     * \param bytes its length
     * \param verb operation
     * \param cookie tag
     */
    void Post(uint64_t bytes, RoceVerb verb = RoceVerb::SEND, uint64_t cookie = 0)
    {
        nic->Post(Qp(), {verb, bytes, cookie, 0});
    }

    /** Runs until nothing happens any more; every record must be back in the pool. */
    void Run()
    {
        Simulator::Run();
        EXPECT_EQ(context->pool.GetInUse(), 0U);
    }

    /** \return data frames that the NIC on test sent */
    std::vector<TamperedWire::Frame> Data() const
    {
        return wire->Select(0, FrameClass::DATA);
    }

    /** \return acknowledgements that the peer sent */
    std::vector<TamperedWire::Frame> Acks() const
    {
        return wire->Select(1, FrameClass::ACK);
    }

    /** \return local ACK timeout, ticks */
    uint64_t GetTimeout() const
    {
        return 4096000ULL << m_options.ackTimeout;
    }

    /** \param bytes bytes on a link \return their serialisation, ticks */
    uint64_t Ser(uint64_t bytes) const
    {
        return bytes * 8 * 1000000 / (m_options.rateBps / 1000000);
    }

  private:
    /** \param device put on a node of its own */
    void Add(Ptr<FabricDevice> device)
    {
        device->SetFabric(context);
        CreateObject<Node>()->AddDevice(device);
    }

    EngineUnderTest m_engine; //!< the simulation

  public:
    Ptr<FabricContext> context; //!< shared state
    Ptr<RoceNicDevice> nic;     //!< NIC on test
    Ptr<RoceNicDevice> peer;    //!< the other one
    Ptr<TamperedWire> wire;     //!< between them
    NotingListener sender;      //!< hears the NIC on test
    NotingListener receiver;    //!< hears the peer

  private:
    const NicOptions m_options; //!< as given
};

/** \ingroup tests \brief A fixed rate and a fixed window, without feedback. */
class FixedCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnAck(const AckEvent& event) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;
    uint64_t GetWindowBytes() const override;

  private:
    uint64_t m_rateBps{0};        //!< rate, bit/s, 0 = line rate
    uint64_t m_windowBytes{0};    //!< window
    uint64_t m_windowAfterAck{0}; //!< window once an ACK came, 0 = the same
    uint32_t m_burstBytes{0};     //!< bursts at line rate
    uint64_t m_lineRate{0};       //!< of the port
};

} // namespace ns3

#endif /* NIC_UNDER_TEST_H */
