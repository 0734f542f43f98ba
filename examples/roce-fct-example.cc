/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The flow completion times of "ECN or Delay" (Zhu et al., CoNEXT 2016), beside the paper's: DCQCN,
 * Patched TIMELY and TIMELY under web search traffic over a dumbbell. What is measured, and why it
 * differs where it does, is in contrib/roce/doc/flow-completion.md.
 *
 *   roce-fct-example                                     all, a few minutes
 *   roce-fct-example --controls=Dcqcn --loads=0.8 --seeds=1
 *   roce-fct-example --controls=Dcqcn,Hpcc,Swift --sizes=web-search --csv=true
 *
 * Rows appear as they are done; a signal ends the program. Exit status 0, 1 if flows are not
 * finished, 2 if the input is wrong.
 */

#include "ns3/comma-list.h"
#include "ns3/command-options.h"
#include "ns3/fabric-engine.h"
#include "ns3/fct-study.h"
#include "ns3/result-exit-status.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/type-catalogue.h"

#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** What the study sets for every row, and the option that says to what. */
constexpr std::pair<const char*, const char*> ATTRIBUTES_OF_THE_STUDY[] = {
    {"ns3::RoceNicDevice::CongestionControl", "--controls"},
    {"ns3::PoissonTraffic::Load", "--loads"},
    {"ns3::PoissonTraffic::Sizes", "--sizes"},
    {"ns3::PoissonTraffic::Duration", "--duration"},
    {"ns3::PoissonTraffic::Start", "--warmUp"},
    {"ns3::PoissonTraffic::Pattern", "--topology"},
};

/**
 * \param list value of an option, with commas
 * \return its words, each of which may be there once, and one must; they view what `list` does
 */
std::vector<TextValue>
GetWords(const TextValue& list)
{
    std::vector<TextValue> words;
    std::set<std::string_view> known;
    for (const std::string_view word : SplitList(list.GetText()))
    {
        words.emplace_back(list.GetSource(), list.GetPlace(), word);
        if (!known.insert(word).second)
        {
            words.back().Fail("each of them once");
        }
    }
    if (words.empty())
    {
        list.Fail("one or more");
    }
    return words;
}

/** \param options get those of this program \param study the defaults */
void
AddOptions(CommandOptions& options, const FctStudyOptions& study)
{
    options.Add("controls", "congestion controls, with commas", "Dcqcn,PatchedTimely,Timely");
    options.Add("loads", "loads, with commas; 1 is 80 % of the bottleneck", "0.2,0.4,0.6,0.8,1.0");
    options.Add("topology", "a dumbbell", study.topology);
    options.Add("sizes", "distribution of flow sizes: a name, or a file", study.sizes);
    options.Add("duration", "time of the arrivals that are measured", "2s");
    options.Add("warmUp", "time of arrivals before, which are not", "200ms");
    options.Add("seed", "first number of the random streams", "1");
    options.Add("seeds", "how many, one after the other", "3");
    options.Add("engine", "event engine: fabric or default", "fabric");
    options.Add("csv", "comma separated values", "false");
}

/** \param options parsed \return what to simulate */
FctStudyOptions
ReadStudy(const CommandOptions& options)
{
    FctStudyOptions study;
    study.topology = options.Get("topology");
    study.sizes = options.Get("sizes");
    study.duration = options.GetValue("duration").GetTime("duration");
    study.warmUp = options.GetValue("warmUp").GetTime("warmUp");
    study.firstSeed = options.GetValue("seed").GetUint("seed", 0, 1000000000);
    study.seeds = options.GetValue("seeds").GetUint("seeds", 1, 10000);
    return study;
}

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Simulate(int argc, char* argv[])
{
    CommandOptions options("Completion times of small flows, beside those of \"ECN or Delay\", "
                           "CoNEXT 2016.");
    AddOptions(options, FctStudyOptions());
    if (!options.Parse(argc, argv))
    {
        options.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    FabricEngine::Select(options.Get("engine"));
    ScopedDefaults defaults;
    FctStudy::SetPaperAttributes(defaults);
    for (const auto& [attribute, option] : ATTRIBUTES_OF_THE_STUDY)
    {
        options.RefuseAttribute(attribute, std::string("nothing: it follows from ") + option);
    }
    options.ApplyAttributes(defaults);
    const TypeCatalogue all(RoceCongestionControl::GetTypeId());
    std::vector<TypeId> controls;
    for (const TextValue& name : GetWords(options.GetValue("controls")))
    {
        controls.push_back(all.Find(name));
    }
    std::vector<double> loads;
    for (const TextValue& word : GetWords(options.GetValue("loads")))
    {
        loads.push_back(word.GetDouble("load", 0.001, 1.25));
    }
    const bool csv = options.GetValue("csv").GetBool("csv");
    const FctStudy study(ReadStudy(options));
    uint64_t unfinished = 0;
    for (const TypeId& control : controls)
    {
        for (const double load : loads)
        {
            const FctRow row = study.Measure(control, load);
            if (control == controls.front() && load == loads.front())
            {
                FctStudy::PrintHeading(std::cout, csv);
            }
            FctStudy::Print(std::cout, row, csv);
            std::cout.flush();
            unfinished += row.unfinished;
        }
    }
    return unfinished == 0 ? ExitStatus::FINISHED : ExitStatus::UNFINISHED;
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunProgram([&] { return Simulate(argc, argv); }, std::cerr);
}
