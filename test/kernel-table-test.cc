/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/csv-file.h"
#include "ns3/efficiency-interpolator.h"
#include "ns3/gpu-kernel-times.h"
#include "ns3/kernel-op.h"
#include "ns3/kernel-table-csv.h"
#include "ns3/kernel-table-database.h"
#include "ns3/kernel-table.h"
#include "ns3/object-factory.h"
#include "ns3/sqlite-database.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

using namespace ns3;

namespace
{

/** A GPU of 100 TFLOP/s bf16 and 1 TB/s: 1e5 FLOP and 1e3 bytes per ns. */
const char* const GPU_CSV =
    "name,device,memory_bytes,memory_bytes_per_s,peak_bf16_flops,peak_fp8_flops,gemm_efficiency,"
    "attention_efficiency,memory_efficiency,launch_ns,source\n"
    "X1,Example,1000000000,1e12,1e14,2e14,0.5,0.25,0.8,3000,data sheet\n";

/** Rows of that GPU, at efficiency 0.5 (m = 1024) and 0.8 (m = 2048). */
const char* const GEMM_CSV = "gpu,op,type,m,n,k,time_ns,source\n"
                             "X1,gemm,bf16,1024,1024,1024,42950,bench\n"
                             "X1,gemm,bf16,2048,1024,1024,53687,bench\n";

/** \brief A folder of the test's own, removed at the end. */
class Folder
{
  public:
    Folder()
        : path(testing::TempDir() + "railyard-kernel-table")
    {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }

    ~Folder()
    {
        std::filesystem::remove_all(path);
    }

    /**
     * \param name a file
     * \param text its content
     * \return its path
     */
    std::string Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path + "/" + name, std::ios::binary) << text;
        return path + "/" + name;
    }

    const std::string path; //!< the folder
};

/** \brief Tests that have a small table, beside the shipped one. */
class RailyardKernelTable : public testing::Test
{
  protected:
    /**
     * \param kernels CSV of kernels
     * \param more name and text of another CSV file, may be empty
     * \return a table of GPU X1
     */
    Ptr<KernelTable> LoadSmall(const std::string& kernels, const std::string& more = "")
    {
        m_folder.Write("gpu.csv", GPU_CSV);
        m_folder.Write("kernel.csv", kernels);
        if (!more.empty())
        {
            m_folder.Write("more.csv", more);
        }
        return KernelTable::Load(m_folder.path);
    }

    Folder m_folder; //!< files of the test
};

/** Same fixture, under a name that says what is tested. */
class RailyardKernelTableImport : public RailyardKernelTable
{
};

/**
 * \param gpu a GPU
 * \param m rows of the result
 * \param n columns of the result
 * \param k length of the sums
 * \return the key of a bf16 GEMM
 */
KernelKey
Gemm(const std::string& gpu, uint64_t m, uint64_t n, uint64_t k)
{
    return {gpu, "gemm", "bf16", {{"m", m}, {"n", n}, {"k", k}}};
}

/**
 * \param call something that must throw ConfigError
 * \return its message, empty if it does not throw
 */
template <typename Call>
std::string
GetConfigError(Call call)
{
    try
    {
        call();
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * \param text a text
 * \param part what it must contain
 * \return whether it does
 */
testing::AssertionResult
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos
               ? testing::AssertionSuccess()
               : testing::AssertionFailure() << "'" << part << "' is not in '" << text << "'";
}

/** \param path a file \return its bytes */
std::string
ReadBytes(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

// ---- answers -----------------------------------------------------------------------------------

TEST_F(RailyardKernelTable, ExactRow)
{
    const auto table = LoadSmall(GEMM_CSV);
    const KernelTime answer = table->Lookup(Gemm("X1", 1024, 1024, 1024));
    EXPECT_EQ(answer.provenance, KernelProvenance::EXACT);
    EXPECT_EQ(answer.time, NanoSeconds(42950));
    EXPECT_EQ(answer.note, "bench");
}

TEST_F(RailyardKernelTable, InterpolatedLiesBetweenItsRows)
{
    const auto table = LoadSmall(GEMM_CSV);
    const auto op = KernelOp::Find("gemm");
    Time last = table->Lookup(Gemm("X1", 1024, 1024, 1024)).time;
    for (uint64_t m : {1100, 1280, 1448, 1600, 1900})
    {
        const KernelKey key = Gemm("X1", m, 1024, 1024);
        const KernelTime answer = table->Lookup(key);
        EXPECT_EQ(answer.provenance, KernelProvenance::INTERPOLATED) << m;
        const double efficiency =
            op->GetIdealNs(key.shape, key.type, table->GetGpu("X1")) / answer.time.GetNanoSeconds();
        EXPECT_GT(efficiency, 0.5) << m;
        EXPECT_LT(efficiency, 0.8) << m;
        EXPECT_GT(answer.time, last) << m;
        last = answer.time;
    }
    EXPECT_LT(last, table->Lookup(Gemm("X1", 2048, 1024, 1024)).time);
}

TEST_F(RailyardKernelTable, TransposedShapeStandsIn)
{
    const auto table = LoadSmall("gpu,op,type,m,n,k,time_ns,source\n"
                                 "X1,gemm,bf16,8192,512,1024,100000,bench\n");
    const KernelTime answer = table->Lookup(Gemm("X1", 512, 8192, 1024));
    EXPECT_EQ(answer.provenance, KernelProvenance::INTERPOLATED);
    EXPECT_EQ(answer.time, NanoSeconds(100000));
    EXPECT_TRUE(Contains(answer.note, "equivalent k=1024 m=8192 n=512"));
}

TEST_F(RailyardKernelTable, NeverExtrapolatesBeyondTheReach)
{
    const auto table = LoadSmall(GEMM_CSV);
    const auto provenance = [&](uint64_t m) {
        return table->Lookup(Gemm("X1", m, 1024, 1024)).provenance;
    };
    EXPECT_EQ(provenance(4096), KernelProvenance::INTERPOLATED); // one octave away
    EXPECT_EQ(provenance(4112), KernelProvenance::ROOFLINE);
    EXPECT_EQ(provenance(512), KernelProvenance::INTERPOLATED);
    EXPECT_EQ(provenance(511), KernelProvenance::ROOFLINE);
}

TEST_F(RailyardKernelTable, RooflineClosedForm)
{
    const auto table = LoadSmall(GEMM_CSV);
    // Compute bound: 2 * 16384^3 FLOP at half of 1e5 per ns, plus launch.
    const KernelTime compute = table->Lookup(Gemm("X1", 16384, 16384, 16384));
    EXPECT_EQ(compute.provenance, KernelProvenance::ROOFLINE);
    EXPECT_NEAR(compute.time.GetNanoSeconds(), 2 * std::pow(16384.0, 3) / 5e4 + 3000, 1);
    EXPECT_TRUE(Contains(compute.note, "0.5 of the peak bf16 rate"));
    // Memory bound: (mk + kn + mn) * 2 bytes at 800 per ns.
    const KernelTime memory = table->Lookup(Gemm("X1", 16, 16384, 16384));
    EXPECT_EQ(memory.provenance, KernelProvenance::ROOFLINE);
    const double bytes = 2.0 * (16384.0 * 16384 + 2 * 16.0 * 16384);
    EXPECT_NEAR(memory.time.GetNanoSeconds(), bytes / 800 + 3000, 1);
    EXPECT_TRUE(Contains(memory.note, "0.8 of the memory bandwidth"));
    // A kernel of one byte costs the launch: a miss is never free.
    EXPECT_GE(table->Lookup({"X1", "memory", "fp32", {{"bytes", 1}}}).time, NanoSeconds(3000));
}

TEST_F(RailyardKernelTable, FittedRowIsNeverExact)
{
    const auto table = LoadSmall("gpu,op,type,m,n,k,time_ns,source\n"
                                 "X1,gemm,bf16,1024,1024,1024,42950,a fit\n",
                                 "source,kind,text,url,revision,licence,fit\n"
                                 "a fit,fitted,something,,,,\n");
    const KernelTime answer = table->Lookup(Gemm("X1", 1024, 1024, 1024));
    EXPECT_EQ(answer.provenance, KernelProvenance::INTERPOLATED);
    EXPECT_EQ(answer.time, NanoSeconds(42950));
}

TEST_F(RailyardKernelTable, InterpolatedIsNeverAboveThePeak)
{
    // Two measured rows faster than the roofline (caches): exact as measured, but not carried on.
    const auto table = LoadSmall("gpu,op,type,bytes,time_ns,source\n"
                                 "X1,memory,byte,1000000,500,bench\n");
    EXPECT_EQ(table->Lookup({"X1", "memory", "bf16", {{"bytes", 1000000}}}).time,
              NanoSeconds(500));
    EXPECT_EQ(table->Lookup({"X1", "memory", "bf16", {{"bytes", 2000000}}}).time,
              NanoSeconds(2000));
}

TEST_F(RailyardKernelTable, DerivedFromAnotherOp)
{
    const auto table = LoadSmall(GEMM_CSV,
                                 "gpu,op,type,from_op,from_type,efficiency_factor,source\n"
                                 "X1,gemm_wgrad,bf16,gemm,bf16,0.8,somebody\n"
                                 "X1,gemm_wgrad,fp8,gemm_wgrad,bf16,0.5,somebody else\n");
    const KernelShape shape{{"m", 1024}, {"n", 1024}, {"k", 1024}};
    const KernelTime once = table->Lookup({"X1", "gemm_wgrad", "bf16", shape});
    EXPECT_EQ(once.provenance, KernelProvenance::INTERPOLATED);
    EXPECT_NEAR(once.time.GetNanoSeconds(), 42950 / 0.8, 2);
    EXPECT_TRUE(Contains(once.note, "0.800 times the efficiency of gemm bf16 (somebody)"));
    // fp8 has twice the peak, and 0.8 * 0.5 of the efficiency.
    const KernelTime twice = table->Lookup({"X1", "gemm_wgrad", "fp8", shape});
    EXPECT_NEAR(twice.time.GetNanoSeconds(), 42950 / 2 / 0.4, 2);
}

TEST_F(RailyardKernelTable, CountsAndAnswers)
{
    const auto table = LoadSmall(GEMM_CSV);
    table->Lookup(Gemm("X1", 2048, 1024, 1024));
    table->Lookup(Gemm("X1", 1024, 1024, 1024));
    table->Lookup(Gemm("X1", 1024, 1024, 1024));
    table->Lookup(Gemm("X1", 1500, 1024, 1024));
    table->Lookup(Gemm("X1", 8, 8, 8));
    EXPECT_THROW(table->Lookup(Gemm("X2", 8, 8, 8)), ConfigError);
    const KernelProvenanceCounts counts = table->GetCounts();
    EXPECT_EQ(counts.exact, 3);
    EXPECT_EQ(counts.interpolated, 1);
    EXPECT_EQ(counts.roofline, 1);
    const auto answers = table->GetAnswers();
    ASSERT_EQ(answers.size(), 4);
    const auto twice = std::find_if(answers.begin(), answers.end(), [](const auto& answer) {
        return answer.key == Gemm("X1", 1024, 1024, 1024);
    });
    ASSERT_NE(twice, answers.end());
    EXPECT_EQ(twice->count, 2);
    EXPECT_EQ(twice->answer.time, NanoSeconds(42950));
    for (std::size_t i = 1; i < answers.size(); ++i)
    {
        EXPECT_TRUE(answers[i - 1].key < answers[i].key);
    }
}

TEST_F(RailyardKernelTable, UnknownIsRefusedWithWhatIsKnown)
{
    const auto table = LoadSmall(GEMM_CSV);
    const auto ask = [&](const KernelKey& key) {
        return GetConfigError([&]() { table->Lookup(key); });
    };
    EXPECT_TRUE(Contains(ask(Gemm("X2", 8, 8, 8)), "read 'X2', expected one of X1"));
    EXPECT_TRUE(Contains(ask({"X1", "conv", "bf16", {}}), "attention_bwd, attention_fwd, gemm"));
    EXPECT_TRUE(Contains(ask({"X1", "gemm", "fp16", Gemm("", 8, 8, 8).shape}),
                         "read 'fp16', expected a type of the X1: bf16, fp8"));
    EXPECT_TRUE(Contains(ask({"X1", "gemm", "bf16", {{"m", 8}, {"n", 8}}}), "m, n, k"));
    EXPECT_TRUE(Contains(ask(Gemm("X1", 0, 8, 8)), "m from 1"));
    EXPECT_EQ(table->GetAnswers().size(), 0);
}

TEST_F(RailyardKernelTable, OpWithoutAModelHasExactAnswersOnly)
{
    const auto table = LoadSmall("gpu,op,type,length,time_ns,source\n"
                                 "X1,fft,fp64,4096,777,bench\n");
    EXPECT_EQ(table->Lookup({"X1", "fft", "fp64", {{"length", 4096}}}).time, NanoSeconds(777));
    EXPECT_THROW(table->Lookup({"X1", "fft", "fp64", {{"length", 4097}}}), ConfigError);
}

TEST_F(RailyardKernelTable, MadeByTypeId)
{
    m_folder.Write("gpu.csv", GPU_CSV);
    m_folder.Write("kernel.csv", GEMM_CSV);
    ObjectFactory factory("ns3::KernelTable");
    factory.Set("Path", StringValue(m_folder.path));
    const auto source = factory.Create<KernelPerformanceSource>();
    EXPECT_EQ(source->Lookup(Gemm("X1", 1024, 1024, 1024)).time, NanoSeconds(42950));
    source->SetAttribute("Path", StringValue("")); // the shipped table
    EXPECT_THROW(source->Lookup(Gemm("X1", 1024, 1024, 1024)), ConfigError);
    EXPECT_EQ(source->GetAnswers().size(), 0);
}

TEST_F(RailyardKernelTable, WorkloadCalls)
{
    const auto table = LoadSmall(GEMM_CSV);
    GpuKernelTimes times(table, "X1");
    KernelCall call;
    call.op = "gemm";
    call.type = "bf16";
    call.shape = {2048, 1024, 1024};
    EXPECT_EQ(times.GetKernelTime(call), NanoSeconds(53687));
    EXPECT_EQ(table->GetCounts().exact, 1);
    call.shape = {2048, 1024};
    EXPECT_THROW(times.GetKernelTime(call), ConfigError);
    call.op = "conv";
    EXPECT_THROW(times.GetKernelTime(call), ConfigError);
}

// ---- interpolation and cost models -------------------------------------------------------------

TEST(RailyardEfficiencyInterpolator, OneDimension)
{
    EfficiencyInterpolator rows;
    EXPECT_FALSE(rows.Estimate({0}, 1, 2));
    rows.Add({0}, 0.2, "left");
    EXPECT_NEAR(rows.Estimate({0.9}, 1, 2)->efficiency, 0.2, 1e-12);
    rows.Add({1}, 0.8, "right");
    EXPECT_NEAR(rows.Estimate({0}, 1, 2)->efficiency, 0.2, 1e-9);
    EXPECT_NEAR(rows.Estimate({0.5}, 1, 2)->efficiency, 0.4, 1e-12); // geometric mean
    // linear in the logarithm, up to the ridge
    const auto quarter = rows.Estimate({0.25}, 1, 2);
    EXPECT_NEAR(quarter->efficiency, 0.2 * std::pow(4, 0.25), 2e-3);
    EXPECT_EQ(quarter->rows, 2);
    EXPECT_EQ(quarter->source, "left");
    EXPECT_NEAR(quarter->nearestOctaves, 0.25, 1e-12);
    EXPECT_NEAR(rows.Estimate({2}, 1, 2)->efficiency, 0.8, 1e-12); // kept between the rows
    EXPECT_FALSE(rows.Estimate({2.01}, 1, 2));
}

TEST(RailyardEfficiencyInterpolator, ReproducesPowerLaws)
{
    // e = 0.1 m^0.3 n^-0.2 k^0.1 is linear in the logarithms
    const auto law = [](double m, double n, double k) {
        return 0.1 * std::exp2(0.3 * m - 0.2 * n + 0.1 * k);
    };
    EfficiencyInterpolator rows;
    for (double m : {0, 1, 2, 3})
    {
        for (double n : {0, 1, 2, 3})
        {
            for (double k : {0, 1, 2, 3})
            {
                rows.Add({m, n, k}, law(m, n, k), "law");
            }
        }
    }
    for (const auto& x : std::vector<std::vector<double>>{{1.3, 1.7, 1.5}, {0.1, 2.9, 2}, {2, 1, 0}})
    {
        const double expected = law(x[0], x[1], x[2]);
        EXPECT_NEAR(rows.Estimate(x, 1, 2.5)->efficiency, expected, 0.005 * expected);
    }
    // Reach is per coordinate.
    EXPECT_TRUE(rows.Estimate({4, 4, 4}, 1, 2.5));
    EXPECT_FALSE(rows.Estimate({4.1, 3, 3}, 1, 2.5));
}

TEST(RailyardKernelOp, CatalogueIsComplete)
{
    for (const char* name :
         {"attention_bwd", "attention_fwd", "gemm", "gemm_wgrad", "grouped_gemm", "memory"})
    {
        EXPECT_TRUE(KernelOp::Find(name)) << name;
    }
    const GpuSpec& gpu = KernelTable::Load()->GetGpu("H100");
    for (const auto& [name, op] : KernelOp::GetAll())
    {
        KernelShape shape;
        for (const auto& dimension : op->GetDimensions())
        {
            shape[dimension.name] = std::max<uint64_t>(dimension.min, 1);
        }
        EXPECT_EQ(op->GetComplaint(shape), "") << name;
        const std::string type = op->GetTableType("bf16");
        EXPECT_GT(op->GetIdealNs(shape, type, gpu), 0) << name;
        EXPECT_GT(op->GetRooflineNs(shape, type, gpu), gpu.launchNs) << name;
        for (const auto& other : op->GetEquivalentShapes(shape))
        {
            EXPECT_EQ(op->GetComplaint(other), "") << name;
        }
    }
}

TEST(RailyardKernelOp, CostFormulas)
{
    const KernelShape gemm{{"m", 3}, {"n", 5}, {"k", 7}};
    EXPECT_EQ(KernelOp::Find("gemm")->GetFlops(gemm), 210);
    EXPECT_EQ(KernelOp::Find("gemm")->GetBytes(gemm, 2), 2 * (21 + 35 + 15));
    EXPECT_EQ(KernelOp::Find("gemm")->GetBytes(gemm, 1), 21 + 35 + 2 * 15);
    EXPECT_EQ(KernelOp::Find("gemm_wgrad")->GetBytes(gemm, 2), 2 * (21 + 35) + 8 * 15);
    const KernelShape grouped{{"groups", 4}, {"m", 3}, {"n", 5}, {"k", 7}};
    EXPECT_EQ(KernelOp::Find("grouped_gemm")->GetFlops(grouped), 840);
    EXPECT_EQ(KernelOp::Find("grouped_gemm")->GetBytes(grouped, 2), 8 * (21 + 35 + 15));
    KernelShape attention{{"b", 2}, {"s", 16}, {"heads", 4}, {"kvHeads", 2}, {"headDim", 8}};
    attention["causal"] = 0;
    const double full = 4.0 * 2 * 4 * 16 * 16 * 8;
    const auto forward = KernelOp::Find("attention_fwd");
    const auto backward = KernelOp::Find("attention_bwd");
    EXPECT_EQ(forward->GetFlops(attention), full);
    EXPECT_EQ(forward->GetBytes(attention, 2), 2 * 32 * 8 * (2 * 4 + 2 * 2) + 4 * 32 * 4);
    EXPECT_EQ(backward->GetFlops(attention), 2.5 * full);
    EXPECT_EQ(backward->GetBytes(attention, 2), 2 * 32 * 8 * (4 * 4 + 4 * 2) + 4 * 32 * 4);
    attention["causal"] = 1;
    EXPECT_EQ(forward->GetFlops(attention), full / 2);
}

// ---- CSV -----------------------------------------------------------------------------------------

TEST_F(RailyardKernelTable, CsvGoodForms)
{
    const auto table = LoadSmall("\xEF\xBB\xBF# a comment\r\n\r\n"
                                 "op,gpu,type,k,m,n,time_ns,source\r\n"
                                 "gemm , X1,bf16,1024,\"1024\",1024, 4.295e4 ,\"a, \"\"b\"\"\"\r\n");
    const KernelTime answer = table->Lookup(Gemm("X1", 1024, 1024, 1024));
    EXPECT_EQ(answer.time, NanoSeconds(42950));
    EXPECT_EQ(answer.note, "a, \"b\"");
}

TEST_F(RailyardKernelTable, CsvEmptyCellIsNoDimension)
{
    const auto table = LoadSmall("gpu,op,type,m,n,k,bytes,time_ns,source\n"
                                 "X1,gemm,bf16,1024,1024,1024,,42950,bench\n"
                                 "X1,memory,byte,,,,1000,10,bench\n");
    EXPECT_EQ(table->GetData().GetRows().size(), 2);
    EXPECT_EQ(table->Lookup({"X1", "memory", "bf16", {{"bytes", 1000}}}).time, NanoSeconds(10));
}

TEST_F(RailyardKernelTable, CsvBadInput)
{
    const std::string header = "gpu,op,type,m,n,k,time_ns,source\n";
    const std::string good = "X1,gemm,bf16,8,8,8,10,s\n";
    const struct
    {
        std::string text;  //!< kernel.csv
        std::string place; //!< in the message
        std::string part;  //!< in the message
    } cases[] = {
        {"a,b\n1,2\n", "line 1", "the header of kernels (gpu,op,type,"},
        {"gpu,op,type,m,n,k,time_ns\n", "line 1", "the column source"},
        {"gpu,op,type,m,m,k,time_ns,source\n", "line 1", "read 'm', expected column names"},
        {header + "X1,gemm,bf16,8,8,8,10\n", "line 2", "read '7 cells', expected 8 cells"},
        {header + "X2,gemm,bf16,8,8,8,10,s\n", "line 2", "read 'X2', expected a GPU of this table"},
        {header + "X1,,bf16,8,8,8,10,s\n", "line 2", "an op name"},
        {header + "X1,gemm,fp16,8,8,8,10,s\n", "line 2", "read 'fp16', expected a type of the X1"},
        {header + "X1,gemm,bf16,8,8,-8,10,s\n", "line 2", "read '-8'"},
        {header + "X1,gemm,bf16,8,8,8.5,10,s\n", "line 2", "read '8.5'"},
        {header + "X1,gemm,bf16,8,8,,10,s\n", "line 2", "gemm with the dimensions m, n, k"},
        {header + "X1,gemm,bf16,8,8,0,10,s\n", "line 2", "k from 1 to"},
        {header + "X1,gemm,bf16,8,8,8,0,s\n", "line 2", "time_ns above 0"},
        {header + "X1,gemm,bf16,8,8,8,-5,s\n", "line 2", "time_ns above 0"},
        {header + "X1,gemm,bf16,8,8,8,fast,s\n", "line 2", "read 'fast'"},
        {header + "X1,gemm,bf16,8,8,8,nan,s\n", "line 2", "read 'nan'"},
        {header + "X1,gemm,bf16,8,8,8,10,\n", "line 2", "where the time comes from"},
        {header + "X1,gemm,bf16,8,8,8,10,\"s\n", "line 2", "a cell with its quote closed"},
        {header + good + good, "line 3", "a kernel that is not there yet"},
        {header + good + "# twice\nX1,gemm,bf16,8,8,8,11,t\n", "line 4", "line 2)"},
    };
    for (const auto& bad : cases)
    {
        const std::string message = GetConfigError([&]() { LoadSmall(bad.text); });
        EXPECT_TRUE(Contains(message, "kernel.csv: " + bad.place + ": ")) << bad.text;
        EXPECT_TRUE(Contains(message, bad.part)) << bad.text;
    }
}

TEST_F(RailyardKernelTable, CsvBadGpusSourcesAndDerivations)
{
    const std::string derived = "gpu,op,type,from_op,from_type,efficiency_factor,source\n";
    const std::string source = "source,kind,text,url,revision,licence,fit\n";
    const struct
    {
        std::string text; //!< more.csv
        std::string part; //!< in the message
    } cases[] = {
        {GPU_CSV, "line 2: read 'X1', expected a GPU that is not there yet"},
        {std::regex_replace(GPU_CSV, std::regex("X1,Ex.*0.5"), "X2,E,1,1,1,1,7"), "gemm_efficiency"},
        {std::regex_replace(GPU_CSV, std::regex("device"), "devise"), "the column device"},
        {std::regex_replace(GPU_CSV, std::regex("fp8"), "fp9"), "read 'fp9', expected a known"},
        {source + "s,guessed,,,,,\n", "read 'guessed', expected kind measured or fitted"},
        {source + "s,fitted,,,,,\ns,fitted,,,,,\n", "line 3: read 's'"},
        {derived + "X1,gem,bf16,gemm,bf16,1,s\n", "read 'gem', expected one of the ops"},
        {derived + "X1,gemm,bf16,gemm,bf16,1,s\n", "a derivation that does not end in itself"},
        {derived + "X1,gemm,bf16,gemm_wgrad,bf16,1,s\nX1,gemm_wgrad,bf16,gemm,bf16,1,s\n",
         "line 3: read 'gemm_wgrad bf16', expected a derivation that does not end in itself"},
        {derived + "X1,gemm,bf16,gemm_wgrad,bf16,-1,s\n", "efficiency_factor above 0"},
    };
    for (const auto& bad : cases)
    {
        const std::string message = GetConfigError([&]() { LoadSmall(GEMM_CSV, bad.text); });
        EXPECT_TRUE(Contains(message, "more.csv: line ")) << bad.text;
        EXPECT_TRUE(Contains(message, bad.part)) << bad.text;
    }
}

TEST_F(RailyardKernelTable, MissingFilesAreRefused)
{
    EXPECT_THROW(KernelTable::Load(m_folder.path + "/none"), ConfigError);
    EXPECT_THROW(KernelTable::Load(m_folder.path), ConfigError); // no *.csv in it
    EXPECT_THROW(KernelTable::Load(m_folder.Write("binary.csv", std::string(10, '\0'))),
                 ConfigError);
}

// ---- database --------------------------------------------------------------------------------

TEST_F(RailyardKernelTableImport, RoundTripOfTheShippedTable)
{
    const std::string db = m_folder.path + "/one.db";
    const auto shipped = KernelTable::Load();
    EXPECT_EQ(ImportKernelTable(GetShippedKernelTablePath(), db),
              shipped->GetData().GetRows().size());
    const auto read = KernelTable::Load(db);
    ASSERT_EQ(read->GetData().GetRows().size(), shipped->GetData().GetRows().size());
    for (const auto& [key, row] : shipped->GetData().GetRows())
    {
        const auto it = read->GetData().GetRows().find(key);
        ASSERT_NE(it, read->GetData().GetRows().end()) << key.ToString();
        EXPECT_EQ(it->second.timeNs, row.timeNs) << key.ToString();
        EXPECT_EQ(it->second.source, row.source) << key.ToString();
    }
    EXPECT_EQ(read->GetData().GetDerivations().size(), shipped->GetData().GetDerivations().size());
    EXPECT_EQ(read->GetData().GetSources().size(), shipped->GetData().GetSources().size());
    EXPECT_EQ(read->GetGpu("H100").peakFlops, shipped->GetGpu("H100").peakFlops);
    const KernelKey key = Gemm("H100", 3000, 11008, 4096);
    EXPECT_EQ(read->Lookup(key).time, shipped->Lookup(key).time);
    EXPECT_EQ(read->Lookup(key).note, shipped->Lookup(key).note);
    const std::string again = m_folder.path + "/two.db";
    ImportKernelTable(GetShippedKernelTablePath(), again);
    EXPECT_EQ(ReadBytes(db), ReadBytes(again));
}

TEST_F(RailyardKernelTableImport, OwnRowsIntoANewDatabase)
{
    const std::string csv = m_folder.Write("mine.csv",
                                           "gpu,op,type,m,n,k,time_ns,source\n"
                                           "H100,gemm,bf16,64,64,64,5000,my bench\n");
    const std::string db = m_folder.path + "/mine.db";
    EXPECT_EQ(ImportKernelTable(csv, db), 1);
    const auto table = KernelTable::Load(db);
    EXPECT_EQ(table->Lookup(Gemm("H100", 64, 64, 64)).provenance, KernelProvenance::EXACT);
    EXPECT_EQ(table->Lookup(Gemm("H100", 4096, 4096, 4096)).provenance,
              KernelProvenance::ROOFLINE);
    EXPECT_EQ(ImportKernelTable(m_folder.Write("more.csv",
                                               "gpu,op,type,m,n,k,time_ns,source\n"
                                               "H100,gemm,bf16,32,64,64,4000,my bench\n"),
                                db),
              1);
    EXPECT_EQ(KernelTable::Load(db)->GetData().GetRows().size(), 2);
}

TEST_F(RailyardKernelTableImport, NothingIsHalfWritten)
{
    const std::string db = m_folder.path + "/kept.db";
    ImportKernelTable(m_folder.Write("good.csv",
                                     "gpu,op,type,m,n,k,time_ns,source\n"
                                     "H100,gemm,bf16,64,64,64,5000,my bench\n"),
                      db);
    const std::string before = ReadBytes(db);
    const std::string bad = m_folder.Write("bad.csv",
                                           "gpu,op,type,m,n,k,time_ns,source\n"
                                           "H100,gemm,bf16,32,64,64,4000,my bench\n"
                                           "H100,gemm,bf16,64,64,64,5000,my bench\n");
    const std::string message = GetConfigError([&]() { ImportKernelTable(bad, db); });
    EXPECT_TRUE(Contains(message, "bad.csv: line 3: read 'H100 gemm bf16 k=64 m=64 n=64'"));
    EXPECT_TRUE(Contains(message, "kept.db kernel id 1"));
    EXPECT_EQ(ReadBytes(db), before);
    EXPECT_THROW(ImportKernelTable(bad, m_folder.path + "/no/such/folder/x.db"), ConfigError);
    const std::string fresh = m_folder.path + "/fresh.db";
    EXPECT_THROW(ImportKernelTable(m_folder.path + "/none.csv", fresh), ConfigError);
    EXPECT_FALSE(std::filesystem::exists(fresh));
    EXPECT_FALSE(std::filesystem::exists(fresh + ".partial"));
    EXPECT_FALSE(std::filesystem::exists(db + ".partial"));
}

TEST_F(RailyardKernelTableImport, ForeignDatabasesAreRefused)
{
    const std::string path = m_folder.path + "/foreign.db";
    {
        SqliteDatabase foreign(path, SqliteDatabase::Mode::CREATE);
        foreign.Execute("CREATE TABLE t (a INTEGER)");
    }
    EXPECT_TRUE(Contains(GetConfigError([&]() { KernelTable::Load(path); }),
                         "expected a kernel table of schema_version 1"));
    std::filesystem::remove(path);
    ImportKernelTable(GetShippedKernelTablePath(), path);
    {
        SqliteDatabase newer(path, SqliteDatabase::Mode::WRITE);
        newer.Execute("UPDATE kernel SET shape = 'm=8 n=' WHERE id = 1");
    }
    EXPECT_TRUE(Contains(GetConfigError([&]() { KernelTable::Load(path); }),
                         "kernel id 1: read 'm=8 n='"));
    {
        SqliteDatabase newer(path, SqliteDatabase::Mode::WRITE);
        newer.Execute("UPDATE meta SET value = '2'");
    }
    EXPECT_TRUE(Contains(GetConfigError([&]() { KernelTable::Load(path); }), "read '2'"));
}

// ---- the shipped table ---------------------------------------------------------------------------

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
            kernels.push_back(
                {gpu, "gemm_wgrad", "bf16", {{"m", out}, {"n", in}, {"k", tokens}}});
        }
        const KernelShape attention{{"b", tokens / s},
                                    {"s", s},
                                    {"heads", 32 / tp},
                                    {"kvHeads", 32 / tp},
                                    {"headDim", 128},
                                    {"causal", 1}};
        kernels.push_back({gpu, "attention_fwd", "bf16", attention});
        kernels.push_back({gpu, "attention_bwd", "bf16", attention});
        for (uint64_t bytes : {2 * tokens * h * 2,            // norm, embedding
                               3 * tokens * h * 2,            // residual
                               3 * tokens * ffn / tp * 2,     // activation
                               4 * tokens * vocabulary / tp,  // cross-entropy
                               30 * (12 * h * h * 32) / tp})  // optimizer
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

// ---- against the measurements that it was fitted to ----------------------------------------------

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
    const FitCase& fit = GetParam();
    const std::string archive = SharedDir() + "/data/kernels/aiconfigurator/" + fit.archive;
    if (SharedDir().empty() || !std::filesystem::exists(archive))
    {
        GTEST_SKIP() << "no measurements beside the repository";
    }
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
        FitCase{"H100", "bf16", "bfloat16", "h100_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz", 5},
        FitCase{"H100", "fp8", "fp8", "h100_sxm__gemm__trtllm-1.3.0rc20__gemm_perf.csv.gz", 5},
        FitCase{"A100", "bf16", "bfloat16", "a100_sxm__gemm__trtllm-1.0.0__gemm_perf.csv.gz", 8}),
    [](const auto& info) { return std::string(info.param.gpu) + "_" + info.param.type; });
