/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPT_STAGE_WRITER_H
#define GPT_STAGE_WRITER_H

#include "gpt-kernels.h"
#include "gpt-workload.h"
#include "pipeline-schedule.h"
#include "workload-program-builder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Writes the program of one pipeline stage for GptWorkloadBuilder, whose documentation says
 * what is written.
 */
class GptStageWriter
{
  public:
    /**
     * \param workload workload, must outlive this object
     * \param stage pipeline stage
     */
    GptStageWriter(const GptWorkload& workload, uint32_t stage);

    /**
     * \param steps order of the micro-batches
     * \param batchesMessages PipelineSchedule::BatchesMessages()
     * \return the program; to be called once
     */
    WorkloadProgram Write(const std::vector<PipelineStep>& steps, bool batchesMessages);

  private:
    /** Parameters whose gradients are reduced, and whose weights are gathered, together. */
    struct Bucket
    {
        std::string name;                     //!< name
        uint64_t parameters{0};               //!< parameters that a rank holds
        std::optional<WorkloadWait> gather{}; //!< AllGather that its first use must wait for
    };

    /** \return true if this is the first stage */
    bool IsFirst() const;

    /** \return true if this is the last stage */
    bool IsLast() const;

    /** \return true if first and last stage both hold the embedding */
    bool IsTied() const;

    /** Lists the buckets in the order of their use: embedding, layers, head. */
    void ListBuckets();

    /**
     * \param layer a layer of this stage
     * \return its bucket
     */
    Bucket& GetLayerBucket(uint64_t layer);

    /** Issues the AllGathers of all buckets at the begin of the iteration, if they are overlapped.
     */
    void GatherAhead();

    /**
     * Makes what follows wait for a bucket's weights, the first time.
     * \param bucket the bucket
     */
    void WaitForWeights(Bucket& bucket);

    /** Writes the forward pass of a micro-batch. */
    void WriteForward();

    /**
     * Writes the backward pass of a micro-batch.
     * \param isLast its gradients are complete: the last of the iteration
     */
    void WriteBackward(bool isLast);

    /**
     * \param name what to call it
     * \param block half of a layer
     */
    void WriteBlockForward(const std::string& name, const GptBlockKernels& block);

    /**
     * \param name what to call it
     * \param block half of a layer
     */
    void WriteBlockBackward(const std::string& name, const GptBlockKernels& block);

    /** Writes the forward pass of the embedding. */
    void WriteEmbeddingForward();

    /** Writes the forward pass of output layer and loss. */
    void WriteHeadForward();

    /** Writes the backward pass of output layer and loss. */
    void WriteHeadBackward();

    /**
     * Writes the backward pass of a column-parallel matrix with what it overlaps.
     * \param name what to call it
     * \param data gradient of its input
     * \param weight gradient of its weights
     */
    void WriteColumnBackward(const std::string& name,
                             const KernelList& data,
                             const KernelList& weight);

    /**
     * Writes a tensor parallel collective of the activations that what follows waits for; nothing
     * without tensor parallelism.
     * \param name what to call it
     * \param kind operation, nothing for none
     */
    void WriteTensorBlocking(const std::string& name, std::optional<CollectiveKind> kind);

    /**
     * The same, but nothing waits for it yet.
     * \param name what to call it
     * \param kind operation, nothing for none
     * \return what to wait for, if anything
     */
    std::optional<WorkloadWait> WriteTensor(const std::string& name,
                                            std::optional<CollectiveKind> kind);

    /**
     * \param op what follows waits for this, if it is there
     */
    void WaitFor(const std::optional<WorkloadWait>& op);

    /**
     * Reduces a bucket's gradients, unless the data parallel group is a single rank.
     * \param now false if this is not the moment to do it
     * \param bucket the bucket
     */
    void ReduceIf(bool now, const Bucket& bucket);

    /**
     * Adds up the gradients of tied embeddings between first and last stage: behind the last
     * backward pass, since until then the stages wait for each other's messages.
     */
    void ReduceTiedEmbeddings();

    /** Writes what follows the last backward pass. */
    void WriteOptimizer();

    const GptWorkload& m_workload;    //!< workload
    uint32_t m_stage;                 //!< pipeline stage
    WorkloadProgramBuilder m_builder; //!< program
    GptBlockKernels m_attention;      //!< attention half of a layer
    GptBlockKernels m_mlp;            //!< MLP half of a layer
    GptKernels m_kernels;             //!< all kernels
    std::vector<Bucket> m_buckets;    //!< in the order of their use
    bool m_sequence;                  //!< sequence parallelism
};

} // namespace ns3

#endif /* GPT_STAGE_WRITER_H */
