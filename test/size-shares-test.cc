/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"
#include "scenario-test-helper.h"

#include "ns3/config-error.h"
#include "ns3/size-shares.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** \param text the text of a file \param ranks number of ranks \return what it says */
SizeShares
Read(const std::string& text, uint32_t ranks)
{
    return SizeShares::Read(TextFile::FromString("shares", text), ranks);
}

/** \param shares shares \param elements of a rank on average \return all sizes, by pair, bytes */
std::vector<uint64_t>
List(const SizeShares& shares, uint64_t elements, uint32_t elementBytes = 1)
{
    const auto sizes = shares.Scale(elements, elementBytes);
    EXPECT_EQ(sizes->GetMeanBytes(), elements * elementBytes);
    std::vector<uint64_t> all;
    for (uint32_t source = 0; source < sizes->GetRanks(); source++)
    {
        for (uint32_t destination = 0; destination < sizes->GetRanks(); destination++)
        {
            all.push_back(sizes->Get(source, destination));
        }
    }
    return all;
}

/** \param text the text of a file \param ranks number of ranks \return why it is refused */
std::string
Refuse(const std::string& text, uint32_t ranks)
{
    try
    {
        Read(text, ranks);
        return "";
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(RailyardSizeShares, ZipfGivesTheKthRankOneKthOfTheFirst)
{
    const auto sizes = List(SizeShares::MakeZipf(3, 1), 3 * 1100, 4);
    ASSERT_EQ(sizes.size(), 9U);
    for (std::size_t pair = 0; pair < sizes.size(); pair++)
    {
        // 3300 elements: 1800, 900 and 600 of them.
        const uint64_t expected = 4 * 1800 / (pair % 3 + 1);
        EXPECT_NEAR(sizes[pair], expected, 4) << pair;
        EXPECT_EQ(sizes[pair] % 4, 0U) << "elements are whole";
    }
    // Rank 0 receives two times 6/11 of what ranks have; even, it would be two times 1/3.
    EXPECT_NEAR(SizeShares::MakeZipf(3, 1).GetPeak(), 18.0 / 11, 1e-9);
}

TEST(RailyardSizeShares, ZeroIsEven)
{
    EXPECT_EQ(List(SizeShares::MakeZipf(4, 0), 4 * 48), std::vector<uint64_t>(16, 48));
    EXPECT_EQ(List(SizeShares::MakeZipf(7, 0), 7), std::vector<uint64_t>(49, 1));
    EXPECT_DOUBLE_EQ(SizeShares::MakeZipf(4, 0).GetPeak(), 1);
    EXPECT_EQ(SizeShares::MakeZipf(1, 1).GetPeak(), 0);
}

/** The mean is exact, see List(); the last element comes out even where numbers are largest. */
TEST(RailyardSizeShares, NothingIsLostInRounding)
{
    for (const uint64_t elements : {uint64_t(0), uint64_t(1), uint64_t(1000), uint64_t(1) << 50})
    {
        for (const double exponent : {0.0, 0.3, 1.0, SizeShares::MAX_EXPONENT})
        {
            List(SizeShares::MakeZipf(33, exponent), elements);
        }
        const std::string most = std::to_string(SizeShares::MAX_WEIGHT);
        List(Read(most + " 1\n" + most + " " + most, 2), elements);
    }
    const auto sizes = SizeShares::MakeZipf(SizeShares::MAX_RANKS, 0).Scale(uint64_t(1) << 50, 1);
    EXPECT_EQ(sizes->Get(0, 0), uint64_t(1) << 38);
    EXPECT_EQ(sizes->Get(SizeShares::MAX_RANKS - 1, SizeShares::MAX_RANKS - 1), uint64_t(1) << 38);
}

TEST(RailyardSizeShares, FilesMayHaveCommasOrBlanks)
{
    const std::vector<uint64_t> expected{0, 10, 30, 20};
    for (const char* const text : {"0 1\n3 2\n",
                                   "0,1\n3,2",
                                   "# tokens\n\n0, 1\n\n  3 ,2\n# end\n",
                                   "0\t1\r\n3\t2\r\n",
                                   "0,10,\n30,20,\n"})
    {
        EXPECT_EQ(List(Read(text, 2), 30), expected) << text;
    }
    EXPECT_NEAR(Read("0 1\n3 2\n", 2).GetPeak(), 2, 1e-9);
}

TEST(RailyardSizeShares, WrongFilesAreRefusedInOneLine)
{
    const std::vector<std::pair<const char*, const char*>> cases{
        {"0 1 2\n3 2\n",
         "shares: line 1: read '0 1 2', expected 2 numbers, what a rank has for each of"},
        {"0 1\n3\n", "shares: line 2: read '3', expected 2 numbers"},
        {"0 1\n", "shares: read '1 line', expected 2, one for each rank"},
        {"# none\n", "shares: read '0 lines', expected 2"},
        {"0 1\n1 0\n1 1\n",
         "shares: line 3: read '1 1', expected no line behind those of the 2 ranks"},
        {"0 0\n0 0\n", "shares: read '0 for every pair', expected a number above 0"},
        {"0 x\n1 0\n", "shares: line 1: read 'x', expected share of a pair"},
        {"0 -1\n1 0\n", "shares: line 1: read '-1'"},
        {"0 0.5\n1 0\n", "shares: line 1: read '0.5'"},
        {"0,,1\n1 0\n", "shares: line 1: read '0,,1', expected 2 numbers"},
        {"0,,\n1 0\n", "shares: line 1: read '', expected share of a pair"},
        {"0 1,1\n1 0\n", "shares: line 1: read '0 1', expected share of a pair"},
        {"0 1099511627777\n1 0\n", "shares: line 1: read '1099511627777'"},
    };
    for (const auto& [text, expected] : cases)
    {
        const std::string error = Refuse(text, 2);
        EXPECT_EQ(error.find('\n'), std::string::npos);
        EXPECT_NE(error.find(expected), std::string::npos) << text << error;
    }
}

TEST(RailyardSizeShares, EvenSharesAreAnAllToAll)
{
    for (const char* const network : {"packet", "flow", "analytic"})
    {
        const std::vector<std::string> words{"--topology=star:gpus=4,nicRate=100Gbps",
                                             std::string("--network=") + network,
                                             "-b1M",
                                             "-e1M",
                                             "-n1",
                                             "-w0"};
        std::vector<std::string> even = words;
        even.insert(even.end(), {"--collective=alltoallv", "--skew=0"});
        std::vector<std::string> plain = words;
        plain.push_back("--collective=alltoall");
        const CollectiveBenchRecord row = RunBench(even).GetRow();
        const CollectiveBenchRecord expected = RunBench(plain).GetRow();
        EXPECT_EQ(row.GetTime(), expected.GetTime()) << network;
        EXPECT_EQ(row.elements, expected.elements);
        EXPECT_DOUBLE_EQ(row.GetBusbwGBps(), expected.GetBusbwGBps());
        EXPECT_EQ(row.kind, "AllToAllV");
    }
}

/** All others send to rank 2 alone, whose link is the bound. */
TEST(RailyardSizeShares, TheBusiestRankIsTheBound)
{
    const std::string file = WriteTestFile("shares", "0 0 5 0\n0 0 5 0\n0 0 0 0\n0 0 5 0\n");
    for (const char* const network : {"packet", "flow", "analytic"})
    {
        std::vector<std::string> words{"--collective=alltoallv",
                                       "--shares=" + file,
                                       "--topology=star:gpus=4,nicRate=100Gbps",
                                       std::string("--network=") + network,
                                       "-b3M",
                                       "-e3M",
                                       "-n1",
                                       "-w0"};
        if (words[3] == "--network=packet")
        {
            words.push_back("--congestionControl=No");
        }
        const CollectiveBenchOutcome outcome = RunBench(words);
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        const CollectiveBenchRecord row = outcome.GetRow();
        EXPECT_EQ(row.wrong, 0U);
        EXPECT_EQ(row.bytes, 3U << 20);
        EXPECT_LT(row.GetBusbwGBps() * 16 / 3, 12.5);
        // 12 MiB and their headers through one link of 100 Gb/s, of which 4096 B of 4178 are data.
        const double bound = 12.0 * (1 << 20) * 8 / 100e9 * 4178 / 4096;
        EXPECT_GE(row.GetTime().GetSeconds(), bound) << network;
        // Analytic counts acknowledgements of 86 B as if both directions were equally busy.
        const double acks = words[3] == "--network=analytic" ? 86.0 / 4178 : 0;
        EXPECT_LT(row.GetTime().GetSeconds(), (1 + acks) * 1.01 * bound) << network;
        EXPECT_NE(outcome.out.find("the busiest rank sends or receives 5.33 times"),
                  std::string::npos)
            << outcome.out;
    }
}

/** GPUs in a line do not forward: ranks 0 and 2 have something for each other at 4 MiB alone. */
TEST(RailyardSizeShares, RoutesOfEverySizeAreRequired)
{
    const std::string line = WriteTestFile(
        "shares-line.topology",
        "4 4 0 0 3 H100\n\n0 1 400Gbps 0.001ms 0\n1 2 400Gbps 0.001ms 0\n2 3 400Gbps 0.001ms 0\n");
    const std::string file = WriteTestFile(
        "shares",
        "0 1000500 1 0\n0 0 1000000 0\n0 1000000 0 0\n0 0 1000000 0\n");
    const std::vector<std::string> words{"--collective=alltoallv",
                                         "--shares=" + file,
                                         "--topology=" + line,
                                         "-b1K",
                                         "-n1"};
    std::vector<std::string> small = words;
    small.push_back("-e1K");
    EXPECT_EQ(RunBench(small).status, 0);
    std::vector<std::string> both = words;
    both.insert(both.end(), {"-e4M", "-f4096"});
    const CollectiveBenchOutcome outcome = RunBench(both);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("no route from rank 0 to rank 2"), std::string::npos)
        << outcome.error;
}

TEST(RailyardSizeShares, OneRankHasNoBusiestOne)
{
    const CollectiveBenchOutcome outcome = RunBench({"--collective=alltoallv", "-g1", "-e8"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.find("the busiest rank"), std::string::npos) << outcome.out;
}

/** Of slow links: all that alltoall may last. */
TEST(RailyardSizeShares, EvenSharesMayLastAsLongAsAnAllToAll)
{
    for (const char* const skew : {"0", "16"})
    {
        const CollectiveBenchOutcome outcome =
            RunBench({"--collective=alltoallv",
                      std::string("--skew=") + skew,
                      "--topology=star:gpus=64,nicRate=1Mbps",
                      "--network=analytic",
                      "-b1G",
                      "-e1G",
                      "-n1",
                      "-w10"});
        EXPECT_EQ(outcome.status, *skew == '0' ? 0 : 2) << outcome.error;
    }
}

TEST(RailyardSizeShares, WrongOptionsAreRefused)
{
    const std::vector<std::pair<std::vector<std::string>, const char*>> cases{
        {{"--skew=1"}, "--skew: read '1', expected --collective=alltoallv beside it"},
        {{"--collective=alltoall", "--shares=x"}, "--shares: read 'x', expected --collective="},
        {{"--collective=alltoallv", "--skew=1", "--shares=x"}, "this or --skew, not both"},
        {{"--collective=alltoallv", "--shares="}, "--shares: read '', expected a file"},
        {{"--collective=alltoallv", "--skew=-1"}, "--skew: read '-1'"},
        {{"--collective=alltoallv", "--skew=nan"}, "--skew: read 'nan'"},
        {{"--collective=alltoallv", "--shares=/nonexistent"}, "/nonexistent"},
        {{"--collective=alltoallv", "--shares=" + WriteTestFile("shares", "1 2\n3 4\n")},
         "expected 8 numbers, what a rank has for each of the ranks"},
        {{"--collective=alltoallv",
          "--network=analytic",
          "--topology=star:gpus=4097,nicRate=100Gbps"},
         "--ngpus: read '4097', expected at most 4096 for alltoallv"},
        {{"--collective=alltoallv",
          "--network=analytic",
          "--topology=star:gpus=1024,nicRate=100Gbps",
          "-i1M",
          "-b1M",
          "-e129M"},
         "--maxbytes: read '129 sizes', expected 128 sizes at most for alltoallv on 1024 GPUs"},
    };
    for (const auto& [words, expected] : cases)
    {
        const CollectiveBenchOutcome outcome = RunBench(words);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.error.find(expected), std::string::npos) << outcome.error;
    }
}

} // namespace ns3
