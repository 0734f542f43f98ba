/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TREE_PROGRAM_WRITER_H
#define TREE_PROGRAM_WRITER_H

#include "ns3/collective-plan.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief A rank's place in a tree, by positions on the channel. */
struct TreeRole
{
    uint32_t parent{UINT32_MAX};    //!< distance to its parent, UINT32_MAX for the root
    uint32_t index{0};              //!< which child of its parent it is
    std::vector<uint32_t> children; //!< distances to its children
};

/**
 * \ingroup collective
 * \brief Writes what ranks of a tree do: one program for each role, shared by all that play it.
 *
 * Of c children at most, message s*2c + i is slice s on its way up from child i of its parent,
 * s*2c + c + i the same on its way down.
 */
class TreeProgramWriter
{
  public:
    /** \brief What all roles have in common. */
    struct Shape
    {
        uint32_t slices{1};         //!< slices of a channel
        uint32_t slicesInFlight{1}; //!< slices sent to one rank and not acknowledged
        uint32_t maxChildren{1};    //!< children of a rank, at most
        bool up{true};              //!< children send to their parent, which adds
        bool down{true};            //!< a parent sends to its children
    };

    /** \param shape what all roles have in common */
    explicit TreeProgramWriter(const Shape& shape);

    /**
     * \param role a role
     * \return the number of its program
     */
    uint32_t GetProgram(const TreeRole& role);

    /** \return all programs, by number; the writer has none any more */
    std::vector<PlanProgram> TakePrograms();

  private:
    using Key = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>; //!< of a role

    /** \param role a role \return its program */
    PlanProgram Write(const TreeRole& role) const;

    Shape m_shape;                       //!< what all roles have in common
    std::map<Key, uint32_t> m_numbers;   //!< number of each role's program
    std::vector<PlanProgram> m_programs; //!< by number
};

} // namespace ns3

#endif /* TREE_PROGRAM_WRITER_H */
