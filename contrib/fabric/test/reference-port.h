/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef REFERENCE_PORT_H
#define REFERENCE_PORT_H

#include "port-under-test.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>

/**
 * \file
 * \ingroup tests
 * A simple model of a port, one frame at a time, and random inputs to hold it against the product.
 */

namespace ns3
{

/** \ingroup tests \brief Something that happens to a port. */
struct PortInput
{
    uint64_t ts;       //!< when, ticks
    uint32_t priority; //!< class
    uint32_t bytes;    //!< size of a frame; 0 = a pause
    uint64_t until;    //!< end of the pause, ticks
};

/** \ingroup tests \brief Frames that could be sent: wire bytes of the first one, by class. */
using ReferenceHeads = std::map<uint32_t, uint64_t>;

/** \ingroup tests \brief Decides between the classes of a ReferencePort. */
class ReferenceScheduler
{
  public:
    virtual ~ReferenceScheduler() = default;

    /** \param heads what could be sent, at least one \return the class that sends */
    virtual uint32_t Decide(const ReferenceHeads& heads)
    {
        return heads.rbegin()->first; // strict priority
    }
};

/**
 * \ingroup tests
 * \brief A port with pauses, decided frame by frame when the link is free.
 *
 * Order within a tick: the link becomes free and takes what was there, inputs in their order,
 * pauses that end.
 */
class ReferencePort
{
  public:
    /** \param options rate and gap \param scheduler decides between classes */
    ReferencePort(const PortOptions& options, ReferenceScheduler& scheduler)
        : m_rate(options.rateBps),
          m_gap(options.gapBytes),
          m_scheduler(scheduler)
    {
    }

    /** \param inputs by time \return departures: index of the input and ticks */
    std::vector<NotingDevice::Note> Play(const std::vector<PortInput>& inputs)
    {
        size_t next = 0;
        while (next < inputs.size() || HasWaiting())
        {
            const uint64_t input = next < inputs.size() ? inputs[next].ts : NEVER;
            m_now = std::min({input, NextEnd(), NextStart()});
            Start();
            for (; next < inputs.size() && inputs[next].ts == m_now; next++)
            {
                Apply(inputs[next], next);
                Start();
            }
            for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
            {
                if (m_until[priority] && m_until[priority] <= m_now)
                {
                    m_until[priority] = 0;
                    Start();
                }
            }
        }
        return m_departures;
    }

  private:
    using Wide = unsigned __int128;                  //!< ticks in units of 1 / rate
    static constexpr uint64_t NEVER = ~0ULL;         //!< no such time
    static constexpr uint64_t TICKS = 1000000000000; //!< per second

    /** A frame that waits. */
    struct Waiting
    {
        uint64_t id;    //!< index of the input
        uint32_t bytes; //!< size
    };

    /** \return whether any frame waits */
    bool HasWaiting() const
    {
        return std::any_of(m_queues.begin(), m_queues.end(), [](const auto& queue) {
            return !queue.empty();
        });
    }

    /** \return the tick at which the link becomes free, if something may start then */
    uint64_t NextStart() const
    {
        const auto free = static_cast<uint64_t>(m_free / m_rate);
        return !GetHeads().empty() && free > m_now ? free : NEVER;
    }

    /** \return the tick at which the next pause ends */
    uint64_t NextEnd() const
    {
        uint64_t end = NEVER;
        for (const uint64_t until : m_until)
        {
            end = until ? std::min(end, until) : end;
        }
        return end;
    }

    /** \return frames that could be sent */
    ReferenceHeads GetHeads() const
    {
        ReferenceHeads heads;
        for (uint32_t priority = 0; priority < FabricPort::CLASSES; priority++)
        {
            if (!m_queues[priority].empty() && !m_until[priority])
            {
                heads[priority] = m_queues[priority].front().bytes + m_gap;
            }
        }
        return heads;
    }

    /** Starts a frame if the link is free. */
    void Start()
    {
        while (m_free / m_rate <= m_now)
        {
            const ReferenceHeads heads = GetHeads();
            if (heads.empty())
            {
                return;
            }
            auto& queue = m_queues[m_scheduler.Decide(heads)];
            m_departures.push_back({queue.front().id, m_now});
            m_free = std::max(m_free, Wide{m_now} * m_rate);
            m_free += Wide{queue.front().bytes + m_gap} * 8 * TICKS;
            queue.pop_front();
        }
    }

    /** \param input what happens \param id its index */
    void Apply(const PortInput& input, uint64_t id)
    {
        if (input.bytes)
        {
            m_queues[input.priority].push_back({id, input.bytes});
        }
        else
        {
            m_until[input.priority] = input.until > m_now ? input.until : 0;
        }
    }

    const uint64_t m_rate; //!< bit/s
    const uint64_t m_gap;  //!< bytes
    ReferenceScheduler& m_scheduler; //!< decides
    uint64_t m_now{0};     //!< ticks
    Wide m_free{0};        //!< when the link is free, in units of 1 / rate ticks
    std::array<std::deque<Waiting>, FabricPort::CLASSES> m_queues; //!< by class
    std::array<uint64_t, FabricPort::CLASSES> m_until{};           //!< end of pauses, 0 = none
    std::vector<NotingDevice::Note> m_departures;                  //!< result
};

/**
 * \param random source of decisions
 * \param options rate and gap
 * \return bursts of frames and pauses, by time, at about the link's capacity
 */
inline std::vector<PortInput>
RandomInputs(std::mt19937& random, const PortOptions& options)
{
    const uint64_t byteTicks = 8 * 1000000000000ULL / options.rateBps + 1;
    const uint32_t classes = 1 + random() % FabricPort::CLASSES;
    const uint32_t pausePercent = random() % 3 ? random() % 30 : 0;
    const bool aligned = random() % 2; // times meet ends of frames
    std::vector<PortInput> inputs;
    uint64_t ts = 0;
    while (inputs.size() < 400)
    {
        const uint64_t unit = 1000 * byteTicks;
        ts += random() % 3 ? (aligned ? unit * (random() % 3) : random() % (2 * unit))
                           : unit * (random() % 40) * (random() % 8 == 0);
        for (uint32_t burst = random() % 8 ? 1 : 1 + random() % 50; burst > 0; burst--)
        {
            const uint32_t priority = FabricPort::CLASSES - classes + random() % classes;
            if (random() % 100 < pausePercent && priority < FabricPort::PRIORITIES)
            {
                const uint64_t length = random() % 3 ? random() % (20 * unit) : 0;
                inputs.push_back({ts, priority, 0, ts + length});
                continue;
            }
            const uint32_t bytes = aligned ? 1000 - options.gapBytes : 64 + random() % 2000;
            inputs.push_back({ts, priority, bytes, 0});
        }
    }
    return inputs;
}

/**
 * \param options port
 * \param inputs what happens to it
 * \param scheduler of the port, may be nullptr
 * \return departures: index of the input and ticks
 */
inline std::vector<NotingDevice::Note>
PlayProduct(const PortOptions& options,
            const std::vector<PortInput>& inputs,
            Ptr<EgressScheduler> scheduler = nullptr)
{
    PortUnderTest port(options);
    port.Port().SetScheduler(scheduler);
    for (size_t i = 0; i < inputs.size(); i++)
    {
        const PortInput& input = inputs[i];
        if (input.bytes)
        {
            port.SendAt(input.ts, i, input.bytes, input.priority);
        }
        else
        {
            port.PauseAt(input.ts, input.priority, input.until);
        }
    }
    port.Run();
    // Arrivals follow departures by serialisation and delay, in the same order.
    const auto& departures = port.Sender().departures;
    const auto& arrivals = port.Receiver().arrivals;
    EXPECT_EQ(departures.size(), arrivals.size());
    for (size_t i = 0; i < std::min(departures.size(), arrivals.size()); i++)
    {
        const uint64_t bits = 8ULL * (inputs[departures[i].id].bytes + options.gapBytes);
        const uint64_t floor = static_cast<uint64_t>(static_cast<unsigned __int128>(bits) *
                                                     1000000000000 / options.rateBps);
        EXPECT_EQ(arrivals[i].id, departures[i].id);
        const uint64_t serialisation = arrivals[i].when - departures[i].when - options.delay;
        EXPECT_TRUE(serialisation == floor || serialisation == floor + 1);
    }
    return departures;
}

/**
 * \param departures of the product
 * \param expected those of the model
 * \param seed number of the case, for messages
 */
inline void
ExpectSameDepartures(const std::vector<NotingDevice::Note>& departures,
                     const std::vector<NotingDevice::Note>& expected,
                     uint32_t seed)
{
    ASSERT_EQ(departures.size(), expected.size());
    for (size_t i = 0; i < expected.size(); i++)
    {
        ASSERT_EQ(departures[i].id, expected[i].id) << "seed " << seed << ", place " << i;
        ASSERT_EQ(departures[i].when, expected[i].when) << "seed " << seed << ", place " << i;
    }
}

} // namespace ns3

#endif /* REFERENCE_PORT_H */
