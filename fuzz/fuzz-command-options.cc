/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/command-options.h"
#include "ns3/scoped-defaults.h"

#include <sstream>
#include <vector>

/** A command line, an argument in each line. */
void
ns3::FuzzOne(const std::string& input)
{
    CommandOptions options("fuzz [options]");
    options.Add("topology", "A file.");
    options.Add("stop", "A time.", "1s");
    std::vector<std::string> words{"fuzz"};
    std::istringstream lines(input);
    for (std::string line; std::getline(lines, line);)
    {
        words.push_back(line);
    }
    std::vector<char*> argv;
    for (std::string& word : words)
    {
        argv.push_back(word.data());
    }
    if (!options.Parse(static_cast<int>(argv.size()), argv.data()))
    {
        std::ostringstream help;
        options.PrintHelp(help);
        return;
    }
    ScopedDefaults defaults;
    options.ApplyAttributes(defaults);
    options.GetValue("stop").GetTime("stop");
    options.GetEffective();
}
