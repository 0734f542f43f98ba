/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/global-value.h"
#include "ns3/icmpv4.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/roce-address.h"
#include "ns3/roce-pcap-writer.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <regex>

namespace ns3
{

namespace
{

/** \param text hexadecimal digits \return the bytes, as a packet */
Ptr<Packet>
FromHex(const std::string& text)
{
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
    }
    return Create<Packet>(bytes.data(), bytes.size());
}

/** \param command a program with its arguments \return the lines that it writes */
std::vector<std::string>
GetOutput(const std::string& command)
{
    std::vector<std::string> lines(1);
    FILE* pipe = popen(command.c_str(), "r");
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
    {
        if (c == '\n')
        {
            lines.emplace_back();
        }
        else
        {
            lines.back() += static_cast<char>(c);
        }
    }
    pclose(pipe);
    lines.pop_back();
    return lines;
}

/** \ingroup tests \brief Sends datagrams to a host that sends them back. */
class Echo
{
  public:
    /**
     * \param network its network
     * \param client host that sends
     * \param server host that answers
     * \param address of the latter
     * \param bytes of a datagram
     */
    Echo(const RoceInternetTestNetwork& network,
         uint32_t client,
         uint32_t server,
         Ipv4Address address,
         uint32_t bytes)
    {
        constexpr uint16_t port = 7;
        UdpEchoServerHelper(port).Install(network.GetNode(server));
        UdpEchoClientHelper helper(InetSocketAddress(address, port), port);
        helper.SetAttribute("PacketSize", UintegerValue(bytes));
        helper.SetAttribute("MaxPackets", UintegerValue(1));
        const Ptr<Application> sender = helper.Install(network.GetNode(client)).Get(0);
        sender->TraceConnectWithoutContext("Tx", MakeCallback(&Echo::Sent, this));
        sender->TraceConnectWithoutContext("Rx", MakeCallback(&Echo::Received, this));
    }

    Time sent;           //!< when the client sent
    Time rtt;            //!< time until the answer came
    uint32_t answers{0}; //!< that came

  private:
    /** The client sent. */
    void Sent(Ptr<const Packet>)
    {
        sent = Simulator::Now();
    }

    /** The answer came. */
    void Received(Ptr<const Packet>)
    {
        rtt = Simulator::Now() - sent;
        answers++;
    }
};

/** \param wireBytes of a frame \return time through a switch and links of 10 Gb/s and 1 us */
Time
GetStarTime(uint64_t wireBytes)
{
    return 2 * (MicroSeconds(1) + PicoSeconds(800 * wireBytes));
}

constexpr uint8_t NOT_ECT = 0;       //!< ECN bits
constexpr uint8_t ECT0 = 2;          //!< ECN bits
constexpr uint8_t CE = 3;            //!< ECN bits
constexpr uint64_t DATAGRAMS = 20;   //!< of SendDatagrams()
constexpr uint16_t DISCARD_PORT = 9; //!< UDP port of MakeSocket()

/** \ingroup tests \brief ns-3 computes and checks checksums as long as this lives. */
struct ChecksumsOn
{
    ChecksumsOn()
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    }

    ~ChecksumsOn()
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }
};

/** \return options of a network that marks whatever may be marked and finds a queue */
RoceInternetTestOptions
MakeMarkingOptions()
{
    RoceInternetTestOptions options;
    options.ecn = true;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(0));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(0));
    };
    return options;
}

/** \param network its network \param host a host \return a UDP socket at the discard port */
Ptr<Socket>
MakeSocket(const RoceInternetTestNetwork& network, uint32_t host)
{
    const Ptr<Socket> socket =
        Socket::CreateSocket(network.GetNode(host), TypeId::LookupByName("ns3::UdpSocketFactory"));
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), DISCARD_PORT));
    return socket;
}

/**
 * Sends datagrams of 1000 bytes to host 0.
 * \param network its network
 * \param src sending host
 * \param tos type of service, ECN bits included
 */
void
SendDatagrams(const RoceInternetTestNetwork& network, uint32_t src, uint8_t tos)
{
    const Ptr<Socket> socket = MakeSocket(network, src);
    socket->Connect(InetSocketAddress(Ipv4Address(RoceAddress::Ipv4OfRank(0)), DISCARD_PORT));
    socket->SetIpTos(tos);
    Simulator::Schedule(Time(0), [socket] { // the stack starts at time 0
        for (uint64_t i = 0; i < DATAGRAMS; i++)
        {
            socket->Send(Create<Packet>(1000));
        }
    });
}

} // namespace

TEST(RoceInternetFrame, UdpEchoTakesTheTimeOfTrueFrames)
{
    // UDP 8, IPv4 20, Ethernet 14, check 4, preamble and gap 20; 64 bytes at least without the last
    for (const auto& [payload, wireBytes] :
         std::vector<std::pair<uint32_t, uint64_t>>{{1000, 1066}, {18, 84}, {1, 84}, {19, 85}})
    {
        RoceInternetTestNetwork network(2);
        const Echo echo(network, 0, 1, Ipv4Address(RoceAddress::Ipv4OfRank(1)), payload);
        Simulator::Run();
        EXPECT_EQ(echo.answers, 1U);
        EXPECT_EQ(echo.rtt, 2 * GetStarTime(wireBytes)) << payload;
        EXPECT_EQ(network.GetPortTo(1).GetCounters().wireBytes[0], wireBytes);
        network.ExpectNothingLost();
    }
}

TEST(RoceInternetFrame, DatagramsAreFragmentedToTheMtu)
{
    RoceInternetTestOptions options;
    options.configureIp = [](RoceInternetHelper& helper) {
        helper.SetDeviceAttribute("Mtu", UintegerValue(1000));
    };
    RoceInternetTestNetwork network(2, options);
    const Echo echo(network, 0, 1, Ipv4Address(RoceAddress::Ipv4OfRank(1)), 2500);
    Simulator::Run();
    EXPECT_EQ(echo.answers, 1U);
    EXPECT_EQ(network.GetDevice(0).GetCounters().sent, 3U); // 976 bytes of payload each
    EXPECT_EQ(network.GetPortTo(1).GetCounters().wireBytes[0], 2508U + 3 * (20 + 38));
}

TEST(RoceInternetFrame, HostsAnswerPings)
{
    RoceInternetTestNetwork network(2);
    const Ptr<Socket> socket =
        Socket::CreateSocket(network.GetNode(0), TypeId::LookupByName("ns3::Ipv4RawSocketFactory"));
    socket->SetAttribute("Protocol", UintegerValue(1));
    socket->Connect(InetSocketAddress(Ipv4Address(RoceAddress::Ipv4OfRank(1)), 0));
    Ptr<Packet> packet = Create<Packet>(56);
    Icmpv4Echo echo;
    echo.SetData(packet);
    Ptr<Packet> request = Create<Packet>();
    request->AddHeader(echo);
    Icmpv4Header header;
    header.SetType(Icmpv4Header::ICMPV4_ECHO);
    header.SetCode(0);
    request->AddHeader(header);
    Simulator::Schedule(Time(0), [&] { socket->Send(request); }); // the stack starts at time 0
    Simulator::Run();
    const Ptr<Packet> answer = socket->Recv();
    ASSERT_TRUE(answer);
    Ipv4Header ip;
    answer->RemoveHeader(ip);
    EXPECT_EQ(ip.GetSource(), Ipv4Address(RoceAddress::Ipv4OfRank(1)));
    answer->RemoveHeader(header);
    EXPECT_EQ(header.GetType(), Icmpv4Header::ICMPV4_ECHO_REPLY);
    network.ExpectNothingLost();
}

TEST(RoceInternetFrame, AnyAddressesWillDo)
{
    RoceInternetTestOptions options;
    options.assignAddresses = false;
    RoceInternetTestNetwork network(3, options);
    Ipv4AddressHelper helper("192.168.7.0", "255.255.255.0");
    NetDeviceContainer backwards;
    backwards.Add(network.devices.Get(2));
    backwards.Add(network.devices.Get(1));
    backwards.Add(network.devices.Get(0));
    helper.Assign(backwards);
    const Echo echo(network, 0, 2, Ipv4Address("192.168.7.1"), 1000);
    Simulator::Run();
    EXPECT_EQ(echo.rtt, 2 * GetStarTime(1066));
}

TEST(RoceInternetFrame, WithArpRequestsGoToWhoeverHasTheAddress)
{
    RoceInternetTestOptions options;
    options.configureIp = [](RoceInternetHelper& helper) {
        helper.SetDeviceAttribute("Arp", BooleanValue(true));
    };
    RoceInternetTestNetwork network(3, options);
    const Echo echo(network, 0, 1, Ipv4Address(RoceAddress::Ipv4OfRank(1)), 1000);
    Simulator::Run();
    EXPECT_EQ(echo.answers, 1U);
    // Each asks, answers the other, and sends its datagram.
    EXPECT_EQ(network.GetDevice(0).GetCounters().sent, 3U);
    EXPECT_EQ(network.GetDevice(1).GetCounters().sent, 3U);
    EXPECT_EQ(network.GetDevice(2).GetCounters().received, 0U);
    network.ExpectNothingLost();
}

TEST(RoceInternetFrame, AHostWithoutInterfaceDropsAndCounts)
{
    RoceInternetTestOptions options;
    options.ranks = {0, 1};
    RoceInternetTestNetwork network(3, options);
    network.GetDevice(0).Send(Create<Packet>(100), Mac48Address("02:00:00:00:00:02"), 0x88b5);
    Simulator::Run();
    EXPECT_EQ(network.fabric.nics[2]->GetUnclaimedFrames(), 1U);
    network.ExpectNothingLost();
}

TEST(RoceInternetFrame, WhatCannotBeSentIsCountedByReason)
{
    RoceInternetTestOptions options;
    options.ranks = {0, 1};
    RoceInternetTestNetwork network(3, options);
    RoceEthernetDevice& device = network.GetDevice(0);
    const Address broadcast = device.GetBroadcast();
    const uint16_t ip = Ipv4L3Protocol::PROT_NUMBER;
    // To 10.0.0.3, which nobody has.
    const Ptr<Packet> lost = FromHex("4500001400000000400100000a0000010a000003");
    EXPECT_FALSE(device.Send(lost, broadcast, ip));
    EXPECT_FALSE(device.Send(Create<Packet>(100), broadcast, 0x88b5));
    EXPECT_FALSE(device.Send(Create<Packet>(100), Mac48Address("02:00:00:00:00:03"), 0x88b5));
    EXPECT_FALSE(device.Send(Create<Packet>(100), Mac48Address("04:00:00:00:00:01"), 0x88b5));
    EXPECT_EQ(device.GetDrops(RoceEthernetDrop::NO_DESTINATION), 4U);
    EXPECT_FALSE(device.Send(Create<Packet>(100), Mac48Address("02:00:00:00:00:00"), 0x88b5));
    EXPECT_EQ(device.GetDrops(RoceEthernetDrop::NO_ROUTE), 1U); // to itself
    EXPECT_FALSE(device.Send(Create<Packet>(1501), Mac48Address("02:00:00:00:00:01"), 0x88b5));
    EXPECT_EQ(device.GetDrops(RoceEthernetDrop::TOO_LARGE), 1U);
    // One is on the wire, 100 wait.
    for (uint32_t i = 0; i < 103; i++)
    {
        const bool sent =
            device.Send(Create<Packet>(1500), Mac48Address("02:00:00:00:00:01"), 0x88b5);
        EXPECT_EQ(sent, i < 101);
    }
    EXPECT_EQ(device.GetDrops(RoceEthernetDrop::QUEUE_FULL), 2U);
    Simulator::Run();
    EXPECT_EQ(network.GetDevice(1).GetCounters().received, 101U);
    network.ExpectNothingLost();
}

TEST(RoceInternetFrame, TheQueueMayBeLimitedInBytes)
{
    RoceInternetTestOptions options;
    options.configureIp = [](RoceInternetHelper& helper) {
        helper.SetDeviceAttribute("TxQueueSize", QueueSizeValue(QueueSize("4554B")));
    };
    RoceInternetTestNetwork network(2, options);
    for (uint32_t i = 0; i < 6; i++)
    {
        network.GetDevice(0).Send(Create<Packet>(1500), Mac48Address("02:00:00:00:00:01"), 0x88b5);
    }
    // One is on the wire, 3 of 1518 bytes wait.
    EXPECT_EQ(network.GetDevice(0).GetCounters().sent, 4U);
}

TEST(RoceInternetFrame, AQueueTooSmallForAFrameHoldsOne)
{
    RoceInternetTestOptions options;
    options.configureIp = [](RoceInternetHelper& helper) {
        helper.SetDeviceAttribute("TxQueueSize", QueueSizeValue(QueueSize("100B")));
    };
    RoceInternetTestNetwork network(2, options);
    const Ptr<PacketSink> sink = network.SendTcp(0, 1, 100000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 100000U);
}

TEST(RoceInternetFrame, AnMtuAboveTheHeadroomOfTheSwitchesIsRefused)
{
    RoceInternetTestOptions options;
    options.configureIp = [](RoceInternetHelper& helper) {
        helper.SetDeviceAttribute("Mtu", UintegerValue(4161));
    };
    EXPECT_THROW(RoceInternetTestNetwork(2, options), ConfigError);
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("MaxFrameBytes", UintegerValue(4179));
    };
    EXPECT_NO_THROW(RoceInternetTestNetwork(2, options));
}

TEST(RoceInternetFrame, MarksReachTheIpv4HeaderOfEcnCapablePackets)
{
    const ChecksumsOn on; // a wrong one would be dropped
    RoceInternetTestNetwork network(3, MakeMarkingOptions());
    const Ptr<Socket> receiver = MakeSocket(network, 0);
    receiver->SetIpRecvTos(true);
    SendDatagrams(network, 1, ECT0);
    SendDatagrams(network, 2, NOT_ECT);
    Simulator::Run();
    std::array<uint64_t, 4> seen{};
    while (const Ptr<Packet> packet = receiver->Recv())
    {
        SocketIpTosTag tag;
        EXPECT_TRUE(packet->PeekPacketTag(tag));
        seen[tag.GetTos() & 3]++;
    }
    EXPECT_EQ(seen[NOT_ECT], DATAGRAMS);
    EXPECT_GT(seen[CE], 0U);
    EXPECT_EQ(seen[ECT0] + seen[CE], DATAGRAMS);
    EXPECT_EQ(seen[CE], network.GetPortTo(0).GetPriorityCounters(0).marks);
    network.ExpectNothingLost();
}

TEST(RoceInternetFrame, TheClassFollowsFromTheDscp)
{
    RoceInternetTestNetwork network(3);
    constexpr uint8_t EF = 46; // RFC 3246
    SendDatagrams(network, 1, EF << 2);
    SendDatagrams(network, 2, EF << 2);
    Simulator::Run();
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        const bool queued = network.GetPortTo(0).GetPriorityCounters(priority).maxQueueBytes > 0;
        EXPECT_EQ(queued, priority == 5) << priority;
    }
}

TEST(RoceInternetFrame, WiresharkReadsFramesBesideRoce)
{
    if (std::system("tshark --version >/dev/null 2>&1") != 0)
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    const ChecksumsOn on;
    const std::string path = testing::TempDir() + "roce-internet-frame-test.pcap";
    RoceInternetTestNetwork network(3, MakeMarkingOptions());
    RocePcapWriter writer(path);
    network.GetPortTo(0).SetTap(&writer);
    const Ptr<Socket> receiver = MakeSocket(network, 0);
    SendDatagrams(network, 1, ECT0);
    const Ptr<PacketSink> sink = network.SendTcp(2, 0, 3000, DISCARD_PORT);
    network.SendRdma(1, 0, 5000);
    Simulator::Run();
    writer.Close();
    const std::vector<std::string> frames = GetOutput(
        "tshark -n -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE"
        " -o udp.check_checksum:TRUE -r " +
        path +
        " -T fields -E separator=, -e ip.src -e frame.len -e ip.dsfield.ecn -e ip.checksum.status"
        " -e udp.dstport -e udp.checksum.status -e tcp.len -e tcp.checksum.status"
        " -e infiniband.bth.opcode -e _ws.malformed 2>/dev/null");
    const auto count = [&](const std::string& pattern) {
        return std::count_if(frames.begin(), frames.end(), [&](const std::string& frame) {
            return std::regex_match(frame, std::regex(pattern));
        });
    };
    const uint64_t marks = network.GetPortTo(0).GetPriorityCounters(0).marks;
    EXPECT_GT(marks, 0U);
    // 14 + 20 + 8 + 1000 bytes; 14 + 20 + 32 + 1448 bytes
    EXPECT_EQ(count("10.0.0.2,1042,[23],1,9,1,,,,"), static_cast<int64_t>(DATAGRAMS));
    EXPECT_EQ(count("10.0.0.2,1042,3,1,9,1,,,,") + count("10.0.0.3,.*,3,1,,,.*,1,,"),
              static_cast<int64_t>(marks));
    EXPECT_EQ(count("10.0.0.3,1514,[23],1,,,1448,1,,"), 2);
    EXPECT_EQ(count("10.0.0.3,170,[23],1,,,104,1,,"), 1);
    EXPECT_EQ(count(".*,4791,.*,(6|8|17),"), 4); // WRITE first and last, an ACK of each
    EXPECT_EQ(count(".*,1,9,1,,,,") + count(".*,1,,,\\d+,1,,") + 4,
              static_cast<int64_t>(frames.size()))
        << testing::PrintToString(frames);
    EXPECT_EQ(sink->GetTotalRx(), 3000U);
}

TEST(RoceInternetFlow, PortsAreEntropyUnlessThePacketIsAFragment)
{
    const std::string addresses = "0a0000010a000002";
    const auto read = [&](const std::string& fragment, const std::string& rest) {
        return Ipv4Flow::Read(*FromHex("45b90028abcd" + fragment + "40060000" + addresses + rest));
    };
    const auto a = read("4000", "1388000100000000");
    const auto b = read("4000", "1389000100000000");
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->tos, 0xb9);
    EXPECT_EQ(a->dst, Ipv4Address("10.0.0.2"));
    EXPECT_NE(a->entropy, b->entropy);
    EXPECT_EQ(a->entropy, read("0000", "13880001ffffffff")->entropy);
    EXPECT_EQ(read("2000", "1388000100000000")->entropy, read("0010", "ffff")->entropy);
    EXPECT_FALSE(Ipv4Flow::Read(*FromHex("6500")));
    EXPECT_FALSE(Ipv4Flow::Read(*FromHex("65b90028abcd400040060000" + addresses)));
    EXPECT_FALSE(Ipv4Flow::Read(*FromHex("46b90028abcd400040060000" + addresses)));
    EXPECT_FALSE(Ipv4Flow::Read(*Create<Packet>()));
}

} // namespace ns3
