/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The command line and the table of nccl-tests for a simulated cluster (doc/collective-bench.md).
 *
 *   collective-bench-example                          all_reduce, 8 B to 128 MiB on a DGX H100
 *   collective-bench-example -b 8 -e 1G -f 2 -g 8
 *   collective-bench-example --collective=alltoall --topology=rail-optimized:gpus=16 -b 1M -e 64M
 *   collective-bench-example --compare=algorithm -b 8 -e 16M -f 4
 *
 * Exit status as in llm-training-example; 1 also if a plan is wrong.
 */

#include "ns3/collective-bench-options.h"
#include "ns3/collective-bench-run.h"
#include "ns3/collective-bench-table.h"
#include "ns3/interrupt-guard.h"
#include "ns3/result-exit-status.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Measure(int argc, char* argv[])
{
    const InterruptGuard guard; // what comes while the cluster is built leaves results, too
    CollectiveBenchOptions options;
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    CollectiveBenchRun run(options.MakeRun());
    const CollectiveBenchTable table(std::cout, run);
    table.PrintHeading();
    run.SetSizeCallback([&](const auto& rows) { table.PrintSize(rows); });
    const RunSummary summary = run.Run();
    table.PrintEnd(summary, run.GetResultPath());
    return GetExitStatus(summary.verdict);
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunProgram([&] { return Measure(argc, argv); }, std::cerr);
}
