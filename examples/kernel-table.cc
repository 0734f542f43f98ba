/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Shows, asks and extends a kernel performance table.
 *
 *   kernel-table                                                what the shipped table holds
 *   kernel-table --action=list --gpu=H100 --op=memory           rows
 *   kernel-table --action=lookup --gpu=H100 --op=gemm --type=bf16 --m=4096 --n=11008 --k=4096
 *   kernel-table --action=import --csv=mine.csv --db=mine.db    adds rows to a database
 *   kernel-table --action=lookup --table=mine.db ...            asks another table
 *
 * Exit status 2 and one line on standard error for bad input.
 */

#include "ns3/kernel-table.h"

#include "ns3/command-options.h"
#include "ns3/config-error.h"
#include "ns3/kernel-op.h"
#include "ns3/kernel-table-database.h"
#include "ns3/result-exit-status.h"
#include "ns3/scoped-defaults.h"
#include "ns3/text-value.h"

#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/** \brief The options by name, as text. */
using Options = std::map<std::string, std::string>;

/** Options that are no dimension of a kernel, and their help, actions first. */
const std::map<std::string, std::string> OPTION_HELP{
    {"action", "summary, list, gpus, sources, lookup or import"},
    {"table",
     "summary, list, gpus, sources, lookup: database, CSV file or folder of CSV files to use; empty "
     "for the shipped table"},
    {"gpu", "list, lookup: GPU"},
    {"op", "list, lookup: kind of kernel"},
    {"type", "list, lookup: element type"},
    {"csv", "import: CSV file or folder of CSV files to read"},
    {"db", "import: database to write to"},
};

/** \return all options with their help, those of the dimensions of all ops included */
std::map<std::string, std::string>
GetOptionHelp()
{
    auto help = OPTION_HELP;
    for (const auto& [name, op] : KernelOp::GetAll())
    {
        for (const auto& dimension : op->GetDimensions())
        {
            std::string& text = help[dimension.name];
            text += (text.empty() ? "lookup: dimension of " : ", ") + name;
        }
    }
    return help;
}

/**
 * \param options the options
 * \param name an option that must have been given
 * \return its value
 */
const std::string&
RequireOption(const Options& options, const std::string& name)
{
    const std::string& value = options.at(name);
    if (value.empty())
    {
        throw ConfigError("command line",
                          "--" + name,
                          value,
                          "a value (" + OPTION_HELP.at(name) + ")");
    }
    return value;
}

/**
 * \param options the options
 * \return the kernel that --gpu, --op, --type and the dimensions name
 */
KernelKey
GetKey(const Options& options)
{
    KernelKey key;
    key.gpu = RequireOption(options, "gpu");
    key.op = RequireOption(options, "op");
    key.type = options.at("type").empty() ? "bf16" : options.at("type");
    for (const auto& [name, value] : options)
    {
        if (OPTION_HELP.count(name) == 0 && !value.empty())
        {
            key.shape[name] = TextValue("command line", "--" + name, value).GetUint(name);
        }
    }
    return key;
}

/**
 * \param options the options
 * \param name "gpu", "op" or "type"
 * \param value a row's value of it
 * \return true unless the option asks for another value
 */
bool
Passes(const Options& options, const std::string& name, const std::string& value)
{
    return options.at(name).empty() || options.at(name) == value;
}

/** \param options the options */
void
PrintSummary(const Options& options)
{
    const auto table = KernelTable::Load(options.at("table"));
    std::map<std::string, std::pair<uint32_t, uint32_t>> counts;
    for (const auto& [key, row] : table->GetData().GetRows())
    {
        auto& [measured, fitted] = counts[key.gpu + " " + key.op + " " + key.type];
        ++(table->GetData().GetSources().at(row.source).measured ? measured : fitted);
    }
    std::cout << std::left << std::setw(28) << "gpu op type"
              << "measured  fitted\n";
    for (const auto& [family, count] : counts)
    {
        std::cout << std::left << std::setw(28) << family << std::right << std::setw(8)
                  << count.first << std::setw(8) << count.second << "\n";
    }
    std::cout << "GPUs: " << table->GetData().GetGpuNames() << "; ops: " << KernelOp::GetNames()
              << "\n";
}

/** \param options the options */
void
PrintRows(const Options& options)
{
    const auto table = KernelTable::Load(options.at("table"));
    const auto& data = table->GetData();
    if (!options.at("gpu").empty())
    {
        table->GetGpu(options.at("gpu")); // refuses an unknown one
    }
    std::cout << "gpu op type shape time_ns kind source\n" << std::fixed << std::setprecision(1);
    for (const auto& [key, row] : data.GetRows())
    {
        if (Passes(options, "gpu", key.gpu) && Passes(options, "op", key.op) &&
            Passes(options, "type", key.type))
        {
            std::cout << key.ToString() << " " << row.timeNs << " "
                      << (data.GetSources().at(row.source).measured ? "measured" : "fitted") << " "
                      << row.source << "\n";
        }
    }
}

/** \param options the options */
void
PrintGpus(const Options& options)
{
    const auto table = KernelTable::Load(options.at("table"));
    for (const auto& [name, gpu] : table->GetData().GetGpus())
    {
        std::cout << name << " (" << gpu.device << "): memory " << gpu.memoryBytes / 1e9 << " GB, "
                  << gpu.memoryBytesPerSecond / 1e9 << " GB/s; peak TFLOP/s";
        for (const auto& [type, flops] : gpu.peakFlops)
        {
            std::cout << " " << type << " " << flops / 1e12;
        }
        std::cout << "; without a row: gemm " << gpu.gemmEfficiency << ", attention "
                  << gpu.attentionEfficiency << ", memory " << gpu.memoryEfficiency
                  << " of the peak + " << gpu.launchNs << " ns\n";
    }
}

/** \param options the options */
void
PrintSources(const Options& options)
{
    const auto table = KernelTable::Load(options.at("table"));
    for (const auto& [name, source] : table->GetData().GetSources())
    {
        std::cout << name << " (" << (source.measured ? "measured" : "fitted")
                  << "): " << source.text;
        for (const auto* detail : {&source.url, &source.revision, &source.licence, &source.fit})
        {
            std::cout << (detail->empty() ? "" : "; ") << *detail;
        }
        std::cout << "\n";
    }
}

/** \param options the options */
void
PrintLookup(const Options& options)
{
    const auto table = KernelTable::Load(options.at("table"));
    const KernelKey key = GetKey(options);
    const KernelTime answer = table->Lookup(key);
    const double ns = answer.time.ToDouble(Time::NS);
    std::cout << "kernel      " << key.ToString() << "\n"
              << "time        " << std::fixed << std::setprecision(3) << ns / 1000 << " us\n"
              << "provenance  " << GetKernelProvenanceName(answer.provenance) << "\n"
              << "from        " << answer.note << "\n";
    if (const auto op = KernelOp::Find(key.op))
    {
        const std::string type = op->GetTableType(key.type);
        std::cout << "rate        " << op->GetFlops(key.shape) / ns / 1000 << " TFLOP/s, "
                  << op->GetBytes(key.shape, KernelOp::GetElementBytes(type)) / ns << " GB/s; "
                  << op->GetIdealNs(key.shape, type, table->GetGpu(key.gpu)) / ns
                  << " of the GPU's peak\n";
    }
}

/** \param options the options */
void
Import(const Options& options)
{
    const std::string& db = RequireOption(options, "db");
    const std::size_t added = ImportKernelTable(RequireOption(options, "csv"), db);
    std::cout << added << " kernels added to " << db << "\n";
}

/**
 * A ConfigError if an option was given that the action does not use.
 * \param commandLine the options
 * \param help of all options
 */
void
RequireUse(const CommandOptions& commandLine, const std::map<std::string, std::string>& help)
{
    const std::string& action = commandLine.Get("action");
    for (const auto& [name, text] : help)
    {
        const std::string actions = text.substr(0, text.find(':'));
        if (name != "action" && commandLine.IsGiven(name) &&
            actions.find(action) == std::string::npos)
        {
            commandLine.GetValue(name).Fail("it with --action=" + actions + " only");
        }
    }
}

/** \param argc number of arguments \param argv the arguments \return status of the program */
ExitStatus
Answer(int argc, char* argv[])
{
    const std::map<std::string, void (*)(const Options&)> actions{{"summary", PrintSummary},
                                                                  {"list", PrintRows},
                                                                  {"gpus", PrintGpus},
                                                                  {"sources", PrintSources},
                                                                  {"lookup", PrintLookup},
                                                                  {"import", Import}};
    CommandOptions commandLine("Shows, asks and extends a kernel performance table.");
    const auto help = GetOptionHelp();
    for (const auto& [name, text] : help)
    {
        commandLine.Add(name, text, name == "action" ? "summary" : "");
    }
    if (!commandLine.Parse(argc, argv))
    {
        commandLine.PrintHelp(std::cout);
        return ExitStatus::FINISHED;
    }
    ScopedDefaults defaults;
    commandLine.ApplyAttributes(defaults);
    Options options;
    for (const auto& [name, text] : help)
    {
        options[name] = commandLine.Get(name);
    }
    const auto action = actions.find(options.at("action"));
    if (action == actions.end())
    {
        commandLine.GetValue("action").Fail(OPTION_HELP.at("action"));
    }
    RequireUse(commandLine, help);
    action->second(options);
    return ExitStatus::FINISHED;
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    return RunProgram([&] { return Answer(argc, argv); }, std::cerr);
}
