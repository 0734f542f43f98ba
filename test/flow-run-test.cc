/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include "ns3/config-error.h"
#include "ns3/topology.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

using nlohmann::json;

/** Bytes that a RoCE packet adds to its payload: 62, and 20 of preamble and gap. */
constexpr int64_t HEADER_BYTES = 82;

/** \param bytes on the wire, at 100 Gbps \return picoseconds */
constexpr int64_t
Serialise(int64_t bytes)
{
    return bytes * 80;
}

constexpr int64_t FULL = Serialise(1000 + HEADER_BYTES); //!< a full packet, ps
constexpr int64_t DELAY = 1000000;                       //!< of a link, ps

} // namespace

/** Each test writes its files and simulates in a folder of its own. */
class RailyardFlowRun : public FlowRunUnderTest
{
};

TEST_F(RailyardFlowRun, H01SingleFlowIsExact)
{
    const std::string topology = WriteStar(2);
    const std::map<uint64_t, int64_t> expected{
        {1000000, 1000 * FULL + FULL + 2 * DELAY},
        // The short packet waits behind the full one at the switch.
        {1000500, 1000 * FULL + FULL + DELAY + Serialise(500 + HEADER_BYTES) + DELAY},
    };
    for (const auto& [bytes, picoseconds] : expected)
    {
        const std::string flows = Write("flows", "1\n0 1 3 100 " + std::to_string(bytes) + " 0\n");
        const RunSummary summary = Simulate({"--topology=" + topology,
                                             "--flows=" + flows,
                                             "--congestionControl=No",
                                             "--set=ns3::RoceNicDevice::MtuBytes=1000"});
        EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
        EXPECT_EQ(summary.flows.completion.max, PicoSeconds(picoseconds));
        EXPECT_EQ(summary.flows.slowdown.max, 1.0);
        EXPECT_EQ(Ask("SELECT payload_bytes, delivered_bytes, slowdown, path FROM flows"),
                  std::to_string(bytes) + " " + std::to_string(bytes) + " 1.0 nic");
    }
}

TEST_F(RailyardFlowRun, FlowsSpreadOverAllNicsOfAHost)
{
    const std::vector<std::string> incast{"--topology=star:hosts=8,nicsPerGpu=2",
                                          "--flows=" + WriteIncast(7)};
    const std::string sql = "SELECT sum(payload_bytes > 0), sum(payload_bytes) FROM links "
                            "WHERE kind = 'ethernet' AND ";
    EXPECT_EQ(Simulate(incast).verdict, RunVerdict::FINISHED);
    EXPECT_EQ(Ask(sql + "peer = 0"), "2 7000000");
    EXPECT_EQ(Ask("SELECT count(DISTINCT port) FROM links "
                  "WHERE kind = 'ethernet' AND node BETWEEN 1 AND 7 AND payload_bytes > 0"),
              "2");

    std::vector<std::string> striped = incast; // channel 0 of every pair is on NIC 0
    striped.push_back("--set=ns3::ClusterNetwork::StripeNics=true");
    Simulate(striped);
    EXPECT_EQ(Ask(sql + "peer = 0"), "1 7000000");
}

TEST_F(RailyardFlowRun, CutThroughHasAnIdealOfItsOwn)
{
    const std::string flows = Write("flows", "1\n0 1 3 1000500 0\n");
    const RunSummary summary = Simulate({"--topology=" + WriteStar(2),
                                         "--flows=" + flows,
                                         "--congestionControl=No",
                                         "--set=RoceNicDevice::MtuBytes=1000",
                                         "--set=RoceSwitchDevice::CutThrough=true"});
    // The switch sees the head of a frame behind preamble and gap, 20 bytes.
    const int64_t ideal = 1000 * FULL + Serialise(500 + HEADER_BYTES) + 2 * DELAY;
    EXPECT_EQ(summary.flows.completion.max, PicoSeconds(ideal + Serialise(20)));
    EXPECT_EQ(Ask("SELECT ideal_ns FROM flows"), "88606.56");
    EXPECT_EQ(ideal, 88606560);
}

TEST_F(RailyardFlowRun, TheFirstBitStartsTheClock)
{
    const std::string topology = WriteStar(3);
    const std::string flows = Write("flows", "2\n0 1 3 1000000 0.001\n0 2 3 1000000 0.001\n");
    Simulate({"--topology=" + topology,
              "--flows=" + flows,
              "--congestionControl=No",
              "--set=RoceNicDevice::MtuBytes=1000"});
    // When the second flow came the first had stood in line for its second packet again.
    EXPECT_EQ(Ask("SELECT start_ns FROM flows ORDER BY flow"), "1000000.0 1000173.12");
    EXPECT_EQ(Ask("SELECT count(*) FROM flows WHERE slowdown >= 1"), "2");
}

TEST_F(RailyardFlowRun, H02IncastIsLossless)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(33),
                                         "--flows=" + WriteIncast(32),
                                         "--congestionControl=No",
                                         "--set=RoceNicDevice::MtuBytes=1000",
                                         "--set=RoceSwitchDevice::BufferBytes=16000000"});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_EQ(summary.network.drops, 0U);
    EXPECT_EQ(summary.network.payloadBytesDelivered, 32000000U);
    EXPECT_GT(summary.network.pfcPauses, 0U);
    EXPECT_EQ(summary.network.pfcResumes, summary.network.pfcPauses);
    const double last = summary.flows.completion.max.GetPicoSeconds();
    const double bottleneck = FULL + DELAY + 32000 * FULL + DELAY;
    EXPECT_GE(last, bottleneck);
    EXPECT_LE(last, 1.01 * bottleneck);
    EXPECT_EQ(Ask("SELECT count(*) FROM flows WHERE slowdown < 1"), "0");

    // The log: 33 is the switch; every port pauses and resumes its peer in turn.
    EXPECT_EQ(Ask("SELECT DISTINCT node, priority FROM pauses"), "33 3");
    EXPECT_EQ(Ask("SELECT action, count(*) FROM pauses GROUP BY action"),
              "pause " + std::to_string(summary.network.pfcPauses) + " resume " +
                  std::to_string(summary.network.pfcResumes));
    EXPECT_EQ(Ask("SELECT count(*) FROM (SELECT action, lag(action, 1, 'resume') OVER "
                  "(PARTITION BY port ORDER BY rowid) AS before FROM pauses) "
                  "WHERE action = before"),
              "0");
    EXPECT_EQ(Ask("SELECT DISTINCT action FROM (SELECT action, max(rowid) FROM pauses "
                  "GROUP BY port)"),
              "resume");
}

TEST_F(RailyardFlowRun, GpusThatShareANicWithTwoPortsAreOneDevice)
{
    const std::string topology =
        "star:gpus=4,gpusPerServer=2,gpusPerNic=2,portsPerNic=2,nicRate=200Gbps,delay=1us";
    const std::string flows = Write("flows",
                                    "4\n0 2 3 100 1000000 0\n1 3 3 100 1000000 0\n"
                                    "1 0 3 100 1000000 0\n3 0 3 100 1000000 0\n");
    for (const std::string perPacket : {"false", "true"})
    {
        SCOPED_TRACE(perPacket);
        const RunSummary summary =
            Simulate({"--topology=" + topology,
                      "--flows=" + flows,
                      "--set=RoceNicDevice::PortBalancer=Spray",
                      "--set=RoceNicDevice::PortPerPacket=" + perPacket,
                      "--set=LossRecovery::ReorderWindow=4096"}); // which checks bytes and frames
        EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
        EXPECT_EQ(summary.network.payloadBytesDelivered, 4000000U);
        EXPECT_EQ(Ask("SELECT count(*) FROM links WHERE node = 0"), "2");
        EXPECT_EQ(Ask("SELECT count(*) FROM links WHERE node = 1"), "0");
        EXPECT_EQ(Ask("SELECT sum(payload_bytes) FROM links WHERE node = 0"), "3000000");
    }
}

TEST_F(RailyardFlowRun, FlowsOverNvlinkAreAccountedForWhenARunStops)
{
    const std::string flows =
        Write("flows", "3\n0 1 3 100 100000000 0\n2 3 3 100 1000 0\n4 5 3 100 1000 1\n");
    const RunSummary summary = Simulate(
        {"--topology=single-server", "--flows=" + flows, "--stop=50us", "--hpccOutput=fct"});
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_EQ(summary.flows.unfinished, 2U);
    const uint64_t arrived = summary.network.payloadBytesDelivered - 1000;
    EXPECT_GT(arrived, 0U);
    EXPECT_LT(arrived, 100000000U);
    EXPECT_EQ(Ask("SELECT delivered_bytes FROM flows ORDER BY flow"),
              std::to_string(arrived) + " 1000 0");
    EXPECT_TRUE(Mentions(summary.unfinished,
                         {"node 1 waits for " + std::to_string(100000000 - arrived) + " of"}));
    EXPECT_FALSE(Mentions(summary.unfinished, {"not conserved"}));
    EXPECT_EQ(Read("out/fct.txt"), ""); // HPCC's analysis divides by a time that they do not have
    EXPECT_TRUE(Mentions(summary.notes, {"fct.txt leaves out 3 flows over NVLink"}));
}

TEST_F(RailyardFlowRun, PortsTellOfTheirPauses)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(33),
                                         "--flows=" + WriteIncast(32),
                                         "--congestionControl=No",
                                         "--set=RoceNicDevice::MtuBytes=1000",
                                         "--set=RoceSwitchDevice::PauseQuanta=2000",
                                         "--set=RoceSwitchDevice::BufferBytes=16000000"});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    // What the switch sent its peers received; every pause was refreshed.
    EXPECT_EQ(Ask("SELECT count(*) FROM ports p JOIN links l USING (node, port) JOIN ports q "
                  "ON q.node = l.peer AND q.port = l.peer_port AND q.priority = p.priority "
                  "WHERE p.pauses_sent > 0 AND p.pauses_sent = q.pauses_received AND "
                  "p.resumes_sent = q.resumes_received"),
              "32");
    EXPECT_EQ(Ask("SELECT sum(resumes_sent) FROM ports"),
              std::to_string(summary.network.pfcResumes));
    EXPECT_EQ(Ask("SELECT count(*) FROM ports WHERE pauses_sent > 2 * resumes_sent"), "32");
    EXPECT_EQ(Ask("SELECT count(*) FROM ports WHERE pauses_received > 0 AND priority = 3 AND "
                  "paused_ns > 0 AND longest_pause_ns > 0 AND longest_pause_ns <= paused_ns"),
              "32");
    EXPECT_EQ(Ask("SELECT count(*) FROM ports p JOIN links l USING (node, port) WHERE "
                  "p.paused_ns > l.window_ns OR p.paused_ns != l.paused_ns"),
              "0")
        << "one priority alone was paused";
    EXPECT_EQ(Ask("SELECT sum(paused_at_end), sum(dropped_packets) FROM ports"), "0 0");
    EXPECT_EQ(Ask("SELECT count(*) FROM ports WHERE node = 33 AND max_queue_bytes > 1000000"), "1");
}

TEST_F(RailyardFlowRun, PortsTellWhatIsStillPausedWhenTheRunStops)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(33),
                                         "--flows=" + WriteIncast(32),
                                         "--congestionControl=No",
                                         "--stop=1ms",
                                         "--set=RoceNicDevice::MtuBytes=1000",
                                         "--set=RoceSwitchDevice::BufferBytes=16000000"});
    EXPECT_NE(summary.verdict, RunVerdict::FINISHED);
    EXPECT_GT(std::stoi(Ask("SELECT count(*) FROM ports WHERE paused_at_end")), 0);
    EXPECT_EQ(Ask("SELECT count(*) FROM ports WHERE paused_at_end AND (paused_ns = 0 OR "
                  "longest_pause_ns = 0 OR paused_ns > 1000000)"),
              "0");
}

TEST_F(RailyardFlowRun, H02IncastWithoutPfcRepairsItsLosses)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(33),
                                         "--flows=" + WriteIncast(32),
                                         "--congestionControl=No",
                                         "--set=RoceNicDevice::MtuBytes=1000",
                                         "--set=RoceSwitchDevice::Pfc=false",
                                         "--set=RoceSwitchDevice::BufferBytes=2000000"});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_GT(summary.network.drops, 0U);
    EXPECT_GE(summary.network.retransmittedPackets, summary.network.drops);
    EXPECT_EQ(summary.network.payloadBytesDelivered, 32000000U);
    EXPECT_EQ(summary.network.pfcPauses, 0U);
    EXPECT_EQ(Ask("SELECT count(*), sum(retransmitted_packets) FROM flows WHERE end_ns > 0"),
              "32 " + std::to_string(summary.network.retransmittedPackets));
}

TEST_F(RailyardFlowRun, H03RandomLossEnds)
{
    const std::string flows = Write("flows", "1\n0 1 3 100 10000000 0\n");
    const auto simulate = [&](const std::string& lossRate) {
        const std::string topology = Write("lossy",
                                           "3 1 2\n2\n0 2 100Gbps 1us 0\n2 1 100Gbps 1us " +
                                               lossRate + "\n");
        return Simulate({"--topology=" + topology,
                         "--flows=" + flows,
                         "--congestionControl=No",
                         "--set=RoceNicDevice::MtuBytes=1000"});
    };
    const RunSummary clean = simulate("0");
    EXPECT_EQ(clean.flows.completion.max, PicoSeconds(10000 * FULL + FULL + 2 * DELAY));
    const RunSummary lossy = simulate("0.001");
    EXPECT_EQ(lossy.verdict, RunVerdict::FINISHED);
    EXPECT_EQ(lossy.network.payloadBytesDelivered, 10000000U);
    EXPECT_GT(lossy.flows.completion.max, clean.flows.completion.max);
    const int lost = std::stoi(Ask("SELECT lost_packets FROM links WHERE node = 2 AND peer = 1"));
    EXPECT_GT(lost, 0);
    EXPECT_LE(lost, 25);
    EXPECT_EQ(Ask("SELECT sum(dropped_packets), count(*) FROM links WHERE dropped_packets = 0"),
              "0 4");
}

TEST_F(RailyardFlowRun, ConWeaveAndHpccFormsGiveTheSame)
{
    const std::string topology = WriteStar(4);
    const std::string hpcc =
        Write("hpcc", "2\n1 0 3 100 50000 0.001\n2 0 3 100 60000 0.0010005\n");
    const std::string conweave =
        Write("conweave", "2\n1 0 3 50000 0.001\n2 0 3 60000 0.0010005\n");
    Simulate({"--topology=" + topology, "--flows=" + hpcc});
    const std::string first = Ask("SELECT * FROM flows ORDER BY flow");
    Simulate({"--topology=" + topology, "--flows=" + conweave});
    EXPECT_EQ(Ask("SELECT * FROM flows ORDER BY flow"), first);
    EXPECT_EQ(Ask("SELECT src_rank, dst_rank, payload_bytes FROM flows ORDER BY flow"),
              "1 0 50000 2 0 60000");
}

TEST_F(RailyardFlowRun, FlowsOfAPairHaveChannelsOfTheirOwn)
{
    const std::string flows =
        Write("flows", "3\n1 0 3 50000 0\n1 0 3 50000 0\n0 1 3 50000 0\n");
    Simulate({"--topology=" + WriteStar(2), "--flows=" + flows});
    EXPECT_EQ(Ask("SELECT channel FROM flows ORDER BY flow"), "0 1 0");
}

TEST_F(RailyardFlowRun, NodeIdsAreThoseOfTheTopologyFile)
{
    // The switch is node 0: host 1 is rank 0.
    const std::string topology = Write("topology",
                                       "4 1 3\n0\n0 1 100Gbps 1us 0\n0 2 100Gbps 1us 0\n"
                                       "0 3 100Gbps 1us 0\n");
    const std::string flows = Write("flows", "1\n3 1 3 100 5000 0\n");
    const RunSummary summary =
        Simulate({"--topology=" + topology, "--flows=" + flows, "--pcap=1:0"});
    EXPECT_EQ(Ask("SELECT src_rank, dst_rank FROM flows"), "2 0");
    EXPECT_EQ(Ask("SELECT name FROM nodes ORDER BY node"), "node 1 node 2 node 3 node 0");
    EXPECT_TRUE(Mentions(summary.notes, {"column name of table nodes"}));
    EXPECT_GT(CountFrames("node-1-port-0.pcap"), 0U);
}

TEST_F(RailyardFlowRun, StoppedRunSaysWhoWaits)
{
    const std::string flows =
        Write("flows", "3\n2 1 3 1000 0\n0 1 3 100000000 0.001\n2 0 3 5000 0.5\n");
    const RunSummary summary =
        Simulate({"--topology=" + WriteStar(3), "--flows=" + flows, "--stop=2ms"});
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_EQ(summary.simulatedTime, MilliSeconds(2));
    EXPECT_EQ(summary.flows.count, 3U);
    EXPECT_EQ(summary.flows.unfinished, 2U);
    ASSERT_EQ(summary.unfinished.size(), 3U);
    EXPECT_EQ(summary.unfinished.front(), "the run was stopped at 2.000 ms, as asked");
    EXPECT_TRUE(
        Mentions(summary.unfinished, {"node 1 waits for", "of 100000000 bytes from node 0"}));
    EXPECT_TRUE(Mentions(summary.unfinished, {"line 4", "would start at 500.000 ms"}));
    EXPECT_EQ(Ask("SELECT count(*) FROM flows"), "3");
    EXPECT_EQ(Ask("SELECT flow FROM flows WHERE end_ns IS NULL AND slowdown IS NULL"), "1 2");
    const std::string delivered = Ask("SELECT sum(delivered_bytes) FROM flows");
    EXPECT_EQ(delivered, std::to_string(summary.network.payloadBytesDelivered));
    EXPECT_GT(std::stoull(delivered), 1000U);
}

TEST_F(RailyardFlowRun, FlowThatGivesUpIsNamed)
{
    const std::string topology =
        Write("topology", "3 1 2\n2\n0 2 100Gbps 1us 0\n2 1 100Gbps 1us 0.999\n");
    const std::string flows = Write("flows", "1\n0 1 3 100 100000 0\n");
    const RunSummary summary = Simulate({"--topology=" + topology,
                                         "--flows=" + flows,
                                         "--set=RoceNicDevice::AckTimeoutExponent=4",
                                         "--set=RoceNicDevice::RetryCount=2"});
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_TRUE(Mentions(summary.unfinished, {"node 1 waits for", "gave up after its retries"}));
}

TEST_F(RailyardFlowRun, H26SameInputSameBytes)
{
    const std::vector<std::string> arguments{"--topology=" + WriteStar(9),
                                             "--flows=" + WriteIncast(8),
                                             "--qlen=1us",
                                             "--csv=true",
                                             "--pcap=9:0",
                                             "--set=RoceSwitchDevice::BufferBytes=2000000"};
    Simulate(arguments, "first");
    Simulate(arguments, "second");
    std::vector<std::string> other = arguments;
    other.push_back("--engine=default");
    Simulate(other, "third");
    const std::vector<std::string> names = ListFiles("first");
    EXPECT_GT(names.size(), 10U);
    for (const std::string& name : names)
    {
        if (name == "summary.json")
        {
            continue;
        }
        EXPECT_EQ(Read("first/" + name), Read("second/" + name)) << name;
        EXPECT_EQ(Read("first/" + name), Read("third/" + name)) << name;
    }
    const auto load = [&](const std::string& folder) {
        json summary = json::parse(Read(folder + "/summary.json"));
        summary.erase("engine");
        return summary;
    };
    EXPECT_EQ(load("first"), load("second"));
    EXPECT_EQ(load("first").at("flows"), load("third").at("flows"));
    EXPECT_EQ(load("first").at("network"), load("third").at("network"));
    EXPECT_GT(load("first").at("network").at("ecnMarks"), 0);
}

TEST_F(RailyardFlowRun, BadInputIsOneLineAndLeavesNothing)
{
    const std::string topology = "--topology=" + WriteStar(3);
    const std::string flows = "--flows=" + WriteIncast(2);
    const auto flowFile = [&](const std::string& name, const std::string& text) {
        return "--flows=" + Write(name, text);
    };
    const auto config = [&](const std::string& name, const std::string& text) {
        return "--config=" + Write(name, text);
    };
    struct Case
    {
        std::vector<std::string> arguments; //!< command line
        std::vector<std::string> words;     //!< what the message must name
    };

    const std::vector<Case> cases{
        {{topology, "--flows=no-such-file"}, {"no-such-file"}},
        {{"--topology=no-such-file", flows}, {"no-such-file"}},
        {{topology, flows, "--config=no-such-file"}, {"no-such-file"}},
        {{topology, flowFile("switch", "1\n3 0 3 100 10 0\n")}, {"switch", "line 2", "3"}},
        {{topology, flowFile("beyond", "1\n0 7 3 100 10 0\n")}, {"beyond", "line 2", "7"}},
        {{topology, flowFile("self", "1\n1 1 3 100 10 0\n")}, {"self", "line 2", "1"}},
        {{topology, flowFile("few", "2\n1 0 3 100 10 0\n")}, {"few", "2"}},
        {{topology, flowFile("empty", "1\n1 0 3 100 0 0\n")}, {"empty", "line 2", "0"}},
        {{topology, flowFile("huge", "1\n1 0 3 100 18446744073709551615 0\n")},
         {"huge", "line 2", "18446744073709551615", "1125899906842624"}},
        {{"--topology=star:hosts=3,nicRate=1kbps", flowFile("slow", "1\n1 0 3 100 1000000000 0\n")},
         {"slow", "line 2", "1000 bit/s"}},
        {{topology, flowFile("plus", "1\n+1 0 3 100 10 0\n")}, {"plus", "line 2", "+1"}},
        {{topology, "--flows="}, {"--flows", "''", "a flow file"}},
        {{topology, flows, config("lossy", "ERROR_RATE_PER_LINK 1\n")},
         {"lossy", "ERROR_RATE_PER_LINK", "below 1"}},
        {{topology, flows, config("seed", "RANDOM_SEED 99999999999\n")},
         {"seed", "RANDOM_SEED", "99999999999"}},
        {{topology, flows, "--set=TimelyCongestionControl::TLow=600us"},
         {"TLow", "600us", "THigh, 500us"}},
        {{topology, flows, "--set=RoceSwitchDevice::MaxFrameBytes=1000"},
         {"MaxFrameBytes", "1000", "MtuBytes 4096"}},
        {{topology, flows, "--set=RoceSwitchDevice::Latency=2s"}, {"Latency", "2s", "1s or less"}},
        {{topology, flows, "--set=ns3::Node::Id=5"}, {"Node::Id", "set by the program"}},
        {{topology, flowFile("order", "2\n1 0 3 100 9 1\n1 0 3 100 9 0\n")}, {"order", "line 3"}},
        {{"--topology=" + Write("apart",
                                "6 2 4\n4 5\n0 4 1Gbps 1us 0\n1 4 1Gbps 1us 0\n2 5 1Gbps 1us 0\n"
                                "3 5 1Gbps 1us 0\n"),
          flowFile("far", "2\n0 1 3 100 10 0\n0 2 3 100 10 0\n")},
         {"far", "line 3", "0 2", "path"}},
        {{topology, flows, config("mode", "CC_MODE 99\n")}, {"mode", "CC_MODE", "99"}},
        {{topology, flows, config("tiny", "PACKET_PAYLOAD_SIZE 100\n")},
         {"tiny", "PACKET_PAYLOAD_SIZE", "100"}},
        {{topology, flows, config("word", "RP_TIMER soon\n")}, {"word", "line 1", "soon"}},
        {{topology, flows, "--congestionControl=Magic"}, {"--congestionControl", "Magic"}},
        {{topology, flows, "--engine=steam"}, {"--engine", "steam"}},
        {{topology, flows, "--stop=later"}, {"--stop", "later"}},
        {{topology, flows, "--qlen=often"}, {"--qlen", "often"}},
        {{topology, flows, "--pcap=1"}, {"--pcap", "1", "<node>:<port>"}},
        {{topology, flows, "--pcap=1:x"}, {"--pcap", "x"}},
        {{topology, flows, "--pcap=9:0"}, {"--pcap", "9:0"}},
        {{topology, flows, "--pcap=3:5"}, {"--pcap", "3:5", "below 3"}},
        {{topology, flows, "--pcap=1:0,0:0,1:0"}, {"--pcap", "'1:0'", "only once"}},
        {{topology, flows, "--pcap=1:0", "--pcap=0:0"}, {"--pcap", "'0:0'", "only once", "'1:0'"}},
        {{topology,
          flows,
          "--set=RoceNicDevice::MtuBytes=512",
          "--ns3::RoceNicDevice::MtuBytes=1024"},
         {"--set=ns3::RoceNicDevice::MtuBytes", "'1024'", "only once", "'512'"}},
        {{topology, flows, "--hpccOutput=fct,pfc,fct"}, {"--hpccOutput", "only once"}},
        {{topology, flows, "--series=queue,depth,Queue"}, {"--series", "only once"}},
        {{topology, flows, "--series=queue", "--seriesPorts=3:0,3"},
         {"--seriesPorts", "'3'", "once"}},
        {{topology, flows, "--series=rate", "--seriesPairs=1:0,2:0,1:0"},
         {"--seriesPairs", "'1:0'", "only once"}},
        {{topology, flows, "--seriesInterval=1us"}, {"--seriesInterval", "'1us'", "--series"}},
        {{topology, flows, "--seriesPorts=3"}, {"--seriesPorts", "'3'", "--series"}},
        {{topology, flows, "--seriesPairs=1:0"}, {"--seriesPairs", "'1:0'", "--series"}},
        {{topology, flows, "--series=rate", "--seriesPorts=3"}, {"--seriesPorts", "Queue"}},
        {{topology, flows, "--series=queue", "--seriesPairs=1:0"}, {"--seriesPairs", "Rate"}},
        {{topology, flows, "--qlen=1us", "--seriesPairs=1:0"}, {"--seriesPairs", "Rate"}},
        {{topology, flows, "--qlen=1us", "--seriesInterval=1us"}, {"--qlen", "not both"}},
        {{topology, flows, "--loadBalancer=Ecmp", "--set=RoceSwitchDevice::LoadBalancer=Spray"},
         {"--set=RoceSwitchDevice::LoadBalancer", "'Spray'", "--loadBalancer, not both"}},
        {{topology,
          flows,
          "--congestionControl=No",
          "--set=ns3::RoceNicDevice::CongestionControl=Hpcc"},
         {"--set=ns3::RoceNicDevice::CongestionControl", "--congestionControl, not both"}},
        {{topology,
          "--traffic=web-search",
          "--duration=1us",
          "--load=0.1",
          "--set=PoissonTraffic::Load=0.2"},
         {"--set=PoissonTraffic::Load", "'0.2'", "--load, not both"}},
        {{topology, flows, "--set=FlowletLoadBalancer::Entries=4000000000"},
         {"FlowletLoadBalancer::Entries", "4000000000", "1048576"}},
        {{topology, flows, "--set=CongaLoadBalancer::FlowletEntries=4000000000"}, {"1048576"}},
        {{topology, flows, "--set=AdaptiveLoadBalancer::FlowletEntries=4000000000"}, {"1048576"}},
        {{topology, flows, "--set=HpccCongestionControl::TargetUtilization=0"}, {"0.01"}},
        {{topology, flows, config("target", "CC_MODE 3\nU_TARGET 0\n")},
         {"target", "line 2", "'0'", "U_TARGET", "TargetUtilization", "0.01"}},
        {{topology, "--traffic=web-search", "--duration=10000s"},
         {"PoissonTraffic::Duration", "10000s", "20 million flows"}},
        {{topology, flows, "--set=RoceNicDevice::MtuBytes=1"}, {"MtuBytes", "1"}},
        {{topology, flows, "--frobnicate=1"}, {"--frobnicate"}},
    };
    for (const Case& bad : cases)
    {
        const std::string message = GetRefusal(bad.arguments);
        SCOPED_TRACE(bad.arguments.back() + ": " + message);
        EXPECT_FALSE(message.empty());
        EXPECT_EQ(message.find('\n'), std::string::npos);
        for (const std::string& word : bad.words)
        {
            EXPECT_NE(message.find(word), std::string::npos) << word;
        }
        EXPECT_FALSE(Exists("out"));
    }
}

TEST_F(RailyardFlowRun, QueuesAreRecordedWithoutDisturbing)
{
    const std::vector<std::string> arguments{"--topology=" + WriteStar(5),
                                             "--flows=" + WriteIncast(4)};
    Simulate(arguments);
    const std::string flows = Ask("SELECT * FROM flows");
    EXPECT_EQ(Ask("SELECT count(*) FROM series"), "0");

    const auto with = [&](const std::string& option) {
        std::vector<std::string> more = arguments;
        more.push_back(option);
        return more;
    };
    uint64_t deepest = 0;
    {
        FlowRun run(Parse(with("--qlen=0s"), "out"));
        run.Run();
        const FabricPort& port = run.GetCluster().GetRoceFabric().switches[5]->GetPort(0);
        deepest = port.GetCounters().maxQueueBytes;
    }
    EXPECT_EQ(Ask("SELECT * FROM flows"), flows);
    EXPECT_EQ(Ask("SELECT max(value) FROM series WHERE port = 0"),
              std::to_string(deepest) + ".0");
    EXPECT_EQ(Ask("SELECT value FROM series WHERE port = 0 ORDER BY rowid DESC LIMIT 1"),
              "0.0");
    const int every = std::stoi(Ask("SELECT count(*) FROM series"));
    EXPECT_GT(every, 100);

    Simulate(with("--qlen=10us"));
    EXPECT_EQ(Ask("SELECT max(value) FROM series WHERE port = 0"),
              std::to_string(deepest) + ".0");
    EXPECT_EQ(Ask("SELECT max(n) FROM (SELECT count(*) AS n FROM series WHERE value > 0 "
                  "GROUP BY node, port, priority, cast(time_ns / 10000 AS INTEGER))"),
              "1");
    EXPECT_LT(std::stoi(Ask("SELECT count(*) FROM series")), every / 4);
    EXPECT_GT(std::stoi(Ask("SELECT count(*) FROM series")), 10);
}

TEST_F(RailyardFlowRun, LinksGoDownAndUpByFile)
{
    const std::vector<std::string> arguments = {
        "--topology=" + WriteStar(3),
        "--flows=" + WriteIncast(2),
        "--linkEvents=" + Write("events", "20us 2 3 down\n60us 3 2 up\n30us 1 3 rate=50Gbps\n"),
        "--set=RoceNicDevice::AckTimeoutExponent=8"};
    const RunSummary summary = Simulate(arguments);
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_GT(summary.network.linkLosses, 0U);
    EXPECT_GT(summary.network.retransmittedPackets, 0U);
    Simulate(arguments, "again");
    EXPECT_EQ(Read("out/timeline.json"), Read("again/timeline.json"));
}

TEST_F(RailyardFlowRun, H04LinkEventsAreLoggedAtTheirTime)
{
    const std::string topology = Write("pair", "4 2 5\n2 3\n0 2 100Gbps 1us 0\n1 3 100Gbps 1us 0\n"
                                               "2 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n"
                                               "2 3 100Gbps 1us 0\n");
    const RunSummary summary =
        Simulate({"--topology=" + topology,
                  "--flows=" + Write("flow", "1\n0 1 3 100 1000000 0\n"),
                  "--linkEvents=" + Write("events",
                                          "20us 3 2 down\n60500ps 1 3 rate=50Gbps\n45us 2 3 up\n"
                                          "50us 0 2 lossRate=0.001\n51us 0 2 bitErrorRate=1e-9\n"
                                          "500s 0 2 down\n"),
                  "--set=RoceNicDevice::AckTimeoutExponent=5"});
    EXPECT_TRUE(Mentions(summary.warnings, {"1 of 6 link events lie behind the end of the run"}));
    EXPECT_EQ(Ask("SELECT time_ns, kind, text FROM events"),
              "60.5 link-rate the link between node 1 and node 3 is at 50000000000 bit/s "
              "20000.0 link-down the 3 links between node 2 and node 3 are down "
              "45000.0 link-up the 3 links between node 2 and node 3 are up "
              "50000.0 link-loss the link between node 0 and node 2 is at a loss rate of 0.001 "
              "51000.0 link-bit-errors the link between node 0 and node 2 is at a bit error rate "
              "of 1e-09");
}

TEST_F(RailyardFlowRun, LinkDownOfHpccCutsTheLink)
{
    const std::string topology = "--topology=" + WriteStar(3);
    const std::string flows =
        "--flows=" + Write("late", "1\n1 0 3 100 1000000 2.0\n"); // of HPCC's time of start
    const std::string config = "--config=" + Write("config", "LINK_DOWN 10 1 3\n");
    const RunSummary summary = Simulate({topology, flows, config, "--stop=2.001s"});
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_GT(summary.network.linkLosses, 0U);
    const std::string message =
        GetRefusal({topology, flows, "--config=" + Write("other", "LINK_DOWN 10 1 2\n")});
    EXPECT_NE(message.find("LINK_DOWN: read '1 2'"), std::string::npos) << message;
}

TEST_F(RailyardFlowRun, PcapHasEveryFrameOfThePort)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(3),
                                         "--flows=" + WriteIncast(2),
                                         "--pcap=0:0,3:1",
                                         "--qlen=1us"});
    // Host 0 gets all data and sends all acknowledgements and CNPs; port 1 leads to host 1.
    EXPECT_EQ(CountFrames("node-0-port-0.pcap"), summary.network.packets);
    const std::string sum = "SELECT sum(data_packets + ack_packets + control_packets) FROM links ";
    EXPECT_EQ(std::to_string(CountFrames("node-3-port-1.pcap")),
              Ask(sum + "WHERE node = 1 OR peer = 1"));
}

TEST_F(RailyardFlowRun, ShippedScenarioRuns)
{
    const RunSummary summary = Simulate({});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_EQ(summary.flows.count, 7U);
    EXPECT_EQ(summary.network.payloadBytesDelivered, 7000000U);
    EXPECT_GT(summary.network.cnps, 0U);
}

} // namespace ns3
