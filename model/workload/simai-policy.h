/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_POLICY_H
#define SIMAI_POLICY_H

#include "simai-row-writer.h"
#include "simai-workload.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A parallelisation policy of ASTRA-sim's text workloads: what its rows mean.
 *
 * The order of compute and communication is that of ASTRA-sim's workload layer (Rashidi et al.,
 * "ASTRA-SIM", ISPASS 2020; SimAI, NSDI 2025); doc/formats/workload-simai.md says it in words.
 */
class SimaiPolicy
{
  public:
    virtual ~SimaiPolicy() = default;

    /**
     * \param name name in the file, such as "HYBRID_TRANSFORMER"
     * \return the policy, null if there is none of that name
     */
    static std::unique_ptr<SimaiPolicy> Create(const std::string& name);

    /** \return the names of all policies, separated by commas */
    static std::string ListNames();

    /** \return true if the header has keys and sizes: the two transformer policies */
    virtual bool HasParallelSizes() const;

    /**
     * \param workload the workload
     * \return true if the groups depend on which ranks share a server
     */
    virtual bool NeedsServers(const SimaiWorkload& workload) const;

    /**
     * Writes the forward pass of rows.
     * \param writer program
     * \param rows rows
     */
    virtual void WriteForward(SimaiRowWriter& writer, const SimaiRange& rows) const = 0;

    /**
     * Writes the backward pass of rows, last row first.
     * \param writer program
     * \param rows rows
     */
    virtual void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const = 0;
};

} // namespace ns3

#endif /* SIMAI_POLICY_H */
