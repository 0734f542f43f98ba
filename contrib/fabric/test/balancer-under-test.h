/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef BALANCER_UNDER_TEST_H
#define BALANCER_UNDER_TEST_H

#include "port-under-test.h"

#include "ns3/load-balancer.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A load balancer at a device whose ports lead to a sink each, without delay and gap.
 *
 * Frames of FRAME bytes take 80,000 ticks at 100 Gbit/s.
 */
class BalancerUnderTest
{
  public:
    static constexpr uint32_t FRAME = 1000;        //!< bytes
    static constexpr uint64_t FRAME_TICKS = 80000; //!< of a frame at 100 Gbit/s

    /** Names and values. */
    using Attributes = std::vector<std::pair<std::string, std::string>>;

    /**
     * \param type TypeId name of the load balancer
     * \param gbps rate of each port, Gbit/s
     * \param attributes of the load balancer
     */
    explicit BalancerUnderTest(const std::string& type,
                               const std::vector<uint64_t>& gbps,
                               const Attributes& attributes = {})
        : m_context(Create<FabricContext>()),
          m_device(AddDevice())
    {
        m_numbers.resize(gbps.size());
        std::iota(m_numbers.begin(), m_numbers.end(), 0);
        for (const uint64_t rate : gbps)
        {
            m_sinks.push_back(AddDevice());
            FabricPort::Connect(m_device->AddPort(),
                                m_sinks.back()->AddPort(),
                                {rate * 1000000000, 0, 0, 0});
        }
        ObjectFactory factory(type);
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        balancer = factory.Create<LoadBalancer>();
        balancer->Start({5, 0x1234567, PeekPointer(m_device)});
        balancer->AssignStreams(1);
    }

    /**
     * \param flow entropy of a frame
     * \param count size of the set of ports: the first ones
     * \return index that the balancer chooses for it
     */
    uint32_t Choose(uint32_t flow, uint32_t count)
    {
        FabricPacket packet{};
        packet.src = 4;
        packet.dst = 9;
        packet.flow = flow;
        packet.frameBytes = FRAME;
        const uint32_t choice = balancer->Choose(packet, {m_numbers.data(), count, count});
        EXPECT_LT(choice, count);
        return choice;
    }

    /** \param flow entropy of a frame \return index chosen among all ports */
    uint32_t Choose(uint32_t flow)
    {
        return Choose(flow, m_numbers.size());
    }

    /** \param port index of a port \param frames that are queued there now */
    void Queue(uint32_t port, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; i++)
        {
            FabricPacket* packet = m_context->pool.Allocate();
            packet->frameBytes = FRAME;
            packet->priority = 3;
            m_device->GetPort(port).Enqueue(packet, EngineUnderTest::Now());
        }
    }

    /** \param port index of a port \return bytes that wait there now */
    uint64_t GetQueueBytes(uint32_t port)
    {
        m_device->GetPort(port).Advance(EngineUnderTest::Now());
        return m_device->GetPort(port).GetTotalQueueBytes();
    }

    /** \param ts ticks \param action done then */
    void At(uint64_t ts, std::function<void()> action)
    {
        EngineUnderTest::At(ts, std::move(action));
    }

    /** Runs until nothing is left to do. */
    void Run()
    {
        Simulator::Run();
        EXPECT_EQ(m_context->pool.GetInUse(), 0U);
    }

    Ptr<LoadBalancer> balancer; //!< on test

  private:
    /** \return a device on a node of its own */
    Ptr<NotingDevice> AddDevice()
    {
        auto device = CreateObject<NotingDevice>();
        device->SetFabric(m_context);
        CreateObject<Node>()->AddDevice(device);
        return device;
    }

    EngineUnderTest m_engine;               //!< the simulation
    Ptr<FabricContext> m_context;           //!< what the devices share
    Ptr<NotingDevice> m_device;             //!< whose ports are chosen
    std::vector<Ptr<NotingDevice>> m_sinks; //!< who get the frames
    std::vector<uint16_t> m_numbers;        //!< 0, 1, ...
};

} // namespace ns3

#endif /* BALANCER_UNDER_TEST_H */
