/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-program.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Text of a number. */
using std::to_string;

/**
 * \param simai workload
 * \param cluster cluster
 * \return degrees of parallelism; what is missing is 1, or as many ranks as there are GPUs
 */
ParallelSizes
GetSizes(const SimaiWorkload& simai, const WorkloadCluster& cluster)
{
    ParallelSizes sizes;
    sizes.tensorParallel = simai.tensorParallel.value_or(1);
    sizes.pipelineParallel = simai.pipelineParallel.value_or(1);
    sizes.expertParallel = simai.expertParallel.value_or(1);
    sizes.ranksPerServer = cluster.gpusPerServer;
    sizes.ranks = simai.allGpus.value_or(cluster.gpus);
    if (sizes.ranks == 0)
    {
        throw ConfigError(simai.source,
                          "all_gpus",
                          "",
                          "the number of GPUs in the header, or a cluster to run on");
    }
    return sizes;
}

/**
 * \param simai workload
 * \param sizes sizes that were used
 * \param [out] notes gets a line if the header lacks sizes
 */
void
NoteDefaults(const SimaiWorkload& simai,
             const ParallelSizes& sizes,
             std::vector<std::string>& notes)
{
    std::string missing;
    const auto add = [&missing](bool isMissing, const std::string& text) {
        if (isMissing)
        {
            AppendToList(missing, text);
        }
    };
    const bool hasSizes = SimaiPolicy::Create(simai.policy)->HasParallelSizes();
    add(hasSizes && !simai.expertParallel, "ep (taken as 1)");
    add(hasSizes && !simai.pipelineParallel, "pp (taken as 1)");
    add(!simai.allGpus,
        "all_gpus (taken as " + to_string(sizes.ranks) + ", the GPUs of the cluster)");
    add(sizes.pipelineParallel > 1 && !simai.gradientAccumulation, "ga (taken as 1)");
    if (!missing.empty())
    {
        notes.push_back("the header does not give " + missing);
    }
    if (sizes.pipelineParallel > 1 && simai.pipelineBytes.value_or(0) == 0)
    {
        notes.push_back("pp_comm is 0: pipeline stages wait for each other, but send nothing");
    }
    if (sizes.pipelineParallel == 1 && simai.pipelineBytes.value_or(0) > 0)
    {
        notes.push_back("pp_comm " + to_string(*simai.pipelineBytes) +
                        " has no effect: there is one pipeline stage");
    }
}

/**
 * Checks the batch sizes that AICB writes into the file name.
 * \param simai workload
 * \param layout layout
 * \param [out] notes gets a line if ga does not follow from them
 */
void
CheckBatch(const SimaiWorkload& simai,
           const ParallelLayout& layout,
           std::vector<std::string>& notes)
{
    if (!simai.globalBatch || !simai.microBatch)
    {
        return;
    }
    const uint64_t dp = layout.GetDataParallel();
    const uint64_t perStep = dp * *simai.microBatch;
    if (*simai.globalBatch % perStep != 0)
    {
        throw ConfigError(
            simai.source,
            "file name",
            "gbs" + to_string(*simai.globalBatch) + "-mbs" + to_string(*simai.microBatch),
            "a global batch that is a multiple of data parallel size * micro batch: " +
                to_string(*simai.globalBatch) + " is not a multiple of " + to_string(dp) + "*" +
                to_string(*simai.microBatch));
    }
    const uint64_t steps = *simai.globalBatch / perStep;
    if (simai.gradientAccumulation.value_or(steps) != steps)
    {
        notes.push_back("ga is " + to_string(*simai.gradientAccumulation) +
                        ", but the batch sizes of the file name give " + to_string(steps));
    }
}

/**
 * Checks that servers are of equal size where the policy's groups depend on them.
 * \param simai workload
 * \param layout layout
 */
void
CheckServers(const SimaiWorkload& simai, const ParallelLayout& layout)
{
    if (SimaiPolicy::Create(simai.policy)->NeedsServers(simai) &&
        !layout.HasFamily(GroupFamily::SERVER))
    {
        throw ConfigError(simai.source,
                          simai.policy,
                          to_string(layout.GetSizes().ranks) + " GPUs",
                          "a multiple of " + to_string(layout.GetSizes().ranksPerServer) +
                              ", the GPUs per server");
    }
}

/** Writes the programs of the stages of a workload with a pipeline. */
class PipelineWriter
{
  public:
    /**
     * \param simai workload
     * \param sections its sections
     * \param stages number of stages
     */
    PipelineWriter(const SimaiWorkload& simai, const SimaiSections& sections, uint32_t stages)
        : m_simai(simai),
          m_sections(sections),
          m_policy(SimaiPolicy::Create(simai.policy)),
          m_stages(stages),
          m_bytes(simai.pipelineBytes.value_or(0))
    {
    }

    /**
     * \param stage a stage
     * \param schedule order of the micro-batches
     * \return its program
     */
    WorkloadProgram Write(uint32_t stage, const PipelineSchedule& schedule) const
    {
        WorkloadProgramBuilder builder;
        builder.BatchMessages(schedule.BatchesMessages());
        SimaiRowWriter writer(m_simai, builder);
        m_policy->WriteForward(writer, m_sections.prologue);
        for (const PipelineStep& step :
             schedule.Plan(stage, m_stages, m_sections.microBatches.size()))
        {
            builder.SetMicroBatch(step.microBatch);
            WriteStep(builder, writer, stage, step);
        }
        builder.SetMicroBatch(-1);
        m_policy->WriteForward(writer, m_sections.epilogue);
        m_policy->WriteBackward(writer, m_sections.epilogue);
        m_policy->WriteBackward(writer, m_sections.prologue);
        return builder.Take();
    }

  private:
    /**
     * Writes a pass of a micro-batch with its messages.
     * \param builder program
     * \param writer writer of rows of the same program
     * \param stage stage
     * \param step the pass
     */
    void WriteStep(WorkloadProgramBuilder& builder,
                   SimaiRowWriter& writer,
                   uint32_t stage,
                   const PipelineStep& step) const
    {
        const SimaiRange& rows = m_sections.microBatches[step.microBatch];
        const bool isFirst = stage == 0;
        const bool isLast = stage + 1 == m_stages;
        if (step.forward)
        {
            Receive(builder, !isFirst, "receive activations", -1);
            m_policy->WriteForward(writer, rows);
            Send(builder, !isLast, "send activations", 1);
        }
        else
        {
            Receive(builder, !isLast, "receive gradients", 1);
            m_policy->WriteBackward(writer, rows);
            Send(builder, !isFirst, "send gradients", -1);
        }
    }

    /**
     * \param builder program
     * \param exists false if there is no such stage
     * \param name name
     * \param offset other stage, relative
     */
    void Send(WorkloadProgramBuilder& builder, bool exists, const char* name, int32_t offset) const
    {
        if (exists)
        {
            builder.Send(name, offset, m_bytes);
        }
    }

    /**
     * \param builder program
     * \param exists false if there is no such stage
     * \param name name
     * \param offset other stage, relative
     */
    void Receive(WorkloadProgramBuilder& builder,
                 bool exists,
                 const char* name,
                 int32_t offset) const
    {
        if (exists)
        {
            builder.Receive(name, offset, m_bytes);
        }
    }

    const SimaiWorkload& m_simai;          //!< workload
    const SimaiSections& m_sections;       //!< its sections
    std::unique_ptr<SimaiPolicy> m_policy; //!< meaning of its rows
    uint32_t m_stages;                     //!< number of stages
    uint64_t m_bytes;                      //!< bytes of a message
};

/**
 * \param simai workload without a pipeline
 * \return its program
 */
WorkloadProgram
WriteInFileOrder(const SimaiWorkload& simai)
{
    WorkloadProgramBuilder builder;
    SimaiRowWriter writer(simai, builder);
    const auto policy = SimaiPolicy::Create(simai.policy);
    policy->WriteForward(writer, {0, simai.rows.size()});
    policy->WriteBackward(writer, {0, simai.rows.size()});
    return builder.Take();
}

} // namespace

Workload
BuildSimaiWorkload(const SimaiWorkload& simai,
                   const WorkloadCluster& cluster,
                   const PipelineSchedule& schedule)
{
    Workload workload;
    workload.source = simai.source;
    const ParallelSizes sizes = GetSizes(simai, cluster);
    workload.layout = ParallelLayout(sizes, simai.source);
    NoteDefaults(simai, sizes, workload.notes);
    CheckBatch(simai, workload.layout, workload.notes);
    workload.FitTo(cluster, "all_gpus");
    CheckServers(simai, workload.layout);
    const uint32_t stages = sizes.pipelineParallel;
    if (stages == 1)
    {
        workload.microBatches = simai.gradientAccumulation.value_or(1);
        workload.stages.push_back(WriteInFileOrder(simai));
    }
    else
    {
        if (!simai.checkpointInitiates.empty())
        {
            throw ConfigError(simai.source,
                              "checkpoint_initiates",
                              to_string(simai.checkpointInitiates.size()) + " rows",
                              "none: recomputation with pp " + to_string(stages) +
                                  " is not supported");
        }
        const SimaiSections sections = FindSimaiSections(simai, workload.notes);
        const PipelineWriter writer(simai, sections, stages);
        workload.microBatches = sections.microBatches.size();
        for (uint32_t stage = 0; stage < stages; stage++)
        {
            workload.stages.push_back(writer.Write(stage, schedule));
        }
    }
    workload.NoteSingleRankCollectives();
    return workload;
}

} // namespace ns3
