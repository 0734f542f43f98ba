/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tshark.h"
#include "verbs-under-test.h"

#include "ns3/pcap-file.h"
#include "ns3/pfc-frame.h"
#include "ns3/roce-pcap-writer.h"

#include <algorithm>
#include <cstdio>

/**
 * \file
 * What Wireshark makes of whole conversations.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

/**
 * The invariant check, from its definition (IBA 7.8.1, annex A17): CRC-32 over the packet from IPv4
 * on, 8 bytes of ones before it, ones in place of what routers change.
 * \param ip IPv4 header and what follows, up to the invariant check
 * \return the check
 */
uint32_t
InvariantCheck(std::vector<uint8_t> ip)
{
    for (const size_t changed : {1, 8, 10, 11, 26, 27, 32}) // TOS, TTL, checksums, FECN and BECN
    {
        ip[changed] = 0xff;
    }
    ip.insert(ip.begin(), 8, 0xff);
    uint32_t crc = 0xffffffff;
    for (const uint8_t byte : ip)
    {
        crc ^= byte;
        for (int bit = 0; bit < 8; bit++)
        {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        }
    }
    return ~crc;
}

/** \param crc in the order in which its bytes are sent \return its bytes, in hex */
std::string
ToHex(uint32_t crc)
{
    char text[16];
    std::snprintf(text, sizeof(text), "0x%08x", crc);
    return text;
}

/** \param path a pcap file, the invariant checks of which must be right \return them, in hex */
std::vector<std::string>
CheckInvariants(const std::string& path)
{
    PcapFile file;
    file.Open(path, std::ios::in | std::ios::binary);
    std::vector<std::string> checks;
    while (true)
    {
        uint8_t bytes[9100];
        uint32_t ignored = 0;
        uint32_t size = 0;
        file.Read(bytes, sizeof(bytes), ignored, ignored, ignored, ignored, size);
        if (file.Fail() || file.Eof())
        {
            return checks;
        }
        if (bytes[12] != 0x08 || bytes[13] != 0x00)
        {
            continue; // no IPv4
        }
        const uint8_t* ip = bytes + 14;
        const uint8_t* check = ip + (ip[2] << 8 | ip[3]) - 4;
        const uint32_t seen = check[0] << 24 | check[1] << 16 | check[2] << 8 | check[3];
        EXPECT_EQ(seen, __builtin_bswap32(InvariantCheck({ip, check}))); // low byte first
        checks.push_back(ToHex(seen));
    }
}

/** \ingroup tests \brief Conversations between two NICs, in a pcap file. */
class RoceTshark : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (!Tshark::IsThere())
        {
            GTEST_SKIP() << "tshark is not installed";
        }
    }

    /**
     * Reads the file; invariant checks must be right, and tshark must find no fault with any frame.
     * \param fields more fields
     * \return opcode, PSN, DMA length, AETH syndrome and MSN, immediate data of all frames, in
     * order
     */
    std::vector<std::string> Read(const std::string& fields = "") const
    {
        const Tshark tshark(path);
        EXPECT_EQ(tshark.GetComplaints(), std::vector<std::string>{});
        std::vector<std::string> lines = tshark.Run(
            "-T fields -e infiniband.bth.opcode -e infiniband.bth.psn -e infiniband.reth.dmalen "
            "-e infiniband.aeth.syndrome -e infiniband.aeth.msn -e infiniband.immdt " +
            fields +
            " -e infiniband.invariant.crc -E separator=, -E occurrence=f"); // it shows some twice
        const std::vector<std::string> checks = CheckInvariants(path);
        EXPECT_GT(checks.size(), 4U);
        for (size_t i = 0; i < lines.size(); i++)
        {
            const size_t last = lines[i].rfind(',');
            const std::string check = lines[i].substr(last + 1);
            EXPECT_TRUE(check.empty() || check == checks.at(i)) << "frame " << i;
            EXPECT_TRUE(!check.empty() || lines[i].rfind("129,", 0) == 0 || lines[i][0] == ',')
                << "shown of all but CNPs, which tshark 4.0 does not know, and PFC";
            lines[i].resize(last);
        }
        return lines;
    }

    /** \return options: go-back-N, numbers that wrap */
    static NicOptions Options()
    {
        NicOptions options;
        options.mtuBytes = 1024;
        options.firstPsn = PSN_COUNT - 2;
        return options;
    }

    const std::string path = testing::TempDir() + "roce-tshark-test-" +
                             testing::UnitTest::GetInstance()->current_test_info()->name() +
                             ".pcap"; //!< the file
};

TEST_F(RoceTshark, EveryOpcodeOfAConnection)
{
    {
        VerbsUnderTest test(Options());
        RocePcapWriter pcap(path);
        test.nic->GetPort(0).SetTap(&pcap);
        test.PostSend({RoceVerb::SEND, 3000, 1});
        test.PostSend({RoceVerb::SEND, 2000, 2, 0, true, 0x11});
        test.PostSend({RoceVerb::SEND, 100, 3, 0, true, 0x12});
        test.PostSend({RoceVerb::SEND, 100, 4});
        test.PostSend({RoceVerb::WRITE, 3000, 5});
        test.PostSend({RoceVerb::WRITE, 2000, 6, 0, true, 0x13});
        test.PostSend({RoceVerb::WRITE, 100, 7, 0, true, 0x14});
        test.PostSend({RoceVerb::WRITE, 100, 8});
        test.PostSend({RoceVerb::READ, 3000, 9});
        test.PostSend({RoceVerb::READ, 100, 10});
        test.Run();
        ASSERT_EQ(test.here.size(), 10U);
    }
    std::vector<std::string> requests;
    std::vector<std::string> answers;
    for (const std::string& line : Read())
    {
        const int opcode = std::stoi(line);
        (opcode > 12 ? answers : requests).push_back(line);
    }
    EXPECT_EQ(requests,
              (std::vector<std::string>{"0,16777214,,,,",
                                        "1,16777215,,,,",
                                        "2,0,,,,",
                                        "0,1,,,,",
                                        "3,2,,,,00000011",
                                        "5,3,,,,00000012",
                                        "4,4,,,,",
                                        "6,5,3000,,,",
                                        "7,6,,,,",
                                        "8,7,,,,",
                                        "6,8,2000,,,",
                                        "9,9,,,,00000013",
                                        "11,10,100,,,00000014",
                                        "10,11,100,,,",
                                        "12,12,3000,,,",
                                        "12,15,100,,,"}));
    EXPECT_EQ(answers,
              (std::vector<std::string>{"17,16777214,,31,0,",
                                        "17,16777215,,31,0,",
                                        "17,0,,31,1,",
                                        "17,1,,31,1,",
                                        "17,2,,31,2,",
                                        "17,3,,31,3,",
                                        "17,4,,31,4,",
                                        "17,5,,31,4,",
                                        "17,6,,31,4,",
                                        "17,7,,31,5,",
                                        "17,8,,31,5,",
                                        "17,9,,31,6,",
                                        "17,10,,31,7,",
                                        "17,11,,31,8,",
                                        "13,12,,31,9,",
                                        "14,13,,,,",
                                        "15,14,,31,9,",
                                        "16,15,,31,10,"}));
}

TEST_F(RoceTshark, NaksOfBothKinds)
{
    {
        VerbsUnderTest test(Options());
        RocePcapWriter pcap(path);
        test.nic->GetPort(0).SetTap(&pcap);
        bool lost = false;
        test.wire->drop = [&lost](FabricPacket& packet, uint32_t) {
            const bool drop = packet.psn == PSN_COUNT - 1 && !lost;
            lost = lost || drop;
            return drop;
        };
        test.ends[1]->PostRecv(test.peerQp, 1);
        test.PostSend({RoceVerb::WRITE, 3072, 1});
        test.PostSend({RoceVerb::SEND, 64, 2});
        test.PostSend({RoceVerb::SEND, 64, 3});
        EngineUnderTest::At(100 * US, [&]() { test.ends[1]->PostRecv(test.peerQp, 2); });
        test.Run();
    }
    EXPECT_EQ(Read(),
              (std::vector<std::string>{"6,16777214,3072,,,",
                                        "7,16777215,,,,", // lost
                                        "8,0,,,,",
                                        "4,1,,,,",
                                        "4,2,,,,",
                                        "17,16777214,,31,0,",
                                        "17,16777215,,96,0,", // NAK: sequence
                                        "7,16777215,,,,",     // again
                                        "8,0,,,,",
                                        "4,1,,,,",
                                        "4,2,,,,",
                                        "17,16777215,,31,0,",
                                        "17,0,,31,1,",
                                        "17,1,,31,2,",
                                        "17,2,,44,2,", // RNR NAK: 0x20 and code 12
                                        "4,2,,,,",
                                        "17,2,,31,3,"}));
}

TEST_F(RoceTshark, DatagramsCnpsAndPfc)
{
    uint32_t from = 0;
    uint32_t to = 0;
    {
        NicOptions options = Options();
        options.congestionControl = "ns3::DcqcnCongestionControl";
        VerbsUnderTest test(options);
        RocePcapWriter pcap(path);
        test.nic->GetPort(0).SetTap(&pcap);
        from = test.ends[0]->CreateUdQp();
        to = test.ends[1]->CreateUdQp();
        test.ends[1]->PostRecv(to, 1);
        test.ends[0]->PostSend(from, {RoceVerb::SEND, 1024, 1}, {1, to});
        test.ends[0]->PostSend(from, {RoceVerb::SEND, 3, 2, 0, true, 0x21}, {1, to});
        test.wire->drop = [](FabricPacket& packet, uint32_t port) {
            if (port == 1 && packet.GetClass() == FrameClass::DATA)
            {
                packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
            }
            return false;
        };
        EngineUnderTest::At(10 * US, [&]() { test.PostSend({RoceVerb::READ, 100, 3}); });
        EngineUnderTest::At(20 * US, [&]() {
            FabricPacket record{};
            PfcFrame pause;
            pause.classVector = 0x48;
            pause.quanta[3] = 0xffff;
            pause.ToRecord(record);
            pcap.Write(record, Simulator::Now());
        });
        test.Run();
    }
    char ends[32];
    std::snprintf(ends, sizeof(ends), "0x%06x,0x%08x", to, from);
    EXPECT_EQ(Read("-e infiniband.bth.destqp -e infiniband.deth.srcqp -e infiniband.deth.q_key "
                   "-e ip.dsfield.dscp -e macc.opcode -e macc.cbfc.enbv -e macc.cbfc.pause_time.c3 "
                   "-e macc.cbfc.pause_time.c6"),
              (std::vector<std::string>{
                  "100,0,,,,," + std::string(ends) + ",0x0000000011111111,26,,,,",
                  "101,1,,,,00000021," + std::string(ends) + ",0x0000000011111111,26,,,,",
                  "12,16777214,100,,,,0x000002,,,26,,,,",
                  "16,16777214,,31,1,,0x000002,,,26,,,,",
                  "129,0,,,,,0x000002,,,48,,,,",
                  ",,,,,,,,,,0x0101,0x0048,65535,0"}));
}

} // namespace
