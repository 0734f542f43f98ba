/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-helper.h"

#include "ns3/training-run.h"
#include "ns3/workload-reader.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace ns3
{

namespace
{

/** Header of a transformer workload with all keys. */
const std::string HEADER =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 2 pp: 2 "
    "vpp: 3 ga: 5 all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0 "
    "pp_comm: 4096\n";

/** A row without collectives. */
const std::string ROW = "row -1 1 NONE 0 2 NONE 0 3 NONE 0 4\n";

/**
 * \param text a workload
 * \return the message of its error
 */
std::string
GetError(const std::string& text)
{
    return GetConfigError([&] { ParseSimai(text); });
}

} // namespace

TEST(RailyardWorkloadSimaiReader, ReadsEveryField)
{
    const SimaiWorkload workload = ParseSimai(
        HEADER + "2\n" + "a -1 1 ALLREDUCE 2 3 ALLTOALL_EP 4 5 REDUCESCATTER_DP_EP 6 7\n" + ROW);
    EXPECT_EQ(workload.policy, "HYBRID_TRANSFORMER_FWD_IN_BCKWD");
    EXPECT_EQ(workload.tensorParallel, 4u);
    EXPECT_EQ(workload.expertParallel, 2u);
    EXPECT_EQ(workload.pipelineParallel, 2u);
    EXPECT_EQ(workload.virtualPipeline, 3u);
    EXPECT_EQ(workload.gradientAccumulation, 5u);
    EXPECT_EQ(workload.allGpus, 16u);
    EXPECT_EQ(workload.pipelineBytes, 4096u);
    ASSERT_EQ(workload.rows.size(), 2u);
    const SimaiRow& row = workload.rows[0];
    EXPECT_EQ(row.line, 3u);
    EXPECT_EQ(row.name, "a");
    EXPECT_EQ(row.forward.computeNs, 1u);
    EXPECT_EQ(row.forward.collective, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(row.forward.group, SimaiGroup::DEFAULT);
    EXPECT_EQ(row.forward.bytes, 2u);
    EXPECT_EQ(row.inputGradient.collective, CollectiveKind::ALL_TO_ALL);
    EXPECT_EQ(row.inputGradient.group, SimaiGroup::EP);
    EXPECT_EQ(row.weightGradient.collective, CollectiveKind::REDUCE_SCATTER);
    EXPECT_EQ(row.weightGradient.group, SimaiGroup::DP_EP);
    EXPECT_EQ(row.updateNs, 7u);
    EXPECT_FALSE(workload.rows[1].forward.collective);
}

TEST(RailyardWorkloadSimaiReader, H12aDeclaredRowsAreMissing)
{
    EXPECT_EQ(GetError("MICRO\n839\n" + ROW + ROW),
              "test.txt: line 2: read '839', expected the number of rows that follow, 2");
    EXPECT_NE(GetError("MICRO\n1\n" + ROW + ROW), "");
    EXPECT_NE(GetError("MICRO\n"), "");
    EXPECT_NE(GetError("MICRO\n0\n"), "");
}

TEST(RailyardWorkloadSimaiReader, H12bPipelineBytesInEveryFormThatAicbWrites)
{
    for (const char* form : {"pp_comm: 5242880.0", "pp_comm: 5242880", "pp_comm 5242880"})
    {
        const auto workload = ParseSimai("HYBRID_TRANSFORMER model_parallel_NPU_group: 1 " +
                                         std::string(form) + "\n1\n" + ROW);
        EXPECT_EQ(workload.pipelineBytes, 5242880u) << form;
    }
    EXPECT_NE(GetError("HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp_comm: 0.5\n1\n" + ROW),
              "");
}

TEST(RailyardWorkloadSimaiReader, H12cKeysThatAreMissingStayAbsent)
{
    const auto workload = ParseSimai("HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 8 "
                                     "checkpoints: 0 checkpoint_initiates: 0\n1\n" +
                                     ROW);
    EXPECT_EQ(workload.tensorParallel, 8u);
    EXPECT_FALSE(workload.allGpus);
    EXPECT_FALSE(workload.expertParallel);
    EXPECT_FALSE(workload.pipelineParallel);
}

TEST(RailyardWorkloadSimaiReader, H12dUnknownCollectiveIsNamedWithItsLine)
{
    for (const char* word : {"ALLTOALLV",
                             "ALL_REDUCE",
                             "allreduce",
                             "NONE_EP",
                             "SENDRECV",
                             "ALLREDUCE_TP",
                             "ALLREDUCEALLTOALL",
                             "ALLREDUCE_EP_DP"})
    {
        const std::string error =
            GetError("MICRO\n1\nx -1 1 NONE 0 1 NONE 0 1 " + std::string(word) + " 8 1\n");
        EXPECT_EQ(error.find("test.txt: line 3: read '" + std::string(word) + "', expected NONE"),
                  0u)
            << error;
    }
}

TEST(RailyardWorkloadSimaiReader, H12eBlanksTabsAndLineEndsDoNotMatter)
{
    const std::string clean = HEADER + "1\na -1 1 ALLREDUCE 2 3 NONE 0 5 NONE 0 7\n";
    const std::string dirty = "\xEF\xBB\xBFHYBRID_TRANSFORMER_FWD_IN_BCKWD\t\tmodel_parallel_NPU_"
                              "group: 4   ep: 2 pp: 2 vpp: 3 ga: 5 all_gpus: 16 checkpoints: 0 "
                              "checkpoint_initiates: 0 pp_comm: 4096 \t\r\n\r\n 1\t\t\r\n"
                              "\ta\t-1   1 ALLREDUCE\t2 3 NONE 0 5 NONE 0 7 \r\n\r\n";
    const SimaiWorkload a = ParseSimai(clean);
    const SimaiWorkload b = ParseSimai(dirty);
    EXPECT_EQ(a.policy, b.policy);
    EXPECT_EQ(a.allGpus, b.allGpus);
    EXPECT_EQ(a.pipelineBytes, b.pipelineBytes);
    ASSERT_EQ(b.rows.size(), 1u);
    EXPECT_EQ(b.rows[0].name, "a");
    EXPECT_EQ(b.rows[0].forward.collective, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(b.rows[0].updateNs, 7u);
    EXPECT_EQ(b.rows[0].line, 4u);
}

TEST(RailyardWorkloadSimaiReader, H12fEveryCollectiveWithEverySuffix)
{
    for (const char* kind : {"ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL", "BROADCAST"})
    {
        for (const char* suffix : {"", "_EP", "_DP_EP"})
        {
            const auto workload = ParseSimai("MICRO\n1\nx -1 1 " + std::string(kind) + suffix +
                                             " 8 1 NONE 0 1 NONE 0 1");
            EXPECT_TRUE(workload.rows[0].forward.collective) << kind << suffix;
        }
    }
}

TEST(RailyardWorkloadSimaiReader, BadInputIsNamed)
{
    struct Bad
    {
        std::string text;     //!< workload
        std::string expected; //!< part of its error
    };

    const Bad table[] = {
        {"HYBRID\n1\n" + ROW, "line 1: read 'HYBRID', expected a parallelisation policy"},
        {"MICRO 1\n1\n" + ROW, "line 1: read '1', expected the end of the line"},
        {"HYBRID_TRANSFORMER\n1\n" + ROW, "with model_parallel_NPU_group"},
        {"HYBRID_TRANSFORMER model_parallel_NPU_group:\n1\n" + ROW, "goes on with"},
        {"HYBRID_TRANSFORMER model_parallel_NPU_group: 0\n1\n" + ROW, "read '0'"},
        {"HYBRID_TRANSFORMER model_parallel_NPU_group: -8\n1\n" + ROW, "read '-8'"},
        {"HYBRID_TRANSFORMER model_parallel_NPU_group: 8 tp: 8\n1\n" + ROW, "read 'tp:'"},
        {"HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 1 ep: 1\n1\n" + ROW, "each key once"},
        {"HYBRID_DLRM\n1\n" + ROW, "last bottom layer"},
        {"HYBRID_DLRM 1\n1\n" + ROW, "below 1, the number of rows"},
        {"MICRO\n1 2\n" + ROW, "line 2: read '1 2'"},
        {"MICRO\nx\n" + ROW, "line 2: read 'x'"},
        {"MICRO\n1\nx -1 1 NONE 0\n", "line 3: read 'x -1 1 NONE 0', expected 12 fields"},
        {"MICRO\n1\nx -1 1 NONE 0 1 NONE 0 1 NONE 0 1 MODEL\n", "expected 12 fields"},
        {"MICRO\n1\nx -1 -5 NONE 0 1 NONE 0 1 NONE 0 1\n", "read '-5'"},
        {"MICRO\n1\nx -1 1.5 NONE 0 1 NONE 0 1 NONE 0 1\n", "read '1.5'"},
        {"MICRO\n1\nx -1 1 ALLREDUCE -1 1 NONE 0 1 NONE 0 1\n", "read '-1'"},
        {"MICRO\n1\nx -1 1 NONE 99999999999999999999 1 NONE 0 1 NONE 0 1\n",
         "read '99999999999999999999'"},
        {"MICRO\n1\nx -1 1 NONE 0 9999999999999999 NONE 0 1 NONE 0 1\n", "read '9999999999999999'"},
        {"MICRO\n1\n\xFFx -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n", "expected the name of a row in UTF-8"},
        {"MICRO\n1\nx y 1 NONE 0 1 NONE 0 1 NONE 0 1\n", "read 'y'"},
        {"HYBRID_CUSTOMIZED\n1\n" + ROW, "expected 13 fields"},
        {"HYBRID_CUSTOMIZED\n1\nx -1 1 NONE 0 1 NONE 0 1 NONE 0 1 MICRO\n", "read 'MICRO'"},
        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 checkpoints: 1 1 "
         "checkpoint_initiates: 0\n1\n" +
             ROW,
         "checkpoints below 1"},
        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 checkpoints: 0 "
         "checkpoint_initiates: 1 0\n1\n" +
             ROW,
         "a checkpoint at or before row 0"},
    };
    for (const Bad& bad : table)
    {
        const std::string error = GetError(bad.text);
        EXPECT_NE(error.find(bad.expected), std::string::npos)
            << "'" << bad.text << "' gives '" << error << "'";
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

TEST(RailyardWorkloadSimaiReader, BatchSizesComeFromTheFileName)
{
    const std::string text = "MICRO\n1\n" + ROW;
    const auto workload = ParseSimai(text, "dir-gbs9/gpt-world_size8-tp8-gbs32-mbs2-seq4096.txt");
    EXPECT_EQ(workload.globalBatch, 32u);
    EXPECT_EQ(workload.microBatch, 2u);
    EXPECT_FALSE(ParseSimai(text, "gbs32.txt").globalBatch);
    EXPECT_FALSE(ParseSimai(text, "x-gbs-mbsx.txt").microBatch);
}

TEST(RailyardWorkloadReader, FilesThatAreNoWorkloadsAreNamed)
{
    const auto error = [&](const std::string& text) {
        const std::string path = WriteTestFile("file.txt", text);
        return GetConfigError([&] { WorkloadReader::ReadFile(path, {8, 8}); });
    };
    const std::string timing = error("train_iter:1\nEmb:\n    time_gpu_max: 33585.5\n");
    EXPECT_NE(timing.find("file.txt: line 1: read 'train_iter:1', expected a workload: "),
              std::string::npos)
        << timing;
    EXPECT_NE(timing.find("HYBRID_TRANSFORMER_FWD_IN_BCKWD"), std::string::npos);
    EXPECT_NE(error("test\nTP:\nallreduce,: 300\n").find("expected a workload"), std::string::npos);
    EXPECT_NE(error(""), "");
    EXPECT_NE(GetConfigError([] {
                  WorkloadReader::ReadFile("/nowhere/w.txt", {8, 8});
              }).find("/nowhere/w.txt"),
              std::string::npos);
}

TEST(RailyardWorkloadReader, ByteOrderMarksAreSkipped)
{
    std::ifstream stream(TrainingRun::GetShippedWorkload());
    const std::string model((std::istreambuf_iterator<char>(stream)),
                            std::istreambuf_iterator<char>());
    for (const std::string& text : {"MICRO\n1\n" + ROW, model})
    {
        const std::string path = WriteTestFile("bom", "\xEF\xBB\xBF" + text);
        EXPECT_NO_THROW(WorkloadReader::ReadFile(path, {16, 8})) << text.substr(0, 20);
    }
    EXPECT_THROW(WorkloadReader::ReadFile("", {16, 8}), ConfigError);
}

TEST(RailyardWorkloadReader, ScheduleMustBeASchedule)
{
    const std::string path = WriteTestFile("w.txt", "MICRO\n1\n" + ROW);
    const auto reader = CreateObject<SimaiWorkloadReader>();
    reader->SetAttribute("PipelineSchedule", TypeIdValue(TypeId::LookupByName("ns3::Object")));
    EXPECT_NE(GetConfigError([&] {
                  reader->Read(path, {8, 8});
              }).find("ns3::Object"),
              std::string::npos);
}

} // namespace ns3
