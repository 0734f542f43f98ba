/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/attribute-text.h"
#include "ns3/text-value.h"

/** An attribute's name in the first line, its value behind it. */
void
ns3::FuzzOne(const std::string& input)
{
    const std::size_t end = input.find('\n');
    const std::string name = input.substr(0, end);
    const std::string value = end == std::string::npos ? "" : input.substr(end + 1);
    const AttributeText attribute(TextValue("input", "name", name));
    attribute.Read(TextValue("input", name, value));
}
