/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link-event-file.h"

#include "text-scanner.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ns3
{

namespace
{

constexpr const char* CHANGES =
    "down, up, rate=RATE, lossRate=PROBABILITY or bitErrorRate=PROBABILITY"; //!< last word
constexpr std::size_t COUNT = 4;                                             //!< words of a line
constexpr std::string_view RATE = "rate=";                                   //!< before a rate
constexpr uint64_t MIN_RATE = 1000; //!< bit/s; slower, a frame takes longer than time can hold

/** \param line a line \return number of its words before a comment */
std::size_t
CountWords(const TextLine& line)
{
    std::size_t count = 0;
    while (count < line.GetCount() && line.GetWord(count)[0] != '#')
    {
        count++;
    }
    return count;
}

/**
 * \param line an event
 * \param field where a node id stands
 * \param nodes nodes by id of the file
 * \return the node
 */
uint32_t
ReadNode(const TextLine& line, std::size_t field, const std::vector<uint32_t>& nodes)
{
    const uint64_t id = line.Get(field).GetUint("node");
    if (id >= nodes.size() || nodes[id] == TopologyNode::NO_ID)
    {
        line.Get(field).Fail("a node of the topology");
    }
    return nodes[id];
}

/** What is before the probability of an event. */
constexpr std::pair<std::string_view, LinkChange> PROBABILITIES[] = {
    {"lossRate=", LinkChange::LOSS},
    {"bitErrorRate=", LinkChange::BIT_ERRORS},
};

/** \param word the last one of an event \param name what is before its value \return the value */
TextValue
GetValueOf(const TextValue& word, std::string_view name)
{
    return {word.GetSource(), word.GetLine(), word.GetText().substr(name.size())};
}

/**
 * \param word the last one of an event
 * \param [out] event gets new losses or bit errors
 * \return whether it is about them
 */
bool
ReadProbability(const TextValue& word, LinkEvent& event)
{
    for (const auto& [name, change] : PROBABILITIES)
    {
        if (word.GetText().substr(0, name.size()) != name)
        {
            continue;
        }
        const TextValue value = GetValueOf(word, name);
        event.change = change;
        const std::string what(name.substr(0, name.size() - 1));
        event.probability = value.GetDouble(what, 0.0);
        if (event.probability >= 1.0)
        {
            value.Fail(what + " (probability, 0 or more and below 1; down cuts a link)");
        }
        return true;
    }
    return false;
}

/**
 * \param line an event
 * \param topology the cluster
 * \param [in,out] event has its links; gets what happens
 */
void
ReadChange(const TextLine& line, const Topology& topology, LinkEvent& event)
{
    const TextValue word = line.Get(COUNT - 1);
    const std::string_view text = word.GetText();
    if (text == "down" || text == "up")
    {
        event.change = text == "up" ? LinkChange::UP : LinkChange::DOWN;
        return;
    }
    if (ReadProbability(word, event))
    {
        return;
    }
    if (text.substr(0, RATE.size()) != RATE)
    {
        word.Fail(CHANGES);
    }
    const TextValue rate = GetValueOf(word, RATE);
    event.change = LinkChange::RATE;
    event.rate = rate.GetDataRate("rate");
    if (event.rate.GetBitRate() < MIN_RATE)
    {
        rate.Fail("at least " + std::to_string(MIN_RATE) + "bps, as of every link");
    }
    for (const uint32_t link : event.links)
    {
        if (event.rate > topology.links[link].rate)
        {
            const uint64_t most = topology.links[link].rate.GetBitRate();
            rate.Fail("at most the rate of the link, " + std::to_string(most) + "bps");
        }
    }
}

} // namespace

std::vector<uint32_t>
FindEthernetLinks(const Topology& topology, uint32_t a, uint32_t b)
{
    std::vector<uint32_t> links;
    for (uint32_t i = 0; i < topology.links.size(); i++)
    {
        const TopologyLink& link = topology.links[i];
        if (link.kind == TopologyLinkKind::ETHERNET &&
            ((link.a == a && link.b == b) || (link.a == b && link.b == a)))
        {
            links.push_back(i);
        }
    }
    return links;
}

std::vector<LinkEvent>
ReadLinkEvents(const TextFile& file, const Topology& topology)
{
    const std::vector<uint32_t> nodes = topology.GetNodesByFileId();
    std::vector<LinkEvent> events;
    for (std::size_t i = 0; i < file.GetLineCount(); i++)
    {
        const TextLine line = file.GetLine(i);
        const std::size_t words = CountWords(line);
        if (words == 0)
        {
            continue;
        }
        if (words != COUNT)
        {
            line.Fail(std::to_string(COUNT) + " words: time, node, node, and " + CHANGES);
        }
        LinkEvent event;
        event.when = line.Get(0).GetTime("time");
        event.links =
            FindEthernetLinks(topology, ReadNode(line, 1, nodes), ReadNode(line, 2, nodes));
        if (event.links.empty())
        {
            line.Fail("two nodes that an Ethernet link joins");
        }
        ReadChange(line, topology, event);
        events.push_back(event);
    }
    std::stable_sort(events.begin(), events.end(), [](const LinkEvent& a, const LinkEvent& b) {
        return a.when < b.when;
    });
    return events;
}

std::vector<LinkEvent>
ReadLinkEvents(const std::string& path, const Topology& topology)
{
    return ReadLinkEvents(TextFile(path), topology);
}

} // namespace ns3
