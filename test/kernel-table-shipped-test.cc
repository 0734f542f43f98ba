/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table-test-helper.h"
#include "test-paths.h"

#include "ns3/csv-file.h"
#include "ns3/kernel-op.h"
#include "ns3/kernel-table-csv.h"
#include "ns3/kernel-table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <vector>

using namespace ns3;

// ---- the shipped table
// ---------------------------------------------------------------------------

namespace
{

/** \brief A GPT layer's kernels on one rank, forward and backward. */
struct GptLayer
{
    uint64_t tokens; //!< sequence length times micro-batch
    uint64_t s;      //!< sequence length
    uint64_t tp;     //!< tensor parallel ranks
    uint64_t ffn;    //!< feed-forward size

    /**
     * \param gpu a GPU
     * \return all its kernels, embedding, head and optimizer included
     */
    std::vector<KernelKey> GetKernels(const std::string& gpu) const
    {
        const uint64_t h = 4096;
        const uint64_t vocabulary = 50304;
        std::vector<KernelKey> kernels;
        const std::pair<uint64_t, uint64_t> layers[] = {{3 * h / tp, h},
                                                        {h, h / tp},
                                                        {ffn / tp, h},
                                                        {2 * ffn / tp, h},
                                                        {h, ffn / tp},
                                                        {vocabulary / tp, h}};
        for (const auto& [out, in] : layers)
        {
            kernels.push_back(Gemm(gpu, tokens, out, in));
            kernels.push_back(Gemm(gpu, tokens, in, out));
            kernels.push_back({gpu, "gemm_wgrad", "bf16", {{"m", out}, {"n", in}, {"k", tokens}}});
        }
        const KernelShape attention{{"b", tokens / s},
                                    {"s", s},
                                    {"heads", 32 / tp},
                                    {"kvHeads", 32 / tp},
                                    {"headDim", 128},
                                    {"causal", 1}};
        kernels.push_back({gpu, "attention_fwd", "bf16", attention});
        kernels.push_back({gpu, "attention_bwd", "bf16", attention});
        for (uint64_t bytes : {2 * tokens * h * 2,           // norm, embedding
                               3 * tokens * h * 2,           // residual
                               3 * tokens * ffn / tp * 2,    // activation
                               4 * tokens * vocabulary / tp, // cross-entropy
                               30 * (12 * h * h * 32) / tp}) // optimizer
        {
            kernels.push_back({gpu, "memory", "bf16", {{"bytes", bytes}}});
        }
        return kernels;
    }
};

} // namespace

TEST(RailyardShippedKernelTable, CoversGpt7b)
{
    const auto table = KernelTable::Load();
    for (const std::string gpu : {"A100", "H100"})
    {
        for (uint64_t s : {2048, 4096})
        {
            for (uint64_t b : {1, 2, 4})
            {
                for (uint64_t tp : {1, 2, 4, 8})
                {
                    for (uint64_t ffn : {11008, 16384})
                    {
                        for (const auto& key : GptLayer{b * s, s, tp, ffn}.GetKernels(gpu))
                        {
                            const KernelTime& answer = table->Lookup(key);
                            EXPECT_NE(answer.provenance, KernelProvenance::ROOFLINE)
                                << key.ToString() << ": " << answer.note;
                            const auto op = KernelOp::Find(key.op);
                            EXPECT_GE(answer.time.ToDouble(Time::NS) + 1,
                                      op->GetIdealNs(key.shape,
                                                     op->GetTableType(key.type),
                                                     table->GetGpu(gpu)))
                                << key.ToString() << " is faster than the GPU's peak";
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(table->GetCounts().exact, 0);
}

TEST(RailyardShippedKernelTable, NoRowIsAboveThePeak)
{
    const auto table = KernelTable::Load();
    const auto& data = table->GetData();
    EXPECT_GT(data.GetRows().size(), 2000);
    for (const auto& [key, row] : data.GetRows())
    {
        const auto op = KernelOp::Find(key.op);
        ASSERT_TRUE(op) << key.ToString();
        const double efficiency =
            op->GetIdealNs(key.shape, key.type, data.GetGpus().at(key.gpu)) / row.timeNs;
        EXPECT_LE(efficiency, 1.0001) << key.ToString();
        EXPECT_FALSE(data.GetSources().at(row.source).text.empty());
        EXPECT_NE(data.GetSources().at(row.source).text, row.source) << "undeclared source";
    }
    for (const auto& [family, derivation] : data.GetDerivations())
    {
        EXPECT_NE(data.GetSources().at(derivation.source).text, derivation.source);
    }
}

TEST(RailyardShippedKernelTable, IsSmall)
{
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(GetShippedKernelTablePath()))
    {
        bytes += entry.file_size();
    }
    EXPECT_LT(bytes, 300'000);
}

// ---- against the measurements that it was fitted to
// ----------------------------------------------

namespace
{

/**
 * \param text a text
 * \return its 32-bit FNV-1a hash
 */
uint32_t
Fnv1a(const std::string& text)
{
    uint32_t hash = 0x811c9dc5;
    for (unsigned char c : text)
    {
        hash = (hash ^ c) * 16777619U;
    }
    return hash;
}

/** \brief Measured GEMMs that the fit did not see. */
struct HeldOutGemms
{
    /**
     * \param folder a place for the unpacked file
     * \param archive a table of GEMM latencies
     * \param sourceType its name of the type
     */
    HeldOutGemms(const Folder& folder, const std::string& archive, const std::string& sourceType)
    {
        const std::string csv = folder.path + "/gemm.csv";
        const std::string command = "gzip -dc '" + archive + "' > '" + csv + "'";
        if (std::system(command.c_str()) != 0)
        {
            return;
        }
        const CsvFile file(csv);
        for (std::size_t row = 0; row < file.GetRowCount(); ++row)
        {
            if (file.GetText(row, "gemm_dtype") != sourceType)
            {
                continue;
            }
            const uint64_t m = file.Get(row, "m").GetUint("m");
            const uint64_t n = file.Get(row, "n").GetUint("n");
            const uint64_t k = file.Get(row, "k").GetUint("k");
            const std::string shape =
                std::to_string(m) + "," + std::to_string(n) + "," + std::to_string(k);
            if (m >= 128 && m % 64 == 0 && n >= 256 && k >= 256 && Fnv1a(shape) % 5 == 0)
            {
                rows[{{"m", m}, {"n", n}, {"k", k}}] =
                    file.Get(row, "latency").GetDouble("latency") * 1e6;
            }
        }
    }

    std::map<KernelShape, double> rows; //!< time in ns, by shape
};

/**
 * \param fit a fit's description
 * \param what "mean" or "95th percentile"
 * \return the percentage that it states
 */
double
GetStated(const std::string& fit, const std::string& what)
{
    std::smatch match;
    return std::regex_search(fit, match, std::regex(what + " ([0-9.]+) %")) ? std::stod(match[1])
                                                                            : -1;
}

/** \brief A fit and the measurements behind it. */
struct FitCase
{
    const char* gpu;        //!< GPU
    const char* type;       //!< element type
    const char* sourceType; //!< the measurements' name of the type
    const char* archive;    //!< the measurements
    double meanPercent;     //!< what the mean error may be, %
};

/** \brief Runs a test per fit. */
class RailyardKernelTableFit : public testing::TestWithParam<FitCase>
{
};

} // namespace

TEST_P(RailyardKernelTableFit, HeldOutErrorIsAsStated)
{
    RAILYARD_NEED_SHARED_FILES();
    const FitCase& fit = GetParam();
    const std::string archive = SharedDir() + "/data/kernels/aiconfigurator/" + fit.archive;
    const HeldOutGemms measured(Folder(), archive, fit.sourceType);
    ASSERT_GT(measured.rows.size(), 500);
    const auto table = KernelTable::Load();
    std::vector<double> errors;
    for (const auto& [shape, ns] : measured.rows)
    {
        const KernelTime& answer = table->Lookup({fit.gpu, "gemm", fit.type, shape});
        if (answer.provenance != KernelProvenance::EXACT)
        {
            EXPECT_EQ(answer.provenance, KernelProvenance::INTERPOLATED);
            errors.push_back(100 * std::abs(answer.time.ToDouble(Time::NS) / ns - 1));
        }
    }
    std::sort(errors.begin(), errors.end());
    double mean = 0;
    for (double error : errors)
    {
        mean += error / errors.size();
    }
    std::string gpu = fit.gpu;
    std::transform(gpu.begin(), gpu.end(), gpu.begin(), ::tolower);
    const std::string source = "aic-" + gpu + "-gemm-" + fit.type + "-fit";
    const std::string stated = table->GetData().GetSources().at(source).fit;
    EXPECT_LT(mean, fit.meanPercent);
    EXPECT_NEAR(mean, GetStated(stated, "mean"), 0.15) << stated;
    EXPECT_NEAR(errors[errors.size() * 95 / 100], GetStated(stated, "95th percentile"), 0.5);
}

INSTANTIATE_TEST_SUITE_P(
    RailyardFits,
    RailyardKernelTableFit,
    testing::Values(
        FitCase{"H100",
                "bf16",
                "bfloat16",
                "h100_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz",
                5},
        FitCase{"H100", "fp8", "fp8", "h100_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz", 5},
        FitCase{"A100", "bf16", "bfloat16", "a100_sxm__gemm__trtllm-1.0.0__gemm_perf.csv.gz", 8}),
    [](const auto& info) { return std::string(info.param.gpu) + "_" + info.param.type; });
