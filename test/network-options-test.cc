/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/config-error.h"
#include "ns3/fabric-engine.h"
#include "ns3/simulator.h"
#include "ns3/sqlite-database.h"
#include "ns3/training-options.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

/**
 * \file
 * The option --network: what it changes in the results, and what goes with which network.
 */

namespace ns3
{

namespace
{

using nlohmann::json;

/** Rows of a workload of 16 ranks: TP over NVLink, DP over NICs. */
const std::vector<std::string> ROWS{"a -1 1000 ALLREDUCE 1048576 1000 NONE 0 1000 NONE 0 0",
                                    "b -1 1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 4194304 0"};

/**
 * Reads the command line of llm-training-example, and runs it.
 * \param arguments beside workload and result folder
 * \return the summary; the run is in folder network-out
 */
json
RunOptions(const std::vector<std::string>& arguments)
{
    Simulator::Destroy();
    const std::string out = testing::TempDir() + "/network-out";
    std::vector<std::string> all{
        "--topology=rail-optimized:gpus=16",
        "--workload=" +
            WriteWorkload("model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 1 all_gpus: 16", ROWS),
        "--out=" + out};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ScopedClusterNetwork network(PacketNetwork::GetTypeId());
    TrainingOptions options;
    EXPECT_TRUE(ParseWords(options, all));
    TrainingRun(options.MakeRun()).Run();
    return json::parse(ReadTestFile(out + "/summary.json"));
}

/** \param arguments of llm-training-example \return why they are refused, empty if they are not */
std::string
Refuse(const std::vector<std::string>& arguments)
{
    std::string error;
    try
    {
        RunOptions(arguments);
    }
    catch (const ConfigError& e)
    {
        error = e.what();
    }
    Simulator::Destroy();
    return error;
}

/** \return names of the tables of the last run that have rows */
std::set<std::string>
ReadTables()
{
    SqliteDatabase database(testing::TempDir() + "/network-out/results.db",
                            SqliteDatabase::Mode::READ);
    std::set<std::string> names;
    auto tables = database.Prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    while (tables.Step())
    {
        auto rows = database.Prepare("SELECT count(*) FROM " + tables.GetText(0));
        rows.Step();
        if (rows.GetInteger(0) > 0)
        {
            names.insert(tables.GetText(0));
        }
    }
    return names;
}

} // namespace

TEST(RailyardNetworkOptions, EveryNetworkGivesTheSameTablesAndKeys)
{
    std::optional<json> packet;
    std::set<std::string> tables;
    for (const std::string network : {"packet", "flow", "analytic"})
    {
        const json summary = RunOptions({"--network=" + network});
        EXPECT_EQ(summary.at("verdict"), "finished");
        EXPECT_EQ(summary.at("input").at("network"), network);
        EXPECT_EQ(summary.at("input").contains("congestionControl"), network == "packet");
        EXPECT_EQ(summary.at("input").contains("loadBalancer"), network != "analytic");
        if (!packet)
        {
            packet = summary;
            tables = ReadTables();
            tables.erase("ports"); // queues
            continue;
        }
        for (const auto& [key, value] : packet->items())
        {
            EXPECT_TRUE(summary.contains(key)) << key;
        }
        for (const auto& [key, value] : packet->at("network").items())
        {
            EXPECT_TRUE(summary.at("network").contains(key)) << key;
        }
        EXPECT_EQ(ReadTables(), tables);
        EXPECT_EQ(summary.at("network").at("payloadBytesDelivered"),
                  packet->at("network").at("payloadBytesDelivered"));
        EXPECT_EQ(summary.at("network").at("fabrics").at("ethernet"),
                  packet->at("network").at("fabrics").at("ethernet"));
        EXPECT_EQ(summary.at("network").at("drops"), 0);
    }
}

TEST(RailyardNetworkOptions, BothEnginesGiveTheSameResults)
{
    for (const std::string network : {"flow", "analytic"})
    {
        std::vector<std::string> databases;
        for (const std::string engine : {"fabric", "default"})
        {
            RunOptions({"--network=" + network, "--engine=" + engine});
            databases.push_back(ReadTestFile(testing::TempDir() + "/network-out/results.db"));
        }
        EXPECT_TRUE(databases[0] == databases[1]) << network;
    }
}

TEST(RailyardNetworkOptions, WhatHasNoEffectIsRefused)
{
    for (const std::string option : {"congestionControl=No",
                                     "linkEvents=/dev/null",
                                     "series=queue",
                                     "seriesPorts=all",
                                     "set=RoceNicDevice::CnpInterval=1us",
                                     "set=ns3::DcqcnCongestionControl::AlphaGain=0.1"})
    {
        EXPECT_NE(Refuse({"--network=flow", "--" + option}).find("--network=flow"),
                  std::string::npos)
            << option;
        EXPECT_NE(Refuse({"--network=analytic", "--" + option}).find("--network=analytic"),
                  std::string::npos)
            << option;
    }
    const std::string most = "--set=FlowMessageTransport::MostFilled=0";
    EXPECT_EQ(Refuse({"--network=flow", most}), "");
    EXPECT_NE(Refuse({most}).find("--network=flow has it"), std::string::npos);
    EXPECT_NE(Refuse({"--network=analytic", most}).find("--network=flow has it"), std::string::npos);
    EXPECT_EQ(Refuse({"--network=flow", "--set=RoceNicDevice::MtuBytes=1024"}), "");
    EXPECT_EQ(Refuse({"--network=flow", "--set=CollectiveEngine::SendOverhead=1us"}), "");
    EXPECT_EQ(Refuse({"--network=flow", "--loadBalancer=Spray"}), "");
    EXPECT_NE(Refuse({"--network=flow", "--loadBalancer=Drill"}), "");
    EXPECT_NE(Refuse({"--network=analytic", "--loadBalancer=Ecmp"}), "");
    EXPECT_NE(Refuse({"--network=Flows"}).find("analytic, flow, packet"), std::string::npos);
}

TEST(RailyardNetworkOptions, MtuChangesTimes)
{
    const double big = RunOptions({"--network=flow"}).at("simulatedTimeNs");
    const double small =
        RunOptions({"--network=flow", "--set=RoceNicDevice::MtuBytes=256"}).at("simulatedTimeNs");
    EXPECT_GT(small, 1.05 * big);
}

TEST(RailyardNetworkOptions, StoppedRunSaysWhoWaitsForWhat)
{
    for (const std::string network : {"flow", "analytic"})
    {
        const json summary = RunOptions({"--network=" + network, "--stop=30us"});
        EXPECT_EQ(summary.at("verdict"), "unfinished");
        const std::string lines = summary.at("unfinished").dump();
        EXPECT_NE(lines.find("the run was stopped at"), std::string::npos) << lines;
        EXPECT_NE(lines.find("Ethernet: rank "), std::string::npos) << lines;
        EXPECT_EQ(lines.find("not conserved"), std::string::npos) << lines;
    }
}

TEST(RailyardNetworkOptions, LossesNeedPackets)
{
    for (const std::string network : {"flow", "analytic"})
    {
        const ScopedClusterNetwork selected(
            ClusterNetwork::Find(TextValue("test", "network", network)));
        const TrainingOutcome outcome = RunTraining(
            {WriteFourGpuStar("0.001"),
             WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4", ROWS)});
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.error.find("loss rate 0.001"), std::string::npos) << outcome.error;
    }
}

} // namespace ns3
