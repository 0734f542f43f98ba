/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_WORKLOAD_READER_H
#define SIMAI_WORKLOAD_READER_H

#include "workload-reader.h"

#include "ns3/simai-workload.h"
#include "ns3/text-scanner.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Reads the text workloads of ASTRA-sim 1, SimAI and AICB (doc/formats/workload-simai.md).
 *
 * Differs from their reader in that nothing is skipped silently: unknown keys and collectives, rows
 * that are missing, left over or incomplete, and numbers out of range are errors.
 */
class SimaiWorkloadReader : public WorkloadReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param file a file
     * \return what stands in it; a ConfigError if it is wrong
     */
    static SimaiWorkload Parse(const TextFile& file);

    bool Recognises(const std::string& head) const override;
    std::string DescribeFormat() const override;
    Workload Read(const std::string& path, const WorkloadCluster& cluster) const override;
};

} // namespace ns3

#endif /* SIMAI_WORKLOAD_READER_H */
