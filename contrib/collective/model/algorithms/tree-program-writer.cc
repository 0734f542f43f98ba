/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tree-program-writer.h"

namespace ns3
{

TreeStepWriter::TreeStepWriter(PlanProgram& program, const TreeShape& shape, const TreeRole& role)
    : m_program(program),
      m_shape(shape),
      m_role(role),
      m_up(shape.slicesInFlight),
      m_down(role.children.size(), SendWindow(shape.slicesInFlight))
{
}

PlanStep
TreeStepWriter::MakeStep(PlanStepKind kind, uint32_t peer, uint32_t message, const PlanStep& chunk)
{
    PlanStep step = chunk;
    step.kind = kind;
    step.peer = peer;
    step.message += message;
    return step;
}

std::vector<uint32_t>
TreeStepWriter::Write(const PlanStep& chunk, std::vector<uint32_t> before)
{
    const bool isRoot = m_role.parent == UINT32_MAX;
    const auto children = static_cast<uint32_t>(m_role.children.size());
    const uint32_t down = m_shape.maxChildren; // number of the first message down
    for (uint32_t child = 0; m_shape.up && child < children; child++)
    {
        before.push_back(m_program.AddStep(
            MakeStep(PlanStepKind::RECEIVE_REDUCE, m_role.children[child], child, chunk)));
    }
    if (m_shape.up && !isRoot)
    {
        before.push_back(m_up.GetBlocker());
        m_up.Add(m_program.AddStep(MakeStep(PlanStepKind::SEND, m_role.parent, m_role.index, chunk),
                                   before));
        before.pop_back();
    }
    if (m_shape.down && !isRoot)
    {
        before = {m_program.AddStep(
            MakeStep(PlanStepKind::RECEIVE, m_role.parent, down + m_role.index, chunk))};
    }
    const std::vector<uint32_t> done = before;
    before.push_back(PlanProgram::NONE); // where a child's window comes
    for (uint32_t child = 0; m_shape.down && child < children; child++)
    {
        before.back() = m_down[child].GetBlocker();
        m_down[child].Add(m_program.AddStep(
            MakeStep(PlanStepKind::SEND, m_role.children[child], down + child, chunk),
            before));
    }
    return done;
}

TreeProgramWriter::TreeProgramWriter(const TreeShape& shape)
    : m_shape(shape)
{
}

uint32_t
TreeProgramWriter::GetProgram(const TreeRole& role)
{
    return m_programs.GetNumber({role.parent, role.index, role.children},
                                [&] { return Write(role); });
}

std::vector<PlanProgram>
TreeProgramWriter::TakePrograms()
{
    return m_programs.Take();
}

PlanProgram
TreeProgramWriter::Write(const TreeRole& role) const
{
    PlanProgram program;
    TreeStepWriter writer(program, m_shape, role);
    for (uint32_t slice = 0; slice < m_shape.slices; slice++)
    {
        PlanStep chunk;
        chunk.slice = slice;
        chunk.message = slice * 2 * m_shape.maxChildren;
        writer.Write(chunk, {});
    }
    program.Finish();
    return program;
}

} // namespace ns3
