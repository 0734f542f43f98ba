/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/ring-order.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

using Ring = std::vector<uint32_t>;

/** \brief Where ranks stand. */
struct Seats
{
    /** \param sizes the number of ranks in each server */
    explicit Seats(const std::vector<uint32_t>& sizes)
        : placement(PlaceRanks(sizes))
    {
        for (const uint32_t size : sizes)
        {
            for (uint32_t rail = 0; rail < size; rail++)
            {
                rails.push_back(rail);
            }
        }
    }

    std::vector<uint32_t> placement; //!< server of each rank
    std::vector<uint32_t> rails;     //!< position of each rank within its server
};

/**
 * \param ring a ring
 * \param seats where the ranks stand
 * \return the number of hops between servers that leave the rail
 */
uint32_t
CountRailChanges(const Ring& ring, const Seats& seats)
{
    uint32_t changes = 0;
    for (std::size_t i = 0; i < ring.size(); i++)
    {
        const uint32_t from = ring[i];
        const uint32_t to = ring[(i + 1) % ring.size()];
        const bool leavesServer = seats.placement[from] != seats.placement[to];
        changes += leavesServer && seats.rails[from] != seats.rails[to] ? 1 : 0;
    }
    return changes;
}

/**
 * \param ring a ring
 * \param seats where the ranks stand
 * \return the number of hops between servers
 */
uint32_t
CountServerHops(const Ring& ring, const Seats& seats)
{
    uint32_t hops = 0;
    for (std::size_t i = 0; i < ring.size(); i++)
    {
        const uint32_t next = ring[(i + 1) % ring.size()];
        hops += seats.placement[ring[i]] != seats.placement[next] ? 1 : 0;
    }
    return hops;
}

} // namespace

TEST(CollectiveRingOrder, OneServerKeepsTheOrderOfTheGroup)
{
    const RingOrder order(PlaceRanks({5}));
    EXPECT_EQ(order.GetRingCount(), 1U);
    EXPECT_EQ(order.GetRing(0), Ring({0, 1, 2, 3, 4}));
    EXPECT_EQ(order.GetRing(3), Ring({0, 1, 2, 3, 4}));
}

TEST(CollectiveRingOrder, TwoServersAscendAndDescend)
{
    const RingOrder order(PlaceRanks({4, 4}));
    EXPECT_EQ(order.GetRingCount(), 4U);
    EXPECT_EQ(order.GetRing(0), Ring({0, 1, 2, 3, 7, 6, 5, 4}));
    EXPECT_EQ(order.GetRing(1), Ring({1, 2, 3, 0, 4, 7, 6, 5}));
    EXPECT_EQ(order.GetRing(3), Ring({3, 0, 1, 2, 6, 5, 4, 7}));
    EXPECT_EQ(order.GetRing(5), order.GetRing(1));
}

TEST(CollectiveRingOrder, OneRankPerServerIsOneRing)
{
    const RingOrder order(PlaceRanks({1, 1, 1, 1}));
    EXPECT_EQ(order.GetRingCount(), 1U);
    EXPECT_EQ(order.GetRing(0), Ring({0, 1, 2, 3}));
}

TEST(CollectiveRingOrder, InterleavedPlacementVisitsEachServerOnce)
{
    const std::vector<uint32_t> placement{0, 1, 0, 1, 0, 1};
    const RingOrder order(placement);
    EXPECT_EQ(order.GetRing(0), Ring({0, 2, 4, 5, 3, 1}));
}

TEST(CollectiveRingOrder, HopsBetweenServersStayOnTheRail)
{
    for (const auto& sizes : std::vector<std::vector<uint32_t>>{{8, 8},
                                                                {4, 4, 4, 4},
                                                                {2, 2},
                                                                {8, 8, 8},
                                                                {5, 5, 5},
                                                                {3, 3, 3, 3, 3},
                                                                {8, 4, 6},
                                                                {5, 3},
                                                                {4, 3, 3, 8}})
    {
        const Seats seats(sizes);
        const RingOrder order(seats.placement);
        EXPECT_EQ(order.GetRingCount(), *std::min_element(sizes.begin(), sizes.end()));
        for (uint32_t k = 0; k < order.GetRingCount(); k++)
        {
            const Ring ring = order.GetRing(k);
            Ring sorted = ring;
            std::sort(sorted.begin(), sorted.end());
            Ring all(seats.placement.size());
            std::iota(all.begin(), all.end(), 0);
            EXPECT_EQ(sorted, all);
            EXPECT_EQ(CountServerHops(ring, seats), sizes.size());
            EXPECT_EQ(CountRailChanges(ring, seats), 0U) << "ring " << k;
        }
    }
}

TEST(CollectiveRingOrder, TwoRailsAndOddServersCrossOnce)
{
    for (const auto& sizes : std::vector<std::vector<uint32_t>>{{2, 2, 2}, {2, 2, 2, 2, 2}})
    {
        const Seats seats(sizes);
        const RingOrder order(seats.placement);
        for (uint32_t k = 0; k < 2; k++)
        {
            EXPECT_EQ(CountServerHops(order.GetRing(k), seats), sizes.size());
            EXPECT_EQ(CountRailChanges(order.GetRing(k), seats), 1U);
        }
    }
}

TEST(CollectiveRingOrder, EveryNicCarriesOneRingInAndOneOut)
{
    for (const auto& sizes :
         std::vector<std::vector<uint32_t>>{{8, 8}, {4, 4, 4, 4}, {8, 8, 8}, {2, 2, 2}})
    {
        const Seats seats(sizes);
        const RingOrder order(seats.placement);
        std::vector<uint32_t> in(seats.placement.size(), 0);
        std::vector<uint32_t> out(seats.placement.size(), 0);
        for (uint32_t k = 0; k < order.GetRingCount(); k++)
        {
            const Ring ring = order.GetRing(k);
            for (std::size_t i = 0; i < ring.size(); i++)
            {
                const uint32_t next = ring[(i + 1) % ring.size()];
                if (seats.placement[ring[i]] != seats.placement[next])
                {
                    out[ring[i]]++;
                    in[next]++;
                }
            }
        }
        EXPECT_EQ(in, std::vector<uint32_t>(in.size(), 1));
        EXPECT_EQ(out, std::vector<uint32_t>(out.size(), 1));
    }
}

TEST(CollectiveRingOrder, RanksThatShareANicShareARail)
{
    const std::vector<uint32_t> pairs{0, 0, 1, 1, 2, 2, 3, 3};
    std::vector<uint32_t> nics;
    for (int server = 0; server < 3; server++)
    {
        nics.insert(nics.end(), pairs.begin(), pairs.end());
    }
    const RingOrder order(PlaceRanks({8, 8, 8}), nics);
    EXPECT_EQ(order.GetRingCount(), 4U);
    // In on the first of a NIC, out on the second, in every server.
    EXPECT_EQ(order.GetRing(1), Ring({2,  4, 5, 6,  7,  0,  1,  3,  10, 12, 13, 14,
                                      15, 8, 9, 11, 18, 20, 21, 22, 23, 16, 17, 19}));
    EXPECT_EQ(order.GetRing(5), order.GetRing(1));
}

/** \brief A group over NICs. */
struct NicSeats
{
    std::vector<uint32_t> sizes; //!< ranks in each server
    std::vector<uint32_t> nics;  //!< number of the NIC of each rank
    uint32_t rings;              //!< expected
    uint32_t crossings;          //!< hops of all rings between NICs of different numbers, expected
};

TEST(CollectiveRingOrder, NicsAreUsedEvenlyHoweverRanksShareThem)
{
    const std::vector<NicSeats> cases{
        {{3, 3}, {0, 0, 1, 0, 0, 1}, 2, 0},                // one NIC for two, one for one
        {{3, 3, 3}, {0, 0, 1, 0, 0, 1, 0, 1, 1}, 2, 2},    // there is no third rail
        {{4, 4}, {0, 0, 0, 0, 0, 0, 0, 0}, 1, 0},          // one NIC for all
        {{4, 4}, {3, 2, 1, 0, 0, 1, 2, 3}, 4, 0},          // ranks in other orders
        {{4, 4}, {0, 1, 2, 3, 1, 2, 3, 4}, 4, 2},          // rails 1 to 3 are common
        {{4, 2, 4}, {0, 0, 1, 1, 0, 1, 0, 0, 1, 1}, 2, 0}, // alone in the second server
        {{2, 1, 4}, {0, 0, 0, 0, 0, 1, 1}, 1, 0},
        {{5, 6}, {0, 1, 2, 3, 4, 0, 0, 2, 2, 4, 4}, 3, 0}, // NICs 1 and 3 are in one server only
    };
    for (const NicSeats& seats : cases)
    {
        SCOPED_TRACE(testing::PrintToString(seats.nics));
        const auto placement = PlaceRanks(seats.sizes);
        const RingOrder order(placement, seats.nics);
        EXPECT_EQ(order.GetRingCount(), seats.rings);
        std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> uses; // out and in
        uint32_t crossings = 0;
        for (uint32_t k = 0; k < order.GetRingCount(); k++)
        {
            const Ring ring = order.GetRing(k);
            Ring sorted = ring;
            std::sort(sorted.begin(), sorted.end());
            Ring all(placement.size());
            std::iota(all.begin(), all.end(), 0);
            EXPECT_EQ(sorted, all);
            for (std::size_t i = 0; i < ring.size(); i++)
            {
                const uint32_t next = ring[(i + 1) % ring.size()];
                if (placement[ring[i]] != placement[next])
                {
                    uses[{placement[ring[i]], seats.nics[ring[i]]}].first++;
                    uses[{placement[next], seats.nics[next]}].second++;
                    crossings += seats.nics[ring[i]] != seats.nics[next] ? 1 : 0;
                }
            }
        }
        EXPECT_EQ(crossings, seats.crossings);
        for (const auto& [nic, use] : uses)
        {
            EXPECT_EQ(use.first, 1U) << "out of server " << nic.first << ", NIC " << nic.second;
            EXPECT_EQ(use.second, 1U) << "into server " << nic.first << ", NIC " << nic.second;
        }
    }
}

} // namespace ns3
