/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "size-shares.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/result-format.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace ns3
{

namespace
{

constexpr double FULL_WEIGHT = 4294967296; //!< of rank 0 in Zipf's law, 2^32
constexpr const char* BLANKS = " \t";

/** \param line a line \return its numbers, as they are written */
std::vector<std::string_view>
SplitNumbers(const TextLine& line)
{
    std::vector<std::string_view> numbers;
    if (line.GetText().find(',') == std::string_view::npos)
    {
        for (std::size_t i = 0; i < line.GetCount(); i++)
        {
            numbers.push_back(line.GetWord(i));
        }
        return numbers;
    }
    for (std::string_view number : SplitList(line.GetText()))
    {
        number.remove_prefix(std::min(number.find_first_not_of(BLANKS), number.size()));
        numbers.push_back(number.substr(0, number.find_last_not_of(BLANKS) + 1));
    }
    return numbers;
}

} // namespace

SizeShares::SizeShares(uint32_t ranks, std::vector<uint64_t> weights)
    : m_ranks(ranks),
      m_weights(std::move(weights))
{
}

SizeShares
SizeShares::MakeZipf(uint32_t ranks, double exponent)
{
    std::vector<uint64_t> weights;
    weights.reserve(uint64_t(ranks) * ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
    {
        weights.push_back(std::llround(FULL_WEIGHT / std::pow(rank + 1.0, exponent)));
    }
    for (uint32_t source = 1; source < ranks; source++)
    {
        std::copy_n(weights.begin(), ranks, std::back_inserter(weights));
    }
    return {ranks, std::move(weights)};
}

SizeShares
SizeShares::Read(const TextFile& file, uint32_t ranks)
{
    const std::string wanted =
        CountOf(ranks, "number") + ", what a rank has for each of the ranks";
    std::vector<uint64_t> weights;
    for (std::size_t i = file.FindText(0); i < file.GetLineCount(); i = file.FindText(i + 1))
    {
        const TextLine line = file.GetLine(i);
        if (line.GetText().front() == '#')
        {
            continue;
        }
        const std::vector<std::string_view> numbers = SplitNumbers(line);
        if (numbers.size() != ranks)
        {
            line.Fail(wanted);
        }
        if (weights.size() == uint64_t(ranks) * ranks)
        {
            line.Fail("no line behind those of the " + std::to_string(ranks) + " ranks");
        }
        for (const std::string_view number : numbers)
        {
            weights.push_back(TextValue(file.GetName(), line.GetNumber(), number)
                                  .GetUint("share of a pair", 0, MAX_WEIGHT));
        }
    }
    const uint64_t lines = weights.size() / ranks;
    if (lines != ranks)
    {
        throw ConfigError(file.GetName(),
                          "",
                          CountOf(lines, "line"),
                          std::to_string(ranks) + ", one for each rank, with " + wanted);
    }
    if (std::all_of(weights.begin(), weights.end(), [](uint64_t weight) { return weight == 0; }))
    {
        throw ConfigError(file.GetName(), "", "0 for every pair", "a number above 0");
    }
    return {ranks, std::move(weights)};
}

std::shared_ptr<const SizeMatrix>
SizeShares::Scale(uint64_t elements, uint32_t elementBytes) const
{
    unsigned __int128 all = 0;
    for (const uint64_t weight : m_weights)
    {
        all += weight;
    }
    // What all pairs up to one have together is rounded, so that nothing is lost or added.
    const unsigned __int128 sum = static_cast<unsigned __int128>(elements) * m_ranks;
    std::vector<uint64_t> bytes;
    bytes.reserve(m_weights.size());
    unsigned __int128 weights = 0;
    uint64_t before = 0;
    for (const uint64_t weight : m_weights)
    {
        weights += weight;
        const auto upTo = static_cast<uint64_t>(weights * sum / all);
        bytes.push_back((upTo - before) * elementBytes);
        before = upTo;
    }
    return std::make_shared<SizeMatrix>(m_ranks, std::move(bytes));
}

double
SizeShares::GetPeak() const
{
    std::vector<double> sent(m_ranks, 0);
    std::vector<double> received(m_ranks, 0);
    double all = 0;
    for (std::size_t i = 0; i < m_weights.size(); i++)
    {
        const auto weight = static_cast<double>(m_weights[i]);
        const std::size_t source = i / m_ranks;
        const std::size_t destination = i % m_ranks;
        sent[source] += source == destination ? 0 : weight;
        received[destination] += source == destination ? 0 : weight;
        all += weight;
    }
    const double most = std::max(*std::max_element(sent.begin(), sent.end()),
                                 *std::max_element(received.begin(), received.end()));
    const double even = all / m_ranks * (m_ranks - 1) / m_ranks;
    return m_ranks < 2 ? 0 : most / even;
}

} // namespace ns3
