/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/hardware-table.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;

TEST(FabricHardwareTable, ShippedValuesAreThoseOfTheirSources)
{
    const HardwareTable table = HardwareTable::Load();
    EXPECT_EQ(table.GetDataRate("nvlink", "4", "linkRate").GetBitRate(), 200'000'000'000U);
    EXPECT_EQ(table.GetDataRate("nvlink", "5", "linkRate").GetBitRate(), 400'000'000'000U);
    EXPECT_EQ(table.GetUint("gpu", "V100", "nvlinks"), 6U);
    EXPECT_EQ(table.GetText("gpu", "H200", "nvlink"), "4");
    EXPECT_FALSE(table.GetBool("nvlink", "3", "nvls"));
    EXPECT_TRUE(table.GetBool("nvlink", "4", "nvls"));
    EXPECT_EQ(table.GetTime("nvlink", "4", "delay"), NanoSeconds(25));
    EXPECT_NEAR(table.GetDouble("nvlink", "3", "copyEfficiency"), 274.0 / 300, 5e-4);
    EXPECT_NEAR(table.GetDouble("nvlink", "4", "copyEfficiency"), 396.0 / 450, 5e-4);
    EXPECT_NEAR(table.GetDouble("nvlink", "5", "copyEfficiency"), 747.0 / 900, 5e-4);
    EXPECT_NEAR(table.GetDouble("pcie", "5", "copyEfficiency"), 55.4 / 63, 5e-4);
    for (const auto& [generation, gigatransfers] :
         {std::pair("3", 8.0), std::pair("4", 16.0), std::pair("5", 32.0)})
    {
        const double rate = gigatransfers * 1e9 * 16 * 128 / 130;
        EXPECT_NEAR(table.GetDataRate("pcie", generation, "x16Rate").GetBitRate(), rate, 1.0);
    }
}

TEST(FabricHardwareTable, EveryGpuNamesLinksThatAreThere)
{
    const HardwareTable table = HardwareTable::Load();
    EXPECT_GE(table.GetNames("gpu").size(), 10U);
    for (const std::string& gpu : table.GetNames("gpu"))
    {
        EXPECT_TRUE(table.Has("pcie", table.GetText("gpu", gpu, "pcie"))) << gpu;
        EXPECT_EQ(table.Has("gpu", gpu, "nvlink"), table.Has("gpu", gpu, "nvlinks")) << gpu;
        if (table.Has("gpu", gpu, "nvlink"))
        {
            EXPECT_GT(table.GetUint("gpu", gpu, "nvlinks"), 0U) << gpu;
            EXPECT_TRUE(table.Has("nvlink", table.GetText("gpu", gpu, "nvlink"))) << gpu;
        }
    }
    for (const char* section : {"nvlink", "pcie"})
    {
        for (const std::string& name : table.GetNames(section))
        {
            for (const char* key : {"copyEfficiency", "smEfficiency"})
            {
                if (table.Has(section, name, key))
                {
                    EXPECT_GT(table.GetDouble(section, name, key), 0.5) << section << " " << name;
                    EXPECT_LT(table.GetDouble(section, name, key), 1.0) << section << " " << name;
                    EXPECT_FALSE(table.GetSource(section, name, key).empty());
                }
            }
        }
    }
}

TEST(FabricHardwareTable, SaysWhatIsMissingOrWrong)
{
    const std::string path = testing::TempDir() + "hardware.json";
    const std::pair<const char*, const char*> cases[] = {
        {"{\"gpu\": {\"X\": {\"sm\": 90}}}", "a JSON object"},
        {"{\"gpu\": {\"X\": {\"sm\": {\"value\": 90}}}}", "source"},
        {"{\"gpu\": {\"X\": {\"sm\": {\"value\": 90, \"source\": \"a\", \"unit\": \"b\"}}}}",
         "one of the keys value, source"},
        {"{\"gpu\": 1}", "a JSON object"},
    };
    for (const auto& [text, expected] : cases)
    {
        std::ofstream(path) << text;
        try
        {
            HardwareTable table(path);
            FAIL() << "accepted " << text;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
    std::ofstream(path) << "{\"gpu\": {\"X\": {\"sm\": {\"value\": \"a\", \"source\": \"b\"}}}}";
    const HardwareTable table(path);
    EXPECT_FALSE(table.Has("gpu", "Y"));
    EXPECT_FALSE(table.Has("nic", "X"));
    EXPECT_THROW(table.GetUint("gpu", "X", "sm"), ConfigError);
    try
    {
        table.GetText("gpu", "X", "nvlink");
        FAIL() << "found what is not there";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("gpu.X.nvlink"), std::string::npos)
            << error.what();
    }
}
