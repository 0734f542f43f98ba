/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-helper.h"

#include "ns3/collective-engine-service.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/simai-policy.h"
#include "ns3/simai-program.h"

#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <tuple>

/**
 * \file
 * Workloads of every policy on ranks that drift apart: whatever the timing, ranks agree on their
 * collectives, and every rank sends the same bytes.
 */

namespace ns3
{

namespace
{

constexpr uint32_t RANKS = 16;           //!< ranks of all workloads here
constexpr uint32_t RANKS_PER_SERVER = 4; //!< of them in a server
constexpr uint64_t MAX_DELAY_NS = 50000; //!< of a message of a rank that is not slow
constexpr uint64_t RETRY_NS = 4000000;   //!< added if a message is lost

/**
 * A transport that keeps the order of each channel, and delays messages at random: some ranks are
 * slow, and some messages are lost and repeated much later.
 */
class SkewTransport : public MessageTransport
{
  public:
    /** \param seed seed of the delays; 0 for equal ones */
    explicit SkewTransport(uint32_t seed)
        : sent(RANKS),
          m_random(seed),
          m_isRandom(seed != 0)
    {
        for (uint32_t rank = 0; rank < RANKS; rank++)
        {
            m_slowness.push_back(m_random() % 4 == 0 ? 10 : 1);
        }
    }

    std::vector<uint64_t> sent; //!< payload sent by rank

    uint32_t GetRankCount() const override
    {
        return RANKS;
    }

    void Send(const Message& message) override
    {
        sent[message.src] += message.bytes;
        Time& last = m_last[{message.src, message.dst, message.channel}];
        last = std::max(last, Simulator::Now() + DrawDelay(message.src));
        const Time delay = last - Simulator::Now();
        Simulator::ScheduleWithContext(message.dst, delay, [this, message] {
            NotifyReceived(message);
        });
        Simulator::ScheduleWithContext(message.src, delay, [this, message] {
            NotifySent(message);
        });
    }

    std::vector<std::string> DescribePending() const override
    {
        return {};
    }

  private:
    /** \param rank sender \return delay of a message */
    Time DrawDelay(uint32_t rank)
    {
        if (!m_isRandom)
        {
            return MicroSeconds(1);
        }
        const uint64_t delay = 1 + m_random() % MAX_DELAY_NS * m_slowness[rank];
        return NanoSeconds(m_random() % 64 == 0 ? delay + RETRY_NS : delay);
    }

    std::mt19937 m_random;            //!< source of randomness
    bool m_isRandom;                  //!< delays differ
    std::vector<uint64_t> m_slowness; //!< factor of the delays by sender
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Time> m_last; //!< arrival, by channel
};

/** What a workload on skewed ranks came to. */
struct SkewOutcome
{
    bool finished{false};       //!< all ranks did everything
    Time end;                   //!< end of the last
    std::vector<uint64_t> sent; //!< payload by rank
};

/**
 * \param text a SimAI workload
 * \param seed seed of the delays; 0 for equal ones
 * \return what became of two iterations
 */
SkewOutcome
RunSkewed(const std::string& text, uint32_t seed)
{
    Topology topology;
    topology.nodes.resize(RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++)
    {
        topology.nodes[rank].server = rank / RANKS_PER_SERVER;
    }
    const auto transport = Create<SkewTransport>(seed);
    auto engine = CreateObject<CollectiveEngine>();
    engine->SetTransport(transport);
    CollectiveEngineService service(engine, topology);
    auto executor = CreateObject<WorkloadExecutor>();
    executor->SetAttribute("Iterations", UintegerValue(2));
    executor->SetWorkload(std::make_shared<Workload>(
        BuildSimaiWorkload(ParseSimai(text),
                           {RANKS, RANKS_PER_SERVER},
                           *CreateObject<OneForwardOneBackwardSchedule>())));
    executor->SetCollectiveService(&service);
    executor->Start();
    Simulator::Run();
    const SkewOutcome outcome{executor->IsFinished(), executor->GetResult().end, transport->sent};
    executor->Dispose();
    Simulator::Destroy();
    return outcome;
}

/**
 * \param policy policy
 * \param random source of randomness
 * \return a random workload of the policy
 */
std::string
WriteRandom(const std::string& policy, std::mt19937& random)
{
    static const char* const collectives[] =
        {"NONE", "ALLREDUCE", "ALLGATHER", "ALLTOALL", "REDUCESCATTER", "BROADCAST"};
    static const char* const rowPolicies[] = {"DATA",
                                              "MODEL",
                                              "HYBRID_DATA_MODEL",
                                              "HYBRID_MODEL_DATA"};
    const bool hasSizes = SimaiPolicy::Create(policy)->HasParallelSizes();
    constexpr uint32_t rows = 6;
    std::ostringstream text;
    text << policy;
    if (hasSizes)
    {
        text << " model_parallel_NPU_group: 2 ep: 2 pp: 2 vpp: 1 ga: " << 1 + random() % 3
             << " all_gpus: 16 pp_comm: " << random() % 2 * 1000;
    }
    else if (policy.rfind("HYBRID_DLRM", 0) == 0)
    {
        text << " " << random() % (rows - 1);
    }
    text << "\n" << rows << "\n";
    for (uint32_t row = 0; row < rows; row++)
    {
        text << "row" << row << " -1";
        for (uint32_t column = 0; column < 3; column++)
        {
            const uint32_t kind = row == 0 && column < 2 ? 3 : random() % 6;
            static const char* const suffixes[] = {"", "", "_EP", "_DP_EP"};
            text << " " << random() % 20000 << " " << collectives[kind]
                 << (hasSizes && kind > 0 ? suffixes[random() % 4] : "") << " "
                 << random() % 3 * 1600;
        }
        text << " " << random() % 2000;
        text << (policy == "HYBRID_CUSTOMIZED" ? std::string(" ") + rowPolicies[random() % 4] : "")
             << "\n";
    }
    return text.str();
}

} // namespace

TEST(RailyardWorkloadSkew, EveryPolicySendsTheSameBytesWhateverTheTiming)
{
    std::istringstream names(SimaiPolicy::ListNames());
    std::mt19937 random(5);
    uint32_t policies = 0;
    for (std::string policy; std::getline(names >> std::ws, policy, ',');)
    {
        policies++;
        bool sends = false;
        for (uint32_t program = 0; program < 8; program++)
        {
            const std::string text = WriteRandom(policy, random);
            const SkewOutcome even = RunSkewed(text, 0);
            EXPECT_TRUE(even.finished) << text;
            for (uint32_t seed = 1; seed <= 3; seed++)
            {
                const SkewOutcome skewed = RunSkewed(text, seed);
                EXPECT_TRUE(skewed.finished) << text;
                EXPECT_EQ(skewed.sent, even.sent) << text;
                EXPECT_EQ(RunSkewed(text, seed).end, skewed.end) << text;
                sends |= skewed.end > even.end;
            }
        }
        EXPECT_TRUE(sends) << policy;
    }
    EXPECT_EQ(policies, 11u);
}

TEST(RailyardWorkloadSkew, ServersThatWorkForModelAndDataKeepTheTwoApart)
{
    // servers reduce the weights of c, then of b; meanwhile they gather the inputs of a, on a rank
    // before they come to b, on another behind
    const std::string text = "HYBRID_CUSTOMIZED\n4\n"
                             "z -1 1 NONE 0 1 NONE 0 1 NONE 0 0 DATA\n"
                             "a -1 1 NONE 0 200000 ALLGATHER 4000 1 NONE 0 0 HYBRID_DATA_MODEL\n"
                             "b -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 800 0 HYBRID_MODEL_DATA\n"
                             "c -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1600 0 HYBRID_MODEL_DATA\n";
    for (uint32_t seed = 0; seed < 20; seed++)
    {
        const SkewOutcome outcome = RunSkewed(text, seed);
        EXPECT_TRUE(outcome.finished) << seed;
        for (uint64_t bytes : outcome.sent)
        {
            EXPECT_EQ(bytes, 2u * (2 * 1600 * 3 / 4 + 2 * 800 * 3 / 4 + 4000 * 3 / 4));
        }
    }
}

} // namespace ns3
