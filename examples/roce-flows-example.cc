/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Simulates the flows of a file on a RoCE network, packet by packet: completion times with
 * slowdown, pauses, queues.
 *
 *   roce-flows-example                         7-to-1 incast on a star of 8 hosts, DCQCN
 *   roce-flows-example --topology=FILE --flows=FILE --config=FILE --out=FOLDER
 *   roce-flows-example --config=FILE           its topology and flows too, as HPCC and ConWeave do
 *   roce-flows-example --congestionControl=Timely --qlen=1us --pcap=8:0
 *   roce-flows-example --topology=leaf-spine --traffic=web-search --load=0.6 --duration=1ms
 *   roce-flows-example --series=utilisation,rate,rtt --hpccOutput=fct,pfc,qlen
 *
 * Topology, flow and configuration files are those of HPCC and its descendants. Exit status 0: all
 * flows finished; 1: they did not (stuck, stopped, or interrupted by a signal, with the results
 * so far), and who waits for what is printed; 2: bad input; 3: the program or its machine failed. 2
 * and 3 print one line on standard error and write nothing.
 */

#include "ns3/flow-options.h"
#include "ns3/flow-run.h"
#include "ns3/interrupt-guard.h"
#include "ns3/result-exit-status.h"
#include "ns3/result-summary-printer.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Simulate(int argc, char* argv[])
{
    const InterruptGuard guard; // what comes while the cluster is built leaves results, too
    FlowOptions options;
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    FlowRun run(options.MakeRun());
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
