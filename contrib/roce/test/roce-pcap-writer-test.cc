/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tshark.h"

#include "ns3/config-error.h"
#include "ns3/pcap-file.h"
#include "ns3/pfc-frame.h"
#include "ns3/roce-pcap-writer.h"
#include "ns3/roce-wire.h"
#include "ns3/sack-record.h"
#include "ns3/wire-frame.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * \param opcode opcode
 * \param psn sequence number
 * \param payloadBytes payload
 * \return a record from rank 0 to rank 1
 */
FabricPacket
MakeRecord(RoceOpcode opcode, uint32_t psn, uint32_t payloadBytes = 0)
{
    FabricPacket packet{};
    packet.dst = 1;
    packet.flow = RoceWire::SourcePort(5);
    packet.qp = 0x123;
    packet.psn = psn;
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.priority = 3;
    packet.dscp = 26;
    packet.ecn = static_cast<uint8_t>(EcnCodepoint::ECT0);
    packet.payloadBytes = payloadBytes;
    packet.frameBytes = RoceWire::FrameBytes(opcode, payloadBytes);
    packet.messageBytes = 10000;
    packet.aeth = 0x1f000007;
    return packet;
}

/** \return the frames of the test file: all kinds, the PSN wraps */
std::vector<FabricPacket>
MakeFrames()
{
    FabricPacket pfc{};
    PfcFrame pause;
    pause.device = 9;
    pause.classVector = 1 << 3;
    pause.quanta[3] = 0xffff;
    pause.ToRecord(pfc);
    FabricPacket sack = MakeRecord(RoceOpcode::SELECTIVE_ACKNOWLEDGE, 3);
    SackRecord::Set(sack, 7, 0xb);
    return {MakeRecord(RoceOpcode::WRITE_FIRST, 0xfffffe, 4096),
            MakeRecord(RoceOpcode::WRITE_MIDDLE, 0xffffff, 4096),
            MakeRecord(RoceOpcode::WRITE_LAST, 0, 1807),
            MakeRecord(RoceOpcode::SEND_ONLY, 1, 5),
            MakeRecord(RoceOpcode::SEND_ONLY, 2, 0),
            MakeRecord(RoceOpcode::WRITE_ONLY, 3, 1024),
            MakeRecord(RoceOpcode::ACKNOWLEDGE, 3),
            MakeRecord(RoceOpcode::CNP, 0),
            sack,
            pfc};
}

/** \param path where to write MakeFrames(), 1000.5 ns apart \param options how */
void
WriteFrames(const std::string& path, const RocePcapOptions& options = {})
{
    RocePcapWriter writer(path, options);
    int64_t index = 0;
    for (const FabricPacket& packet : MakeFrames())
    {
        writer.Write(packet, Seconds(2) + NanoSeconds(1001 * index));
        index++;
    }
}

} // namespace

TEST(RocePcapWriter, FileHoldsTheFramesWithNanoseconds)
{
    const std::string path = testing::TempDir() + "roce-pcap-writer-test.pcap";
    WriteFrames(path);
    PcapFile file;
    file.Open(path, std::ios::in | std::ios::binary);
    ASSERT_FALSE(file.Fail());
    EXPECT_EQ(file.GetMagic(), 0xa1b23c4d);
    EXPECT_EQ(file.GetDataLinkType(), 1);
    uint32_t index = 0;
    for (const FabricPacket& packet : MakeFrames())
    {
        uint8_t bytes[65535];
        uint32_t seconds = 0;
        uint32_t nanoseconds = 0;
        uint32_t captured = 0;
        uint32_t original = 0;
        uint32_t read = 0;
        file.Read(bytes, sizeof(bytes), seconds, nanoseconds, captured, original, read);
        ASSERT_FALSE(file.Fail());
        EXPECT_EQ(seconds, 2);
        EXPECT_EQ(nanoseconds, 1001 * index);
        EXPECT_EQ(original, packet.frameBytes - 4);
        const std::vector<uint8_t> expected = MakeWireFrame(packet);
        EXPECT_EQ(std::vector<uint8_t>(bytes, bytes + read),
                  std::vector<uint8_t>(expected.begin(), expected.end() - 4));
        index++;
    }
}

TEST(RocePcapWriter, KeepsWhatItIsAskedTo)
{
    const std::string path = testing::TempDir() + "roce-pcap-writer-test-options.pcap";
    RocePcapOptions options;
    options.snapBytes = 100;
    options.withFcs = true;
    options.received = false;
    {
        RocePcapWriter writer(path, options);
        writer.FrameSent(MakeRecord(RoceOpcode::WRITE_FIRST, 7, 4096), 0);
        writer.FrameReceived(MakeRecord(RoceOpcode::WRITE_FIRST, 8, 4096), 0);
    }
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    EXPECT_EQ(file.tellg(), 24 + 16 + 100);
}

TEST(RocePcapWriter, SaysWhereItCannotWrite)
{
    try
    {
        RocePcapWriter writer("no-such-folder/x.pcap");
        FAIL() << "no error";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("no-such-folder/x.pcap"), std::string::npos);
    }
}

TEST(RocePcapWriter, WiresharkReadsRoce)
{
    if (!Tshark::IsThere())
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    const std::string path = testing::TempDir() + "roce-pcap-writer-test-tshark.pcap";
    WriteFrames(path);
    const Tshark tshark(path);
    EXPECT_EQ(tshark.Run("-Y infiniband -T fields -e infiniband.bth.opcode -e infiniband.bth.psn "
                         "-e infiniband.bth.padcnt -e ip.checksum.status -e frame.len "
                         "-e infiniband.reth.dmalen -e infiniband.aeth.msn -E separator=,"),
              (std::vector<std::string>{"6,16777214,0,1,4170,10000,",
                                        "7,16777215,0,1,4154,,",
                                        "8,0,1,1,1866,,",
                                        "4,1,3,1,66,,",
                                        "4,2,0,1,60,,",
                                        "10,3,0,1,1098,10000,",
                                        "17,3,0,1,62,,7",
                                        "129,0,0,1,74,,",
                                        "209,3,0,1,74,,"}));
    EXPECT_EQ(tshark.GetComplaints(), std::vector<std::string>{});
    EXPECT_EQ(tshark.Run("-Y macc -T fields -e macc.opcode -e macc.cbfc.pause_time.c3 "
                         "-E separator=,"),
              std::vector<std::string>{"0x0101,65535"});
}
