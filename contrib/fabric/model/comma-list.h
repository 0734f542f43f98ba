/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COMMA_LIST_H
#define COMMA_LIST_H

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \param text some words with commas between them; a comma at the end adds none
 * \param separator what stands between words instead of commas
 * \return the words, which live as long as the text
 */
inline std::vector<std::string_view>
SplitList(std::string_view text, char separator = ',')
{
    std::vector<std::string_view> words;
    while (!text.empty())
    {
        words.push_back(text.substr(0, text.find(separator)));
        text.remove_prefix(std::min(text.size(), words.back().size() + 1));
    }
    return words;
}

/**
 * \ingroup fabric
 * \param [in,out] list words with `separator` between them, or nothing
 * \param word one more
 * \param separator what stands between words
 */
inline void
AppendToList(std::string& list, std::string_view word, std::string_view separator = ", ")
{
    list.append(list.empty() ? std::string_view() : separator).append(word);
}

/**
 * \ingroup fabric
 * \param words texts: strings, or what converts to a view of one
 * \param separator what stands between them
 * \return all of them
 */
template <typename Words>
std::string
JoinList(const Words& words, std::string_view separator = ", ")
{
    std::string list;
    for (const auto& word : words)
    {
        AppendToList(list, word, separator);
    }
    return list;
}

} // namespace ns3

#endif /* COMMA_LIST_H */
