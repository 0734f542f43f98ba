/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NCCL_TEST_H
#define NCCL_TEST_H

#include "ns3/collective-kind.h"
#include "ns3/collective-reduction.h"
#include "ns3/text-value.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * \file
 * \ingroup railyard
 * What nccl-tests takes sizes, types and collectives for (github.com/NVIDIA/nccl-tests: README.md,
 * doc/PERFORMANCE.md, and GetCollByteCount of each test).
 */

namespace ns3
{

/** \ingroup railyard \brief An operation of nccl-tests, or of rccl-tests (alltoallv). */
struct NcclTest
{
    std::string name;                                //!< "all_reduce", ...; the program adds _perf
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< what it is to the collective engine
    bool isShared{false}; //!< the size is that of all ranks' parts, and the count that of one
    bool reduces{false};  //!< it has an operation
    bool hasRoot{false};  //!< it has a root
    bool isBetweenNeighbours{false}; //!< every rank sends to the next one, the last to the first
    bool isHypercube{false}; //!< all gather in steps: ranks exchange all that they have with
                             //!< one twice as far away as in the step before
    bool isUneven{false}; //!< ranks have another size for each other, see SizeShares

    /** \return all of them */
    static const std::vector<NcclTest>& GetAll();

    /** \return the names of all, with commas between them */
    static std::string DescribeNames();

    /**
     * \param name a name; case, underscores and _perf at its end do not matter
     * \return the operation; a ConfigError lists the names if there is none
     */
    static NcclTest Find(const TextValue& name);
};

/** \ingroup railyard \brief A type of elements. */
struct NcclType
{
    std::string name;  //!< "float", "half", ...
    uint32_t bytes{0}; //!< of an element
    ElementType element{ElementType::UNSPECIFIED}; //!< what it is to collectives

    /** \return the names of all, with commas between them */
    static std::string DescribeNames();

    /** \param name a name \return the type; a ConfigError lists the names if there is none */
    static NcclType Find(const TextValue& name);
};

/** \ingroup railyard \brief What a call is given for a size that a user asks for. */
struct NcclSize
{
    uint64_t elements{0}; //!< count of the call, of one rank if NcclTest::isShared
    uint64_t bytes{0};    //!< size that is reported: the larger of what a rank gives and gets

    /**
     * Sizes are rounded down to whole elements; if NcclTest::isShared, the parts of all ranks are
     * equal, and multiples of 16 bytes.
     * \param test the operation
     * \param bytes the size asked for
     * \param type type of the elements
     * \param ranks number of ranks
     * \return what that comes to
     */
    static NcclSize Round(const NcclTest& test,
                          uint64_t bytes,
                          const NcclType& type,
                          uint32_t ranks);
};

/** \ingroup railyard \brief The sizes from the least to the largest. */
struct NcclSizeRange
{
    uint64_t min{0};    //!< the first one, bytes
    uint64_t max{0};    //!< the last one at most, bytes
    uint64_t factor{0}; //!< from one to the next, at least 2; 0: step holds
    uint64_t step{0};   //!< from one to the next, bytes

    /** Most sizes that a range may have. */
    static constexpr uint64_t MAX_COUNT = 10000;

    /** \return the number of sizes, MAX_COUNT + 1 if there are more */
    uint64_t GetCount() const;
    /** \return the sizes */
    std::vector<uint64_t> GetSizes() const;
};

/**
 * \ingroup railyard
 * \param text a number of bytes, with K, M, G or T for powers of 1024 (upper or lower case, B may
 * follow), and decimals if a whole number of bytes comes out
 * \return it; a ConfigError if it is not that, or above 2^50
 */
uint64_t ReadNcclBytes(const TextValue& text);

} // namespace ns3

#endif /* NCCL_TEST_H */
