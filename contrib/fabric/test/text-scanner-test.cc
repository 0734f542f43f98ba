/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/text-scanner.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param text a word \return it as line 7 of a file "f" */
TextValue
Word(std::string_view text)
{
    return TextValue("f", uint64_t{7}, text);
}

/** \param action what must throw a ConfigError \return its message, empty if it does not throw */
std::string
ErrorOf(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/** \param bytes content of a new file \return its path */
std::string
WriteFile(const std::string& bytes)
{
    const std::string path = testing::TempDir() + "railyard-text-scanner-test.txt";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

} // namespace

TEST(FabricTextScanner, ReadsDataRates)
{
    const struct
    {
        const char* text;
        uint64_t bitsPerSecond;
    } cases[] = {
        {"400Gbps", 400'000'000'000},
        {"2.5Gb/s", 2'500'000'000},
        {"50Mb/s", 50'000'000},
        {"25000000000.0", 25'000'000'000},
        {"25000000000", 25'000'000'000},
        {"2.5e10", 25'000'000'000},
        {"7bps", 7},
        {"8b/s", 8},
        {"3kbps", 3000},
        {"3Kb/s", 3000},
        {"1Kib/s", 1024},
        {"1Gib/s", 1'073'741'824},
        {"0.1Gbps", 100'000'000},
    };

    for (const auto& c : cases)
    {
        EXPECT_EQ(Word(c.text).GetDataRate("rate").GetBitRate(), c.bitsPerSecond) << c.text;
    }
}

TEST(FabricTextScanner, H11RefusesBadDataRates)
{
    for (const char* text : {"",       "400GBps", "400 Gbps", "Gbps",    "400Gbp",   "400gbps",
                             "0Gbps",  "0",       "-1Gbps",   "nan",     "inf",      "400",
                             "1e400",  "1e20",    "400Gbps,", "400GB/s", "0x10Gbps", "+5Gbps",
                             "0.1bps", "4,5Gbps", "1e30Gbps", "400Gbpsx"})
    {
        const std::string error = ErrorOf([&] { Word(text).GetDataRate("link rate"); });
        EXPECT_NE(error.find("f: line 7: read '" + std::string(text) + "', expected link rate"),
                  std::string::npos)
            << text << " gave: " << error;
    }
}

TEST(FabricTextScanner, ReadsTimes)
{
    const struct
    {
        const char* text;
        Time time;
    } cases[] = {
        {"0.001ms", MicroSeconds(1)},
        {"1000ns", MicroSeconds(1)},
        {"0.0005ms", NanoSeconds(500)},
        {"0.000025ms", NanoSeconds(25)},
        {"2us", MicroSeconds(2)},
        {"1.5s", MilliSeconds(1500)},
        {"0", NanoSeconds(0)},
        {"0ns", NanoSeconds(0)},
        {"2min", Seconds(120)},
    };

    for (const auto& c : cases)
    {
        EXPECT_EQ(Word(c.text).GetTime("delay"), c.time) << c.text;
    }
}

TEST(FabricTextScanner, RefusesBadTimes)
{
    for (const char* text : {"",
                             "1",
                             "1 ms",
                             "-1ns",
                             "-0ns",
                             "ms",
                             "nanns",
                             "infs",
                             "1e30s",
                             "1nss",
                             "1NS",
                             "1000y",
                             "1.2.3ns",
                             "0x1ns",
                             "1ns;"})
    {
        const std::string error = ErrorOf([&] { Word(text).GetTime("delay"); });
        EXPECT_NE(error.find("line 7: read '" + std::string(text) + "', expected delay"),
                  std::string::npos)
            << text << " gave: " << error;
    }
}

TEST(FabricTextScanner, ReadsNumbersWithinTheirRange)
{
    EXPECT_EQ(Word("0").GetUint("count"), 0U);
    EXPECT_EQ(Word("18446744073709551615").GetUint("count"), UINT64_MAX);
    EXPECT_EQ(Word("-1").GetInt("dep"), -1);
    EXPECT_EQ(Word("-9223372036854775808").GetInt("dep"), INT64_MIN);
    EXPECT_DOUBLE_EQ(Word("0.000000").GetDouble("loss", 0.0, 1.0), 0.0);
    EXPECT_DOUBLE_EQ(Word("1e-3").GetDouble("loss", 0.0, 1.0), 0.001);
    EXPECT_TRUE(Word("on").GetBool("switch"));
    EXPECT_FALSE(Word("0").GetBool("switch"));
}

TEST(FabricTextScanner, RefusesBadNumbers)
{
    for (const char* text : {"",
                             "-1",
                             "+1",
                             "1.0",
                             "1e3",
                             "0x10",
                             "18446744073709551616",
                             "12a",
                             "nan",
                             " 1",
                             "4294967296"})
    {
        EXPECT_NE(ErrorOf([&] { Word(text).GetUint("count", 1, 4294967295); }), "") << text;
    }
    EXPECT_EQ(ErrorOf([] { Word("9").GetUint("node", 0, 8); }),
              "f: line 7: read '9', expected node (integer from 0 to 8)");
    for (const char* text : {"", "nan", "inf", "-inf", "1e999", "1.0x", "-0.1", "1.5", "0,5"})
    {
        EXPECT_NE(ErrorOf([&] { Word(text).GetDouble("loss", 0.0, 1.0); }), "") << text;
    }
    EXPECT_NE(ErrorOf([] { Word("9223372036854775808").GetInt("dep"); }), "");
    EXPECT_NE(ErrorOf([] { Word("maybe").GetBool("switch"); }), "");
}

TEST(FabricTextScanner, NamesAPlaceWithoutALine)
{
    EXPECT_EQ(ErrorOf([] { TextValue("topology 'star'", "hosts", "x").GetUint("hosts", 1, 9); }),
              "topology 'star': hosts: read 'x', expected hosts (integer from 1 to 9)");
}

TEST(FabricTextScanner, KnowsUtf8)
{
    for (const char* good : {"", "abc", "\xC3\xBC", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80x"})
    {
        EXPECT_TRUE(IsUtf8(good)) << good;
    }
    for (const char* bad : {"\xFF",
                            "\xC3",
                            "\xC3x",
                            "\xBC",
                            "\xC0\xAF",
                            "\xE0\x80\xAF",
                            "\xED\xA0\x80",
                            "\xF0\x80\x80\x80",
                            "\xF4\x90\x80\x80",
                            "\xF5\x80\x80\x80"})
    {
        EXPECT_FALSE(IsUtf8(bad));
    }
}

TEST(FabricTextScanner, SplitsLinesAndWords)
{
    const TextFile file = TextFile::FromString("f",
                                               "\xEF\xBB\xBF"
                                               "a  b\tc \r\n\n   \t\r\n 1\t2\r\nend");
    ASSERT_EQ(file.GetLineCount(), 5U);
    EXPECT_EQ(file.GetLine(0).GetCount(), 3U);
    EXPECT_EQ(file.GetLine(0).GetWord(0), "a");
    EXPECT_EQ(file.GetLine(0).GetWord(2), "c");
    EXPECT_EQ(file.GetLine(0).GetText(), "a  b\tc");
    EXPECT_TRUE(file.GetLine(1).IsBlank());
    EXPECT_TRUE(file.GetLine(2).IsBlank());
    EXPECT_EQ(file.FindText(1), 3U);
    EXPECT_EQ(file.GetLine(3).Get(1).GetUint("two"), 2U);
    EXPECT_EQ(file.GetLine(4).GetNumber(), 5U);
    EXPECT_EQ(file.GetLine(4).GetText(), "end");
    EXPECT_EQ(file.FindText(5), 5U);
}

TEST(FabricTextScanner, NamesTheLineThatIsTooShort)
{
    const TextFile file = TextFile::FromString("f", "a b\n");
    EXPECT_NE(ErrorOf([&] { file.GetLine(0).Get(2); }).find("f: line 1: read 'a b'"),
              std::string::npos);
    EXPECT_NE(ErrorOf([&] {
                  file.GetLine(0).RequireCount(3, "x, y, z");
              }).find("expected 3 fields (x, y, z), not 2"),
              std::string::npos);
}

TEST(FabricTextScanner, ScansWordsOverLineEnds)
{
    TextScanner scanner(TextFile::FromString("f", "KEY 1\r\n\n 2 rest of line\nNEXT\n\n"));
    EXPECT_EQ(scanner.Next("key").GetText(), "KEY");
    EXPECT_EQ(scanner.Peek("value").GetUint("value"), 1U);
    EXPECT_EQ(scanner.Next("value").GetUint("value"), 1U);
    EXPECT_EQ(scanner.GetLineNumber(), 1U);
    EXPECT_EQ(scanner.Next("value").GetUint("value"), 2U);
    EXPECT_EQ(scanner.GetLineNumber(), 3U);
    scanner.SkipLine();
    EXPECT_FALSE(scanner.AtEnd());
    EXPECT_EQ(scanner.Next("key").GetText(), "NEXT");
    scanner.SkipLine();
    EXPECT_TRUE(scanner.AtEnd());
    EXPECT_NE(ErrorOf([&] { scanner.Next("a flow count"); }).find("expected a flow count"),
              std::string::npos);
}

TEST(FabricTextScanner, RefusesFilesThatAreNoText)
{
    EXPECT_NE(ErrorOf([] { TextFile("/nonexistent/file.txt"); }).find("/nonexistent/file.txt"),
              std::string::npos);
    EXPECT_NE(ErrorOf([] { TextFile{testing::TempDir()}; }).find("a directory"), std::string::npos);
    const std::string path = WriteFile("");
    EXPECT_NE(ErrorOf([&] { TextFile{path}; }).find("an empty file"), std::string::npos);
    WriteFile("\n \t\r\n");
    EXPECT_NE(ErrorOf([&] { TextFile{path}; }).find("an empty file"), std::string::npos);
    WriteFile(std::string("3 1 2\n\0\0\1", 9));
    EXPECT_NE(ErrorOf([&] { TextFile{path}; }).find("binary data"), std::string::npos);
    WriteFile("3 1 2\n");
    EXPECT_EQ(TextFile(path).GetLine(0).GetCount(), 3U);
    EXPECT_EQ(TextFile(path).GetName(), path);
    std::filesystem::remove(path);
}

TEST(FabricTextScanner, LinesLiveAsLongAsACopyOfTheFile)
{
    std::unique_ptr<TextFile> first = std::make_unique<TextFile>(TextFile::FromString("f", "a b"));
    const TextFile copy = *first;
    const TextLine line = first->GetLine(0);
    first.reset();
    EXPECT_EQ(line.GetWord(1), "b");
}
