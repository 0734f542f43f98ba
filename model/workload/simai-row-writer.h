/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_ROW_WRITER_H
#define SIMAI_ROW_WRITER_H

#include "simai-workload.h"
#include "workload-program-builder.h"

#include <cstddef>
#include <optional>

namespace ns3
{

/** \ingroup railyard \brief Group and part of the collectives of a column that have no suffix. */
struct SimaiTarget
{
    GroupFamily family; //!< group
    WorkloadPart part;  //!< what their time counts as
};

/**
 * \ingroup railyard
 * \brief Writes the columns of rows of a SimaiWorkload into a program.
 */
class SimaiRowWriter
{
  public:
    /**
     * \param workload the workload
     * \param builder the program
     */
    SimaiRowWriter(const SimaiWorkload& workload, WorkloadProgramBuilder& builder);

    /** \return the workload */
    const SimaiWorkload& GetWorkload() const;

    /**
     * \param index a row
     * \return the row
     */
    const SimaiRow& GetRow(std::size_t index) const;

    /** A column of rows. */
    enum Column
    {
        FORWARD,
        INPUT_GRADIENT,
        WEIGHT_GRADIENT
    };

    /**
     * Writes the compute time of a column.
     * \param row a row
     * \param column a column
     */
    void Compute(const SimaiRow& row, Column column);

    /**
     * Writes the collective of a column, if it has one, and the row's update behind it. Nothing
     * waits for them.
     * \param row a row
     * \param column a column
     * \param target group of collectives without suffix
     * \return what to wait for, if anything
     */
    std::optional<WorkloadWait> Communicate(const SimaiRow& row,
                                            Column column,
                                            const SimaiTarget& target);

    /**
     * The same, and what follows waits for it.
     * \param row a row
     * \param column a column
     * \param target group of collectives without suffix
     */
    void CommunicateBlocking(const SimaiRow& row, Column column, const SimaiTarget& target);

    /**
     * What follows waits for a collective.
     * \param op the collective, if any
     */
    void WaitFor(const std::optional<WorkloadWait>& op);

  private:
    const SimaiWorkload& m_workload;   //!< the workload
    WorkloadProgramBuilder& m_builder; //!< the program
};

} // namespace ns3

#endif /* SIMAI_ROW_WRITER_H */
