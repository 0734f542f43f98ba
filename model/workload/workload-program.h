/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_PROGRAM_H
#define WORKLOAD_PROGRAM_H

#include "collective-service.h"
#include "kernel-call.h"
#include "parallel-layout.h"
#include "workload-breakdown.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Kernels run one after another, or a fixed time passes. */
struct ComputeWork
{
    Time duration;                 //!< how long; set by Workload::ResolveKernels() for kernels
    std::vector<uint32_t> kernels; //!< kernels by index into WorkloadProgram::kernels
};

/** \ingroup railyard \brief A collective operation of the rank's group of a family. */
struct CollectiveWork
{
    GroupFamily family{GroupFamily::TP};             //!< which of the rank's groups
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< operation
    uint64_t bytes{0};                               //!< size of the operand, see CollectiveKind
};

/** \ingroup railyard \brief A message to or from the rank at the same place of another stage. */
struct TransferWork
{
    bool send{true};        //!< send or receive
    int32_t stageOffset{1}; //!< other stage, relative to the own one
    uint64_t bytes{0};      //!< payload
    uint32_t together{1};   //!< launched with so many, itself included, that follow each other;
                            //!< each is done when all are
};

/** \ingroup railyard \brief An operation that another one waits for. */
struct WorkloadWait
{
    uint32_t stream{0};  //!< stream
    uint32_t ordinal{0}; //!< operation in the stream, counted from 0
};

/** \ingroup railyard \brief One operation of a stream. */
struct WorkloadOp
{
    std::variant<ComputeWork, CollectiveWork, TransferWork> work; //!< what it does
    WorkloadPart part{WorkloadPart::COMPUTE};                     //!< what its time counts as
    uint32_t name{0};       //!< index into WorkloadProgram::names
    int32_t microBatch{-1}; //!< micro-batch it belongs to, counted from 0; -1 for none
    uint32_t firstWait{0};  //!< first of its waits, index into WorkloadProgram::waits
    uint32_t waitCount{0};  //!< number of waits
};

/** \ingroup railyard \brief Operations that run one after another, as in a CUDA stream. */
struct WorkloadStream
{
    std::string name;            //!< "compute", "tp", "dp", ...
    std::vector<WorkloadOp> ops; //!< in order
};

/**
 * \ingroup railyard
 * \brief One iteration of the ranks of a pipeline stage, which all run the same.
 *
 * An operation starts when the one before it in its stream and all those that it waits for are
 * done. Stream 0 is the compute stream. The iteration ends when all streams are done.
 */
struct WorkloadProgram
{
    std::vector<WorkloadStream> streams; //!< streams, stream 0 computes
    std::vector<WorkloadWait> waits;     //!< waits of all operations
    std::vector<std::string> names;      //!< names of all operations
    std::vector<KernelCall> kernels;     //!< kernels of all operations, each once

    /** \return the number of operations */
    std::size_t GetOpCount() const;
};

/** \ingroup railyard \brief The cluster that a workload is to run on. */
struct WorkloadCluster
{
    uint32_t gpus{0};          //!< number of GPUs, 0 if unknown
    uint32_t gpusPerServer{0}; //!< GPUs in a server, 0 if unknown
};

/** \ingroup railyard \brief What every rank of a cluster does: the result of a WorkloadReader. */
struct Workload
{
    std::string source;                  //!< file it comes from
    ParallelLayout layout;               //!< groups of the ranks
    std::vector<WorkloadProgram> stages; //!< program of the ranks of each pipeline stage
    uint32_t microBatches{1};            //!< micro-batches of an iteration
    std::vector<std::string> warnings; //!< what the user should look at
    std::vector<std::string> notes;      //!< what the reader wants the user to know, one line each

    /**
     * \param rank a rank
     * \return its program
     */
    const WorkloadProgram& GetProgram(uint32_t rank) const;

    /**
     * Checks that the cluster has a GPU for every rank, and notes it if some stay idle.
     * \param cluster cluster to run on
     * \param key what the ranks are called in the source, for the ConfigError
     */
    void FitTo(const WorkloadCluster& cluster, const std::string& key);

    /** \return true if operations name kernels, whose times must be resolved before the run */
    bool HasKernels() const;

    /**
     * Sets the duration of all operations that name kernels.
     * \param getTime asked once for every distinct kernel of the program of every stage
     */
    void ResolveKernels(const KernelTimeFunction& getTime);

    /**
     * Appends a note for every size of collective that a group of one rank is to do: it has no
     * effect.
     */
    void NoteSingleRankCollectives();
};

} // namespace ns3

#endif /* WORKLOAD_PROGRAM_H */
