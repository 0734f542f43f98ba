/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/config-error.h"
#include "ns3/text-scanner.h"
#include "ns3/text-value.h"

namespace
{

/** \param read reads a value, or refuses it \tparam F what is called */
template <class F>
void
Try(F read)
{
    try
    {
        read();
    }
    catch (const ns3::ConfigError&)
    {
        // refused, as it may be
    }
}

} // namespace

/** Words of a file, each read as every type. */
void
ns3::FuzzOne(const std::string& input)
{
    TextScanner scanner(TextFile::FromString("input", input));
    while (!scanner.AtEnd())
    {
        const TextValue value = scanner.Next("word");
        Try([&] { value.GetUint("value"); });
        Try([&] { value.GetInt("value", -1000, 1000); });
        Try([&] { value.GetDouble("value"); });
        Try([&] { value.GetBool("value"); });
        Try([&] { value.GetDataRate("value"); });
        Try([&] { value.GetTime("value"); });
        Try([&] { value.Fail("something else"); });
    }
}
