/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_BREAKDOWN_H
#define WORKLOAD_BREAKDOWN_H

#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/** \ingroup railyard \brief The parts into which the time of a rank is split. */
enum class WorkloadPart : uint8_t
{
    COMPUTE, //!< kernels run
    TP,      //!< tensor parallel communication
    DP,      //!< data parallel communication
    EP,      //!< expert parallel communication
    DP_EP,   //!< data parallel communication of the experts
    PP,      //!< pipeline parallel communication
    BUBBLE,  //!< waits for another pipeline stage to begin to send, or for the other ranks' end
};

/** \ingroup railyard \brief Number of WorkloadParts. */
inline constexpr std::size_t WORKLOAD_PART_COUNT = 7;

/**
 * \ingroup railyard
 * \param part a part
 * \return its name in results: "compute", "tp", "dp", "ep", "dp_ep", "pp" or "bubble"
 */
const char* GetWorkloadPartName(WorkloadPart part);

/**
 * \ingroup railyard
 * \brief How a rank spent a stretch of time. Exact: the parts add up to the stretch, in ticks.
 */
class WorkloadBreakdown
{
  public:
    /**
     * \param part COMPUTE, BUBBLE, or a kind of communication
     * \return the time spent in it; of a communication the exposed time: no kernel ran and the
     * next one, or the end, waited for it
     */
    Time Get(WorkloadPart part) const;

    /**
     * \param part a kind of communication
     * \return the duration of all its operations, exposed and hidden
     */
    Time GetCommunication(WorkloadPart part) const;

    /**
     * \param part a kind of communication
     * \return the duration of its operations that was not exposed: a kernel ran meanwhile, or
     * another communication was what the rank waited for
     */
    Time GetHidden(WorkloadPart part) const;

    /**
     * \return by how much longer kernels took that are done, as communication held SMs; of kernels
     * at a time on several streams the sum
     */
    Time GetStretch() const;

    /** \return the exposed time of all kinds of communication */
    Time GetExposed() const;

    /** \return the sum of all parts: the stretch of time */
    Time GetTotal() const;

    /**
     * \param part a part
     * \param duration time to add to it
     */
    void Add(WorkloadPart part, Time duration);

    /**
     * \param part a kind of communication
     * \param duration duration of an operation
     */
    void AddCommunication(WorkloadPart part, Time duration);

    /** \param longer by how much longer a kernel took */
    void AddStretch(Time longer);

    /**
     * \param other a stretch of time to join to this one
     */
    void Add(const WorkloadBreakdown& other);

  private:
    std::array<Time, WORKLOAD_PART_COUNT> m_parts;         //!< time by part
    std::array<Time, WORKLOAD_PART_COUNT> m_communication; //!< duration of operations by part
    Time m_stretch;                                        //!< see GetStretch()
};

} // namespace ns3

#endif /* WORKLOAD_BREAKDOWN_H */
