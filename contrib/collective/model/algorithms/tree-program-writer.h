/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TREE_PROGRAM_WRITER_H
#define TREE_PROGRAM_WRITER_H

#include "program-table.h"
#include "send-window.h"

#include "ns3/collective-plan.h"

#include <cstdint>
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

/** \ingroup collective \brief What the ranks of a tree have in common. */
struct TreeShape
{
    uint32_t slices{1};         //!< slices of a channel
    uint32_t slicesInFlight{1}; //!< slices sent to one rank and not acknowledged
    uint32_t maxChildren{1};    //!< children of a rank, at most
    bool up{true};              //!< children send to their parent, which adds
    bool down{true};            //!< a parent sends to its children
};

/**
 * \ingroup collective
 * \brief Writes the steps of a rank of a tree into a program, slice by slice.
 *
 * Of c children at most, a slice takes 2c messages: number i on its way up from child i of its
 * parent, number c+i on its way down.
 */
class TreeStepWriter
{
  public:
    /**
     * \param program where to write
     * \param shape what the ranks have in common
     * \param role the rank's role, kept by reference
     */
    TreeStepWriter(PlanProgram& program, const TreeShape& shape, const TreeRole& role);

    /**
     * \param chunk part, slice and number of the first message
     * \param before what must be done before the slice is sent
     * \return the steps after which the rank has what the tree gives it
     */
    std::vector<uint32_t> Write(const PlanStep& chunk, std::vector<uint32_t> before);

  private:
    /**
     * \param kind what to do
     * \param peer with whom
     * \param message number of the message, counted from that of the slice
     * \param chunk the slice
     * \return the step
     */
    static PlanStep MakeStep(PlanStepKind kind,
                             uint32_t peer,
                             uint32_t message,
                             const PlanStep& chunk);

    PlanProgram& m_program;         //!< where to write
    const TreeShape& m_shape;       //!< what the ranks have in common
    const TreeRole& m_role;         //!< the rank's role
    SendWindow m_up;                //!< sends to the parent
    std::vector<SendWindow> m_down; //!< sends to each child
};

/**
 * \ingroup collective
 * \brief Writes what ranks of a tree do: one program for each role, shared by all that play it.
 */
class TreeProgramWriter
{
  public:
    /** \param shape what all roles have in common */
    explicit TreeProgramWriter(const TreeShape& shape);

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

    TreeShape m_shape;            //!< what all roles have in common
    ProgramTable<Key> m_programs; //!< one for each role
};

} // namespace ns3

#endif /* TREE_PROGRAM_WRITER_H */
