/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/huge-pages.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <vector>

/**
 * \file
 * Memory that prefers huge pages is memory.
 */

using namespace ns3;

TEST(FabricHugePages, MemoryKeepsWhatIsInIt)
{
    std::vector<std::unique_ptr<std::vector<uint32_t>>> pieces;
    for (uint32_t round = 0; round < 2; round++)
    {
        for (const std::size_t size : {10U, 100000U, 10000000U})
        {
            pieces.push_back(std::make_unique<std::vector<uint32_t>>(size));
            std::iota(pieces.back()->begin(), pieces.back()->end(), 7U);
        }
        PreferHugePages();
        PreferHugePages();
    }
    for (const auto& piece : pieces)
    {
        for (std::size_t i = 0; i < piece->size(); i++)
        {
            ASSERT_EQ((*piece)[i], i + 7);
        }
    }
}
