/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pat-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace ns3
{

namespace
{

/** \brief What matters of a transfer. */
struct Row
{
    uint32_t distance; //!< positions ahead
    uint32_t behind;   //!< first part
    uint32_t stride;   //!< to the next part
    uint32_t parts;    //!< number of parts

    /** \param other another \return true if equal */
    bool operator==(const Row& other) const
    {
        return distance == other.distance && behind == other.behind && stride == other.stride &&
               parts == other.parts;
    }
};

/**
 * \param size number of ranks
 * \param aggregation parts of a message, at most
 * \return the transfers
 */
std::vector<Row>
GetRows(uint32_t size, uint32_t aggregation)
{
    std::vector<Row> rows;
    const PatSchedule schedule(size, aggregation);
    for (const auto& transfer : schedule.GetTransfers())
    {
        rows.push_back({transfer.distance, transfer.behind, transfer.stride, transfer.parts});
    }
    return rows;
}

/**
 * \param schedule a schedule
 * \return of the parts that a rank got in messages, how many it still has to pass on, at most,
 * if it sends in order and a message arrives when it is sent
 */
uint32_t
GetMostBuffered(const PatSchedule& schedule)
{
    const auto& transfers = schedule.GetTransfers();
    std::vector<std::size_t> lastUse(transfers.size(), 0); // the last transfer that passes it on
    for (std::size_t i = 0; i < transfers.size(); i++)
    {
        for (const auto earlier : transfers[i].after)
        {
            lastUse.at(earlier) = i;
        }
    }
    uint32_t most = 0;
    for (std::size_t now = 0; now < transfers.size(); now++)
    {
        uint32_t buffered = 0;
        for (std::size_t i = 0; i <= now; i++)
        {
            buffered += lastUse[i] > now ? transfers[i].parts : 0;
        }
        most = std::max(most, buffered);
    }
    return most;
}

} // namespace

TEST(CollectivePatSchedule, GoesFromFarToNear)
{
    // Bruck's algorithm backwards: 4, 2, 1 with 1, 2, 4 parts
    EXPECT_EQ(GetRows(8, 4), (std::vector<Row>{{4, 0, 8, 1}, {2, 0, 4, 2}, {1, 0, 2, 4}}));
    EXPECT_EQ(GetRows(8, 64), GetRows(8, 4));
    // of 5 ranks, those 4, 2 and 1 ahead of the farthest ones are not there
    EXPECT_EQ(GetRows(5, 4), (std::vector<Row>{{4, 0, 8, 1}, {2, 0, 4, 1}, {1, 0, 2, 2}}));
}

TEST(CollectivePatSchedule, GoesDownFarBranchesFirst)
{
    // Without aggregation the binomial tree of 8 positions: 4, 6, 7, 5, 2, 3, 1 behind.
    EXPECT_EQ(GetRows(8, 1),
              (std::vector<Row>{{4, 0, 8, 1},
                                {2, 4, 8, 1},
                                {1, 6, 8, 1},
                                {1, 4, 8, 1},
                                {2, 0, 8, 1},
                                {1, 2, 8, 1},
                                {1, 0, 8, 1}}));
    // Two parts, 4 apart, stand for one.
    EXPECT_EQ(GetRows(8, 2),
              (std::vector<Row>{{4, 0, 8, 1}, {2, 0, 4, 2}, {1, 2, 4, 2}, {1, 0, 4, 2}}));
}

TEST(CollectivePatSchedule, BuffersALogarithm)
{
    for (const uint32_t aggregation : {1U, 2U, 8U, 64U})
    {
        const PatSchedule schedule(1024, aggregation);
        uint32_t log = 0;
        while ((1U << log) < 1024 / aggregation)
        {
            log++;
        }
        uint32_t aggregated = 0; // log2 of the aggregation
        while ((1U << aggregated) < aggregation)
        {
            aggregated++;
        }
        EXPECT_EQ(schedule.GetTransfers().size(), 1024 / aggregation - 1 + aggregated);
        EXPECT_LE(GetMostBuffered(schedule), log * aggregation) << aggregation;
        EXPECT_GE(GetMostBuffered(schedule), aggregation) << aggregation;
    }
}

} // namespace ns3
