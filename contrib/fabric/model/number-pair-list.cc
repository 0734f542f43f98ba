/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "number-pair-list.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ns3
{

namespace
{

/**
 * Takes a number off the front of a text.
 * \param [in,out] text digits and what follows them, which is left
 * \param [out] number their value
 * \return false if there are no digits, or too many
 */
bool
TakeNumber(std::string_view& text, uint32_t& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
    {
        return false;
    }
    text.remove_prefix(end - text.data());
    return true;
}

/**
 * \param [in,out] text what may begin with a mark, which is taken off
 * \param mark a character
 * \return whether it began with it
 */
bool
TakeMark(std::string_view& text, char mark)
{
    const bool found = !text.empty() && text.front() == mark;
    text.remove_prefix(found ? 1 : 0);
    return found;
}

} // namespace

std::vector<NumberPair>
ReadNumberPairs(const TextValue& text, const NumberPairFormat& format)
{
    std::vector<NumberPair> pairs;
    std::string_view rest = text.GetText();
    while (!rest.empty())
    {
        uint32_t first = 0;
        uint32_t value = 0;
        bool good = TakeNumber(rest, first);
        uint32_t last = first;
        good = good && (!TakeMark(rest, '-') || TakeNumber(rest, last));
        good = good && TakeMark(rest, ':') && TakeNumber(rest, value);
        good = good && (rest.empty() || (TakeMark(rest, ',') && !rest.empty()));
        if (!good || first > last || last > format.maxKey || value < format.minValue ||
            value > format.maxValue)
        {
            text.Fail(format.expected);
        }
        for (uint32_t key = first; key <= last; key++)
        {
            pairs.push_back({key, value});
        }
    }
    std::sort(pairs.begin(), pairs.end(), [](const NumberPair& a, const NumberPair& b) {
        return a.key < b.key;
    });
    const auto twice =
        std::adjacent_find(pairs.begin(),
                           pairs.end(),
                           [](const NumberPair& a, const NumberPair& b) { return a.key == b.key; });
    if (twice != pairs.end())
    {
        text.Fail(format.expected + ", " + std::to_string(twice->key) + " only once");
    }
    return pairs;
}

} // namespace ns3
