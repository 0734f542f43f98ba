/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"
#include "test-paths.h"
#include "xml-under-test.h"

#include "ns3/accuracy-data.h"
#include "ns3/accuracy-platforms.h"
#include "ns3/accuracy-study.h"
#include "ns3/attribute-text.h"
#include "ns3/cluster-network.h"
#include "ns3/config-error.h"
#include "ns3/source-folder.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3
{

namespace
{

/** \param name name of a file \param text its text \return its path */
std::string
WriteFile(const std::string& name, const std::string& text)
{
    const std::string path = ::testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

/** \param text a table \return its rows */
AccuracyData
LoadTable(const std::string& text)
{
    AccuracyData data;
    data.Load(WriteFile("accuracy-test.csv", text));
    return data;
}

/** \return the platforms that are shipped */
AccuracyPlatforms
GetPlatforms()
{
    return AccuracyPlatforms(AccuracyPlatforms::GetShippedPath());
}

/**
 * \param load reads something
 * \param expected what the error must say
 */
template <class T>
void
ExpectRefused(const T& load, const std::string& expected)
{
    try
    {
        load();
        FAIL() << "accepted, instead of: " << expected;
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}

} // namespace

TEST(RailyardAccuracyData, ReadsTablesByTheirColumns)
{
    const AccuracyData ours =
        LoadTable("platform,collective,dtype,nodes,gpus,size_bytes,time_us,source\n"
                  "x,all_reduce,half,2,16,1048576,100.5,me\n");
    ASSERT_EQ(ours.GetRows().size(), 1U);
    EXPECT_EQ(ours.GetRows()[0].platform, "x");
    EXPECT_EQ(ours.GetRows()[0].kind, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(ours.GetRows()[0].nodes, 2U);
    EXPECT_EQ(ours.GetRows()[0].gpus, 16U);
    EXPECT_EQ(ours.GetRows()[0].bytes, 1048576U);
    EXPECT_EQ(ours.GetRows()[0].microseconds, 100.5);
    const AccuracyData system =
        LoadTable("system,nccl,collective,dtype,gpus,size_bytes,time_us,busbw_GBps,file\n"
                  "h100_sxm,2.27.3,all_to_all,int8,8,512,8.5,0.1,f\n");
    ASSERT_EQ(system.GetRows().size(), 1U);
    EXPECT_EQ(system.GetRows()[0].platform, "h100_sxm");
    EXPECT_EQ(system.GetRows()[0].nodes, 1U);
}

TEST(RailyardAccuracyData, CountsWhatCannotBeUsed)
{
    const AccuracyData data =
        LoadTable("platform,collective,algo,gpus,nodes,size_bytes,time_us,quality\n"
                  "x,all_reduce,auto,8,1,1024,10,measured\n"
                  "x,all_reduce,auto,8,1,1024,10,vendor peak\n"
                  "x,send_recv,auto,2,1,1024,10,measured\n"
                  "x,all_reduce,auto,8,1,,10,measured\n"
                  "x,all_reduce,auto,8,1,1024,,measured\n"
                  "x,all_reduce,auto,8,3,1024,10,measured\n"
                  "x,all_reduce,Ring forced,8,1,1024,10,measured\n");
    ASSERT_EQ(data.GetRows().size(), 2U);
    EXPECT_EQ(data.GetRows()[0].algorithm, "");
    EXPECT_EQ(data.GetRows()[1].algorithm, "Ring");
    EXPECT_EQ(data.GetSkipped().size(), 5U);
    EXPECT_EQ(data.GetSkipped().at("not measured: vendor peak"), 1U);
}

TEST(RailyardAccuracyData, ElementsHaveTheSizeOfTheirType)
{
    const std::string header = "platform,collective,gpus,size_bytes,time_us,dtype\n";
    const std::string row = "x,all_reduce,8,1024,10,";
    const AccuracyData data = LoadTable(header + row + "half\n" + row + "fp16\n" + row + "int8\n" +
                                        row + "fp8\n" + row + "\n" + row + "double\n" + row +
                                        "nibble\n");
    std::vector<uint32_t> sizes;
    for (const MeasuredCollective& measured : data.GetRows())
    {
        sizes.push_back(measured.elementBytes);
    }
    EXPECT_EQ(sizes, (std::vector<uint32_t>{2, 2, 1, 1, 4, 8}));
    EXPECT_EQ(data.GetSkipped().at("type nibble"), 1U);
}

TEST(RailyardAccuracyData, RefusesWhatIsWrong)
{
    ExpectRefused([] { LoadTable("platform,collective,gpus,size_bytes\n"); }, "time_us");
    const std::string header = "platform,collective,gpus,size_bytes,time_us\n";
    ExpectRefused([&] { LoadTable(header + "x,all_reduce,0,8,1\n"); }, "line 2: read '0'");
    ExpectRefused([&] { LoadTable(header + "x,all_reduce,8,-8,1\n"); }, "line 2: read '-8'");
    ExpectRefused([&] { LoadTable(header + "x,all_reduce,8,8,fast\n"); }, "line 2: read 'fast'");
    ExpectRefused([&] { LoadTable(header + "x,all_reduce,8,8,0\n"); }, "line 2: read '0'");
}

TEST(RailyardAccuracyPlatforms, RefusesWhatIsWrong)
{
    const auto load = [](const std::string& text) {
        AccuracyPlatforms platforms(WriteFile("platforms-test.json", text));
    };
    ExpectRefused([&] { load(R"({"x": {"single": "single-server", "source": "me"}})"); }, "gpu");
    ExpectRefused([&] { load(R"({"x": {"gpu": "H100", "source": "me", "sources": "a"}})"); },
                  "sources");
    ExpectRefused(
        [&] { load(R"({"x": {"gpu": "H100", "source": "me", "hostLaunch": "soon"}})"); },
        "x.hostLaunch");
    ExpectRefused([&] { load(R"({"x": {"gpu": "H100"}})"); }, "source");
    const auto loadVariable = [&](const std::string& variable) {
        load(R"({"x": {"gpu": "H100", "source": "me", "environment": {)" + variable + "}}}");
    };
    loadVariable(R"("NCCL_PROTO": "LL")");
    const std::string place = ::testing::TempDir() + "platforms-test.json: x.environment.";
    const std::vector<std::array<std::string, 3>> cases{
        {"NCCL_PROT", "LL", "a variable with an effect that --help of"},
        {"stop", "1s", "a variable with an effect that --help of"},
        {"selector", "Nccl", "a variable with an effect that --help of"},
        {"NCCL_NTHREADS", "256", "a variable with an effect that --help of"},
        {"NCCL_MAX_P2P_NCHANNELS", "2", "a variable with an effect that --help of"},
        {"NCCL_PROTO", "LL64", "one of LL, LL128, Simple"},
        {"NCCL_BUFFSIZE", "4095", "bytes (integer from 4096 to"},
        {"NCCL_NVLS_ENABLE", "yes", "NVLS (integer from 0 to 2)"},
        {"NCCL_TUNER_CONFIG_FILE", "none.csv", "a file, beside the file that names it"},
        {"MSCCL_ALGO_DIR", "none", "a folder, beside the file that names it"},
        {"MSCCL_ALGO_DIR", "", "a folder, beside the file that names it"},
        {"MSCCL_ALGO_DIR", "platforms-test.json:.", "a folder, beside the file that"},
        {"MSCCL_XML_FILES", "", "a file, beside the file that names it"},
    };
    for (const auto& [name, value, expected] : cases)
    {
        const std::string member = "\"" + name + "\": \"" + value + "\"";
        ExpectRefused([&] { loadVariable(member); },
                      place + name + ": read '" + value + "', expected " + expected);
    }
    ExpectRefused([&] { loadVariable(R"("MSCCL_XML_FILES": "platforms-test.json:no.xml")"); },
                  place + "MSCCL_XML_FILES: read 'no.xml', expected a file");
    WriteFile("tuner-test.csv", "# none such\nallreduce,0,4096,twig,simple,-1,-1,-1\n");
    ExpectRefused([&] { loadVariable(R"("NCCL_TUNER_CONFIG_FILE": "tuner-test.csv")"); },
                  ::testing::TempDir() + "tuner-test.csv: line 2: read 'twig'");
    ExpectRefused([&] { loadVariable(R"("NCCL_TUNER_CONFIG_FILE": ".")"); },
                  "read '.', expected a file");
    ExpectRefused([&] { loadVariable(R"("NCCL_MIN_CTAS": "8", "NCCL_MAX_NCHANNELS": "4")"); },
                  place + "NCCL_MAX_NCHANNELS: read '4', expected at least the minimum, 8");
}

// They lie beside the file of platforms, wherever the program runs.
TEST(RailyardAccuracyPlatforms, FilesOfMscclLieBesideIt)
{
    RAILYARD_NEED_XML();
    const std::string folder = ::testing::TempDir() + "algorithms";
    std::filesystem::create_directory(folder);
    for (const std::string name : {"ring.xml", "gather.xml"})
    {
        std::filesystem::copy_file(RailyardDir() + "/fuzz/corpus/msccl/" + name,
                                   folder + "/" + name,
                                   std::filesystem::copy_options::overwrite_existing);
    }
    const AccuracyPlatforms platforms(WriteFile(
        "platforms-test.json",
        R"({"x": {"gpu": "H100", "source": "me", "environment": {"MSCCL_ALGO_DIR": "algorithms", )"
        R"("MSCCL_XML_FILES": "algorithms/ring.xml:algorithms/gather.xml"}}})"));
    ScopedDefaults defaults;
    platforms.Find("x")->environment.Apply(defaults);
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::MscclAlgorithm::Files"),
              folder + "/ring.xml," + folder + "/gather.xml," + folder);
}

// Colons and commas separate names of files, not parts of the folder that they lie in.
TEST(RailyardAccuracyPlatforms, FoldersMayHaveColonsButNoCommas)
{
    RAILYARD_NEED_XML();
    const auto load = [](const std::string& folder) {
        std::filesystem::create_directories(::testing::TempDir() + folder + "/al:go");
        for (const std::string name : {"ring.xml", "gather.xml", "al:go/ring.xml"})
        {
            std::filesystem::copy_file(RailyardDir() + "/fuzz/corpus/msccl/" +
                                           std::filesystem::path(name).filename().string(),
                                       ::testing::TempDir() + folder + "/" + name,
                                       std::filesystem::copy_options::overwrite_existing);
        }
        return AccuracyPlatforms(WriteFile(
            folder + "/platforms-test.json",
            R"({"x": {"gpu": "H100", "source": "me", "environment": {"MSCCL_ALGO_DIR": "al:go", )"
            R"("MSCCL_XML_FILES": "ring.xml:gather.xml"}}})"));
    };
    ScopedDefaults defaults;
    load("colon:s").Find("x")->environment.Apply(defaults);
    const std::string folder = ::testing::TempDir() + "colon:s";
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::MscclAlgorithm::Files"),
              folder + "/ring.xml," + folder + "/gather.xml," + folder + "/al:go");
    ExpectRefused([&] { load("comma,s"); },
                  "x.environment.MSCCL_XML_FILES: read '" + ::testing::TempDir() +
                      "comma,s/ring.xml', expected a path without commas");
}

// What the operator sets for NCCL holds for the rows of the platform alone; a table of choices lies
// beside the file of platforms.
TEST(RailyardAccuracyPlatforms, VariablesOfNcclRestrictWhatIsChosen)
{
    WriteFile("accuracy-tuner.csv", "allreduce,0,4096,tree,simple,-1,-1,-1\n");
    const std::string single = R"({"single": "single-server:server=dgx-h100", "gpu": "H100", )"
                               R"("source": "me")";
    const AccuracyPlatforms platforms(WriteFile(
        "platforms-test.json",
        R"({"a": )" + single + R"(}, "b": )" + single +
            R"(, "environment": {"NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple"}}, "c": )" + single +
            R"(, "environment": {"NCCL_TUNER_CONFIG_FILE": "accuracy-tuner.csv"}}})"));
    const std::string row = ",all_reduce,8,4096,100\n";
    AccuracyStudy study(platforms, "analytic");
    study.Run(LoadTable("platform,collective,gpus,size_bytes,time_us\na" + row + "b" + row + "c" +
                        row));
    const auto& results = study.GetResults();
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0].algorithm, "Ring");
    EXPECT_EQ(results[1].algorithm, "Ring");
    EXPECT_GT(results[1].microseconds, 2 * results[0].microseconds) << "Simple instead of LL";
    EXPECT_EQ(results[2].algorithm, "DoubleBinaryTree");
}

// A rack of 18 trays is one server to the topology.
TEST(RailyardAccuracyPlatforms, NodesOfATableMayShareAServer)
{
    const AccuracyPlatforms shipped = GetPlatforms();
    const AccuracyPlatform* rack = shipped.Find("h100_sxm");
    ASSERT_NE(rack, nullptr);
    EXPECT_EQ(rack->GetServers(2), 2U);
    rack = shipped.Find("GB200 NVL72 + 400G IB/GPU");
    ASSERT_NE(rack, nullptr);
    EXPECT_EQ(rack->GetServers(1), 1U);
    EXPECT_EQ(rack->GetServers(18), 1U);
    EXPECT_EQ(rack->GetServers(36), 2U);
    EXPECT_NE(rack->several.find("gb200-nvl72"), std::string::npos) << "racks are joined by NICs";
    ExpectRefused(
        [] {
            AccuracyPlatforms platforms(
                WriteFile("platforms-test.json",
                          R"({"x": {"gpu": "H100", "source": "me", "nodesPerServer": "0"}})"));
        },
        "x.nodesPerServer");
}

TEST(RailyardAccuracyStudy, MeanErrorsByPlatformAndSize)
{
    AccuracyFigures figures;
    AccuracyResult result;
    for (const auto& [bytes, measured, simulated] :
         {std::tuple(1UL << 20, 100.0, 110.0), {1UL << 21, 100.0, 80.0}, {1UL << 10, 10.0, 7.0}})
    {
        result.measured.bytes = bytes;
        result.measured.microseconds = measured;
        result.microseconds = simulated;
        result.isFinished = true;
        figures.Add(result);
    }
    result.isFinished = false;
    figures.Add(result);
    EXPECT_EQ(figures.large, 2U);
    EXPECT_EQ(figures.small, 1U);
    EXPECT_NEAR(figures.GetMape(), 15, 1e-9);
    EXPECT_NEAR(figures.GetMapeSmall(), 30, 1e-9);
    EXPECT_NEAR(figures.worst.GetErrorPercent(), -30, 1e-9);
    EXPECT_EQ(AccuracyFigures().GetMape(), 0);
}

TEST(RailyardAccuracyStudy, ASingleServerIsWithinTenPercent)
{
    const AccuracyData data =
        LoadTable("platform,collective,dtype,nodes,gpus,size_bytes,time_us\n"
                  "h100_sxm,all_reduce,half,1,8,8192,16.2\n"
                  "h100_sxm,all_reduce,half,1,8,536870912,2111.5\n"
                  "h100_sxm,all_reduce,int8,1,8,536870912,2670\n"
                  "h100_sxm,all_gather,half,1,8,536870912,1406\n"
                  "b200_sxm,all_reduce,half,1,8,536870912,1349.8\n"
                  "nowhere,all_reduce,half,1,8,8192,16.2\n");
    AccuracyStudy study(GetPlatforms(), "");
    study.Run(data);
    ASSERT_EQ(study.GetResults().size(), 5U);
    for (const AccuracyResult& result : study.GetResults())
    {
        EXPECT_LT(std::abs(result.GetErrorPercent()), 10)
            << result.measured.source << ": " << result.microseconds;
        EXPECT_EQ(result.network, "packet");
    }
    EXPECT_EQ(study.GetResults()[1].algorithm, "Nvls");
    EXPECT_EQ(study.GetResults()[2].algorithm, "Ring") << "switches do not add up int8";
    EXPECT_EQ(study.GetUnknown().at("nowhere"), 1U);
}

// Slices of trees that pass one thread block behind the other; 50 us per MiB, not 6.
TEST(RailyardAccuracyStudy, TreesOfFewSlicesAreWithinTwentyPercent)
{
    const AccuracyData data =
        LoadTable("platform,collective,dtype,nodes,gpus,size_bytes,time_us\n"
                  "2x GCP a3-mega (8x200G FasTrak),all_reduce,float,2,16,1048576,203.2\n"
                  "2x GCP a3-mega (8x200G FasTrak),all_reduce,float,2,16,4194304,364.6\n"
                  "2x GCP a3-mega (8x200G FasTrak),all_reduce,float,2,16,16777216,977.6\n");
    AccuracyStudy study(GetPlatforms(), "");
    study.Run(data);
    ASSERT_EQ(study.GetResults().size(), 3U);
    for (const AccuracyResult& result : study.GetResults())
    {
        EXPECT_LT(std::abs(result.GetErrorPercent()), 20)
            << result.measured.bytes << ": " << result.microseconds;
        EXPECT_EQ(result.algorithm, "DoubleBinaryTree");
    }
}

TEST(RailyardAccuracyStudy, ResultsReplaceThoseOfAnEarlierRun)
{
    const AccuracyData data = LoadTable("platform,collective,dtype,nodes,gpus,size_bytes,time_us\n"
                                        "h100_sxm,all_reduce,half,1,8,8192,16.2\n");
    AccuracyStudy study(GetPlatforms(), "analytic");
    const TypeId before = ClusterNetwork::GetSelected();
    study.Run(data);
    EXPECT_EQ(ClusterNetwork::GetSelected(), before) << "of clusters to come";
    const std::string folder = ::testing::TempDir() + "accuracy-test-out";
    study.Write(folder, data);
    study.Write(folder, data);
    std::ifstream file(folder + "/summary.json");
    const auto summary = nlohmann::json::parse(file);
    EXPECT_EQ(summary["verdict"], "finished");
    EXPECT_EQ(summary["rows"], 0);
    EXPECT_EQ(summary["rowsSmall"], 1);
    EXPECT_EQ(summary["mapePercent"], 0);
    EXPECT_GT(summary["mapePercentSmall"], 0);
    std::ostringstream table;
    study.Print(table);
    EXPECT_NE(table.str().find("h100_sxm"), std::string::npos);
}

// A study takes minutes: what is wrong with its last platform is said before the first one runs.
TEST(RailyardAccuracyStudy, WrongPlatformsAreRefusedBeforeAnythingIsSimulated)
{
    const auto expectRefused = [](const std::string& platform,
                                  const std::string& row,
                                  const std::string& expected) {
        AccuracyStudy study(
            AccuracyPlatforms(WriteFile("platforms-test.json",
                                        R"({"a": {"single": "single-server:server=dgx-h100", )"
                                        R"("gpu": "H100", "source": "me"}, "b": )" +
                                            platform + "}")),
            "analytic");
        const AccuracyData data =
            LoadTable("platform,collective,gpus,size_bytes,time_us\na,all_reduce,8,8192,16.2\n" +
                      row);
        ExpectRefused([&] { study.Run(data); }, expected);
        ASSERT_EQ(study.GetResults().size(), 2U);
        EXPECT_EQ(study.GetResults().front().microseconds, 0);
    };
    expectRefused(R"({"single": "single-server:server=dgx-h100", "gpu": "H100", "source": "me"})",
                  "b,all_reduce,16,8192,16.2\n",
                  "no more GPUs than single-server:server=dgx-h100 has");
    expectRefused(R"({"single": "single-server:server=dgx-h100", "gpu": "H1000", "source": "me"})",
                  "b,all_reduce,8,8192,16.2\n",
                  "H1000");
    expectRefused(R"({"single": "single-server:server=dgx-h1000", "gpu": "H100", "source": "me"})",
                  "b,all_reduce,8,8192,16.2\n",
                  "dgx-h1000");
}

/** \param platform its JSON text \param network fidelity \return a study of a platform "a" */
AccuracyStudy
StudyOf(const std::string& platform, const std::string& network)
{
    return {AccuracyPlatforms(WriteFile("platforms-test.json", "{\"a\": " + platform + "}")), network};
}

TEST(RailyardAccuracyStudy, RowsThatCannotRunAreRefused)
{
    const std::string head = "platform,collective,nodes,gpus,size_bytes,time_us,algo\n";
    for (const std::string network : {"packet", "flow", "analytic"})
    {
        SCOPED_TRACE(network);
        AccuracyStudy forced = StudyOf(
            R"({"single": "single-server:server=dgx-h100", "gpu": "H100", "source": "me"})",
            network);
        const AccuracyData trees = LoadTable(head + "a,all_gather,1,8,1048576,40,Tree forced\n");
        ExpectRefused([&] { forced.Run(trees); },
                      "accuracy-test.csv:2: read 'AllGather of 1048576 bytes on 8 GPUs', expected one "
                      "that is possible: NCCL_ALGO is 'Tree', which would have to");
        AccuracyStudy mesh = StudyOf(
            R"({"single": "single-server:server=dgx-1-v100", "gpu": "nccl-sm70", "source": "me"})",
            network);
        const AccuracyData rows = LoadTable(head + "a,all_reduce,1,8,1048576,40,\n");
        ExpectRefused([&] { mesh.Run(rows); }, "expected a route from rank ");
    }
}

TEST(RailyardAccuracyStudy, RowsThatNeverEndCountInNoMean)
{
    AccuracyStudy study = StudyOf(
        R"({"single": "single-server:server=dgx-h100", "gpu": "H100", "source": "me",)"
        R"( "several": "rail-optimized:server=dgx-h100,delay=1s"})",
        "packet");
    const AccuracyData data =
        LoadTable("platform,collective,nodes,gpus,size_bytes,time_us\n"
                  "a,all_reduce,2,16,1048576,40\na,all_reduce,2,16,2097152,40\n"
                  "a,all_reduce,1,8,1048576,40\n");
    study.Run(data);
    EXPECT_EQ(study.CountUnfinished(), 2U); // QPs give up after retries
    EXPECT_EQ(study.GetTotal().large, 1U);
    const std::string folder = ::testing::TempDir() + "accuracy-unfinished";
    study.Write(folder, data);
    const auto summary = nlohmann::json::parse(std::ifstream(folder + "/summary.json"));
    EXPECT_EQ(summary["verdict"], "unfinished");
    EXPECT_EQ(summary["unfinishedRows"], 2);
    EXPECT_EQ(summary["rows"], 1);
    std::filesystem::remove_all(folder);
}

// Teams of switches differ by the number of ranks.
TEST(RailyardAccuracyStudy, NvlsGroupsOfSeveralSizesRunInEveryFidelity)
{
    const std::string row = "h100_sxm,all_reduce,half,1,";
    const AccuracyData data =
        LoadTable("platform,collective,dtype,nodes,gpus,size_bytes,time_us\n" + row +
                  "4,67108864,318\n" + row + "8,67108864,322\n");
    for (const char* network : {"packet", "flow", "analytic"})
    {
        AccuracyStudy study(GetPlatforms(), network);
        study.Run(data);
        EXPECT_EQ(study.GetResults()[0].algorithm, "Nvls");
        EXPECT_EQ(study.GetResults()[1].algorithm, "Nvls");
        EXPECT_LT(study.GetTotal().GetMape(), 20) << network;
    }
}

// The table that is shipped: every platform of it is known, and every source named.
TEST(RailyardAccuracyStudy, TheShippedTableCanBeRunWholly)
{
    AccuracyData data;
    data.Load(GetSourceFolder() + "/validation/collectives.csv");
    EXPECT_GE(data.GetRows().size(), 100U);
    EXPECT_TRUE(data.GetSkipped().empty());
    const AccuracyPlatforms platforms = GetPlatforms();
    for (const MeasuredCollective& row : data.GetRows())
    {
        const AccuracyPlatform* platform = platforms.Find(row.platform);
        ASSERT_TRUE(platform) << row.source;
        const bool isSingle = platform->GetServers(row.nodes) == 1;
        EXPECT_FALSE((isSingle ? platform->single : platform->several).empty()) << row.source;
    }
}

} // namespace ns3
