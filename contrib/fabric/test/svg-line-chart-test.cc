/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/svg-line-chart.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/**
 * \param document a document
 * \return what keeps it from being well-formed XML, empty if nothing: elements nest and end, names
 * and attributes are written as they must, references are known
 */
std::string
FindXmlFault(const std::string& document)
{
    std::vector<std::string> open;
    std::size_t at = document.rfind("<?xml ", 0) == 0 ? document.find("?>") + 2 : 0;
    while ((at = document.find_first_of("<&>", at)) != std::string::npos)
    {
        const std::string rest = document.substr(at, document.find('>', at) - at + 1);
        if (rest[0] == '&')
        {
            const std::string name = document.substr(at, document.find(';', at) - at + 1);
            if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;")
            {
                return "reference " + name;
            }
            at++;
            continue;
        }
        if (rest[0] == '>' || rest.back() != '>' || rest.find('<', 1) != std::string::npos)
        {
            return "a bare " + rest;
        }
        if (rest[1] == '/')
        {
            const std::string name = rest.substr(2, rest.size() - 3);
            if (open.empty() || open.back() != name)
            {
                return "end of " + name;
            }
            open.pop_back();
        }
        else
        {
            if (std::count(rest.begin(), rest.end(), '"') % 2 != 0)
            {
                return "quotes of " + rest;
            }
            if (rest[rest.size() - 2] != '/')
            {
                open.push_back(rest.substr(1, rest.find_first_of(" >") - 1));
            }
        }
        at += rest.size();
    }
    return open.empty() ? "" : "no end of " + open.back();
}

/** \param document a document \param kind class of an element \return the texts of that class */
std::vector<std::string>
GetTexts(const std::string& document, const std::string& kind)
{
    std::vector<std::string> texts;
    const std::string mark = " class=\"" + kind + "\">";
    for (std::size_t at = document.find(mark); at != std::string::npos;
         at = document.find(mark, at + 1))
    {
        const std::size_t begin = at + mark.size();
        texts.push_back(document.substr(begin, document.find('<', begin) - begin));
    }
    return texts;
}

using Texts = std::vector<std::string>; //!< short

} // namespace

TEST(FabricSvgLineChart, HasTicksLegendAndLines)
{
    SvgLineChart chart("AllReduce", "size", "busbw");
    chart.AddLine("Ring", {{1024, 0}, {4096, 30}, {16384, 93}});
    chart.AddLine("Tree", {{1024, 10}, {16384, 40}});
    const std::string text = chart.Format();
    EXPECT_EQ(FindXmlFault(text), "");
    EXPECT_EQ(GetTexts(text, "x-tick"), (Texts{"1K", "2K", "4K", "8K", "16K"}));
    EXPECT_EQ(GetTexts(text, "y-tick"),
              (Texts{"0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"}));
    EXPECT_EQ(GetTexts(text, "legend"), (Texts{"Ring", "Tree"}));
    // The plot is 580 pixels wide from 80, and 370 high up from 420.
    EXPECT_NE(text.find("points=\"80.0,420.0 370.0,309.0 660.0,75.9\""), std::string::npos) << text;
    EXPECT_NE(text.find("<title>Tree, 16K: 40.00</title>"), std::string::npos);
    EXPECT_EQ(text, chart.Format());
}

TEST(FabricSvgLineChart, TextIsEscaped)
{
    SvgLineChart chart("a < b & \"c\"", "x > 1", "y\n\x01");
    chart.AddLine("<Ring>", {{8, 1}});
    const std::string text = chart.Format();
    EXPECT_EQ(FindXmlFault(text), "");
    EXPECT_EQ(GetTexts(text, "legend"), Texts{"&lt;Ring&gt;"});
    EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(FabricSvgLineChart, ManySizesHaveFewTicksAndManyLinesDifferentStyles)
{
    SvgLineChart chart("t", "x", "y");
    std::vector<SvgLineChart::Point> points;
    for (uint32_t power = 0; power < 41; power++)
    {
        points.emplace_back(uint64_t(1) << power, power);
    }
    for (int i = 0; i < 30; i++)
    {
        chart.AddLine("line " + std::to_string(i), points);
    }
    const std::string text = chart.Format();
    EXPECT_EQ(FindXmlFault(text), "");
    EXPECT_EQ(GetTexts(text, "x-tick"),
              (Texts{"1", "16", "256", "4K", "64K", "1M", "16M", "256M", "4G", "64G", "1T"}));
    EXPECT_NE(text.find("stroke-dasharray=\"7 4\""), std::string::npos);
    EXPECT_NE(text.find("height=\"670\""), std::string::npos); // room for the legend
}

TEST(FabricSvgLineChart, NothingOneSizeAndZeroesAreDrawn)
{
    const std::vector<std::vector<SvgLineChart::Point>> lines{
        {},
        {{0, 0}},
        {{1, 0}},
        {{8, 5}},
        {{100, 1e-9}, {101, 1e9}},
        {{1000000, 0}, {1000001, 0}},
    };
    for (const auto& points : lines)
    {
        SvgLineChart chart("t", "x", "y");
        chart.AddLine("line", points);
        const std::string text = chart.Format();
        EXPECT_EQ(FindXmlFault(text), "");
        EXPECT_EQ(text.find("nan"), std::string::npos) << text;
        EXPECT_EQ(text.find("inf"), std::string::npos) << text;
        EXPECT_GE(GetTexts(text, "x-tick").size(), 2U);
        EXPECT_GE(GetTexts(text, "y-tick").size(), 2U);
    }
    EXPECT_EQ(FindXmlFault(SvgLineChart("t", "x", "y").Format()), "");
    SvgLineChart chart("t", "x", "y");
    EXPECT_THROW(chart.AddLine("line", {{8, std::numeric_limits<double>::quiet_NaN()}}),
                 std::logic_error);
}

TEST(FabricSvgLineChart, SizesHaveUnitsOf1024)
{
    const std::vector<std::pair<uint64_t, std::string>> cases{
        {1, "1"},
        {1000, "1000"},
        {1023, "1023"},
        {1024, "1K"},
        {1536, "1.5K"},
        {1000000, "1000000"},
        {uint64_t(3) << 30, "3G"},
        {uint64_t(1) << 50, "1024T"},
    };
    for (const auto& [bytes, text] : cases)
    {
        EXPECT_EQ(SvgLineChart::FormatSize(bytes), text);
    }
}

TEST(FabricSvgLineChart, StepsAreRoundAndCoverTheValues)
{
    const std::vector<std::pair<double, double>> cases{{1, 0.1},
                                                       {1.1, 0.2},
                                                       {4.9, 0.5},
                                                       {5.1, 1},
                                                       {100, 10},
                                                       {101, 20},
                                                       {0.03, 0.005},
                                                       {0, 0.25}};
    for (const auto& [max, step] : cases)
    {
        EXPECT_NEAR(SvgLineChart::GetStep(max), step, step * 1e-9) << max;
    }
}

} // namespace ns3
