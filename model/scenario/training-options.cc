/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-options.h"

#include "ns3/attribute-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

const std::string ITERATIONS = "ns3::WorkloadExecutor::Iterations"; //!< attribute
const std::string TABLE = "ns3::KernelTable::Path";                 //!< attribute
constexpr uint64_t MAX_ITERATIONS = 1000000; //!< largest number of iterations
constexpr uint64_t MAX_DEGREE = 1U << 20;    //!< no degree of parallelism or batch is larger

/** An option that changes layout or batch of a model that is given as JSON. */
struct LayoutOption
{
    const char* name;      //!< option
    const char* attribute; //!< attribute of ns3::WorkloadReader
    const char* help;      //!< one line
};

/** The options that change layout and batch. */
constexpr LayoutOption LAYOUT_OPTIONS[] = {
    {"tp", "TensorParallel", "tensor parallel size, instead of that in a JSON workload"},
    {"pp", "PipelineParallel", "pipeline stages, instead of those in a JSON workload"},
    {"dp", "DataParallel", "data parallel size, instead of that in a JSON workload"},
    {"microBatch", "MicroBatch", "sequences of a micro-batch, instead of those in the workload"},
    {"globalBatch", "GlobalBatch", "sequences of an iteration, instead of those in the workload"},
};

} // namespace

TrainingOptions::TrainingOptions()
    : CollectiveOptions("Simulates LLM training on a GPU cluster, packet by packet or faster.",
                        "rail-optimized:gpus=16",
                        "Dcqcn",
                        "railyard-out")
{
    Add("workload",
        "file: SimAI/AICB text, or a model and its layout as JSON",
        TrainingRun::GetShippedWorkload());
    for (const LayoutOption& each : LAYOUT_OPTIONS)
    {
        Add(each.name, each.help);
        StandFor(each.name, std::string("ns3::WorkloadReader::") + each.attribute);
    }
    AddCollectives();
    AddSeries();
    Add("iterations", "iterations to run", AttributeText::GetDefaultOf(ITERATIONS));
    Add("gpu", "GPU whose kernel times are used; empty for the topology's");
    Add("kernelTable", "database, CSV file or folder; empty for the shipped table");
    StandFor("iterations", ITERATIONS);
    StandFor("kernelTable", TABLE);
}

void
TrainingOptions::ApplyAttributeOptions(ScopedDefaults& defaults) const
{
    for (const LayoutOption& each : LAYOUT_OPTIONS)
    {
        if (IsGiven(each.name))
        {
            const uint64_t value = GetValue(each.name).GetUint(each.name, 1, MAX_DEGREE);
            defaults.Set(std::string("ns3::WorkloadReader::") + each.attribute,
                         UintegerValue(value));
        }
    }
    if (IsGiven("iterations"))
    {
        defaults.Set(
            ITERATIONS,
            UintegerValue(GetValue("iterations").GetUint("iterations", 1, MAX_ITERATIONS)));
    }
    if (IsGiven("kernelTable"))
    {
        defaults.Set(TABLE, StringValue(Get("kernelTable")));
    }
}

TrainingRunOptions
TrainingOptions::MakeRun() const
{
    TrainingRunOptions run;
    run.defaults = Apply();
    ApplyAttributeOptions(*run.defaults);
    run.notes = ApplyCollectives(*run.defaults);
    FillRun(run);
    FillSeries(run);
    RequireSeriesInUse(run);
    run.workload = Get("workload");
    if (run.workload.empty())
    {
        GetValue("workload").Fail("a workload file");
    }
    run.kernelTable = AttributeText::GetDefaultOf(TABLE);
    run.gpu = Get("gpu");
    const std::string iterations = AttributeText::GetDefaultOf(ITERATIONS);
    run.iterations = static_cast<uint32_t>(
        TextValue("attribute", ITERATIONS, iterations).GetUint("iterations", 1, MAX_ITERATIONS));
    return run;
}

} // namespace ns3
