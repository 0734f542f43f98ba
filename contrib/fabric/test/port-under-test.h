/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PORT_UNDER_TEST_H
#define PORT_UNDER_TEST_H

#include "engine-under-test.h"

#include "ns3/fabric-device.h"
#include "ns3/node.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A device that writes down what happens at its ports and keeps nothing.
 *
 * Frames are known by their cookie.
 */
class NotingDevice : public FabricDevice
{
  public:
    /** A frame that left or arrived. */
    struct Note
    {
        uint64_t id;   //!< cookie of the frame
        uint64_t when; //!< ticks

        /** \param o another note \return whether they are the same */
        bool operator==(const Note& o) const
        {
            return id == o.id && when == o.when;
        }
    };

    std::vector<Note> arrivals;        //!< frames that arrived
    std::vector<Note> departures;      //!< frames that left, by their own account
    std::vector<Note> noticed;         //!< frames that left, when the device was told
    std::vector<uint64_t> resumptions; //!< when PauseEnded() was called, ticks
    std::map<uint64_t, std::vector<TelemetryHop>> telemetry; //!< of instrumented arrivals, by cookie

    void Receive(FabricPacket* packet, FabricPort& port) override
    {
        arrivals.push_back({packet->cookie, NowTicks()});
        if (packet->instrumented)
        {
            telemetry[packet->cookie] = packet->telemetry->hops;
        }
        GetFabric()->pool.Release(packet);
    }

    bool WantsDepartures() const override
    {
        return true;
    }

    void Departed(FabricPacket& packet, FabricPort& port) override
    {
        departures.push_back({packet.cookie, packet.start});
        noticed.push_back({packet.cookie, NowTicks()});
    }

    void PauseEnded(FabricPort& port) override
    {
        resumptions.push_back(NowTicks());
    }
};

/** \ingroup tests \brief What a PortUnderTest is like. */
struct PortOptions
{
    uint64_t rateBps{100000000000}; //!< rate of the link
    uint64_t delay{1000000};        //!< propagation delay, ticks
    uint32_t gapBytes{20};          //!< gap around frames
    double lossRate{0};             //!< of the link
    double bitErrorRate{0};         //!< of the link
    bool tracked{false};            //!< departures are events
    std::string engine{"fabric"};   //!< event engine
};

/**
 * \ingroup tests
 * \brief Two devices and a link; frames and pauses of one port happen at given ticks.
 */
class PortUnderTest
{
  public:
    /** \param options what it is like */
    explicit PortUnderTest(const PortOptions& options = {})
        : m_engine(options.engine),
          m_context(Create<FabricContext>()),
          m_sender(AddDevice()),
          m_receiver(AddDevice())
    {
        FabricLinkParameters link{options.rateBps,
                                  options.delay,
                                  options.gapBytes,
                                  options.lossRate,
                                  options.bitErrorRate};
        FabricPort::Connect(m_sender->GetPort(0), m_receiver->GetPort(0), link);
        Port().SetLossStream(1);
        Port().SetBitErrorStream(2);
        Port().SetTracked(options.tracked);
    }

    /** \return the port on test */
    FabricPort& Port()
    {
        return m_sender->GetPort(0);
    }

    /** \return the device that it belongs to */
    NotingDevice& Sender()
    {
        return *m_sender;
    }

    /** \return the device at the other end */
    NotingDevice& Receiver()
    {
        return *m_receiver;
    }

    /** \return what the devices share */
    FabricContext& Context()
    {
        return *m_context;
    }

    /**
     * \param id number of a frame
     * \param bytes its size without gap
     * \param priority its class
     * \return the frame
     */
    FabricPacket* NewFrame(uint64_t id, uint32_t bytes, uint32_t priority = 3)
    {
        FabricPacket* packet = m_context->pool.Allocate();
        packet->cookie = id;
        packet->frameBytes = bytes;
        packet->payloadBytes = bytes;
        packet->priority = priority;
        return packet;
    }

    /**
     * Queues a frame at the present time.
     * \param id its number
     * \param bytes its size without gap
     * \param priority its class
     */
    void Send(uint64_t id, uint32_t bytes, uint32_t priority = 3)
    {
        Port().Enqueue(NewFrame(id, bytes, priority), EngineUnderTest::Now());
    }

    /**
     * \param ts when, ticks
     * \param id number of the frame
     * \param bytes its size without gap
     * \param priority its class
     */
    void SendAt(uint64_t ts, uint64_t id, uint32_t bytes, uint32_t priority = 3)
    {
        EngineUnderTest::At(ts, [=] { Send(id, bytes, priority); });
    }

    /**
     * \param ts when, ticks
     * \param priority class to pause or to resume
     * \param until end of the pause; ts or earlier to resume
     */
    void PauseAt(uint64_t ts, uint32_t priority, uint64_t until)
    {
        EngineUnderTest::At(ts, [=] { Port().Pause(priority, until, ts); });
    }

    /** Runs until nothing is left to do; every record must be back in the pool. */
    void Run()
    {
        Simulator::Run();
        Port().Advance(EngineUnderTest::Now());
        EXPECT_EQ(m_context->pool.GetInUse(), 0U);
        EXPECT_EQ(Port().GetTotalQueueBytes(), 0U);
        EXPECT_FALSE(Port().HasBacklog());
    }

    /** \return arrival of each frame, ticks, by number */
    std::map<uint64_t, uint64_t> GetArrivals() const
    {
        std::map<uint64_t, uint64_t> arrivals;
        for (const auto& note : m_receiver->arrivals)
        {
            EXPECT_TRUE(arrivals.emplace(note.id, note.when).second)
                << "arrived twice: " << note.id;
        }
        return arrivals;
    }

  private:
    /** \return a device on a node of its own, with one port */
    Ptr<NotingDevice> AddDevice()
    {
        auto device = CreateObject<NotingDevice>();
        device->SetFabric(m_context);
        CreateObject<Node>()->AddDevice(device);
        device->AddPort();
        return device;
    }

    EngineUnderTest m_engine;     //!< the simulation
    Ptr<FabricContext> m_context; //!< what the devices share
    Ptr<NotingDevice> m_sender;   //!< owner of the port on test
    Ptr<NotingDevice> m_receiver; //!< who gets the frames
};

} // namespace ns3

#endif /* PORT_UNDER_TEST_H */
