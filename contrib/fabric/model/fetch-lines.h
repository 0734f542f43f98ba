/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FETCH_LINES_H
#define FETCH_LINES_H

#include <cstddef>

namespace ns3
{

/** Bytes of a line of cache, which fetching and the layout of hot objects assume. */
constexpr std::size_t CACHE_LINE = 64;

/**
 * \ingroup fabric
 * \brief Fetches memory into the caches, to be read and written soon; changes nothing.
 * \param begin any address, at the beginning of a line of cache if several are meant
 * \param lines how many lines of cache
 */
inline void
FetchLines(const void* begin, std::size_t lines = 1)
{
    for (std::size_t line = 0; line < lines; line++)
    {
        __builtin_prefetch(static_cast<const char*>(begin) + line * CACHE_LINE, 1);
    }
    // GCC takes a function that does nothing but this for one without effect and drops its calls.
    asm volatile("");
}

} // namespace ns3

#endif /* FETCH_LINES_H */
