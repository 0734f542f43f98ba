/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_REDUCTION_H
#define COLLECTIVE_REDUCTION_H

#include <cstdint>

namespace ns3
{

/** \ingroup collective \brief Type of the elements of an operand. */
enum class ElementType : uint8_t
{
    UNSPECIFIED, //!< any: one that everything can do
    INT8,        //!< also unsigned
    INT32,       //!< also unsigned
    INT64,       //!< also unsigned
    FLOAT8,      //!< E4M3, E5M2
    HALF,        //!< IEEE, 2 bytes
    BFLOAT16,    //!< 2 bytes
    FLOAT,       //!< IEEE, 4 bytes
    DOUBLE,      //!< IEEE, 8 bytes
};

/** \ingroup collective \brief How elements are reduced, as NCCL has it. */
enum class ReductionOperation : uint8_t
{
    SUM,     //!< sum
    PROD,    //!< product
    MAX,     //!< the largest
    MIN,     //!< the smallest
    AVG,     //!< mean
    MUL_SUM, //!< sum of what has been multiplied by a number of each rank before
};

/**
 * \ingroup collective
 * \brief What is reduced, and how. It takes no time by itself; it decides who can do it.
 */
struct CollectiveReduction
{
    ElementType type{ElementType::UNSPECIFIED};            //!< type of the elements
    ReductionOperation operation{ReductionOperation::SUM}; //!< how they are reduced
};

/** \ingroup collective \param a one \param b another \return whether they are the same */
inline bool
operator==(const CollectiveReduction& a, const CollectiveReduction& b)
{
    return a.type == b.type && a.operation == b.operation;
}

/** \ingroup collective \param a one \param b another \return whether a comes before b in lists */
inline bool
operator<(const CollectiveReduction& a, const CollectiveReduction& b)
{
    return a.type != b.type ? a.type < b.type : a.operation < b.operation;
}

} // namespace ns3

#endif /* COLLECTIVE_REDUCTION_H */
