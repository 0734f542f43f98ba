/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LINK_EVENT_FILE_H
#define LINK_EVENT_FILE_H

#include "topology.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class TextFile;

/** \ingroup fabric \brief What happens to a link. */
enum class LinkChange : uint8_t
{
    DOWN, //!< it is cut
    UP,   //!< it is mended, with the rate that it had
    RATE, //!< it goes on with another rate
    LOSS, //!< it loses frames with another probability
    BIT_ERRORS, //!< its bits are wrong with another probability
};

/**
 * \ingroup fabric
 * \brief A link goes down, comes up, changes its rate or its errors, in both directions.
 */
struct LinkEvent
{
    Time when;                           //!< simulated time
    LinkChange change{LinkChange::DOWN}; //!< what happens
    DataRate rate;                       //!< new rate, for RATE
    std::vector<uint32_t> links;         //!< links of the topology: all that join the two nodes
    double probability{0};               //!< new one of a loss or a bit error, for these changes
};

/**
 * \ingroup fabric
 * \brief Finds the links of an event.
 * \param topology the cluster
 * \param a node at one end
 * \param b node at the other
 * \return the Ethernet links that join them, none if there is none
 */
std::vector<uint32_t> FindEthernetLinks(const Topology& topology, uint32_t a, uint32_t b);

/**
 * \ingroup fabric
 * \brief Reads a file of link events.
 *
 * A line is an event: `time a b down`, `time a b up`, `time a b rate=RATE`, `time a b lossRate=P`
 * or `time a b bitErrorRate=P`, with a time such as `50us` and node ids as the topology's file
 * numbers them. Blank lines and what follows `#` are skipped. Lines need no order; those of the
 * same time act in the order of the file.
 *
 * \param file the text
 * \param topology the cluster
 * \return the events by time; a ConfigError if there is no such link, or a rate is above that of
 * the topology, for which switches keep their headroom
 */
std::vector<LinkEvent> ReadLinkEvents(const TextFile& file, const Topology& topology);

/**
 * \ingroup fabric
 * \param path the file
 * \param topology the cluster
 * \return the events by time; a ConfigError if the file cannot be read or is wrong
 */
std::vector<LinkEvent> ReadLinkEvents(const std::string& path, const Topology& topology);

} // namespace ns3

#endif /* LINK_EVENT_FILE_H */
