/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NUMBER_PAIR_LIST_H
#define NUMBER_PAIR_LIST_H

#include "text-value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief One entry of a list such as "0:1,3:50": a number and what it is given. */
struct NumberPair
{
    uint32_t key;   //!< left of the colon
    uint32_t value; //!< right of it
};

/** \ingroup fabric \brief What may stand in a list of number pairs. */
struct NumberPairFormat
{
    uint32_t maxKey;      //!< largest number left of a colon
    uint32_t minValue;    //!< smallest number right of it
    uint32_t maxValue;    //!< largest
    std::string expected; //!< all of it as a phrase, for errors
};

/**
 * \ingroup fabric
 * \brief Reads "key:value,key:value"; "first-last:value" stands for every key of a range.
 * \param text the list; an empty one has no entry
 * \param format what may stand in it
 * \return the entries, by key; a ConfigError if the text is something else or names a key twice
 */
std::vector<NumberPair> ReadNumberPairs(const TextValue& text, const NumberPairFormat& format);

} // namespace ns3

#endif /* NUMBER_PAIR_LIST_H */
