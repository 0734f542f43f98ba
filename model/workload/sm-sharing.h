/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SM_SHARING_H
#define SM_SHARING_H

#include "ns3/nstime.h"

#include <cstdint>
#include <map>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief How many streaming multiprocessors (SMs) of a GPU kernels of communication hold.
 *
 * NCCL runs a block of threads for each channel, and a block fills an SM: 16 to 32 of the 132 of an
 * H100. It does so from the launch to the end, while it waits for other ranks, too.
 */
struct SmCost
{
    uint32_t gpu{0};        //!< SMs of a GPU; 0: unknown
    uint32_t collective{0}; //!< that a collective holds on each rank
    uint32_t transfer{0};   //!< that sending or receiving a message of the pipeline holds

    /** \return whether communication holds any */
    bool IsModelled() const
    {
        return collective > 0 || transfer > 0;
    }

    /** Throws a ConfigError that names an attribute of WorkloadExecutor if it cannot be. */
    void Require() const;
};

/**
 * \ingroup railyard
 * \brief Kernels that compute on a GPU while communication holds some of its SMs: they go on at the
 * share of the SMs that is left.
 *
 * A kernel of duration D on S SMs has D S to do and does S - k in each unit of time while
 * communication holds k of them. Kernels of communication keep their speed; one SM is always left,
 * so that no kernel waits for a communication that waits for it. Kernels that compute at the same
 * time do not slow each other.
 *
 * Not modelled: waves of blocks (a kernel with a block for every SM can take twice as long if a
 * single SM is missing), and the bandwidth of memory and caches that communication takes.
 *
 * Exact but for the last tick: a kernel ends at the first tick at which all is done.
 */
class SmSharing
{
  public:
    /** \param sms SMs of the GPU */
    explicit SmSharing(uint32_t sms);

    /**
     * \param stream stream that begins to compute
     * \param duration of the kernel alone on the GPU
     * \param now present time
     */
    void Start(uint32_t stream, Time duration, Time now);

    /**
     * \param stream stream whose kernel is done
     * \param now present time
     * \return by how much longer it took
     */
    Time End(uint32_t stream, Time now);

    /**
     * \param sms that communication holds from now on
     * \param now present time
     * \return whether that changes anything
     */
    bool SetTaken(uint32_t sms, Time now);

    /**
     * \param stream a stream that computes
     * \return how long its kernel still takes from the last change on, if nothing changes any more
     */
    Time GetRemaining(uint32_t stream) const;

    /** \brief A kernel. */
    struct Kernel
    {
        Time begin;         //!< when it began
        Time duration;      //!< alone on the GPU
        __int128 remaining; //!< what is to be done, ticks times SMs
        Time since;         //!< when that was
    };

    /** \return the kernels, by stream */
    const std::map<uint32_t, Kernel>& GetKernels() const
    {
        return m_kernels;
    }

  private:
    uint32_t m_sms;                       //!< of the GPU
    uint32_t m_taken{0};                  //!< held by communication
    std::map<uint32_t, Kernel> m_kernels; //!< that compute
};

} // namespace ns3

#endif /* SM_SHARING_H */
