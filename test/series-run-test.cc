/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

constexpr int64_t FULL = (1000 + 62 + 20) * 80; //!< a full packet of 1000 bytes at 100 Gbps, ps
constexpr int64_t DELAY = 1000000;              //!< of a link, ps

/** \param text numbers with blanks between them \return the numbers */
std::vector<double>
Numbers(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<double> numbers;
    for (double number = 0; stream >> number;)
    {
        numbers.push_back(number);
    }
    return numbers;
}

/** \param ps picoseconds \return nanoseconds */
double
Ns(int64_t ps)
{
    return static_cast<double>(ps) / 1000;
}

} // namespace

/** Time series of runs, against closed forms and against the totals of the same run. */
class RailyardSeries : public FlowRunUnderTest
{
  protected:
    /** \return a flow of 1000 packets from host 0 to host 1 of a star, without congestion control */
    std::vector<std::string> SingleFlow() const
    {
        return {"--topology=" + WriteStar(2),
                "--flows=" + Write("flows", "1\n0 1 3 100 1000000 0\n"),
                "--congestionControl=No",
                "--set=RoceNicDevice::MtuBytes=1000"};
    }

    /** \return 32 flows to one host of a star, with pauses and marks */
    std::vector<std::string> Incast() const
    {
        return {"--topology=" + WriteStar(33),
                "--flows=" + WriteIncast(32),
                "--set=RoceNicDevice::MtuBytes=1000",
                "--set=RoceSwitchDevice::BufferBytes=16000000"};
    }

    /** \param all some arguments \param more others \return all of them */
    static std::vector<std::string> Join(std::vector<std::string> all,
                                         const std::vector<std::string>& more)
    {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
};

TEST_F(RailyardSeries, UtilisationIsOneFromTheFirstBitToTheLast)
{
    Simulate(Join(SingleFlow(),
                  {"--series=utilisation", "--seriesInterval=0s", "--seriesPorts=2:1"}));
    // The switch sends once the first packet is there, and without a gap.
    EXPECT_EQ(Numbers(Ask("SELECT time_ns, value FROM series")),
              (std::vector<double>{Ns(FULL + DELAY), 1, Ns(1001 * FULL + DELAY), 0}));
    EXPECT_EQ(Ask("SELECT DISTINCT node, port, priority, peer, channel FROM series"),
              "2 1 NULL NULL NULL");
    EXPECT_EQ(Ask("SELECT metric, object, unit FROM metrics"), "utilisation port ");
}

TEST_F(RailyardSeries, UtilisationOfIntervalsAddsUpToTheTimeOnTheWire)
{
    const RunSummary summary = Simulate(Join(SingleFlow(),
                                             {"--series=utilisation",
                                              "--seriesInterval=7us",
                                              "--seriesPorts=2:1,0"}));
    const double end = Ns(summary.simulatedTime.GetPicoSeconds());
    for (const std::string port : {"node = 2 AND port = 1", "node = 0 AND port = 0"})
    {
        std::vector<double> rows =
            Numbers(Ask("SELECT time_ns, value FROM series WHERE " + port));
        ASSERT_GE(rows.size(), 4U);
        EXPECT_EQ(rows[0], 0);
        rows.push_back(end);
        double busy = 0;
        for (std::size_t i = 0; i + 2 < rows.size(); i += 2)
        {
            busy += rows[i + 1] * (rows[i + 2] - rows[i]);
            EXPECT_EQ(std::fmod(rows[i], 7000), 0);
        }
        EXPECT_NEAR(busy, Ns(1000 * FULL), 0.001) << port;
    }
}

TEST_F(RailyardSeries, DepthHistogramOfEveryPortAddsUpToTheRun)
{
    const RunSummary summary =
        Simulate(Join(Incast(), {"--series=depthHistogram", "--seriesPorts=all"}));
    const std::vector<double> sums =
        Numbers(Ask("SELECT sum(duration_ns) FROM histograms WHERE quantity = 'depth' "
                    "GROUP BY node, port"));
    EXPECT_EQ(sums.size(), 66U);
    for (const double sum : sums)
    {
        EXPECT_NEAR(sum, Ns(summary.simulatedTime.GetPicoSeconds()), 0.001);
    }
    EXPECT_EQ(Ask("SELECT max(lower) <= m AND max(upper) > m FROM histograms, (SELECT "
                  "max(max_queue_bytes) AS m FROM ports WHERE node = 33) WHERE node = 33"),
              "1");
}

TEST_F(RailyardSeries, DepthIsKnownAtEveryInstant)
{
    // Two senders: the queue grows by a packet in the time of one, up to a thousand packets. Both
    // first packets come at FULL + DELAY: one leaves at once, the other waits.
    Simulate({"--topology=" + WriteStar(3),
              "--flows=" + WriteIncast(2),
              "--congestionControl=No",
              "--set=RoceNicDevice::MtuBytes=1000",
              "--series=depth,depthHistogram",
              "--seriesInterval=0s",
              "--seriesPorts=3:0"});
    const std::vector<double> rows = Numbers(
        Ask("SELECT time_ns, value FROM series WHERE metric = 'depth' ORDER BY rowid"));
    ASSERT_GE(rows.size(), 4U);
    EXPECT_EQ(rows[0], Ns(FULL + DELAY));
    EXPECT_EQ(rows[1], 1062);
    EXPECT_EQ(rows.back(), 0);
    // Little's law: the bytes waiting, summed up over time, are what each frame waits. Packet k of
    // 2000 leaves k packet times after the first and came k / 2 packet times after it.
    double area = 0;
    for (std::size_t i = 0; i + 2 < rows.size(); i += 2)
    {
        area += rows[i + 1] * (rows[i + 2] - rows[i]);
    }
    const double packets = 1000.0 * 1000.0; // sum of k - floor(k / 2) for k = 0 to 1999
    EXPECT_NEAR(area, packets * 1062 * Ns(FULL), 1e-9 * area);
    EXPECT_EQ(Ask("SELECT round(sum(duration_ns), 3) FROM histograms WHERE quantity = 'depth' AND "
                  "lower >= 1000 AND lower < 3000"),
              Ask("SELECT round(sum(next - time_ns), 3) FROM (SELECT time_ns, value, lead(time_ns) OVER "
                  "(ORDER BY rowid) AS next FROM series WHERE metric = 'depth') WHERE value >= "
                  "1000 AND value < 3000"));
}

TEST_F(RailyardSeries, PausesAreThoseOfThePorts)
{
    const RunSummary summary = Simulate(Join(Incast(),
                                             {"--congestionControl=No",
                                              "--series=pause",
                                              "--seriesInterval=0s",
                                              "--seriesPorts=all"}));
    EXPECT_GT(summary.network.pfcPauses, 0U);
    EXPECT_EQ(Ask("SELECT count(*) FROM series WHERE value = 1"),
              std::to_string(summary.network.pfcPauses));
    EXPECT_EQ(Ask("SELECT count(*) FROM ports p WHERE paused_ns > 0 AND abs(paused_ns - (SELECT "
                  "sum(CASE value WHEN 1 THEN -time_ns ELSE time_ns END) FROM series s WHERE "
                  "s.node = p.node AND s.port = p.port AND s.priority = p.priority)) < 0.01"),
              Ask("SELECT count(*) FROM ports WHERE paused_ns > 0"));
}

TEST_F(RailyardSeries, MarksAddUp)
{
    const RunSummary summary = Simulate(Join(Incast(), {"--series=mark", "--seriesInterval=5us"}));
    EXPECT_GT(summary.network.ecnMarks, 10U);
    EXPECT_EQ(Ask("SELECT max(value) FROM series WHERE node = 33 AND port = 0 AND priority = 3"),
              std::to_string(summary.network.ecnMarks) + ".0");
    EXPECT_EQ(Ask("SELECT max(n) FROM (SELECT count(*) AS n FROM series GROUP BY "
                  "cast(time_ns / 5000 AS INTEGER))"),
              "1");
}

TEST_F(RailyardSeries, RoundTripOfALonePacketIsExact)
{
    Simulate({"--topology=" + WriteStar(2),
              "--flows=" + Write("flows", "1\n0 1 3 100 1000 0\n"),
              "--congestionControl=No",
              "--set=RoceNicDevice::MtuBytes=1000",
              "--series=rtt,rate",
              "--seriesInterval=0s"});
    constexpr int64_t ACK = 86 * 80; // a frame of 66 bytes, with preamble and gap
    EXPECT_EQ(Numbers(Ask("SELECT value FROM series WHERE metric = 'rtt'")),
              std::vector<double>{Ns(2 * FULL + 2 * ACK + 4 * DELAY)});
    EXPECT_EQ(Ask("SELECT node, peer, channel, port FROM series WHERE metric = 'rtt'"),
              "0 1 0 NULL");
    EXPECT_EQ(Ask("SELECT time_ns, value FROM series WHERE metric = 'rate'"),
              "0.0 100000000000.0");
}

TEST_F(RailyardSeries, RateAndAlphaFollowDcqcn)
{
    Simulate(Join(Incast(),
                  {"--series=rate,alpha,window", "--seriesInterval=0s", "--seriesPairs=1:0,2:0"}));
    EXPECT_EQ(Ask("SELECT DISTINCT node FROM series ORDER BY node"), "1 2");
    EXPECT_EQ(Ask("SELECT count(*) FROM series WHERE metric = 'window'"), "0");
    // Alpha is 1 at the start, so the first cut halves the rate.
    EXPECT_EQ(Ask("SELECT value FROM series WHERE metric = 'alpha' AND node = 1 LIMIT 1"), "1.0");
    EXPECT_EQ(Ask("SELECT value FROM series WHERE metric = 'rate' AND node = 1 LIMIT 2"),
              "100000000000.0 50000000000.0");
    EXPECT_EQ(Ask("SELECT count(*) FROM series WHERE metric = 'alpha' AND (value < 0 OR value > 1)"),
              "0");
    EXPECT_EQ(Ask("SELECT count(*) FROM (SELECT time_ns - lag(time_ns) OVER (PARTITION BY metric, "
                  "node ORDER BY rowid) AS step FROM series) WHERE step < 0"),
              "0");
}

TEST_F(RailyardSeries, WindowIsThatOfTheCongestionControl)
{
    Simulate(Join(Incast(),
                  {"--congestionControl=Dctcp", "--series=window,alpha", "--seriesInterval=0s"}));
    EXPECT_EQ(Ask("SELECT count(DISTINCT node) FROM series WHERE metric = 'window'"), "32");
    EXPECT_GT(Numbers(Ask("SELECT count(*) FROM series WHERE metric = 'alpha' AND value < 1 AND "
                          "value > 0"))[0],
              0);
}

TEST_F(RailyardSeries, NothingIsPolledAndNothingDisturbed)
{
    const RunSummary plain = Simulate(Incast());
    const std::string flows = Ask("SELECT * FROM flows");
    EXPECT_EQ(Ask("SELECT (SELECT count(*) FROM series) + (SELECT count(*) FROM metrics)"), "0");
    const RunSummary watched =
        Simulate(Join(Incast(),
                      {"--series=queue,utilisation,pause,mark,rate,window,alpha,rtt",
                       "--seriesInterval=1us",
                       "--seriesPorts=all"}));
    EXPECT_EQ(watched.engine.events, plain.engine.events);
    EXPECT_EQ(Ask("SELECT * FROM flows"), flows);
    EXPECT_EQ(Ask("SELECT count(*) FROM metrics"), "8");
    EXPECT_EQ(Ask("SELECT DISTINCT metric FROM series WHERE metric <> 'pause' ORDER BY metric"),
              "alpha mark queue rate rtt utilisation");
    Simulate(Join(Incast(), {"--series=depth,depthHistogram"}));
    EXPECT_EQ(Ask("SELECT * FROM flows"), flows);
}

TEST_F(RailyardSeries, BothEnginesGiveTheSame)
{
    const std::vector<std::string> all =
        Join(Incast(),
             {"--series=queue,depth,depthHistogram,utilisation,pause,mark,rate,alpha,rtt",
              "--seriesInterval=3us",
              "--seriesPorts=all"});
    Simulate(all);
    const std::string series = Ask("SELECT * FROM series ORDER BY metric, node, port, priority, "
                                   "peer, channel, rowid");
    const std::string histograms = Ask("SELECT * FROM histograms");
    Simulate(Join(all, {"--engine=default"}));
    EXPECT_EQ(Ask("SELECT * FROM series ORDER BY metric, node, port, priority, peer, channel, "
                  "rowid"),
              series);
    EXPECT_EQ(Ask("SELECT * FROM histograms"), histograms);
}

TEST_F(RailyardSeries, HpccFilesSayWhatTheRunDid)
{
    const RunSummary summary =
        Simulate(Join(Incast(), {"--congestionControl=No", "--hpccOutput=fct,pfc,qlen"}));
    EXPECT_TRUE(Mentions(summary.notes, {"fct.txt, pfc.txt, qlen.txt"}));
    // 32 lines in the order in which flows end; at 2 x 1 us, 2 x 80 ns and 1048 bytes a packet.
    std::istringstream fct(Read("out/fct.txt"));
    std::string source;
    std::string rest;
    int lines = 0;
    for (; fct >> source && std::getline(fct, rest); lines++)
    {
        const uint32_t node = (std::stoul(source, nullptr, 16) - 0x0b000001) / 256;
        const auto ends = Numbers(Ask("SELECT sender_end_ns FROM flows WHERE src_rank = " +
                                      std::to_string(node)));
        std::ostringstream expected;
        expected << " 0b000001 10000 100 1000000 0 " << static_cast<int64_t>(ends.at(0)) << " "
                 << 4000 + 160 + 8 * 1048000 / 100;
        EXPECT_EQ(rest, expected.str());
    }
    EXPECT_EQ(lines, 32);
    const std::string pfc = Read("out/pfc.txt");
    EXPECT_EQ(std::count(pfc.begin(), pfc.end(), '\n'),
              summary.network.pfcPauses + summary.network.pfcResumes);
    EXPECT_NE(pfc.find(" 0 1 1\n"), std::string::npos) << "hosts were paused at their port 1";
    const std::string qlen = Read("out/qlen.txt");
    EXPECT_EQ(qlen.rfind("time: 0\n33 1 1\n33 2 1\n", 0), 0U) << qlen.substr(0, 99);
    EXPECT_EQ(Ask("SELECT count(*) FROM series"), "0");
}

TEST_F(RailyardSeries, HpccFilesOfAConfigurationGoIntoTheResultFolder)
{
    const std::string config =
        Write("config",
              "FCT_OUTPUT_FILE mix/my-fct.txt\nPFC_OUTPUT_FILE /nowhere/at/all/my-pfc.txt\n"
              "QLEN_MON_FILE ../my-qlen.txt\nQLEN_MON_START 1000\nQLEN_MON_END 5000\n");
    const RunSummary summary = Simulate(Join(SingleFlow(), {"--config=" + config}));
    const std::vector<std::string> files = ListFiles("out");
    EXPECT_EQ(files,
              (std::vector<std::string>{"my-fct.txt", "my-pfc.txt", "my-qlen.txt", "results.db",
                                        "summary.json", "timeline.json"}));
    EXPECT_EQ(Read("out/my-fct.txt").rfind("0b000001 0b000101 10000 100 1000000 0 ", 0), 0U);
    EXPECT_EQ(Read("out/my-pfc.txt"), "");
    EXPECT_EQ(Read("out/my-qlen.txt"), "time: 5000\n2 1 41\n2 2 41\n");
    // With the command line's word against it, nothing is written.
    const RunSummary none =
        Simulate(Join(SingleFlow(), {"--config=" + config, "--hpccOutput=none"}), "none");
    EXPECT_EQ(ListFiles("none").size(), 3U);
    EXPECT_EQ(GetIgnored(none.configuration, "QLEN_MON_START"), "1000: --hpccOutput is given");
}

TEST_F(RailyardSeries, ConWeaveFormWritesNodeIds)
{
    Simulate({"--topology=" + WriteStar(2),
              "--flows=" + Write("flows", "2\n1 0 3 5000 0.001\n1 0 3 5000 0.001\n"),
              "--hpccOutput=fct"});
    const std::string fct = Read("out/fct.txt");
    EXPECT_NE(fct.find("1 0 10000 100 5000 1000000 "), std::string::npos) << fct;
    EXPECT_NE(fct.find("1 0 10001 101 5000 1000000 "), std::string::npos) << fct;
}

TEST_F(RailyardSeries, BadRequestsAreOneLine)
{
    struct Row
    {
        std::vector<std::string> more;  //!< arguments
        std::vector<std::string> words; //!< of the message
    };

    const std::string twice =
        Write("twice", "FCT_OUTPUT_FILE a/x.txt\nPFC_OUTPUT_FILE b/x.txt\n");
    const std::string taken = Write("taken", "FCT_OUTPUT_FILE mix/summary.json\n");
    const std::string folder = Write("folder", "FCT_OUTPUT_FILE mix/\n");
    const std::vector<Row> rows{
        {{"--series=rates"}, {"--series", "rates", "Rate"}},
        {{"--series=rate", "--seriesInterval=often"}, {"--seriesInterval", "often"}},
        {{"--series=queue", "--seriesPorts=9"}, {"--seriesPorts", "9", "a node of"}},
        {{"--series=queue", "--seriesPorts=2:2"}, {"--seriesPorts", "2:2", "below 2"}},
        {{"--series=rate", "--seriesPairs=1"}, {"--seriesPairs", "1", "<source node>"}},
        {{"--series=rate", "--seriesPairs=1:7"}, {"--seriesPairs", "7", "a node of"}},
        {{"--series=rate", "--qlen=1us"}, {"--qlen", "not both"}},
        {{"--hpccOutput=fct,x"}, {"--hpccOutput", "fct,x", "none"}},
        {{"--sizes=1000,10"}, {"--sizes", "10"}},
        {{"--config=" + twice}, {"PFC_OUTPUT_FILE", "b/x.txt", "a name of its own"}},
        {{"--config=" + taken}, {"summary.json", "taken"}},
        {{"--config=" + folder}, {"FCT_OUTPUT_FILE", "mix/", "the path of a file"}},
    };
    for (const Row& row : rows)
    {
        const std::string message = GetRefusal(Join(SingleFlow(), row.more));
        for (const std::string& word : row.words)
        {
            EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
        }
        EXPECT_FALSE(Exists("out"));
    }
}

TEST_F(RailyardSeries, FlowsAreSummedUpBySize)
{
    const RunSummary summary =
        Simulate({"--topology=" + WriteStar(3),
                  "--flows=" + Write("flows", "3\n0 1 3 1 999 0\n0 2 3 1 1000 0\n2 1 3 1 500000 0\n"),
                  "--sizes=1000,100000"});
    ASSERT_EQ(summary.flows.bySize.size(), 3U);
    EXPECT_EQ(Ask("SELECT from_bytes, to_bytes, flows, slowdowns FROM flow_sizes"),
              "0 1000 1 1 1000 100000 1 1 100000 NULL 1 1");
    EXPECT_EQ(Ask("SELECT count(*) FROM flow_sizes WHERE p999_fct_ns = max_fct_ns AND "
                  "p50_slowdown >= 1"),
              "3");
    EXPECT_EQ(Ask("SELECT sum(flows) FROM histograms WHERE quantity = 'fct'"), "3");
    EXPECT_EQ(Ask("SELECT sum(flows), min(lower) >= 1 FROM histograms WHERE quantity = 'slowdown'"),
              "3 1");
}

} // namespace ns3
