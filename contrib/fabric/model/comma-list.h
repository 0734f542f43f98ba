/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COMMA_LIST_H
#define COMMA_LIST_H

#include <algorithm>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \param text some words with commas between them; a comma at the end adds none
 * \return the words, which live as long as the text
 */
inline std::vector<std::string_view>
SplitList(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty())
    {
        words.push_back(text.substr(0, text.find(',')));
        text.remove_prefix(std::min(text.size(), words.back().size() + 1));
    }
    return words;
}

} // namespace ns3

#endif /* COMMA_LIST_H */
