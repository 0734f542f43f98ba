/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPT_WORKLOAD_READER_H
#define GPT_WORKLOAD_READER_H

#include "workload-reader.h"

#include "ns3/gpt-workload.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Reads workloads that are given as model, layout and training
 * (doc/formats/workload-gpt.md), a JSON document.
 */
class GptWorkloadReader : public WorkloadReader
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param path a file
     * \return what stands in it, whether or not the sizes fit each other; a ConfigError if it is
     * wrong otherwise
     */
    static GptWorkload Parse(const std::string& path);

    bool Recognises(const std::string& head) const override;
    bool HasLayout() const override;
    std::string DescribeFormat() const override;
    Workload Read(const std::string& path, const WorkloadCluster& cluster) const override;
};

} // namespace ns3

#endif /* GPT_WORKLOAD_READER_H */
