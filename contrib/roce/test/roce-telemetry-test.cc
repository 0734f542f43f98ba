/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"
#include "roce-test-network.h"

#include "ns3/roce-crc.h"
#include "ns3/roce-frame.h"
#include "ns3/telemetry-wire.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

/**
 * \file
 * In-band telemetry from the switches through the receiver back to the congestion control.
 */

using namespace ns3;

namespace
{

/** \ingroup tests \brief Line rate; writes down the telemetry that comes back. */
class NotingCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NotingCongestionControl")
                                .SetParent<RoceCongestionControl>()
                                .SetGroupName("Tests")
                                .AddConstructor<NotingCongestionControl>();
        return tid;
    }

    Ptr<RoceCongestionControl> Fork() const override
    {
        return CopyObject(Ptr<const NotingCongestionControl>(this));
    }

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.telemetry = true;
        return needs;
    }

    void Start(const CongestionControlStart& start) override
    {
        starts.push_back(start);
        m_lineRateBps = start.lineRateBps;
    }

    void OnAck(const AckEvent& event) override
    {
        if (event.telemetry)
        {
            stacks.push_back(event.telemetry->hops);
            rtts.push_back(event.rtt);
        }
    }

    void OnLineRate(const LineRateEvent& event) override
    {
        m_lineRateBps = event.lineRateBps;
    }

    uint64_t GetRateBps(uint64_t) override
    {
        return m_lineRateBps;
    }

    static std::vector<CongestionControlStart> starts;    //!< of all of them
    static std::vector<std::vector<TelemetryHop>> stacks; //!< that came back to any of them
    static std::vector<uint64_t> rtts;                    //!< with each of those, ticks

  private:
    uint64_t m_lineRateBps{0}; //!< rate of the NIC port, bit/s
};

NS_OBJECT_ENSURE_REGISTERED(NotingCongestionControl);

std::vector<CongestionControlStart> NotingCongestionControl::starts;
std::vector<std::vector<TelemetryHop>> NotingCongestionControl::stacks;
std::vector<uint64_t> NotingCongestionControl::rtts;

/** \ingroup tests \brief Clears what is written down. */
class RoceTelemetry : public testing::Test
{
  protected:
    void SetUp() override
    {
        NotingCongestionControl::starts.clear();
        NotingCongestionControl::stacks.clear();
        NotingCongestionControl::rtts.clear();
    }
};

constexpr uint64_t US = 1000000; //!< ticks

TEST_F(RoceTelemetry, EachSwitchOfThePathWritesOnce)
{
    RoceTestOptions options;
    options.congestionControl = "ns3::NotingCongestionControl";
    RoceTestNetwork network(LeafPairTopology(2, 1, "100Gbps", MicroSeconds(1)), options);
    network.Send(0, 2, 20000); // host 0, leaf 4, spine 6, leaf 5, host 2
    network.Run();
    ASSERT_EQ(NotingCongestionControl::starts.size(), 1U);
    EXPECT_EQ(NotingCongestionControl::starts[0].switchCount, 3U);
    const uint64_t frame = 1000 + 62 + 42;
    EXPECT_EQ(NotingCongestionControl::starts[0].packetWireBytes, frame);
    const auto& stacks = NotingCongestionControl::stacks;
    ASSERT_EQ(stacks.size(), 20U);
    const uint64_t ser = frame * 80; // ticks at 100 Gb/s
    for (size_t i = 0; i < stacks.size(); i++)
    {
        ASSERT_EQ(stacks[i].size(), 3U) << "acknowledgements carry it back, nobody writes";
        for (size_t hop = 0; hop < 3; hop++)
        {
            EXPECT_EQ(stacks[i][hop].when, i * ser + (hop + 1) * (ser + US));
            EXPECT_EQ(stacks[i][hop].sentBytes, i * frame);
            EXPECT_EQ(stacks[i][hop].queueBytes, 0U);
            EXPECT_EQ(stacks[i][hop].rateBps, 100000000000U);
            EXPECT_EQ(stacks[i][hop].port >> 32, hop == 0 ? 4U : hop == 1 ? 6U : 5U);
        }
    }
    // The first round trip is that of the idle path, telemetry included.
    EXPECT_EQ(NotingCongestionControl::rtts[0], NotingCongestionControl::starts[0].baseRtt);
}

TEST_F(RoceTelemetry, TheQueueIsTheOneLeftBehind)
{
    RoceTestOptions options;
    options.congestionControl = "ns3::NotingCongestionControl";
    RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
    network.Send(0, 2, 10000);
    network.Send(1, 2, 10000);
    network.Run();
    ASSERT_EQ(NotingCongestionControl::stacks.size(), 20U);
    std::set<uint64_t> sent;
    uint64_t longest = 0;
    for (const auto& hops : NotingCongestionControl::stacks)
    {
        ASSERT_EQ(hops.size(), 1U);
        sent.insert(hops[0].sentBytes);
        longest = std::max(longest, hops[0].queueBytes);
    }
    EXPECT_EQ(sent.size(), 20U);
    EXPECT_EQ(*sent.rbegin(), 19 * 1104U);
    // Two links of the same rate into one: after the last arrivals half of them wait.
    EXPECT_EQ(longest, 9 * 1104U);
}

TEST_F(RoceTelemetry, SprayedPacketsTellOfTheirOwnPaths)
{
    RoceTestOptions options;
    options.congestionControl = "ns3::HpccCongestionControl";
    options.loadBalancer = "ns3::SprayLoadBalancer";
    RoceTestNetwork network(LeafPairTopology(4, 4, "100Gbps", MicroSeconds(1)), options);
    for (uint32_t src = 0; src < 4; src++)
    {
        network.Send(src, 4 + src, 100000);
    }
    network.Run(); // checks that nothing is left in the network
}

TEST_F(RoceTelemetry, DataAndAcknowledgementsGrowByItsHeader)
{
    for (const auto& [type, header] : {std::make_pair("ns3::NoCongestionControl", 0U),
                                       std::make_pair("ns3::NotingCongestionControl", 42U)})
    {
        NicOptions options;
        options.congestionControl = type;
        NicUnderTest test(options);
        test.Post(2500);
        test.Run();
        const auto data = test.wire->Select(0, FrameClass::DATA);
        ASSERT_EQ(data.size(), 3U);
        EXPECT_EQ(data[0].frameBytes, 1062 + header);
        EXPECT_EQ(data[2].frameBytes, 562 + header);
        for (const auto& ack : test.wire->Select(1, FrameClass::ACK))
        {
            EXPECT_EQ(ack.frameBytes, 66 + header);
        }
        EXPECT_EQ(test.context->pool.GetInUse(), 0U);
    }
}

TEST_F(RoceTelemetry, HeaderHasSpaceForFiveSwitchesAtLeast)
{
    EXPECT_EQ(RoceWire::TelemetryBytes(0), 42U);
    EXPECT_EQ(RoceWire::TelemetryBytes(5), 42U);
    EXPECT_EQ(RoceWire::TelemetryBytes(7), 58U);
    EXPECT_EQ(RoceWire::TelemetryBytes(1000), 2 + 8 * 63U);
}

TEST_F(RoceTelemetry, WordsAreThoseOfHpcc)
{
    const uint64_t now = 123456789012345; // ps: 123456789012 ns
    const uint64_t word = EncodeTelemetryHop({now, 128 * 3000000 + 5, 8005, 400000000000, 0});
    EXPECT_EQ(word >> 60, 7U);
    EXPECT_EQ(word >> 36 & 0xffffff, 123456789012 % (1 << 24));
    EXPECT_EQ(word >> 16 & 0xfffff, 3000000U % (1 << 20));
    EXPECT_EQ(word & 0xffff, 100U);
    EXPECT_EQ(EncodeTelemetryHop({0, 0, 1ULL << 40, 1600000000000, 0}), 9ULL << 60 | 0xffff);
    EXPECT_EQ(EncodeTelemetryHop({0, 0, 0, 123, 0}), 0U) << "no code for this rate";
}

TEST_F(RoceTelemetry, BytesOnTheWireAndBack)
{
    for (const RoceOpcode opcode :
         {RoceOpcode::WRITE_FIRST, RoceOpcode::SEND_MIDDLE, RoceOpcode::ACKNOWLEDGE})
    {
        RoceFrame frame;
        frame.opcode = opcode;
        frame.payloadBytes = opcode == RoceOpcode::ACKNOWLEDGE ? 0 : 998;
        frame.dmaLength = opcode == RoceOpcode::WRITE_FIRST ? 5000 : 0;
        frame.becn = true;
        frame.telemetrySpace = 5;
        frame.telemetry = {0x1122334455667788, 42};
        const std::vector<uint8_t> bytes = frame.Serialize();
        EXPECT_EQ(bytes.size(), RoceWire::FrameBytes(opcode, frame.payloadBytes, 42));
        const size_t at = 14 + 20 + 8 + 12 + RoceWire::ExtensionBytes(opcode);
        EXPECT_EQ(bytes[at + 1], 2) << "switches that wrote";
        EXPECT_EQ(bytes[at + 2], 0x11);
        EXPECT_EQ(bytes[at + 17], 42);
        EXPECT_EQ(bytes[at + 18], 0) << "unused space";
        RoceFrame parsed;
        ASSERT_EQ(RoceFrame::Parse(bytes.data(), bytes.size(), parsed), RoceFrameStatus::OK);
        EXPECT_EQ(parsed.telemetrySpace, 5);
        EXPECT_EQ(parsed.telemetry, frame.telemetry);
        EXPECT_EQ(parsed.payloadBytes, frame.payloadBytes);
        EXPECT_EQ(parsed.dmaLength, frame.dmaLength);
        EXPECT_TRUE(parsed.becn);
        FabricPacket record{};
        parsed.ToRecord(record);
        EXPECT_EQ(record.frameBytes, bytes.size());
    }
}

TEST_F(RoceTelemetry, AFrameShorterThanItsTelemetryIsRefused)
{
    RoceFrame frame;
    frame.opcode = RoceOpcode::SEND_ONLY;
    frame.payloadBytes = 8;
    std::vector<uint8_t> bytes = frame.Serialize();
    bytes.resize(bytes.size() - RoceWire::FCS);
    bytes[14 + 20 + 8 + 4] |= 5; // claims telemetry that is not there; not part of the ICRC
    const uint32_t fcs = EthernetFcs(bytes.data(), bytes.size());
    for (uint32_t i = 0; i < RoceWire::FCS; i++)
    {
        bytes.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
    }
    RoceFrame parsed;
    EXPECT_EQ(RoceFrame::Parse(bytes.data(), bytes.size(), parsed), RoceFrameStatus::TRUNCATED);
}

} // namespace
