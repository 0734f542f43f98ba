/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tree-program-writer.h"

#include "send-window.h"

#include <utility>

namespace ns3
{

TreeProgramWriter::TreeProgramWriter(const Shape& shape)
    : m_shape(shape)
{
}

uint32_t
TreeProgramWriter::GetProgram(const TreeRole& role)
{
    const auto number = static_cast<uint32_t>(m_programs.size());
    const auto added = m_numbers.emplace(Key(role.parent, role.index, role.children), number);
    if (added.second)
    {
        m_programs.push_back(Write(role));
    }
    return added.first->second;
}

std::vector<PlanProgram>
TreeProgramWriter::TakePrograms()
{
    m_numbers.clear();
    return std::exchange(m_programs, {});
}

PlanProgram
TreeProgramWriter::Write(const TreeRole& role) const
{
    const bool isRoot = role.parent == UINT32_MAX;
    const PlanBuffer data = PlanBuffer::OPERAND;
    PlanProgram program;
    SendWindow up(m_shape.slicesInFlight);
    std::vector<SendWindow> down(role.children.size(), up);
    for (uint32_t slice = 0; slice < m_shape.slices; slice++)
    {
        const uint32_t upMessage = slice * 2 * m_shape.maxChildren;
        const uint32_t downMessage = upMessage + m_shape.maxChildren;
        std::vector<uint32_t> before; // what must be there before the next send
        for (uint32_t child = 0; m_shape.up && child < role.children.size(); child++)
        {
            before.push_back(program.AddStep({PlanStepKind::RECEIVE_REDUCE,
                                              data,
                                              role.children[child],
                                              0,
                                              slice,
                                              upMessage + child}));
        }
        if (m_shape.up && !isRoot)
        {
            before.push_back(up.GetBlocker());
            up.Add(program.AddStep(
                {PlanStepKind::SEND, data, role.parent, 0, slice, upMessage + role.index},
                before));
        }
        if (m_shape.down && !isRoot)
        {
            before = {program.AddStep(
                {PlanStepKind::RECEIVE, data, role.parent, 0, slice, downMessage + role.index})};
        }
        before.push_back(PlanProgram::NONE); // where a child's window comes
        for (uint32_t child = 0; m_shape.down && child < role.children.size(); child++)
        {
            before.back() = down[child].GetBlocker();
            down[child].Add(program.AddStep(
                {PlanStepKind::SEND, data, role.children[child], 0, slice, downMessage + child},
                before));
        }
    }
    program.Finish();
    return program;
}

} // namespace ns3
