/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_INSTANCE_H
#define COLLECTIVE_INSTANCE_H

#include "collective-request.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

struct CollectiveGroup;

/**
 * \ingroup collective
 * \brief One collective of one group, from the first rank that joins to the last that is done.
 */
struct CollectiveInstance
{
    uint64_t id{0};                        //!< numbered in the order in which they begin
    uint64_t sequence{0};                  //!< how many the group had before
    const CollectiveGroup* group{nullptr}; //!< who takes part
    CollectiveCall call;                   //!< what they do
    std::string algorithm;                 //!< TypeId name, empty if there is nothing to move
    std::string protocol;                  //!< CollectiveProtocol::name
    uint32_t firstRank{0};                 //!< the rank that joined first
    uint32_t joined{0};                    //!< ranks that have joined
    uint32_t done{0};                      //!< ranks that are done
    uint64_t messages{0};                  //!< messages sent by the ranks that are done
    uint64_t bytesSent{0};                 //!< sent by the ranks that are done, with
                                           //!< the flags of LL and LL128
    Time firstJoin;                        //!< when the first rank joined
    Time lastJoin;                         //!< when the last rank joined
    Time end;                              //!< when the last rank was done

    /** \return true if the collective moves nothing, and no rank waits for another */
    bool IsEmpty() const;

    /** \return the time from the first join to the end, 0 if the collective is empty */
    Time GetDuration() const;

    /** \return bytes / duration in GB/s (1e9 bytes per second), 0 if the duration is 0 */
    double GetAlgbwGBps() const;

    /** \return algbw times the factor of nccl-tests, in GB/s; see GetBusbwFactor() */
    double GetBusbwGBps() const;
};

} // namespace ns3

#endif /* COLLECTIVE_INSTANCE_H */
