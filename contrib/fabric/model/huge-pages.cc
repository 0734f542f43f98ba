/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "huge-pages.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#endif

namespace ns3
{

#if defined(__linux__) && defined(__GLIBC__)

namespace
{

constexpr std::size_t ROOM = 256UL << 20;     //!< by which the heap grows, bytes of address space
constexpr std::size_t HUGE_PAGE = 2UL << 20;  //!< its size, bytes
constexpr std::size_t LARGE = 32UL << 20;     //!< what malloc() maps by itself, bytes
constexpr std::size_t PIECE = 64UL << 10;     //!< bytes, below what malloc() maps by itself
constexpr std::size_t MOST_PIECES = 64;       //!< until the heap has grown

/** \return the end of the heap */
std::uintptr_t
GetHeapEnd()
{
    return reinterpret_cast<std::uintptr_t>(sbrk(0));
}

/** \return whether the heap has room now, and prefers huge pages in it */
bool
GrowHeap()
{
    // The heap keeps its room, and takes large pieces from it.
    mallopt(M_TOP_PAD, static_cast<int>(ROOM));
    mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * ROOM));
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(LARGE));
    const std::uintptr_t before = GetHeapEnd();
    std::vector<void*> pieces;
    while (GetHeapEnd() == before && pieces.size() < MOST_PIECES)
    {
        pieces.push_back(std::malloc(PIECE));
    }
    const std::uintptr_t begin = (before + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    const std::uintptr_t end = GetHeapEnd() / HUGE_PAGE * HUGE_PAGE;
    for (void* const piece : pieces)
    {
        std::free(piece);
    }
    return begin < end && madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE) == 0;
}

} // namespace

void
PreferHugePages()
{
    static const bool grown = GrowHeap();
    static_cast<void>(grown);
}

#else

void
PreferHugePages()
{
}

#endif

} // namespace ns3
