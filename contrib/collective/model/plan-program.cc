/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-program.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

uint32_t
PlanProgram::AddStep(const PlanStep& step, const uint32_t* begin, const uint32_t* end)
{
    const auto index = static_cast<uint32_t>(m_steps.size());
    const bool receives = IsReceive(step.kind);
    uint16_t waits = receives ? 1 : 0;
    for (const uint32_t* before = begin; before != end; before++)
    {
        if (*before != NONE)
        {
            NS_ASSERT_MSG(*before < index, "a step can only wait for an earlier one");
            m_dependencies.push_back({*before, index});
            waits++;
        }
    }
    m_steps.push_back(step);
    m_waits.push_back(waits);
    if (waits == 0)
    {
        m_firstSteps.push_back(index);
    }
    if (!IsLocal(step.kind))
    {
        auto& steps = receives ? m_receives : m_sends;
        if (steps.size() <= step.message)
        {
            steps.resize(step.message + 1, NONE);
        }
        NS_ASSERT_MSG(steps[step.message] == NONE, "message " << step.message << " used twice");
        steps[step.message] = index;
        m_connections = std::max<uint32_t>(m_connections, step.connection + 1);
    }
    return index;
}

void
PlanProgram::Finish()
{
    m_dependentsBegin.assign(m_steps.size() + 1, 0);
    for (const auto& dependency : m_dependencies)
    {
        m_dependentsBegin[dependency.before + 1]++;
    }
    for (std::size_t i = 1; i < m_dependentsBegin.size(); i++)
    {
        m_dependentsBegin[i] += m_dependentsBegin[i - 1];
    }
    m_dependents.resize(m_dependencies.size());
    std::vector<uint32_t> next(m_dependentsBegin.begin(), m_dependentsBegin.end() - 1);
    for (const auto& dependency : m_dependencies)
    {
        m_dependents[next[dependency.before]++] = dependency.after;
    }
    m_dependencies.clear();
    m_dependencies.shrink_to_fit();
    m_steps.shrink_to_fit();
    m_waits.shrink_to_fit();
}

} // namespace ns3
