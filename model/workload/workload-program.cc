/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program.h"

#include "ns3/config-error.h"

#include <set>
#include <utility>

namespace ns3
{

namespace
{

/**
 * \tparam Work kind of work
 * \param program program
 * \param function called with every operation of that kind, and its work
 */
template <typename Work, typename Function>
void
ForEachWork(WorkloadProgram& program, Function function)
{
    for (WorkloadStream& stream : program.streams)
    {
        for (WorkloadOp& op : stream.ops)
        {
            if (auto* work = std::get_if<Work>(&op.work))
            {
                function(op, *work);
            }
        }
    }
}

} // namespace

std::size_t
WorkloadProgram::GetOpCount() const
{
    std::size_t count = 0;
    for (const WorkloadStream& stream : streams)
    {
        count += stream.ops.size();
    }
    return count;
}

const WorkloadProgram&
Workload::GetProgram(uint32_t rank) const
{
    return stages[layout.GetStage(rank)];
}

void
Workload::FitTo(const WorkloadCluster& cluster, const std::string& key)
{
    const uint32_t ranks = layout.GetSizes().ranks;
    if (cluster.gpus > 0 && ranks > cluster.gpus)
    {
        throw ConfigError(source,
                          key,
                          std::to_string(ranks),
                          "at most " + std::to_string(cluster.gpus) + ", the GPUs of the cluster");
    }
    if (ranks < cluster.gpus)
    {
        warnings.push_back("the workload is for " + std::to_string(ranks) +
                           " GPUs and the cluster has " + std::to_string(cluster.gpus) +
                           ": it runs on GPUs 0-" + std::to_string(ranks - 1) +
                           ", the others are idle");
    }
}

bool
Workload::HasKernels() const
{
    for (const WorkloadProgram& program : stages)
    {
        if (!program.kernels.empty())
        {
            return true;
        }
    }
    return false;
}

void
Workload::ResolveKernels(const KernelTimeFunction& getTime)
{
    for (WorkloadProgram& program : stages)
    {
        std::vector<Time> times;
        for (const KernelCall& kernel : program.kernels)
        {
            times.push_back(getTime(kernel));
        }
        ForEachWork<ComputeWork>(program, [&times](WorkloadOp&, ComputeWork& work) {
            work.duration = work.kernels.empty() ? work.duration : Time(0);
            for (uint32_t kernel : work.kernels)
            {
                work.duration += times[kernel];
            }
        });
    }
}

void
Workload::NoteSingleRankCollectives()
{
    std::set<std::pair<GroupFamily, uint64_t>> noted;
    for (WorkloadProgram& program : stages)
    {
        ForEachWork<CollectiveWork>(program, [&](WorkloadOp& op, CollectiveWork& work) {
            const uint32_t group = layout.GetGroup(work.family, 0);
            if (work.bytes > 0 && layout.GetGroups()[group].ranks.size() == 1 &&
                noted.emplace(work.family, work.bytes).second)
            {
                notes.push_back("collective of " + std::to_string(work.bytes) +
                                " bytes on a group of size 1 has no effect (" +
                                GetGroupFamilyName(work.family) + ", '" + program.names[op.name] +
                                "')");
            }
        });
    }
}

} // namespace ns3
