/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/shared-buffer.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t LOSSLESS = 3; //!< class
constexpr uint32_t LOSSY = 1;    //!< class
constexpr uint64_t FRAME = 1000; //!< bytes

/** \ingroup tests \brief A buffer whose user pauses and resumes when it is told to. */
class BufferUnderTest : public SharedBuffer
{
  public:
    /**
     * \param poolBytes size of the shared pool
     * \param ports number of ports
     * \param headroomBytes headroom of each port
     * \param alpha of lossless classes
     * \param reservedBytes of each (port, class)
     */
    BufferUnderTest(uint64_t poolBytes,
                    uint32_t ports,
                    uint64_t headroomBytes = 0,
                    double alpha = 0.125,
                    uint64_t reservedBytes = 0)
    {
        SharedBufferParameters parameters;
        parameters.totalBytes = poolBytes + ports * (headroomBytes + reservedBytes);
        parameters.reservedBytes = reservedBytes;
        parameters.resumeOffset = 2 * FRAME;
        parameters.alpha = alpha;
        parameters.losslessMask = 1U << LOSSLESS;
        parameters.headroomBytes.assign(ports, headroomBytes);
        Configure(parameters, ports);
    }

    /** \param port where a lossless frame arrives \param bytes its size \return whether it fits */
    bool Arrive(uint32_t port, uint64_t bytes = FRAME)
    {
        const bool admitted = AdmitLossless(port, LOSSLESS, bytes);
        if (!IsPaused(port, LOSSLESS) && ShouldPause(port, LOSSLESS))
        {
            SetPaused(port, LOSSLESS, true);
        }
        return admitted;
    }

    /** \param port where a lossless frame arrived that leaves \param bytes its size */
    void Leave(uint32_t port, uint64_t bytes = FRAME)
    {
        Release(port, LOSSLESS, bytes);
        if (IsPaused(port, LOSSLESS) && ShouldResume(port, LOSSLESS))
        {
            SetPaused(port, LOSSLESS, false);
        }
    }

    /** \param port a port \return whether it is paused */
    bool IsHeld(uint32_t port) const
    {
        return IsPaused(port, LOSSLESS);
    }
};

TEST(FabricSharedBuffer, PoolIsWhatHeadroomAndReserveLeave)
{
    SharedBufferParameters parameters;
    parameters.totalBytes = 1000000;
    parameters.reservedBytes = 5000;
    parameters.losslessMask = 1U << 3 | 1U << 4;
    parameters.headroomBytes = {10000, 20000, 30000};
    SharedBuffer buffer;
    buffer.Configure(parameters, 3);
    EXPECT_EQ(buffer.GetPool(), 1000000U - 2 * (60000 + 3 * 5000));
    EXPECT_TRUE(buffer.IsLossless(3));
    EXPECT_FALSE(buffer.IsLossless(5));
}

TEST(FabricSharedBuffer, ReservedThenSharedThenHeadroomThenLost)
{
    // Threshold 1/8 of a pool of 90 frames: with s frames in it, a class may hold (90 - s) / 8.
    BufferUnderTest buffer(90 * FRAME, 2, 5 * FRAME, 0.125, 3 * FRAME);
    for (int i = 1; i <= 3; i++)
    {
        EXPECT_TRUE(buffer.Arrive(0));
        EXPECT_EQ(buffer.GetUsed(), 0U);
        EXPECT_FALSE(buffer.IsHeld(0));
    }
    for (uint64_t i = 1; i <= 10; i++)
    {
        EXPECT_FALSE(buffer.IsHeld(0));
        EXPECT_TRUE(buffer.Arrive(0));
        EXPECT_EQ(buffer.GetUsed(), i * FRAME);
        EXPECT_EQ(buffer.GetHeadroomUsed(0, LOSSLESS), 0U);
    }
    EXPECT_EQ(buffer.GetThreshold(), 10.0 * FRAME);
    EXPECT_TRUE(buffer.IsHeld(0)) << "10 frames in the pool: T is reached";
    EXPECT_EQ(buffer.GetPausedCount(), 1U);
    EXPECT_FALSE(buffer.IsHeld(1));
    for (uint64_t i = 1; i <= 5; i++)
    {
        EXPECT_TRUE(buffer.Arrive(0));
        EXPECT_EQ(buffer.GetHeadroomUsed(0, LOSSLESS), i * FRAME);
    }
    EXPECT_EQ(buffer.GetUsed(), 10 * FRAME);
    EXPECT_FALSE(buffer.Arrive(0)) << "no room";
    EXPECT_EQ(buffer.GetOccupied(0, LOSSLESS), 18 * FRAME);

    // Headroom empties first, then the pool, then the reserve.
    for (uint64_t i = 5; i-- > 0;)
    {
        buffer.Leave(0);
        EXPECT_EQ(buffer.GetHeadroomUsed(0, LOSSLESS), i * FRAME);
        EXPECT_EQ(buffer.GetUsed(), 10 * FRAME);
        EXPECT_TRUE(buffer.IsHeld(0));
    }
    buffer.Leave(0);
    EXPECT_TRUE(buffer.IsHeld(0)) << "9 + 2 > 81 / 8";
    buffer.Leave(0);
    EXPECT_FALSE(buffer.IsHeld(0)) << "8 + 2 <= 82 / 8";
    for (uint64_t used = 8; used-- > 0;)
    {
        buffer.Leave(0);
        EXPECT_EQ(buffer.GetUsed(), used * FRAME);
    }
    for (int i = 0; i < 3; i++)
    {
        buffer.Leave(0);
        EXPECT_EQ(buffer.GetUsed(), 0U);
    }
    EXPECT_EQ(buffer.GetOccupied(0, LOSSLESS), 0U);
    EXPECT_EQ(buffer.GetPausedCount(), 0U);
}

TEST(FabricSharedBuffer, FrameThatCausesThePauseTakesNoHeadroom)
{
    BufferUnderTest buffer(90 * FRAME, 2, 4 * FRAME);
    for (int i = 0; i < 9; i++)
    {
        buffer.Arrive(0);
    }
    EXPECT_FALSE(buffer.IsHeld(0));
    // Another class fills the pool: T falls to 64 / 8, below the 9 frames that class 0 holds.
    buffer.AdmitLossy(1, LOSSY, 17 * FRAME, 0);
    EXPECT_LT(buffer.GetThreshold(), 9.0 * FRAME);
    EXPECT_TRUE(buffer.Arrive(0));
    EXPECT_TRUE(buffer.IsHeld(0));
    EXPECT_EQ(buffer.GetHeadroomUsed(0, LOSSLESS), 0U);
    for (uint64_t i = 1; i <= 4; i++)
    {
        EXPECT_TRUE(buffer.Arrive(0)) << "all of the headroom is there for what comes after it";
        EXPECT_EQ(buffer.GetHeadroomUsed(0, LOSSLESS), i * FRAME);
    }
    EXPECT_FALSE(buffer.Arrive(0));
}

TEST(FabricSharedBuffer, DynamicThresholdOfFullClasses)
{
    // N classes that are always offered more settle at T = alpha B / (1 + alpha N).
    constexpr uint64_t POOL = 16000 * FRAME;
    for (const double alpha : {0.0625, 0.125, 1.0, 16.0})
    {
        for (const uint32_t n : {1, 2, 4, 8, 32})
        {
            BufferUnderTest buffer(POOL, n, 0, alpha);
            for (bool some = true; some;)
            {
                some = false;
                for (uint32_t port = 0; port < n; port++)
                {
                    if (!buffer.IsHeld(port))
                    {
                        some = true;
                        ASSERT_TRUE(buffer.Arrive(port));
                    }
                }
            }
            const double expected = alpha * POOL / (1 + alpha * n);
            for (uint32_t port = 0; port < n; port++)
            {
                // T is met within a frame, or by the frame that finds that the others lowered it.
                const auto held = static_cast<double>(buffer.GetOccupied(port, LOSSLESS));
                EXPECT_GT(held, expected - FRAME) << "alpha " << alpha << ", n " << n;
                EXPECT_LT(held, expected + 2 * FRAME) << "alpha " << alpha << ", n " << n;
            }
        }
    }
}

TEST(FabricSharedBuffer, LossyQueueFollowsItsEgressThreshold)
{
    BufferUnderTest buffer(10 * FRAME, 2, FRAME); // egressAlpha 1
    EXPECT_FALSE(buffer.IsLossless(LOSSY));
    // A queue may hold as much as is free: it ends at half of the pool.
    uint64_t queue = 0;
    while (buffer.AdmitLossy(0, LOSSY, FRAME, queue))
    {
        queue += FRAME;
    }
    EXPECT_EQ(queue, 5 * FRAME);
    EXPECT_EQ(buffer.GetUsed(), 5 * FRAME);
    uint64_t second = 0;
    while (buffer.AdmitLossy(1, LOSSY, FRAME, second))
    {
        second += FRAME;
    }
    EXPECT_EQ(second, 3 * FRAME) << "5 are free, then 4, 3, 2: a fourth frame would exceed them";
    buffer.Release(0, LOSSY, FRAME);
    EXPECT_EQ(buffer.GetUsed(), 7 * FRAME);
}

TEST(FabricSharedBuffer, RoomyIsNeverWrong)
{
    // What AdmitIfRoomy() lets in would have been let in, without a pause and with the same accounts,
    // by the exact rule.
    std::mt19937 random(1);
    for (int seed = 0; seed < 50; seed++)
    {
        BufferUnderTest buffer((20 + random() % 200) * FRAME, 3, 3 * FRAME, 0.5, random() % 3000);
        std::vector<std::pair<uint32_t, uint64_t>> held;
        for (int i = 0; i < 2000; i++)
        {
            if (held.empty() || random() % 5 < 3)
            {
                const uint32_t port = random() % 3;
                const uint64_t bytes = 64 + random() % 2000;
                BufferUnderTest copy = buffer;
                const bool roomy = copy.AdmitIfRoomy(port, LOSSLESS, bytes);
                const bool paused = buffer.IsHeld(port);
                const bool admitted = buffer.Arrive(port, bytes);
                if (roomy)
                {
                    ASSERT_TRUE(admitted);
                    ASSERT_FALSE(paused);
                    ASSERT_FALSE(buffer.IsHeld(port));
                    ASSERT_EQ(buffer.GetHeadroomUsed(port, LOSSLESS), 0U);
                    ASSERT_EQ(buffer.GetUsed(), copy.GetUsed());
                    ASSERT_EQ(buffer.GetOccupied(port, LOSSLESS),
                              copy.GetOccupied(port, LOSSLESS));
                }
                if (admitted)
                {
                    held.emplace_back(port, bytes);
                }
            }
            else
            {
                std::swap(held[random() % held.size()], held.back());
                buffer.Leave(held.back().first, held.back().second);
                held.pop_back();
            }
        }
    }
}

TEST(FabricSharedBuffer, RandomUseConservesBytes)
{
    struct Frame
    {
        uint32_t port;
        uint32_t priority;
        uint64_t bytes;
    };

    for (uint32_t seed = 1; seed <= 100; seed++)
    {
        std::mt19937 random(seed);
        const uint32_t ports = 1 + random() % 5;
        const uint64_t reserved = random() % 2 ? random() % 4000 : 0;
        const uint64_t pool = 20000 + random() % 200000;
        BufferUnderTest buffer(pool, ports, random() % 20000, 0.25 + seed % 4, reserved);
        std::vector<uint64_t> queue(ports);
        std::deque<Frame> frames;
        uint64_t held = 0;
        const auto leave = [&](const Frame& frame) {
            held -= frame.bytes;
            if (frame.priority == LOSSLESS)
            {
                buffer.Leave(frame.port, frame.bytes);
                return;
            }
            queue[frame.port] -= frame.bytes;
            buffer.Release(frame.port, frame.priority, frame.bytes);
        };
        for (int i = 0; i < 5000; i++)
        {
            if (random() % 100 < 52)
            {
                const Frame frame{static_cast<uint32_t>(random() % ports),
                                  random() % 3 ? LOSSLESS : LOSSY,
                                  64 + random() % 4000};
                const bool admitted =
                    frame.priority == LOSSLESS
                        ? buffer.Arrive(frame.port, frame.bytes)
                        : buffer.AdmitLossy(frame.port, LOSSY, frame.bytes, queue[frame.port]);
                if (admitted)
                {
                    held += frame.bytes;
                    queue[frame.port] += frame.priority == LOSSY ? frame.bytes : 0;
                    frames.push_back(frame);
                }
            }
            else if (!frames.empty())
            {
                leave(frames.front());
                frames.pop_front();
            }
            ASSERT_LE(buffer.GetUsed(), pool);
            uint64_t sum = 0;
            for (uint32_t port = 0; port < ports; port++)
            {
                sum += buffer.GetOccupied(port, LOSSLESS) + buffer.GetOccupied(port, LOSSY);
            }
            ASSERT_EQ(sum, held);
        }
        while (!frames.empty())
        {
            leave(frames.front());
            frames.pop_front();
        }
        ASSERT_EQ(buffer.GetUsed(), 0U) << "seed " << seed;
        ASSERT_EQ(buffer.GetPausedCount(), 0U);
        for (uint32_t port = 0; port < ports; port++)
        {
            ASSERT_EQ(buffer.GetOccupied(port, LOSSLESS), 0U);
            ASSERT_EQ(buffer.GetHeadroomUsed(port, LOSSLESS), 0U);
        }
    }
}

TEST(FabricSharedBuffer, FixedBytesAreThoseOfAllLosslessClasses)
{
    SharedBufferParameters parameters;
    parameters.headroomBytes = {1000, 2000};
    parameters.reservedBytes = 100;
    EXPECT_EQ(parameters.GetFixedBytes(2), 0U) << "no class is lossless";
    parameters.losslessMask = 1U << 3 | 1U << 5;
    EXPECT_EQ(parameters.GetFixedBytes(2), 2U * (3000 + 200));
    parameters.headroomBytes = {UINT64_MAX, UINT64_MAX};
    EXPECT_EQ(parameters.GetFixedBytes(2), UINT64_MAX) << "no wrap";
}

} // namespace
