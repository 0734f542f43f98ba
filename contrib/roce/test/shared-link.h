/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SHARED_LINK_H
#define SHARED_LINK_H

#include "roce-test-network.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup tests \brief Flows into one link of a star, the second half of which start 1 ms later.
 */
struct SharedLink
{
    std::string congestionControl; //!< TypeId name
    uint64_t rateBps;              //!< of every link
    uint32_t flows;                //!< number of flows
    Time runFor;                   //!< how long
    Time window;                   //!< time at its end in which shares are measured
    uint32_t mtuBytes{4096};       //!< payload of a full packet
    std::function<void(RoceHelper&)> configure{nullptr};     //!< sets attributes
    Time delay{MicroSeconds(1)};                             //!< of every link
    std::function<Time(uint32_t)> startOf{nullptr};          //!< of a flow, 1 and up, if not that
    std::function<void(uint32_t)> beforeStart{nullptr};      //!< called for a flow, 1 and up
    std::function<void(RoceTestNetwork&)> onSample{nullptr}; //!< called 5000 times in the window
    uint32_t headerBytes{82};                                //!< of a full packet on the wire
};

/** \ingroup tests \brief What was seen on a SharedLink. */
struct LinkFigures
{
    std::vector<double> shares;         //!< of each flow, of the payload that the link can carry
    double sum{0};                      //!< of the shares
    double queueBytes{0};               //!< mean length of the queue
    double queueDeviation{0};           //!< its standard deviation, bytes
    uint64_t minQueueBytes{UINT64_MAX}; //!< shortest queue of the samples
    uint64_t maxQueueBytes{0};          //!< longest queue of the samples
    double marked{0};                   //!< fraction of packets that were marked
    FabricCounters counters;            //!< totals
};

/** \ingroup tests \param link flows and link \return what was seen in the window at the end */
LinkFigures Play(const SharedLink& link);

/** \ingroup tests \brief ECN thresholds of the DCQCN paper. \param helper gets them */
void PaperThresholds(RoceHelper& helper);

} // namespace ns3

#endif /* SHARED_LINK_H */
