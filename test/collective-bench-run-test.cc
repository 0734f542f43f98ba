/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"
#include "scenario-test-helper.h"

#include "ns3/collective-algorithm.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/**
 * \file
 * Benchmarks of collectives, from the command line to the table and the results.
 */

namespace ns3
{

namespace
{

/** Size of the operand that WrongTestAlgorithm, and nobody else here, works on. */
constexpr uint64_t WRONG_BYTES = 12344;

/** \brief Registered by the test alone: an all-reduce that gathers without adding. */
class WrongTestAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::WrongTestAlgorithm")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("Tests")
                                .AddConstructor<WrongTestAlgorithm>();
        return tid;
    }

    bool Supports(const CollectiveRequest& request) const override
    {
        return request.kind == CollectiveKind::ALL_REDUCE && request.bytes == WRONG_BYTES &&
               (request.parallel == "all" || request.parallel == "WrongTest");
    }

    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t) const override
    {
        return {0, request.bytes};
    }

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override
    {
        CollectiveRequest gather = request;
        gather.kind = CollectiveKind::ALL_GATHER;
        ObjectFactory factory;
        factory.SetTypeId("ns3::RingAllGatherAlgorithm");
        return factory.Create<CollectiveAlgorithm>()->Plan(gather);
    }
};

NS_OBJECT_ENSURE_REGISTERED(WrongTestAlgorithm);

/** \param words the command line \param size -b and -e \return it with one iteration of one size */
std::vector<std::string>
Once(std::vector<std::string> words, const std::string& size)
{
    for (const std::string& word :
         {std::string("-n1"), std::string("-w0"), "-b" + size, "-e" + size})
    {
        words.push_back(word);
    }
    return words;
}

/** \param row a row \return its time in milliseconds */
double
GetMs(const CollectiveBenchRecord& row)
{
    return row.GetTime().GetPicoSeconds() / 1e9;
}

/** Payload and header of a full RoCE packet, bytes. */
constexpr double WIRE_FACTOR = 1 + 82 / 4096.0;

} // namespace

TEST(RailyardCollectiveBench, H16TimeBytesAndLimitOfTheRing)
{
    struct Case
    {
        const char* collective; //!< operation
        double ms;              //!< least time
        uint64_t sent;          //!< by every rank
    };

    for (const Case& each : {Case{"all_reduce", 3.0, 150000000},
                             Case{"all_gather", 1.5, 75000000},
                             Case{"reduce_scatter", 1.5, 75000000}})
    {
        const CollectiveBenchOutcome outcome =
            RunBench(Once({"--topology=" + WriteFourGpuStar(),
                           "--congestionControl=No",
                           "--messages=true",
                           "--algorithm=Ring",
                           std::string("--collective=") + each.collective},
                          "100000000"));
        ASSERT_EQ(outcome.status, 0) << outcome.error << outcome.out;
        const CollectiveBenchRecord row = outcome.GetRow();
        EXPECT_EQ(row.bytes, 100000000U);
        EXPECT_GE(GetMs(row), each.ms);
        EXPECT_LE(GetMs(row), each.ms * WIRE_FACTOR * 1.03 + 6 * (0.002 + 4178 * 8 / 400e6));
        EXPECT_LE(row.GetBusbwGBps(), 50.0);
        EXPECT_GE(row.GetBusbwGBps(), 0.93 * 50 / WIRE_FACTOR);
        EXPECT_EQ(row.wrong, 0U);
        const std::string sent = std::to_string(each.sent);
        EXPECT_EQ(outcome.Ask("SELECT sum(payload_bytes) FROM flows GROUP BY src_rank"),
                  sent + " " + sent + " " + sent + " " + sent);
        EXPECT_EQ(outcome.Ask("SELECT sum(payload_bytes) FROM flows GROUP BY dst_rank"),
                  sent + " " + sent + " " + sent + " " + sent);
        EXPECT_EQ(outcome.Ask("SELECT DISTINCT payload_bytes FROM links"), sent);
    }
}

TEST(RailyardCollectiveBench, H17OverheadPerStepAddsUp)
{
    std::vector<CollectiveBenchRecord> rows;
    for (const std::string overhead : {"2us", "6us"})
    {
        const CollectiveBenchOutcome outcome =
            RunBench(Once({"--topology=star:gpus=16,nicRate=400Gbps,delay=0ns",
                           "--congestionControl=No",
                           "--algorithm=Ring",
                           "--set=ns3::CollectiveEngine::SendOverhead=" + overhead},
                          "64M"));
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        rows.push_back(outcome.GetRow());
    }
    const double serialisation = 30 * (4 << 20) * 8 / 400e6; // ms, of the payload
    EXPECT_GE(GetMs(rows[0]), serialisation + 0.060);
    EXPECT_LE(GetMs(rows[0]), serialisation * WIRE_FACTOR * 1.03 + 0.060 + 30 * 0.0001);
    EXPECT_NEAR(GetMs(rows[1]) - GetMs(rows[0]), 0.120, 0.002);
    EXPECT_GE(rows[1].GetBusbwGBps() / rows[0].GetBusbwGBps(), 0.94);
    EXPECT_LE(rows[1].GetBusbwGBps() / rows[0].GetBusbwGBps(), 0.97);
}

TEST(RailyardCollectiveBench, H18AllToAllIsNearItsBound)
{
    const CollectiveBenchOutcome outcome = RunBench(Once(
        {"--collective=alltoall", "--algorithm=Direct", "--topology=star:gpus=16,nicRate=400Gbps"},
        "16M"));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const CollectiveBenchRecord row = outcome.GetRow();
    EXPECT_EQ(row.elements, 262144U); // of one rank for another: 1 MiB
    EXPECT_EQ(row.bytes, 16U << 20);
    EXPECT_EQ(outcome.Ask("SELECT DISTINCT payload_bytes FROM links"), std::to_string(15 << 20));
    EXPECT_EQ(outcome.Ask("SELECT sum(payload_bytes) FROM links"), std::to_string(480 << 20));
    const double bound = 15 * (1 << 20) * 8 / 400e6; // 0.31457 ms
    EXPECT_GE(GetMs(row), bound);
    EXPECT_LE(GetMs(row), bound * 1.15 * WIRE_FACTOR);
    EXPECT_DOUBLE_EQ(row.busFactor, 15.0 / 16);
    EXPECT_DOUBLE_EQ(row.GetBusbwGBps(), row.GetAlgbwGBps() * 15 / 16);
}

TEST(RailyardCollectiveBench, H20TinyAndEmptyCollectivesHaveRows)
{
    const auto run = [](const std::string& collective, const std::string& size) {
        const CollectiveBenchOutcome outcome =
            RunBench(Once({"--collective=" + collective, "--algorithm=Ring"}, size));
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.GetTable().size(), 1U);
        EXPECT_EQ(outcome.out.find("nan"), std::string::npos);
        return outcome.GetRow();
    };
    EXPECT_GT(run("all_reduce", "13870912").GetBusbwGBps(), 400.0);
    EXPECT_EQ(run("all_gather", "65536").bytes, 65536U);
    const CollectiveBenchRecord empty = run("reduce_scatter", "0");
    EXPECT_TRUE(empty.GetTime().IsZero());
    EXPECT_EQ(empty.GetBusbwGBps(), 0.0);
    EXPECT_EQ(empty.algorithm, "");
    // 14 steps of two links of 25 ns each
    EXPECT_GE(run("all_reduce", "4").GetTime(), NanoSeconds(14 * 2 * 25));
}

TEST(RailyardCollectiveBench, GroupOfOneTakesNoTime)
{
    for (const std::string collective : {"all_reduce", "alltoall", "broadcast", "sendrecv"})
    {
        const CollectiveBenchOutcome outcome =
            RunBench({"--collective=" + collective, "-g", "1", "-b", "4", "-e", "1M", "-f", "64"});
        ASSERT_EQ(outcome.status, 0) << outcome.error << outcome.out;
        EXPECT_EQ(outcome.rows.size(), 4U);
        for (const CollectiveBenchRow& row : outcome.rows)
        {
            EXPECT_TRUE(row.record.GetTime().IsZero());
            EXPECT_EQ(row.record.GetBusbwGBps(), 0.0);
        }
        EXPECT_EQ(outcome.out.find("nan"), std::string::npos);
        EXPECT_NE(outcome.out.find("on a group of size 1 has no effect"), std::string::npos);
        EXPECT_EQ(outcome.summary.simulatedTime, MilliSeconds(3 * CollectiveBenchRun::GAP_MS));
    }
}

TEST(RailyardCollectiveBench, SizesBelowTheGroupAreDone)
{
    for (const NcclTest& test : NcclTest::GetAll())
    {
        const CollectiveBenchOutcome outcome =
            RunBench({"--collective=" + test.name, "-b", "1", "-e", "16", "-d", "int8", "-g", "8"});
        ASSERT_EQ(outcome.status, 0) << test.name << outcome.error << outcome.out;
        EXPECT_EQ(outcome.rows.size(), 5U);
        for (const CollectiveBenchRow& row : outcome.rows)
        {
            EXPECT_EQ(row.record.GetTime().IsZero(), test.isShared) << test.name;
            EXPECT_EQ(row.record.wrong, 0U) << test.name;
        }
    }
}

/** The time of a single iteration is that of the collective by itself, to the picosecond. */
TEST(RailyardCollectiveBench, AnIterationTakesWhatTheCollectiveTakes)
{
    for (const auto& [name, kind] :
         {std::pair<std::string, CollectiveKind>{"all_reduce", CollectiveKind::ALL_REDUCE},
          {"alltoall", CollectiveKind::ALL_TO_ALL},
          {"broadcast", CollectiveKind::BROADCAST}})
    {
        const std::string topology = "star:gpus=8,nicRate=100Gbps";
        const CollectiveOutcome expected = RunCollective(topology, CountRanks(8), kind, 1 << 20);
        for (const std::string warmUps : {"-w0", "-w3"})
        {
            const CollectiveBenchOutcome outcome = RunBench({"--collective=" + name,
                                                             "--topology=" + topology,
                                                             "--congestionControl=No",
                                                             "-n1",
                                                             warmUps,
                                                             "-b1M",
                                                             "-e1M"});
            EXPECT_EQ(outcome.GetRow().GetTime(), expected.duration) << name << warmUps;
            EXPECT_NEAR(outcome.GetRow().GetBusbwGBps(), expected.busbwGBps, 1e-9) << name;
        }
    }
}

TEST(RailyardCollectiveBench, IterationsOverlapAsOnAStreamUnlessTheyBlock)
{
    const std::vector<std::string> words{"--collective=broadcast",
                                         "--algorithm=Ring",
                                         "-b1M",
                                         "-e1M",
                                         "-w0"};
    const auto run = [&](const std::string& iterations) {
        std::vector<std::string> line = words;
        line.push_back(iterations);
        return RunBench(line).GetRow();
    };
    const CollectiveBenchRecord one = run("-n1");
    const CollectiveBenchRecord many = run("-n10");
    EXPECT_LT(many.GetTime(), one.GetTime()); // the root goes on before the last rank has it
    EXPECT_LT(many.GetBusbwGBps(), 450.0);    // but nobody sends faster than its links
    EXPECT_EQ(many.iterations, 10U);
    EXPECT_EQ(many.GetTime().GetTimeStep(), (many.end - many.start).GetTimeStep() / 10);
    std::vector<std::string> blocking = words;
    blocking.insert(blocking.end(), {"-n10", "-z1"});
    EXPECT_EQ(RunBench(blocking).GetRow().GetTime(), one.GetTime());
    blocking.insert(blocking.end(), {"-w2"});
    blocking.erase(blocking.begin() + 4); // -w0
    EXPECT_EQ(RunBench(blocking).GetRow().GetTime(), one.GetTime());
}

TEST(RailyardCollectiveBench, SendRecvGoesToTheNextRankFromAllAtATime)
{
    const CollectiveBenchOutcome outcome = RunBench(
        Once({"--collective=sendrecv", "--topology=star:gpus=4,nicRate=100Gbps", "--messages=true"},
             "1M"));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.Ask("SELECT src_rank, dst_rank, payload_bytes FROM flows ORDER BY src_rank"),
              "0 1 1048576 1 2 1048576 2 3 1048576 3 0 1048576");
    const CollectiveBenchRecord row = outcome.GetRow();
    EXPECT_LE(row.GetBusbwGBps(), 12.5);
    EXPECT_GE(row.GetBusbwGBps(), 0.9 * 12.5 / WIRE_FACTOR);
    const CollectiveBenchOutcome pair =
        RunBench(Once({"--collective=sendrecv", "-g", "2", "--messages=true"}, "1M"));
    EXPECT_EQ(pair.Ask("SELECT src_rank, dst_rank FROM flows ORDER BY src_rank"), "0 1 1 0");
}

// Step k: all ranks exchange 2^k parts with the one 2^k away. Each begins the next step when its
// own is done, and has sent and received (n-1)/n S in the end.
TEST(RailyardCollectiveBench, HypercubeExchangesTwiceAsMuchTwiceAsFar)
{
    const CollectiveBenchOutcome outcome = RunBench(Once(
        {"--collective=hypercube", "--topology=star:gpus=4,nicRate=100Gbps", "--messages=true"},
        "1M"));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.Ask("SELECT src_rank, dst_rank, payload_bytes FROM flows "
                          "ORDER BY payload_bytes, src_rank"),
              "0 1 262144 1 0 262144 2 3 262144 3 2 262144 "
              "0 2 524288 1 3 524288 2 0 524288 3 1 524288");
    EXPECT_EQ(outcome.Ask("SELECT (SELECT max(end_ns) FROM flows WHERE payload_bytes = 262144) <= "
                          "(SELECT min(start_ns) FROM flows WHERE payload_bytes = 524288)"),
              "1");
    const CollectiveBenchRecord row = outcome.GetRow();
    EXPECT_EQ(row.bytes, 1U << 20);
    EXPECT_DOUBLE_EQ(row.busFactor, 0.75);
    EXPECT_LE(row.GetBusbwGBps(), 12.5);
    EXPECT_GE(row.GetBusbwGBps(), 0.9 * 12.5 / WIRE_FACTOR);
    EXPECT_EQ(RunBench(Once({"--collective=hypercube", "-g", "6"}, "1M")).status, 2);
}

TEST(RailyardCollectiveBench, RowsDoNotDependOnThoseBefore)
{
    for (const std::string topology : {"single-server", "rail-optimized:gpus=16"})
    {
        const CollectiveBenchOutcome all =
            RunBench({"--topology=" + topology, "-b", "1K", "-e", "1M", "-f", "32"});
        ASSERT_EQ(all.rows.size(), 3U) << all.error;
        const CollectiveBenchOutcome last =
            RunBench({"--topology=" + topology, "-b", "1M", "-e", "1M"});
        EXPECT_EQ(all.rows.back().record.GetTime(), last.GetRow().GetTime()) << topology;
    }
}

TEST(RailyardCollectiveBench, BothEnginesGiveTheSameTable)
{
    const std::vector<std::string>
        words{"--topology=leaf-spine:gpus=8,leaves=2,spines=2", "-b", "1K", "-e", "64K", "-f", "8"};
    const CollectiveBenchOutcome fabric = RunBench(words);
    std::vector<std::string> other = words;
    other.push_back("--engine=default");
    ASSERT_EQ(fabric.status, 0) << fabric.error;
    EXPECT_EQ(fabric.GetTable(), RunBench(other).GetTable());
    const CollectiveBenchOutcome again = RunBench(words);
    EXPECT_EQ(fabric.GetTable(), again.GetTable());
    for (const char* file : {"/results.db", "/busbw.svg", "/timeline.json"})
    {
        EXPECT_TRUE(ReadTestFile(fabric.folder + file) == ReadTestFile(again.folder + file))
            << file;
    }
}

TEST(RailyardCollectiveBench, TableIsThatOfNcclTests)
{
    const CollectiveBenchOutcome outcome =
        RunBench({"-b", "8", "-e", "2M", "-f", "512", "-g", "8", "-o", "max", "-d", "half"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto table = outcome.GetTable();
    ASSERT_EQ(table.size(), 3U);
    for (std::size_t i = 0; i < table.size(); i++)
    {
        const std::vector<std::string>& row = table[i];
        const CollectiveBenchRecord& record = outcome.rows[i].record;
        ASSERT_EQ(row.size(), 13U);
        EXPECT_EQ(row[0], std::to_string(record.bytes));
        EXPECT_EQ(row[1], std::to_string(record.bytes / 2));
        EXPECT_EQ(row[2], "half");
        EXPECT_EQ(row[3], "max");
        EXPECT_EQ(row[4], "-1");
        EXPECT_NEAR(std::stod(row[5]), GetMs(record) * 1e3, 0.0051);
        EXPECT_NEAR(std::stod(row[6]), record.GetAlgbwGBps(), 0.0051);
        EXPECT_NEAR(std::stod(row[7]), record.GetBusbwGBps(), 0.0051);
        EXPECT_EQ(row[8], "0");
        EXPECT_TRUE(std::equal(row.begin() + 5, row.begin() + 9, row.begin() + 9));
    }
    const auto comments = outcome.GetComments();
    const auto has = [&](const std::string& text) {
        return std::any_of(comments.begin(), comments.end(), [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(has("# nThread 1 nGpus 8 minBytes 8 maxBytes 2097152 step: 512(factor) warmup "
                    "iters: 1 iters: 5 agg iters: 1 validation: 1 graph: 0"));
    EXPECT_TRUE(has("#  Rank  7 Group  0 Pid      0 on    server0 device  7 [0x07] H100"));
    EXPECT_TRUE(
        has("#       size         count      type   redop    root     time   algbw   busbw  "
            "#wrong     time   algbw   busbw  #wrong"));
    EXPECT_TRUE(has("# Out of bounds values : 0 OK"));
    EXPECT_TRUE(has("# Avg bus bandwidth    : "));
}

TEST(RailyardCollectiveBench, WithoutCheckNothingIsSaidOfErrors)
{
    const CollectiveBenchOutcome outcome = RunBench(Once({"-c", "0"}, "1M"));
    EXPECT_EQ(outcome.GetTable().at(0).at(8), "N/A");
    EXPECT_FALSE(outcome.GetRow().wrong);
    EXPECT_EQ(outcome.Ask("SELECT wrong FROM collective_bench"), "NULL");
}

TEST(RailyardCollectiveBench, WrongPlansAreCountedAndFailTheRun)
{
    const std::string size = std::to_string(WRONG_BYTES);
    const CollectiveBenchOutcome outcome = RunBench(Once({"--algorithm=WrongTest"}, size));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.GetRow().wrong, WRONG_BYTES / 4);
    EXPECT_EQ(outcome.GetTable().at(0).at(8), std::to_string(WRONG_BYTES / 4));
    EXPECT_NE(outcome.out.find("# Out of bounds values : 1 FAILED"), std::string::npos);
    ASSERT_FALSE(outcome.summary.unfinished.empty());
    EXPECT_NE(
        outcome.summary.unfinished.front().find(
            "the plan for all_reduce of 12344 bytes on 8 GPUs with WrongTest is wrong: rank 0"),
        std::string::npos)
        << outcome.summary.unfinished.front();
}

TEST(RailyardCollectiveBench, AlgorithmsStandSideBySide)
{
    const CollectiveBenchOutcome outcome = RunBench({"--compare=algorithm",
                                                     "-b",
                                                     std::to_string(WRONG_BYTES),
                                                     "-e",
                                                     "98752",
                                                     "-f",
                                                     "8",
                                                     "-c0"});
    ASSERT_EQ(outcome.status, 0) << outcome.error << outcome.out;
    const auto table = outcome.GetTable();
    ASSERT_EQ(table.size(), 2U);
    const std::size_t algorithms = (table[0].size() - 6) / 2;
    EXPECT_GE(algorithms, 2U); // Ring, WrongTest
    EXPECT_EQ(table[0].size(), 5 + 2 * algorithms + 1);
    EXPECT_EQ(table[1].size(), table[0].size());
    EXPECT_NE(outcome.out.find("Ring"), std::string::npos);
    // WrongTest, the last by name, does the first size alone.
    EXPECT_NE(table[0][table[0].size() - 2], "-");
    EXPECT_EQ(table[1][table[1].size() - 2], "-");
    EXPECT_EQ(table[1][table[1].size() - 3], "-");
    for (std::size_t size = 0; size < 2; size++)
    {
        const CollectiveBenchRecord* best = nullptr;
        for (const CollectiveBenchRow& row : outcome.rows)
        {
            const bool isBetter = !best || row.record.GetTime() < best->GetTime();
            best = row.size == size && isBetter ? &row.record : best;
        }
        EXPECT_EQ(table[size].back(), best->algorithm);
    }
    const std::string chart = ReadTestFile(outcome.folder + "/busbw.svg");
    EXPECT_NE(chart.find(">Ring</text>"), std::string::npos);
    EXPECT_NE(chart.find(">WrongTest</text>"), std::string::npos);
    const CollectiveBenchOutcome named =
        RunBench({"--compare=algorithm", "--algorithm=ring", "-b", "1K", "-e", "1K"});
    EXPECT_EQ(named.GetTable().at(0).size(), 8U);
}

/** They run one after another, each on a network that has come to rest. */
TEST(RailyardCollectiveBench, ComparedAlgorithmsTakeWhatTheyTakeAlone)
{
    const std::string size = std::to_string(WRONG_BYTES);
    const CollectiveBenchOutcome both =
        RunBench({"--compare=algorithm", "-b", size, "-e", size, "-c0"});
    const CollectiveBenchOutcome ring =
        RunBench({"--algorithm=Ring", "-b", size, "-e", size, "-c0"});
    for (const CollectiveBenchRow& row : both.rows)
    {
        if (row.record.algorithm == "Ring")
        {
            EXPECT_EQ(row.record.GetTime(), ring.GetRow().GetTime());
        }
    }
    EXPECT_GE(both.rows.size(), 2U);
}

TEST(RailyardCollectiveBench, ResultsSayTheSameAsTheTable)
{
    const CollectiveBenchOutcome outcome = RunBench({"--algorithm=Ring",
                                                     "-b",
                                                     "1K",
                                                     "-e",
                                                     "32K",
                                                     "-f",
                                                     "32",
                                                     "-n",
                                                     "3",
                                                     "-w",
                                                     "2",
                                                     "--csv=true"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto json = nlohmann::json::parse(ReadTestFile(outcome.folder + "/summary.json"));
    const auto& collectives = json.at("collectives");
    ASSERT_EQ(collectives.size(), 2U);
    for (std::size_t i = 0; i < 2; i++)
    {
        const CollectiveBenchRecord& record = outcome.rows[i].record;
        EXPECT_EQ(collectives[i].at("kind"), "AllReduce");
        EXPECT_EQ(collectives[i].at("algorithm"), "Ring");
        EXPECT_EQ(collectives[i].at("bytes"), record.bytes);
        EXPECT_EQ(collectives[i].at("count"), 3U);
        EXPECT_DOUBLE_EQ(collectives[i].at("timeNs").get<double>(),
                         record.GetTime().GetPicoSeconds() / 1e3);
        EXPECT_DOUBLE_EQ(collectives[i].at("busbwGBps").get<double>(), record.GetBusbwGBps());
    }
    EXPECT_EQ(json.at("input").at("ngpus"), "8");
    EXPECT_EQ(outcome.Ask("SELECT size_bytes, iterations, warmup_iterations, redop, root, wrong "
                          "FROM collective_bench"),
              "1024 3 2 sum NULL 0 32768 3 2 sum NULL 0");
    EXPECT_EQ(outcome.Ask("SELECT count(*), count(DISTINCT algorithm) FROM collectives"), "10 1");
    EXPECT_EQ(outcome.Ask("SELECT count(*), sum(iteration IS NULL) FROM spans"), "80 32");
    EXPECT_EQ(outcome.Ask("SELECT count(*), sum(finished) FROM ranks"), "8 8");
    EXPECT_EQ(outcome.Ask("SELECT count(*) FROM flows"), "0");
    const std::string csv = ReadTestFile(outcome.folder + "/collective_bench.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST(RailyardCollectiveBench, StoppedRunSaysHowFarItIs)
{
    const CollectiveBenchOutcome outcome =
        RunBench({"-b", "1M", "-e", "64M", "-f", "64", "--stop=10100us"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.GetTable().size(), 1U);
    const auto& unfinished = outcome.summary.unfinished;
    const auto has = [&](const std::string& text) {
        return std::any_of(unfinished.begin(), unfinished.end(), [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(has("the run was stopped at 10.100 ms, as asked")) << outcome.out;
    EXPECT_TRUE(has("1 of 2 rows are done; all_reduce of 67108864 bytes on 8 GPUs, warm-up: "
                    "8 ranks are in iteration 1 of 1"))
        << outcome.out;
    EXPECT_TRUE(has("rank 0 waits for"));
    EXPECT_NE(outcome.out.find("# unfinished: "), std::string::npos);
}

} // namespace ns3
