/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reference-port.h"

#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/strict-egress-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <tuple>

/**
 * \file
 * A port against a simple model of it: priorities or weights, pauses, one frame at a time.
 */

using namespace ns3;

namespace
{

/** \ingroup tests \brief Deficit weighted round robin below strict classes, step by step. */
class ReferenceDwrr : public ReferenceScheduler
{
  public:
    /** \param weights by class; the others are strict \param quantumBytes of the least weight */
    ReferenceDwrr(const std::map<uint32_t, uint64_t>& weights, uint64_t quantumBytes)
        : m_weights(weights),
          m_quantum(quantumBytes),
          m_turn(weights.begin()->first)
    {
        const auto lighter = [](const auto& a, const auto& b) { return a.second < b.second; };
        m_least = std::min_element(weights.begin(), weights.end(), lighter)->second;
    }

    uint32_t Decide(const ReferenceHeads& heads) override
    {
        for (auto head = heads.rbegin(); head != heads.rend(); ++head)
        {
            if (!m_weights.count(head->first))
            {
                return head->first;
            }
        }
        while (true)
        {
            const auto head = heads.find(m_turn);
            if (head == heads.end())
            {
                m_credit[m_turn] = 0;
            }
            else if (m_credit[m_turn] >= head->second * m_least)
            {
                m_credit[m_turn] -= head->second * m_least;
                return m_turn;
            }
            auto turn = m_weights.find(m_turn);
            turn = turn == m_weights.begin() ? std::prev(m_weights.end()) : std::prev(turn);
            m_turn = turn->first;
            m_credit[m_turn] += m_quantum * turn->second;
        }
    }

  private:
    const std::map<uint32_t, uint64_t> m_weights; //!< by class
    const uint64_t m_quantum;                     //!< bytes of the least weight
    uint64_t m_least{0};                          //!< least weight
    uint32_t m_turn;                              //!< whose turn it is
    std::map<uint32_t, uint64_t> m_credit;        //!< by class, in bytes times the least weight
};

/** \ingroup tests \brief Weights and quantum at random. */
struct RandomDwrr
{
    std::map<uint32_t, uint64_t> weights; //!< by class, one at least
    uint32_t quantumBytes;                //!< from much less to much more than a frame

    /** \param random source of decisions */
    explicit RandomDwrr(std::mt19937& random)
        : quantumBytes(random() % 3 ? 1 + random() % 20000 : 20 + random() % 300)
    {
        weights[random() % FabricPort::PRIORITIES] = 1 + random() % 9;
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            if (random() % 4)
            {
                weights[priority] = 1 + random() % 9;
            }
        }
    }

    /** \return the weights as the attribute has them */
    std::string GetText() const
    {
        std::string text;
        for (const auto& [priority, weight] : weights)
        {
            text += (text.empty() ? "" : ",") + std::to_string(priority) + ":" +
                    std::to_string(weight);
        }
        return text;
    }

    /** \return a scheduler with them */
    Ptr<EgressScheduler> Create() const
    {
        Ptr<DwrrEgressScheduler> scheduler = CreateObject<DwrrEgressScheduler>();
        scheduler->SetAttribute("Weights", StringValue(GetText()));
        scheduler->SetAttribute("Quantum", UintegerValue(quantumBytes));
        scheduler->Configure("test");
        return scheduler;
    }
};

/** \ingroup tests \brief Strict priority, asked for every frame. */
class AskedStrictScheduler : public StrictEgressScheduler
{
  public:
    bool IsStrictPriority() const override
    {
        return false;
    }
};

/** \ingroup tests \brief Rate of the link, gap, tracked. */
class FabricPortModel : public testing::TestWithParam<std::tuple<uint64_t, uint32_t, bool>>
{
};

TEST_P(FabricPortModel, DeparturesAreThoseOfAStrictPriorityPort)
{
    PortOptions options;
    std::tie(options.rateBps, options.gapBytes, options.tracked) = GetParam();
    for (uint32_t seed = 1; seed <= 60; seed++)
    {
        std::mt19937 random(seed);
        const std::vector<PortInput> inputs = RandomInputs(random, options);
        ReferenceScheduler strict;
        const auto expected = ReferencePort(options, strict).Play(inputs);
        options.engine = seed % 8 ? "fabric" : "default";
        ExpectSameDepartures(PlayProduct(options, inputs), expected, seed);
        ASSERT_FALSE(HasFatalFailure());
    }
}

TEST_P(FabricPortModel, DeparturesAreThoseOfAPortWithDeficitRoundRobin)
{
    PortOptions options;
    std::tie(options.rateBps, options.gapBytes, options.tracked) = GetParam();
    for (uint32_t seed = 1; seed <= 60; seed++)
    {
        std::mt19937 random(1000 + seed);
        const std::vector<PortInput> inputs = RandomInputs(random, options);
        const RandomDwrr dwrr(random);
        ReferenceDwrr reference(dwrr.weights, dwrr.quantumBytes);
        const auto expected = ReferencePort(options, reference).Play(inputs);
        options.engine = seed % 8 ? "fabric" : "default";
        ExpectSameDepartures(PlayProduct(options, inputs, dwrr.Create()), expected, seed);
        ASSERT_FALSE(HasFatalFailure()) << dwrr.GetText();
    }
}

TEST_P(FabricPortModel, AStrictSchedulerDoesWhatAPortDoesByItself)
{
    PortOptions options;
    std::tie(options.rateBps, options.gapBytes, options.tracked) = GetParam();
    for (uint32_t seed = 1; seed <= 20; seed++)
    {
        std::mt19937 random(2000 + seed);
        const std::vector<PortInput> inputs = RandomInputs(random, options);
        const auto expected = PlayProduct(options, inputs);
        ExpectSameDepartures(PlayProduct(options, inputs, CreateObject<AskedStrictScheduler>()),
                             expected,
                             seed);
        ASSERT_FALSE(HasFatalFailure());
    }
}

INSTANTIATE_TEST_SUITE_P(Links,
                         FabricPortModel,
                         testing::Combine(testing::Values(100000000000ULL,
                                                          3600000000000ULL,
                                                          123456789ULL,
                                                          2880000000000ULL),
                                          testing::Values(0U, 20U),
                                          testing::Bool()));

} // namespace
