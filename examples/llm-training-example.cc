/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Simulates training iterations of a large model on a GPU cluster, packet by packet.
 *
 *   llm-training-example                       GPT-7B on 16 H100s, 2 servers, DCQCN
 *   llm-training-example --workload=FILE --topology=FILE --congestionControl=Timely --out=FOLDER
 *   llm-training-example --topology=rail-optimized:gpus=64 --dp=8 --globalBatch=32
 *   llm-training-example --set=ns3::RoceNicDevice::MtuBytes=1024
 *
 * Exit status 0: all work was done; 1: it was not (stuck, stopped, or interrupted by SIGINT or
 * SIGTERM, with the results so far), and who waits for what is printed; 2: bad input, one line on
 * standard error, nothing written.
 */

#include "ns3/result-exit-status.h"
#include "ns3/result-summary-printer.h"
#include "ns3/scenario-options.h"
#include "ns3/training-run.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;

namespace
{

constexpr uint64_t MAX_DEGREE = 1U << 20; //!< no degree of parallelism or batch is larger

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

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Simulate(int argc, char* argv[])
{
    ScenarioOptions options("Simulates LLM training on a GPU cluster, packet by packet.",
                            "rail-optimized:gpus=16",
                            "Dcqcn",
                            "railyard-out");
    options.Add("workload",
                "file: SimAI/AICB text, or a model and its layout as JSON",
                TrainingRun::GetShippedWorkload());
    for (const LayoutOption& each : LAYOUT_OPTIONS)
    {
        options.Add(each.name, each.help);
    }
    options.Add("iterations", "iterations to run", "1");
    options.Add("gpu", "GPU whose kernel times are used; empty for the topology's");
    options.Add("kernelTable", "database, CSV file or folder; empty for the shipped table");
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    TrainingRunOptions run;
    run.defaults = options.Apply();
    for (const LayoutOption& each : LAYOUT_OPTIONS)
    {
        if (options.IsGiven(each.name))
        {
            const uint64_t value = options.GetValue(each.name).GetUint(each.name, 1, MAX_DEGREE);
            run.defaults->Set(std::string("ns3::WorkloadReader::") + each.attribute,
                              UintegerValue(value));
        }
    }
    options.FillRun(run);
    run.workload = options.Get("workload");
    run.kernelTable = options.Get("kernelTable");
    run.gpu = options.Get("gpu");
    run.iterations = options.GetValue("iterations").GetUint("iterations", 1, 1000000);
    TrainingRun training(run);
    const RunSummary summary = training.Run();
    SummaryPrinter(std::cout).Print(summary, training.GetResultPath());
    return GetExitStatus(summary.verdict);
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunProgram([&] { return Simulate(argc, argv); }, std::cerr);
}
