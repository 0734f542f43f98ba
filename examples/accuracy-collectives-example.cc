/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Simulates collectives that others have timed on real clusters, and says how far off it is.
 *
 *   accuracy-collectives-example                        the table that comes with Railyard
 *   accuracy-collectives-example --data=FILE,FILE       tables of your own
 *   accuracy-collectives-example --network=flow --out=FOLDER
 *
 * Exit status 0: all rows were simulated; 1: some never ended; 2: bad input; 3: the program or its
 * machine failed. 2 and 3 print one line on standard error and write nothing.
 */

#include "ns3/accuracy-data.h"
#include "ns3/accuracy-platforms.h"
#include "ns3/accuracy-study.h"
#include "ns3/comma-list.h"
#include "ns3/command-options.h"
#include "ns3/result-exit-status.h"
#include "ns3/scoped-defaults.h"
#include "ns3/source-folder.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \brief The options. */
class AccuracyOptions : public CommandOptions
{
  public:
    AccuracyOptions()
        : CommandOptions("Simulates collectives that others have timed, and compares.")
    {
        Add("data",
            "tables of timed collectives (CSV), with commas between them",
            GetSourceFolder() + "/validation/collectives.csv");
        Add("platforms", "how platforms are simulated (JSON)", AccuracyPlatforms::GetShippedPath());
        Add("network",
            "packet, flow or analytic; empty: packet where that takes seconds, else flow, and in "
            "large NVLink domains analytic");
        Add("out", "folder for accuracy.csv and summary.json", "accuracy-out");
    }
};

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Simulate(int argc, char* argv[])
{
    AccuracyOptions options;
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    for (const std::string& attribute : AccuracyStudy::GetOwnAttributes())
    {
        options.RefuseAttribute(attribute, "that platforms say so (doc/formats/accuracy.md)");
    }
    ScopedDefaults defaults;
    options.ApplyAttributes(defaults);
    AccuracyData data;
    for (const std::string_view path : SplitList(options.Get("data")))
    {
        data.Load(std::string(path));
    }
    AccuracyStudy study(AccuracyPlatforms(options.Get("platforms")), options.Get("network"));
    study.Run(data);
    study.Write(options.Get("out"), data);
    study.Print(std::cout);
    for (const auto& [name, rows] : study.GetUnknown())
    {
        std::cout << rows << " rows of " << name << " are not simulated: an unknown platform\n";
    }
    for (const auto& [reason, rows] : data.GetSkipped())
    {
        std::cout << rows << " rows are not used: " << reason << "\n";
    }
    const uint64_t unfinished = study.CountUnfinished();
    if (unfinished > 0)
    {
        std::cout << unfinished << " rows did not end: they have no time in accuracy.csv\n";
    }
    std::cout << "results: " << options.Get("out") << "\n";
    return unfinished > 0 ? ExitStatus::UNFINISHED : ExitStatus::FINISHED;
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunProgram([&] { return Simulate(argc, argv); }, std::cerr);
}
