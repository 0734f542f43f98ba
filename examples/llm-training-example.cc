/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Simulates training iterations of a large model on a GPU cluster, packet by packet.
 *
 *   llm-training-example                       GPT-7B on 16 H100s, 2 servers, DCQCN
 *   llm-training-example --workload=FILE --topology=FILE --congestionControl=Timely --out=FOLDER
 *   llm-training-example --set=ns3::RoceNicDevice::MtuBytes=1024
 *
 * Exit status 0: all work was done; 1: it was not, and who waits for what is printed; 2: bad input,
 * one line on standard error, nothing written.
 */

#include "ns3/result-exit-status.h"
#include "ns3/result-summary-printer.h"
#include "ns3/scenario-options.h"
#include "ns3/training-run.h"

#include <iostream>

using namespace ns3;

namespace
{

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
    options.Add("iterations", "iterations to run", "1");
    options.Add("gpu", "GPU whose kernel times are used; empty for the topology's");
    options.Add("kernelTable", "database, CSV file or folder; empty for the shipped table");
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    options.Apply();
    TrainingRunOptions run;
    run.workload = options.Get("workload");
    run.topology = options.Get("topology");
    run.kernelTable = options.Get("kernelTable");
    run.gpu = options.Get("gpu");
    run.iterations = options.GetValue("iterations").GetUint("iterations", 1, 1000000);
    run.stopTime = options.GetStopTime();
    run.results.path = options.Get("out");
    run.results.csv = options.GetValue("csv").GetBool("csv");
    run.input = options.GetGiven();
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
