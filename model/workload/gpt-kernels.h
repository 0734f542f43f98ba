/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPT_KERNELS_H
#define GPT_KERNELS_H

#include "gpt-workload.h"
#include "kernel-call.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Kernels that run one after another. */
using KernelList = std::vector<KernelCall>;

/**
 * \ingroup railyard
 * \brief The kernels of a half of a layer: a norm, a column-parallel matrix, work on its result, a
 * row-parallel matrix, a residual addition. Communication goes between the lists.
 */
struct GptBlockKernels
{
    KernelList norm;         //!< forward: norm
    KernelList matrices;     //!< forward: column-parallel matrix to row-parallel matrix
    KernelList residual;     //!< forward: residual addition
    KernelList rowBackward;  //!< backward: row-parallel matrix, then what lies between
    KernelList columnData;   //!< backward: column-parallel matrix, gradient of its input
    KernelList columnWeight; //!< backward: column-parallel matrix, gradient of its weights
    KernelList normBackward; //!< backward: norm and sum of the gradients of both branches
};

/** \ingroup railyard \brief The kernels of the output layer and the loss. */
struct GptHeadKernels
{
    KernelList norm;         //!< forward: final norm
    KernelList logits;       //!< forward: output matrix
    KernelList loss;         //!< forward: cross-entropy
    KernelList lossBackward; //!< backward: cross-entropy
    KernelList columnData;   //!< backward: output matrix, gradient of its input
    KernelList columnWeight; //!< backward: output matrix, gradient of its weights
    KernelList normBackward; //!< backward: final norm
};

/**
 * \ingroup railyard
 * \brief The kernels of a GptWorkload, per rank.
 *
 * Operations (see KernelOp), with T tokens of a micro-batch, T' = T / t with sequence parallelism
 * and T without, e bytes per element, and the other symbols of GptWorkload:
 *
 * | part | forward | backward |
 * |---|---|---|
 * | norm | memory 2 T' h e | memory 4 T' h e |
 * | QKV | gemm T, (a + 2k) d / t, h | gemm T, h, (a + 2k) d / t; gemm_wgrad |
 * | rotary positions | memory 2 T (a + k) d / t e | the same |
 * | attention | attention_fwd b, s, a/t, k/t, d, causal | attention_bwd |
 * | projection | gemm T, h, a d / t | gemm T, a d / t, h; gemm_wgrad |
 * | residual | memory 3 T' h e | memory 3 T' h e |
 * | gate and up | gemm T, 2f / t, h (f / t without gate) | gemm T, h, 2f / t; gemm_wgrad |
 * | activation | memory 3 T f / t e (2 without gate) | memory 5 T f / t e (3 without gate) |
 * | down | gemm T, h, f / t | gemm T, f / t, h; gemm_wgrad |
 * | embedding | memory 2 T h e | memory T h (e + 8): fp32 gradients are read and written |
 * | output | gemm T, V / t, h | gemm T, h, V / t; gemm_wgrad |
 * | cross-entropy | memory T V / t (e + 12) | memory T V / t (4 + e) |
 * | optimizer | memory 30 P + 3 g P | |
 *
 * Not modelled: dropout, fused kernels that save memory traffic, launch gaps.
 * Sources: Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models"
 * (MLSys 2023) for what is divided; the traffic of elementwise kernels counts operands once.
 */
class GptKernels
{
  public:
    /** \param workload workload, must outlive this object */
    explicit GptKernels(const GptWorkload& workload);

    /** \return the attention half of a layer */
    GptBlockKernels GetAttention() const;

    /** \return the MLP half of a layer */
    GptBlockKernels GetMlp() const;

    /** \return output layer and loss */
    GptHeadKernels GetHead() const;

    /** \return the forward pass of the embedding */
    KernelList GetEmbedding() const;

    /** \return the backward pass of the embedding */
    KernelList GetEmbeddingBackward() const;

    /**
     * \param parameters parameters that the rank updates
     * \return gradient norm and clipping, and Adam: 30 bytes per parameter are moved (weights,
     * moments, master weights and gradient)
     */
    KernelList GetOptimizer(uint64_t parameters) const;

  private:
    /**
     * \param bytes bytes read and written
     * \return a kernel that waits for memory
     */
    KernelCall Memory(uint64_t bytes) const;

    /**
     * \param m rows of the result
     * \param n columns of the result
     * \param k inner dimension
     * \return a matrix product
     */
    KernelCall Gemm(uint64_t m, uint64_t n, uint64_t k) const;

    /**
     * \param out columns of a layer's output
     * \param in columns of its input
     * \return the gradient of its weights
     */
    KernelCall WeightGradient(uint64_t out, uint64_t in) const;

    /**
     * \param op "attention_fwd" or "attention_bwd"
     * \return the kernel
     */
    KernelCall Attention(const char* op) const;

    /**
     * \param out columns of the output of the column-parallel matrix, per rank
     * \param in columns of the input of the row-parallel matrix, per rank
     * \return norms, residuals and matrices of a half of a layer, nothing between the matrices
     */
    GptBlockKernels GetBlock(uint64_t out, uint64_t in) const;

    const GptWorkload& m_workload; //!< workload
    uint64_t m_tokens;             //!< T
    uint64_t m_normTokens;         //!< T'
    uint64_t m_tensor;             //!< t
    uint64_t m_hidden;             //!< h
    uint64_t m_elementBytes;       //!< e
};

} // namespace ns3

#endif /* GPT_KERNELS_H */
