/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_READ_RESPONSES_H
#define ROCE_READ_RESPONSES_H

#include "ns3/fabric-packet.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{

/**
 * \ingroup roce
 * \brief READ responses that a queue pair has to send: the source of packets of its responder.
 *
 * A response has the numbers that its request took (IBA 9.7.5) and is sent in their order. A
 * request for what was sent before is answered anew, ahead of what has higher numbers.
 */
class RoceReadResponses
{
  public:
    /** A response, or what is left of it. */
    struct Job
    {
        uint64_t psn;     //!< next number, 64 bit
        uint64_t bytes;   //!< left
        uint32_t msn;     //!< message number that its AETHs tell, 24 bit
        bool first{true}; //!< the next packet is the first one
        uint64_t end{0};  //!< number behind the last one, filled in
    };

    /**
     * \param job the response to a request
     * \param mtuBytes payload of a full packet
     */
    void Add(Job job, uint32_t mtuBytes);

    /** \param psn number of a request that overtook others, 64 bit \param bytes asked for */
    void KeepEarly(uint64_t psn, uint64_t bytes)
    {
        m_early[psn] = bytes;
    }

    /**
     * \param psn next number in order, 64 bit
     * \param [out] bytes asked for by the request that has it
     * \return whether one was kept, which is forgotten
     */
    bool TakeEarly(uint64_t psn, uint64_t& bytes);

    /** \return whether nothing is left to be sent */
    bool IsEmpty() const
    {
        return m_jobs.empty();
    }

    /**
     * Fills in the next packet; there must be one.
     * \param [out] packet its opcode, sizes, number and AETH are set
     * \param mtuBytes payload of a full packet
     * \return whether it was sent before
     */
    bool BuildNext(FabricPacket& packet, uint32_t mtuBytes);

  private:
    std::deque<Job> m_jobs;               //!< by number
    uint64_t m_sentEnd{0};                //!< number behind the highest one sent
    std::map<uint64_t, uint64_t> m_early; //!< bytes of requests that overtook others, by number
};

} // namespace ns3

#endif /* ROCE_READ_RESPONSES_H */
