/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/nccl-test.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** \param text a word \return it as of the command line */
TextValue
Word(const std::string& text)
{
    return TextValue("command line", "--option", text);
}

/** \param text a number of bytes \return it, or the message that refuses it */
std::string
ReadBytes(const std::string& text)
{
    try
    {
        return std::to_string(ReadNcclBytes(Word(text)));
    }
    catch (const ConfigError& error)
    {
        return "refused";
    }
}

} // namespace

TEST(RailyardNcclTest, BytesAreReadWithUnitsOf1024)
{
    const std::vector<std::pair<const char*, const char*>> cases{
        {"0", "0"},
        {"8", "8"},
        {"1K", "1024"},
        {"1k", "1024"},
        {"32M", "33554432"},
        {"1G", "1073741824"},
        {"2T", "2199023255552"},
        {"1.5G", "1610612736"},
        {"0.5k", "512"},
        {"128MB", "134217728"},
        {"4KiB", "4096"},
        {"7B", "7"},
        {"1024T", "1125899906842624"},
        {"1125899906842624", "1125899906842624"},
        {"1125899906842625", "refused"},
        {"1025T", "refused"},
        {"9223372036854775808", "refused"},
        {"99999999999999999999999999", "refused"},
        {"", "refused"},
        {"K", "refused"},
        {".", "refused"},
        {"-1", "refused"},
        {"+1", "refused"},
        {"1.3K", "refused"},
        {"1.5", "refused"},
        {"1e6", "refused"},
        {"8X", "refused"},
        {"8KK", "refused"},
        {"8iB", "refused"},
        {"8 K", "refused"},
        {"0x8", "refused"},
        {"1.2.3", "refused"},
        {"nan", "refused"},
    };
    for (const auto& [text, bytes] : cases)
    {
        EXPECT_EQ(ReadBytes(text), bytes) << text;
    }
}

/** Counts and sizes that nccl-tests prints for these calls on 8 ranks. */
TEST(RailyardNcclTest, SizesAreRoundedAsInNcclTests)
{
    struct Case
    {
        const char* test;  //!< operation
        uint64_t bytes;    //!< asked for
        const char* type;  //!< of the elements
        uint64_t elements; //!< count
        uint64_t size;     //!< that is shown
    };

    const std::vector<Case> cases{
        {"all_reduce", 8, "float", 2, 8},
        {"all_reduce", 10, "float", 2, 8},
        {"all_reduce", 3, "float", 0, 0},
        {"all_reduce", 1024, "half", 512, 1024},
        {"broadcast", 1001, "int8", 1001, 1001},
        {"sendrecv", 16, "double", 2, 16},
        {"hypercube", 1000, "int8", 112, 896},
        {"all_gather", 8, "float", 0, 0},
        {"all_gather", 127, "float", 0, 0},
        {"all_gather", 128, "float", 4, 128},
        {"all_gather", 200, "float", 4, 128},
        {"all_gather", 1048576, "float", 32768, 1048576},
        {"reduce_scatter", 256, "half", 16, 256},
        {"alltoall", 1000, "int8", 112, 896},
        {"alltoall", 1000, "double", 14, 896},
    };
    for (const Case& each : cases)
    {
        const NcclSize size = NcclSize::Round(NcclTest::Find(Word(each.test)),
                                              each.bytes,
                                              NcclType::Find(Word(each.type)),
                                              8);
        EXPECT_EQ(size.elements, each.elements) << each.test << " " << each.bytes;
        EXPECT_EQ(size.bytes, each.size) << each.test << " " << each.bytes;
    }
}

TEST(RailyardNcclTest, EveryKindOfCollectiveHasATest)
{
    std::set<CollectiveKind> kinds;
    for (const NcclTest& test : NcclTest::GetAll())
    {
        EXPECT_TRUE(kinds.insert(test.kind).second || test.isHypercube) << test.name;
    }
    for (int i = 0; std::string(ToString(static_cast<CollectiveKind>(i))) != "unknown"; i++)
    {
        const auto kind = static_cast<CollectiveKind>(i);
        EXPECT_EQ(kinds.count(kind), 1U) << kind;
    }
    EXPECT_GE(kinds.size(), 6U);
}

TEST(RailyardNcclTest, NamesMayBeWrittenInSeveralWays)
{
    for (const char* name : {"all_reduce", "allreduce", "AllReduce", "all_reduce_perf"})
    {
        EXPECT_EQ(NcclTest::Find(Word(name)).kind, CollectiveKind::ALL_REDUCE) << name;
    }
    EXPECT_EQ(NcclTest::Find(Word("all_to_all")).kind, CollectiveKind::ALL_TO_ALL);
    EXPECT_EQ(NcclTest::Find(Word("SendRecv")).kind, CollectiveKind::SEND_RECV);
    for (const char* name : {"", "perf", "reduce_all", "all_reduces"})
    {
        EXPECT_THROW(NcclTest::Find(Word(name)), ConfigError) << name;
    }
    EXPECT_THROW(NcclType::Find(Word("Float")), ConfigError);
}

TEST(RailyardNcclTest, RangesEndAtTheLargestSize)
{
    using Sizes = std::vector<uint64_t>;
    EXPECT_EQ((NcclSizeRange{8, 64, 2, 0}.GetSizes()), (Sizes{8, 16, 32, 64}));
    EXPECT_EQ((NcclSizeRange{8, 63, 2, 0}.GetSizes()), (Sizes{8, 16, 32}));
    EXPECT_EQ((NcclSizeRange{8, 8, 2, 0}.GetSizes()), Sizes{8});
    EXPECT_EQ((NcclSizeRange{0, 0, 2, 0}.GetSizes()), Sizes{0});
    EXPECT_EQ((NcclSizeRange{0, 10, 0, 4}.GetSizes()), (Sizes{0, 4, 8}));
    const uint64_t max = uint64_t(1) << 50;
    EXPECT_EQ((NcclSizeRange{max - 1, max, 1 << 20, 0}.GetSizes()), Sizes{max - 1});
    EXPECT_EQ((NcclSizeRange{1, max, 0, 1}.GetCount()), NcclSizeRange::MAX_COUNT + 1);
    EXPECT_EQ((NcclSizeRange{1, NcclSizeRange::MAX_COUNT, 0, 1}.GetCount()),
              NcclSizeRange::MAX_COUNT);
}

} // namespace ns3
