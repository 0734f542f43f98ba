/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table-test-helper.h"

#include "ns3/efficiency-interpolator.h"
#include "ns3/gpu-kernel-times.h"
#include "ns3/kernel-op.h"
#include "ns3/kernel-table.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

/** \brief The answers of small tables. */
class RailyardKernelTable : public KernelTableTest
{
};

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
    EXPECT_EQ(table->Lookup({"X1", "memory", "bf16", {{"bytes", 1000000}}}).time, NanoSeconds(500));
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
    const auto source = factory.Create<KernelTimeSource>();
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
    for (const auto& x :
         std::vector<std::vector<double>>{{1.3, 1.7, 1.5}, {0.1, 2.9, 2}, {2, 1, 0}})
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
    const auto table = KernelTable::Load();
    const GpuSpec& gpu = table->GetGpu("H100");
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
