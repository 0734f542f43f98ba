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
 * Exit status 0: all work was done; 1: it was not (stuck, stopped, or interrupted by a
 * signal, with the results so far), and who waits for what is printed; 2: bad input; 3: the program
 * or its machine failed. 2 and 3 print one line on standard error and write nothing.
 */

#include "ns3/interrupt-guard.h"
#include "ns3/result-exit-status.h"
#include "ns3/result-summary-printer.h"
#include "ns3/training-options.h"
#include "ns3/training-run.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Simulate(int argc, char* argv[])
{
    const InterruptGuard guard; // what comes while the cluster is built leaves results, too
    TrainingOptions options;
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    TrainingRun run(options.MakeRun());
    const RunSummary summary = run.Run();
    SummaryPrinter(std::cout).Print(summary, run.GetResultPath());
    return GetExitStatus(summary.verdict);
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunProgram([&] { return Simulate(argc, argv); }, std::cerr);
}
