/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/psn-set.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

/**
 * \file
 * The window of packet numbers against std::set.
 */

using namespace ns3;

TEST(RocePsnSet, DoesWhatASetDoes)
{
    for (uint32_t seed = 1; seed <= 20; seed++)
    {
        std::mt19937 random(seed);
        uint64_t base = random() % 2 ? random() % 1000 : (uint64_t{1} << 33) + random() % 100;
        const uint64_t span = 1 + random() % 3000;
        PsnSet set;
        set.Reset(base);
        std::set<uint64_t> expected;
        uint64_t end = base;
        for (int step = 0; step < 3000; step++)
        {
            const uint64_t psn = base + random() % span;
            switch (random() % 8)
            {
            case 0:
                base += random() % (span / 4 + 1);
                set.Advance(base);
                expected.erase(expected.begin(), expected.lower_bound(base));
                end = std::max(end, base);
                break;
            case 1:
                set.Erase(psn);
                expected.erase(psn);
                break;
            default:
                ASSERT_EQ(set.Insert(psn), expected.insert(psn).second);
                end = std::max(end, psn + 1);
            }
            const uint64_t probe = base + random() % (span + 100);
            ASSERT_EQ(set.Contains(probe), expected.count(probe) == 1);
            ASSERT_EQ(set.GetCount(), expected.size());
            ASSERT_EQ(set.GetEnd(), end);
            const auto first = expected.lower_bound(probe);
            ASSERT_EQ(set.FirstFrom(probe), first == expected.end() ? end : *first);
            if (probe < end)
            {
                const uint64_t bits = set.GetBitsUpTo(probe);
                for (uint64_t i = 0; i < 64; i++)
                {
                    const bool in = probe + i >= 63 && expected.count(probe + i - 63);
                    ASSERT_EQ(bits >> i & 1, in) << probe << " bit " << i;
                }
            }
        }
    }
}

TEST(RocePsnSet, ResetEmptiesIt)
{
    PsnSet set;
    set.Reset(5);
    EXPECT_TRUE(set.Insert(70));
    EXPECT_FALSE(set.Insert(70));
    set.Reset(1000);
    EXPECT_TRUE(set.IsEmpty());
    EXPECT_FALSE(set.Contains(70));
    EXPECT_EQ(set.FirstFrom(0), 1000U);
    EXPECT_TRUE(set.Insert(1006)) << "the same bit of the ring as 70 with one word";
}
