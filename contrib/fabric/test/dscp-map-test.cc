/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/dscp-map.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param text the attribute \return the map */
DscpMap
Read(const std::string& text)
{
    return {text, "ns3::RoceSwitchDevice::DscpMap", "leaf0"};
}

TEST(FabricDscpMap, DefaultIsTheUpperThreeBits)
{
    const DscpMap map;
    for (uint32_t dscp = 0; dscp < DscpMap::CODE_POINTS; dscp++)
    {
        EXPECT_EQ(map.GetClass(dscp), dscp / 8);
    }
    EXPECT_EQ(map.GetClass(26), 3U) << "RoCE data";
    EXPECT_EQ(map.GetClass(48), 6U) << "CNP";
    const std::array<int, 8> expected{0, 8, 16, 26, 32, 40, 48, 56};
    for (uint32_t priority = 0; priority < DscpMap::CLASSES; priority++)
    {
        EXPECT_EQ(map.GetDscp(priority), expected[priority]);
    }
}

TEST(FabricDscpMap, TextChangesWhatItNames)
{
    const DscpMap map = Read("26:5,0-7:1,46:7");
    EXPECT_EQ(map.GetClass(26), 5U);
    EXPECT_EQ(map.GetClass(25), 3U);
    EXPECT_EQ(map.GetClass(0), 1U);
    EXPECT_EQ(map.GetClass(7), 1U);
    EXPECT_EQ(map.GetClass(46), 7U);
    EXPECT_EQ(map.GetDscp(0), DscpMap::NONE);
    EXPECT_EQ(map.GetDscp(1), 8) << "its class selector stays";
    EXPECT_EQ(map.GetDscp(3), 24) << "26 is another's";
    EXPECT_EQ(map.GetDscp(5), 40);
}

TEST(FabricDscpMap, TheFirstCodePointServesWhereTheUsualOneDoesNot)
{
    const DscpMap map = Read("0-32:0,33-34:4,35-63:0");
    EXPECT_EQ(map.GetDscp(4), 33);
    EXPECT_EQ(map.GetDscp(3), DscpMap::NONE);
    EXPECT_EQ(map.GetDscp(0), 0);
}

TEST(FabricDscpMap, BadTextIsOneLine)
{
    for (const std::string text :
         {"64:1", "1:8", "1", "1:", ":1", "5-1:2", "1:1,1:2", "a:1", "1:1,"})
    {
        try
        {
            Read(text);
            FAIL() << "accepted: " << text;
        }
        catch (const ConfigError& error)
        {
            const std::string line = error.what();
            EXPECT_NE(line.find("ns3::RoceSwitchDevice::DscpMap"), std::string::npos) << line;
            EXPECT_NE(line.find("leaf0"), std::string::npos) << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        }
    }
}

} // namespace
