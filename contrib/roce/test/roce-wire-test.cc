/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-psn.h"
#include "ns3/roce-wire.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** A row of the table of sizes. */
struct SizeRow
{
    RoceOpcode opcode; //!< opcode
    uint32_t payload;  //!< payload, bytes
    uint32_t frame;    //!< frame, bytes
};

} // namespace

TEST(RoceWire, FrameSizes)
{
    const SizeRow rows[] = {
        {RoceOpcode::WRITE_MIDDLE, 1024, 1086},
        {RoceOpcode::WRITE_MIDDLE, 4096, 4158},
        {RoceOpcode::WRITE_LAST, 1000, 1062},
        {RoceOpcode::WRITE_FIRST, 1024, 1102},
        {RoceOpcode::WRITE_ONLY, 1024, 1102},
        {RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE, 1024, 1106},
        {RoceOpcode::SEND_FIRST, 1024, 1086},
        {RoceOpcode::SEND_MIDDLE, 1024, 1086},
        {RoceOpcode::SEND_LAST_WITH_IMMEDIATE, 1024, 1090},
        {RoceOpcode::SEND_ONLY, 0, 64}, // 62 and two bytes up to the minimum
        {RoceOpcode::SEND_ONLY, 1, 66}, // padded to 4
        {RoceOpcode::SEND_ONLY, 4, 66},
        {RoceOpcode::SEND_ONLY, 5, 70},
        {RoceOpcode::READ_REQUEST, 0, 78},
        {RoceOpcode::READ_RESPONSE_FIRST, 1024, 1090},
        {RoceOpcode::READ_RESPONSE_MIDDLE, 1024, 1086},
        {RoceOpcode::ACKNOWLEDGE, 0, 66},
        {RoceOpcode::SELECTIVE_ACKNOWLEDGE, 0, 78},
        {RoceOpcode::CNP, 0, 78},
        {RoceOpcode::UD_SEND_ONLY, 1024, 1094},
        {RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE, 5, 82},
    };
    for (const SizeRow& row : rows)
    {
        EXPECT_EQ(RoceWire::FrameBytes(row.opcode, row.payload), row.frame)
            << "opcode " << static_cast<int>(row.opcode) << " payload " << row.payload;
        EXPECT_EQ(RoceWire::WireBytes(row.opcode, row.payload), row.frame + 20);
    }
}

TEST(RoceWire, AFullPacketIsOneInTheMiddleOfAMessage)
{
    EXPECT_EQ(RoceWire::FullFrameBytes(1024), 1086U);
    EXPECT_EQ(RoceWire::FullFrameBytes(1024, RoceWire::TelemetryBytes(3)), 1086U + 42);
    EXPECT_EQ(RoceWire::FullFrameBytes(1), 66U) << "payload is padded to a multiple of four";
}

TEST(RoceWire, GoodputCeilings)
{
    const std::pair<uint32_t, double> rows[] = {{256, .7574},
                                                {512, .8620},
                                                {1024, .92586},
                                                {2048, .96150},
                                                {4096, .98037}};
    for (const auto& [mtu, ceiling] : rows)
    {
        EXPECT_NEAR(double(mtu) / RoceWire::WireBytes(RoceOpcode::WRITE_MIDDLE, mtu),
                    ceiling,
                    mtu < 1024 ? 5e-5 : 5e-6)
            << "MTU " << mtu;
    }
}

TEST(RoceWire, SourcePortsLieInTheRangeOfNics)
{
    uint32_t distinct = 0;
    uint16_t previous = 0;
    for (uint32_t entropy = 0; entropy < 100000; entropy += 7)
    {
        const uint16_t port = RoceWire::SourcePort(entropy);
        ASSERT_GE(port, 0xc000);
        distinct += port != previous;
        previous = port;
    }
    EXPECT_GT(distinct, 14000);
    EXPECT_NE(RoceWire::SourcePort(1U << 14), RoceWire::SourcePort(0));
    EXPECT_NE(RoceWire::SourcePort(1U << 31), RoceWire::SourcePort(0));
}

TEST(RocePsn, SurvivesTheWireWithinHalfTheNumbers)
{
    constexpr uint64_t half = PSN_COUNT / 2;
    const uint64_t references[] = {half,
                                   PSN_COUNT - 1,
                                   PSN_COUNT,
                                   PSN_COUNT + 1,
                                   3 * uint64_t{PSN_COUNT} - 5,
                                   uint64_t{PSN_COUNT} << 20,
                                   (uint64_t{PSN_COUNT} << 20) + 12345678};
    for (uint64_t reference : references)
    {
        for (uint64_t distance : {uint64_t{0}, uint64_t{1}, uint64_t{70000}, half - 1})
        {
            EXPECT_EQ(ExpandPsn(WirePsn(reference + distance), reference), reference + distance);
            EXPECT_EQ(ExpandPsn(WirePsn(reference - distance), reference), reference - distance);
        }
        EXPECT_EQ(ExpandPsn(WirePsn(reference - half), reference), reference - half);
    }
}

TEST(RocePsn, CrossesTheWrap)
{
    EXPECT_EQ(WirePsn(PSN_COUNT), 0);
    EXPECT_EQ(ExpandPsn(0, PSN_COUNT - 1), PSN_COUNT);
    EXPECT_EQ(ExpandPsn(0xffffff, PSN_COUNT), PSN_COUNT - 1);
    EXPECT_EQ(ExpandPsn(0xffffff, 2 * uint64_t{PSN_COUNT} + 3), 2 * uint64_t{PSN_COUNT} - 1);
}

TEST(RocePsn, IsNeverBelowZero)
{
    EXPECT_EQ(ExpandPsn(0xffffff, 0), 0xffffff);
    EXPECT_EQ(ExpandPsn(0xfffff0, 15), 0xfffff0);
    EXPECT_EQ(ExpandPsn(3, 5), 3);
}
