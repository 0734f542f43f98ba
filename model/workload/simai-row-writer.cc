/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-row-writer.h"

#include "ns3/nstime.h"

#include <array>
#include <string>

namespace ns3
{

namespace
{

using Column = SimaiRowWriter::Column;

/**
 * \param row a row
 * \param column a column
 * \return the column of the row
 */
const SimaiPhase&
GetPhase(const SimaiRow& row, Column column)
{
    return column == Column::FORWARD          ? row.forward
           : column == Column::INPUT_GRADIENT ? row.inputGradient
                                              : row.weightGradient;
}

/**
 * \param row a row
 * \param column a column
 * \return what to call it
 */
std::string
GetName(const SimaiRow& row, Column column)
{
    static constexpr std::array<const char*, 3> names = {" forward",
                                                         " input gradient",
                                                         " weight gradient"};
    return row.name + names[column];
}

} // namespace

SimaiRowWriter::SimaiRowWriter(const SimaiWorkload& workload, WorkloadProgramBuilder& builder)
    : m_workload(workload),
      m_builder(builder)
{
}

const SimaiWorkload&
SimaiRowWriter::GetWorkload() const
{
    return m_workload;
}

const SimaiRow&
SimaiRowWriter::GetRow(std::size_t index) const
{
    return m_workload.rows[index];
}

void
SimaiRowWriter::Compute(const SimaiRow& row, Column column)
{
    m_builder.Compute(GetName(row, column), NanoSeconds(GetPhase(row, column).computeNs));
}

std::optional<WorkloadWait>
SimaiRowWriter::Communicate(const SimaiRow& row, Column column, const SimaiTarget& target)
{
    const SimaiPhase& phase = GetPhase(row, column);
    if (!phase.collective)
    {
        return std::nullopt;
    }
    SimaiTarget to = target;
    if (phase.group == SimaiGroup::EP)
    {
        to = {GroupFamily::EP, WorkloadPart::EP};
    }
    else if (phase.group == SimaiGroup::DP_EP)
    {
        to = {GroupFamily::DP_EP, WorkloadPart::DP_EP};
    }
    const std::string name = GetName(row, column) + " " + ToString(*phase.collective);
    const WorkloadWait op =
        m_builder.Collective(name, to.part, {to.family, *phase.collective, phase.bytes});
    return m_builder.ComputeAfter(row.name + " update", to.part, NanoSeconds(row.updateNs))
        .value_or(op);
}

void
SimaiRowWriter::CommunicateBlocking(const SimaiRow& row, Column column, const SimaiTarget& target)
{
    WaitFor(Communicate(row, column, target));
}

void
SimaiRowWriter::WaitFor(const std::optional<WorkloadWait>& op)
{
    if (op)
    {
        m_builder.WaitFor(*op);
    }
}

} // namespace ns3
