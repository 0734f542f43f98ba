/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pfc-frame.h"
#include "ns3/roce-address.h"
#include "ns3/roce-crc.h"
#include "ns3/roce-frame.h"
#include "ns3/sack-record.h"
#include "ns3/wire-frame.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr RoceOpcode ALL_OPCODES[] = {RoceOpcode::SEND_FIRST,
                                      RoceOpcode::SEND_MIDDLE,
                                      RoceOpcode::SEND_LAST,
                                      RoceOpcode::SEND_LAST_WITH_IMMEDIATE,
                                      RoceOpcode::SEND_ONLY,
                                      RoceOpcode::SEND_ONLY_WITH_IMMEDIATE,
                                      RoceOpcode::WRITE_FIRST,
                                      RoceOpcode::WRITE_MIDDLE,
                                      RoceOpcode::WRITE_LAST,
                                      RoceOpcode::WRITE_LAST_WITH_IMMEDIATE,
                                      RoceOpcode::WRITE_ONLY,
                                      RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE,
                                      RoceOpcode::READ_REQUEST,
                                      RoceOpcode::READ_RESPONSE_FIRST,
                                      RoceOpcode::READ_RESPONSE_MIDDLE,
                                      RoceOpcode::READ_RESPONSE_LAST,
                                      RoceOpcode::READ_RESPONSE_ONLY,
                                      RoceOpcode::ACKNOWLEDGE,
                                      RoceOpcode::UD_SEND_ONLY,
                                      RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE,
                                      RoceOpcode::CNP,
                                      RoceOpcode::SELECTIVE_ACKNOWLEDGE};

/** \param opcode an opcode \return whether packets with it carry payload */
bool
HasPayload(RoceOpcode opcode)
{
    return opcode != RoceOpcode::READ_REQUEST && opcode != RoceOpcode::ACKNOWLEDGE &&
           opcode != RoceOpcode::CNP && opcode != RoceOpcode::SELECTIVE_ACKNOWLEDGE;
}

/** \param hex digits, blanks ignored \return the bytes */
std::vector<uint8_t>
FromHex(const std::string& hex)
{
    std::string digits;
    for (char c : hex)
    {
        if (c != ' ')
        {
            digits += c;
        }
    }
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    {
        bytes.push_back(std::stoul(digits.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

/** \param opcode opcode \param payloadBytes payload \return a record with every field in use */
FabricPacket
MakeRecord(RoceOpcode opcode, uint32_t payloadBytes)
{
    FabricPacket packet{};
    packet.frameBytes = RoceWire::FrameBytes(opcode, payloadBytes);
    packet.payloadBytes = payloadBytes;
    packet.src = 70000;
    packet.dst = 258;
    packet.flow = 0xc123;
    packet.qp = 0xabcdef;
    packet.psn = 0xfffffe;
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.priority = opcode == RoceOpcode::CNP ? 6 : 3;
    packet.dscp = opcode == RoceOpcode::CNP ? 48 : 26;
    packet.frameClass = static_cast<uint8_t>(RoceWire::IsAck(opcode)     ? FrameClass::ACK
                                             : opcode != RoceOpcode::CNP ? FrameClass::DATA
                                                                         : FrameClass::CONTROL);
    packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
    packet.ackRequest = 1;
    packet.solicited = 1;
    packet.messageBytes = RoceWire::HasReth(opcode) ? 4000000000 : 0;
    packet.aeth = RoceWire::HasAeth(opcode) ? 0x1f123456 : RoceWire::HasDeth(opcode) ? 0x123456 : 0;
    packet.immediate = RoceWire::HasImmediate(opcode) ? 0xdeadbeef : 0;
    packet.ecnEcho = RoceWire::IsAck(opcode);
    if (opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE)
    {
        SackRecord::Set(packet, 0xfedcba, 0x8123456789abcdef);
    }
    return packet;
}

/** \param bytes a frame; its check sequence is made right again after a change */
void
RepairFcs(std::vector<uint8_t>& bytes)
{
    const uint32_t fcs = EthernetFcs(bytes.data(), bytes.size() - 4);
    for (int i = 0; i < 4; i++)
    {
        bytes[bytes.size() - 4 + i] = fcs >> (8 * i);
    }
}

/** \param bytes a frame \return what Parse() says of it */
RoceFrameStatus
GetStatus(const std::vector<uint8_t>& bytes)
{
    RoceFrame ignored;
    return RoceFrame::Parse(bytes.data(), bytes.size(), ignored);
}

} // namespace

TEST(RoceCrc, CheckValueOfCrc32)
{
    const std::string text = "123456789";
    EXPECT_EQ(EthernetFcs(reinterpret_cast<const uint8_t*>(text.data()), 9), 0xcbf43926);
}

TEST(RoceCrc, IcrcOfACapturedCnp)
{
    // A CNP captured on a ConnectX-4 Lx (published in Scapy's tests): IPv4, UDP, BTH, ICRC.
    const std::vector<uint8_t> packet =
        FromHex("45c2 003c 718c 4000 4011 9161 0a00 1101 0a00 1201 0000 12b7 0028 0000 8100 ffff "
                "4000 0118 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 82fd 002a");
    const uint32_t icrc = RoceIcrc(packet.data(), packet.size() - 4);
    EXPECT_EQ(icrc, 0x2a00fd82);
    EXPECT_EQ(Ipv4HeaderChecksum(packet.data()), 0);
}

TEST(RoceCrc, IcrcIgnoresWhatHopsChange)
{
    std::vector<uint8_t> frame =
        RoceFrame::FromRecord(MakeRecord(RoceOpcode::SEND_ONLY, 64)).Serialize();
    const std::size_t size = frame.size() - 14 - 8;
    const uint32_t before = RoceIcrc(frame.data() + 14, size);
    for (std::size_t hop : {15, 22, 24, 25, 40, 41, 46}) // TOS, TTL, checksums, FECN and BECN
    {
        frame[hop] ^= 0x5a;
        EXPECT_EQ(RoceIcrc(frame.data() + 14, size), before) << "byte " << hop;
    }
    frame[51] ^= 1; // PSN
    EXPECT_NE(RoceIcrc(frame.data() + 14, size), before);
}

TEST(RoceFrame, BytesOfAWriteFirst)
{
    FabricPacket packet = MakeRecord(RoceOpcode::WRITE_FIRST, 6);
    packet.messageBytes = 5000;
    const std::vector<uint8_t> bytes = MakeWireFrame(packet);
    const std::vector<uint8_t> expected =
        FromHex("0200 0000 0102 0200 0001 1170 0800"      // Ethernet
                "456b 0044 fffe 4000 4011 0000"           // DSCP 26, CE; checksum: see below
                "0a01 1171 0a00 0103"                     // 10.1.17.113, 10.0.1.3
                "c123 12b7 0030 0000"                     // UDP
                "06e0 ffff 00ab cdef 80ff fffe"           // BTH: SE, M, pad 2, A
                "0000 0000 0000 0000 0000 0000 0000 1388" // RETH
                "0000 0000 0000 0000");                   // payload and padding
    ASSERT_EQ(bytes.size(), expected.size() + 8);
    std::vector<uint8_t> seen(bytes.begin(), bytes.begin() + expected.size());
    EXPECT_EQ(Ipv4HeaderChecksum(seen.data() + 14), 0);
    seen[24] = seen[25] = 0;
    EXPECT_EQ(seen, expected);
}

TEST(RoceFrame, BytesOfADatagramWithImmediate)
{
    const FabricPacket packet = MakeRecord(RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE, 6);
    const std::vector<uint8_t> bytes = MakeWireFrame(packet);
    const std::vector<uint8_t> expected =
        FromHex("0200 0000 0102 0200 0001 1170 0800" // Ethernet
                "456b 0040 fffe 4000 4011 0000"      // DSCP 26, CE; checksum: see below
                "0a01 1171 0a00 0103"                // 10.1.17.113, 10.0.1.3
                "c123 12b7 002c 0000"                // UDP
                "65e0 ffff 00ab cdef 80ff fffe"      // BTH: SE, M, pad 2, A
                "1111 1111 0012 3456"                // DETH: Q_Key, reserved, source queue pair
                "dead beef"                          // immediate data
                "0000 0000 0000 0000");              // payload and padding
    ASSERT_EQ(bytes.size(), expected.size() + 8);
    std::vector<uint8_t> seen(bytes.begin(), bytes.begin() + expected.size());
    seen[24] = seen[25] = 0;
    EXPECT_EQ(seen, expected);
}

TEST(RoceFrame, BytesOfACnpMatchHardware)
{
    FabricPacket packet = MakeRecord(RoceOpcode::CNP, 0);
    packet.qp = 0x118;
    packet.psn = 0;
    packet.ackRequest = 0;
    packet.solicited = 0;
    packet.ecn = static_cast<uint8_t>(EcnCodepoint::ECT0);
    const std::vector<uint8_t> bytes = MakeWireFrame(packet);
    ASSERT_EQ(bytes.size(), 78);
    const std::vector<uint8_t> type(bytes.begin() + 14, bytes.begin() + 18);
    EXPECT_EQ(type, FromHex("45c2 003c"));
    const std::vector<uint8_t> transport(bytes.begin() + 42, bytes.begin() + 70);
    EXPECT_EQ(transport,
              FromHex("8100 ffff 4000 0118 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000"));
}

TEST(RoceFrame, RecordsSurviveTheWire)
{
    for (RoceOpcode opcode : ALL_OPCODES)
    {
        for (uint32_t payload : {0, 1, 2, 3, 4, 1023, 1024, 4096, 9000})
        {
            if (payload > 0 && !HasPayload(opcode))
            {
                continue;
            }
            SCOPED_TRACE(std::to_string(static_cast<int>(opcode)) + " payload " +
                         std::to_string(payload));
            const FabricPacket packet = MakeRecord(opcode, payload);
            const std::vector<uint8_t> bytes = MakeWireFrame(packet);
            ASSERT_EQ(bytes.size(), packet.frameBytes);
            FabricPacket read{};
            ASSERT_TRUE(ReadWireFrame(bytes.data(), bytes.size(), read));
            EXPECT_EQ(std::memcmp(&read, &packet, sizeof(packet)), 0);
            EXPECT_EQ(MakeWireFrame(read), bytes);
        }
    }
}

TEST(RoceFrame, LongMessagesSaturateTheirLength)
{
    FabricPacket packet = MakeRecord(RoceOpcode::WRITE_FIRST, 1024);
    packet.messageBytes = 1ULL << 40;
    EXPECT_EQ(RoceFrame::FromRecord(packet).dmaLength, 0xffffffff);
}

TEST(RoceFrame, DamageIsFound)
{
    const std::vector<uint8_t> good = MakeWireFrame(MakeRecord(RoceOpcode::WRITE_FIRST, 100));
    EXPECT_EQ(GetStatus(good), RoceFrameStatus::OK);
    for (std::size_t i = 0; i < good.size(); i++)
    {
        std::vector<uint8_t> bad = good;
        bad[i] ^= 0x10;
        EXPECT_EQ(GetStatus(bad), RoceFrameStatus::BAD_FCS) << "byte " << i;
    }
    const std::pair<std::size_t, RoceFrameStatus> rows[] = {
        {12, RoceFrameStatus::NOT_ROCE},     // Ethernet type
        {14, RoceFrameStatus::NOT_ROCE},     // IPv4 header length
        {22, RoceFrameStatus::BAD_CHECKSUM}, // time to live
        {23, RoceFrameStatus::NOT_ROCE},     // protocol
        {36, RoceFrameStatus::NOT_ROCE},     // UDP port
        {42, RoceFrameStatus::BAD_ICRC},     // opcode (0x16 is none)
        {49, RoceFrameStatus::BAD_ICRC},     // queue pair
        {90, RoceFrameStatus::BAD_ICRC},     // payload
    };
    for (const auto& [offset, status] : rows)
    {
        std::vector<uint8_t> bad = good;
        bad[offset] ^= offset == 42 ? 0x02 : 0x10;
        RepairFcs(bad);
        EXPECT_EQ(GetStatus(bad), status) << "byte " << offset;
    }
    std::vector<uint8_t> unknown = good;
    unknown[42] = 0x24; // unreliable connection
    RepairFcs(unknown);
    EXPECT_EQ(GetStatus(unknown), RoceFrameStatus::NOT_ROCE);
}

TEST(RoceFrame, ShortFramesAreTruncated)
{
    const std::vector<uint8_t> good = MakeWireFrame(MakeRecord(RoceOpcode::WRITE_FIRST, 100));
    for (std::size_t size = 0; size < good.size(); size++)
    {
        std::vector<uint8_t> bad(good.begin(), good.begin() + size);
        if (size >= 64)
        {
            RepairFcs(bad);
        }
        EXPECT_EQ(GetStatus(bad), RoceFrameStatus::TRUNCATED) << "size " << size;
    }
    // An IPv4 length that leaves no room for the headers.
    std::vector<uint8_t> bad = good;
    bad[16] = 0;
    bad[17] = 40;
    bad[24] = bad[25] = 0;
    const uint16_t checksum = Ipv4HeaderChecksum(bad.data() + 14);
    bad[24] = checksum >> 8;
    bad[25] = checksum;
    RepairFcs(bad);
    EXPECT_EQ(GetStatus(bad), RoceFrameStatus::TRUNCATED);
}

TEST(RoceFrame, ForeignAddressesAreNoRanks)
{
    RoceFrame frame = RoceFrame::FromRecord(MakeRecord(RoceOpcode::SEND_ONLY, 8));
    frame.srcIp = 0xc0a80001;
    const std::vector<uint8_t> bytes = frame.Serialize();
    EXPECT_EQ(GetStatus(bytes), RoceFrameStatus::OK);
    FabricPacket packet{};
    EXPECT_FALSE(ReadWireFrame(bytes.data(), bytes.size(), packet));
    EXPECT_EQ(packet.frameBytes, 0);
}

TEST(RoceFrame, RanksHaveAddresses)
{
    for (uint32_t rank : {0U, 1U, 254U, 255U, 65535U, RoceAddress::MAX_RANK})
    {
        const uint32_t ip = RoceAddress::Ipv4OfRank(rank);
        EXPECT_EQ(ip >> 24, 10);
        EXPECT_TRUE(RoceAddress::IsRank(ip));
        EXPECT_EQ(RoceAddress::RankOfIpv4(ip), rank);
    }
    EXPECT_FALSE(RoceAddress::IsRank(0x0a000000));
    EXPECT_FALSE(RoceAddress::IsRank(0x0affffff));
    EXPECT_FALSE(RoceAddress::IsRank(0xc0a80001));
}

TEST(RoceFrame, AsNs3PacketWithoutCheckSequence)
{
    const FabricPacket record = MakeRecord(RoceOpcode::SEND_ONLY, 100);
    const std::vector<uint8_t> bytes = MakeWireFrame(record);
    Ptr<Packet> packet = MakePacket(record);
    std::vector<uint8_t> copy(packet->GetSize());
    packet->CopyData(copy.data(), copy.size());
    EXPECT_EQ(copy, std::vector<uint8_t>(bytes.begin(), bytes.end() - 4));
}

TEST(RoceFrame, ForeignFramesKeepTheirBytes)
{
    const std::vector<uint8_t> data = FromHex("ffffffffffff 020000000001 0806 0001");
    Ptr<Packet> foreign = Create<Packet>(data.data(), data.size());
    FabricPacket record{};
    record.foreign = PeekPointer(foreign);
    const std::vector<uint8_t> bytes = MakeWireFrame(record);
    ASSERT_EQ(bytes.size(), 64);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.begin() + data.size()), data);
    EXPECT_EQ(GetStatus(bytes), RoceFrameStatus::NOT_ROCE);
}

TEST(RoceFrame, ForeignIpv4FramesShowTheirMark)
{
    // The header of RFC 1071's kind: its words and the checksum add up to 0xffff.
    const auto sum = [](const std::vector<uint8_t>& bytes) {
        uint32_t words = 0;
        for (uint32_t i = 14; i < 34; i += 2)
        {
            words += bytes[i] << 8 | bytes[i + 1];
        }
        return (words & 0xffff) + (words >> 16);
    };
    const std::string macs = "020000000000 020000000001 ";
    for (const std::string tos : {"02", "01", "b9"})
    {
        std::vector<uint8_t> data =
            FromHex(macs + "0800 45" + tos + "0014 0000 0000 4011 0000 0a000001 0a000002");
        const uint32_t checksum = 0xffff - sum(data);
        data[24] = static_cast<uint8_t>(checksum >> 8);
        data[25] = static_cast<uint8_t>(checksum);
        FabricPacket record{};
        const Ptr<Packet> foreign = Create<Packet>(data.data(), data.size());
        record.foreign = PeekPointer(foreign);
        record.ecn = data[15] & 3;
        EXPECT_EQ(MakeWireFrame(record)[15], data[15]);
        record.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
        const std::vector<uint8_t> marked = MakeWireFrame(record);
        EXPECT_EQ(marked[15], data[15] | 3);
        EXPECT_EQ(sum(marked), 0xffffU) << tos;
    }
    std::vector<uint8_t> unchecked =
        FromHex(macs + "0800 45020014 0000 0000 4011 0000 0a000001 0a000002");
    const Ptr<Packet> foreign = Create<Packet>(unchecked.data(), unchecked.size());
    FabricPacket record{};
    record.foreign = PeekPointer(foreign);
    record.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
    EXPECT_EQ(MakeWireFrame(record)[24], 0) << "no checksum is made where there was none";
}

TEST(RocePfcFrame, Bytes)
{
    PfcFrame frame;
    frame.device = 0x01020304;
    frame.classVector = 0x88;
    frame.quanta = {1, 2, 3, 0xffff, 5, 6, 7, 0};
    std::vector<uint8_t> expected = FromHex("0180c2000001 020101020304 8808 0101 0088"
                                            "0001 0002 0003 ffff 0005 0006 0007 0000");
    expected.resize(64);
    RepairFcs(expected);
    EXPECT_EQ(frame.Serialize(), expected);
}

TEST(RocePfcFrame, SurvivesRecordAndWire)
{
    PfcFrame frame;
    frame.device = 77;
    frame.classVector = 0x81;
    frame.quanta = {0xffff, 0, 0x8000, 1, 0x1234, 0, 7, 0xfffe};
    FabricPacket packet{};
    frame.ToRecord(packet);
    EXPECT_TRUE(PfcFrame::IsRecord(packet));
    EXPECT_EQ(packet.frameBytes, 64);
    const std::vector<uint8_t> bytes = MakeWireFrame(packet);
    EXPECT_EQ(bytes, frame.Serialize());
    FabricPacket read{};
    ASSERT_TRUE(ReadWireFrame(bytes.data(), bytes.size(), read));
    EXPECT_EQ(std::memcmp(&read, &packet, sizeof(packet)), 0);
    for (std::size_t i = 0; i < bytes.size(); i++)
    {
        std::vector<uint8_t> bad = bytes;
        bad[i] ^= 4;
        EXPECT_FALSE(PfcFrame::Parse(bad.data(), bad.size(), frame)) << "byte " << i;
    }
}
