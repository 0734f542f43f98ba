/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-workload.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace ns3
{

namespace
{

/** Row that begins a micro-batch. */
constexpr std::string_view FIRST_LAYER = "embedding_layer";

/**
 * \param name name of a row
 * \param prefix prefix
 * \return true if the name begins with it
 */
bool
StartsWith(std::string_view name, std::string_view prefix)
{
    return name.substr(0, prefix.size()) == prefix;
}

/**
 * \param row a row
 * \return true if AICB writes it before the micro-batches
 */
bool
IsPrologue(const SimaiRow& row)
{
    return StartsWith(row.name, "grad_") || StartsWith(row.name, "moe_grad_norm") ||
           row.name == "embedding_grads" || row.name == "layernorm" || row.name == "norm";
}

/**
 * \param row a row
 * \return true if AICB writes it behind the micro-batches
 */
bool
IsEpilogue(const SimaiRow& row)
{
    return StartsWith(row.name, "cross_entropy") || StartsWith(row.name, "optimizer");
}

/**
 * \param phase column of a row
 * \return what makes it equal to another
 */
auto
GetKey(const SimaiPhase& phase)
{
    return std::tie(phase.computeNs, phase.collective, phase.group, phase.bytes);
}

/**
 * \param a a row
 * \param b a row
 * \return true if they differ in their line at most
 */
bool
IsSameRow(const SimaiRow& a, const SimaiRow& b)
{
    return a.name == b.name && GetKey(a.forward) == GetKey(b.forward) &&
           GetKey(a.inputGradient) == GetKey(b.inputGradient) &&
           GetKey(a.weightGradient) == GetKey(b.weightGradient) && a.updateNs == b.updateNs;
}

/**
 * \param rows rows
 * \param body range of them
 * \param parts number of parts
 * \return the range divided into that many equal parts, empty if it cannot be
 */
std::vector<SimaiRange>
DivideEqually(const std::vector<SimaiRow>& rows, const SimaiRange& body, std::size_t parts)
{
    const std::size_t count = body.end - body.begin;
    if (parts == 0 || count == 0 || count % parts != 0)
    {
        return {};
    }
    const std::size_t length = count / parts;
    for (std::size_t i = body.begin + length; i < body.end; i++)
    {
        if (!IsSameRow(rows[i], rows[i - length]))
        {
            return {};
        }
    }
    std::vector<SimaiRange> ranges;
    for (std::size_t begin = body.begin; begin < body.end; begin += length)
    {
        ranges.push_back({begin, begin + length});
    }
    return ranges;
}

/**
 * \param rows rows
 * \param body range of them
 * \return the range divided before every first layer
 */
std::vector<SimaiRange>
DivideAtFirstLayers(const std::vector<SimaiRow>& rows, const SimaiRange& body)
{
    std::vector<SimaiRange> ranges;
    for (std::size_t i = body.begin; i < body.end; i++)
    {
        if (ranges.empty() || rows[i].name == FIRST_LAYER)
        {
            ranges.push_back({i, i});
        }
        ranges.back().end = i + 1;
    }
    return ranges;
}

} // namespace

SimaiSections
FindSimaiSections(const SimaiWorkload& workload, std::vector<std::string>& notes)
{
    const std::vector<SimaiRow>& rows = workload.rows;
    const auto isFirst = [](const SimaiRow& row) { return row.name == FIRST_LAYER; };
    auto bodyBegin = std::find_if(rows.begin(), rows.end(), isFirst);
    if (bodyBegin == rows.end())
    {
        bodyBegin = std::find_if_not(rows.begin(), rows.end(), IsPrologue);
    }
    SimaiRange body{static_cast<std::size_t>(bodyBegin - rows.begin()), rows.size()};
    while (body.end > body.begin && IsEpilogue(rows[body.end - 1]))
    {
        body.end--;
    }
    SimaiSections sections;
    sections.prologue = {0, body.begin};
    sections.epilogue = {body.end, rows.size()};
    const std::size_t ga = workload.gradientAccumulation.value_or(1);
    sections.microBatches = DivideAtFirstLayers(rows, body);
    if (sections.microBatches.size() > 1)
    {
        if (sections.microBatches.size() != ga)
        {
            notes.push_back("ga is " + std::to_string(ga) + ", but the rows hold " +
                            std::to_string(sections.microBatches.size()) +
                            " micro-batches, which are run");
        }
        return sections;
    }
    sections.microBatches = DivideEqually(rows, body, ga);
    if (sections.microBatches.empty())
    {
        sections.microBatches.assign(ga, body);
        notes.push_back("the rows of one micro-batch are run ga = " + std::to_string(ga) +
                        " times");
    }
    return sections;
}

} // namespace ns3
