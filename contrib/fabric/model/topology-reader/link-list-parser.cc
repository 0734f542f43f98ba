/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link-list-parser.h"

#include "ns3/config-error.h"

#include <algorithm>
#include <string_view>

namespace ns3
{

namespace
{

/** Fields of a link line, for errors. */
constexpr std::string_view LINK_FIELDS = "source, destination, rate, delay, error rate";

/** Words of a link line; one more is the bit error rate. */
constexpr std::size_t LINK_WORDS = 5;

/**
 * \param word a word
 * \return true if it consists of digits
 */
bool
IsInteger(std::string_view word)
{
    return word.find_first_not_of("0123456789") == std::string_view::npos;
}

/**
 * \param line a line
 * \return true if the line begins like a link: two integers and something more
 */
bool
LooksLikeLink(const TextLine& line)
{
    return line.GetCount() > 2 && IsInteger(line.GetWord(0)) && IsInteger(line.GetWord(1));
}

/**
 * \param count a number of lines
 * \param singular what they are
 * \return both, with a plural
 */
std::string
Count(uint64_t count, const std::string& singular)
{
    return std::to_string(count) + " " + singular + (count == 1 ? "" : "s");
}

/**
 * \param line a link line
 * \param field where a probability stands
 * \param name its name
 * \param what it is the probability of
 * \return the probability
 */
double
ReadProbability(const TextLine& line,
                std::size_t field,
                const std::string& name,
                const std::string& what)
{
    const double probability = line.Get(field).GetDouble(name, 0.0);
    if (probability >= 1.0)
    {
        line.Get(field).Fail(name + " (probability of " + what + ", 0 or more and below 1)");
    }
    return probability;
}

} // namespace

LinkListParser::LinkListParser(const TextFile& file, const LinkListHeader& header)
    : m_file(file),
      m_header(header),
      m_next(header.line + 1)
{
}

LinkListHeader
LinkListParser::ReadHeader(const TextLine& line,
                           std::size_t nodesField,
                           std::size_t nvswitchesField,
                           std::size_t switchesField,
                           std::size_t linksField)
{
    LinkListHeader header;
    header.line = line.GetNumber() - 1;
    header.nodes = line.Get(nodesField).GetUint("node count", 1, LinkListHeader::MAX_NODES);
    if (nvswitchesField != NO_FIELD)
    {
        header.nvswitches = line.Get(nvswitchesField).GetUint("NVSwitch count", 0, header.nodes);
    }
    header.switches = line.Get(switchesField).GetUint("switch count", 0, header.nodes);
    header.linksField = linksField;
    header.links = line.Get(linksField).GetUint("link count", 0, UINT32_MAX);
    const uint32_t others = header.nvswitches + header.switches;
    if (others >= header.nodes)
    {
        line.Get(nodesField)
            .Fail("node count (more than the " + std::to_string(others) +
                  " switches of this line: every other node is a GPU)");
    }
    return header;
}

Topology
LinkListParser::Parse()
{
    NumberNodes(ReadKinds());
    ReadLinks();
    NoteTrailer();
    return std::move(m_topology);
}

std::vector<TopologyNodeKind>
LinkListParser::ReadKinds()
{
    const uint32_t announced = m_header.nvswitches + m_header.switches;
    std::vector<TopologyNodeKind> kinds(m_header.nodes, TopologyNodeKind::GPU);
    for (uint32_t read = 0; read < announced;)
    {
        m_next = m_file.FindText(m_next);
        const std::string expected = Count(announced - read, "more switch id") + " of the " +
                                     std::to_string(announced) + " that line " +
                                     std::to_string(m_header.line + 1) + " announces";
        if (m_next == m_file.GetLineCount())
        {
            throw ConfigError(m_file.GetName(), m_next, "the end of the file", expected);
        }
        const TextLine line = m_file.GetLine(m_next++);
        if (line.GetCount() > announced - read ||
            (LooksLikeLink(line) && !IsInteger(line.GetWord(2))))
        {
            line.Fail(expected);
        }
        for (std::size_t i = 0; i < line.GetCount(); i++, read++)
        {
            const TextValue word = line.Get(i);
            const uint64_t id = word.GetUint("switch id", 0, m_header.nodes - 1);
            if (kinds[id] != TopologyNodeKind::GPU)
            {
                word.Fail("a switch id that was not listed before");
            }
            kinds[id] =
                read < m_header.nvswitches ? TopologyNodeKind::NVSWITCH : TopologyNodeKind::SWITCH;
        }
    }
    return kinds;
}

void
LinkListParser::NumberNodes(const std::vector<TopologyNodeKind>& kinds)
{
    m_nodeOfFile.resize(kinds.size());
    for (const auto kind :
         {TopologyNodeKind::GPU, TopologyNodeKind::NVSWITCH, TopologyNodeKind::SWITCH})
    {
        for (uint32_t id = 0; id < kinds.size(); id++)
        {
            if (kinds[id] == kind)
            {
                m_nodeOfFile[id] = m_topology.nodes.size();
                TopologyNode node;
                node.kind = kind;
                node.id = id;
                m_topology.nodes.push_back(node);
            }
        }
    }
    const uint32_t gpus = m_topology.GetGpuCount();
    if (m_topology.nodes[gpus - 1].id != gpus - 1)
    {
        m_topology.notes.push_back("the ids of the GPUs are not 0 to " + std::to_string(gpus - 1) +
                                   ": ranks follow their ascending ids, rank 0 is node " +
                                   std::to_string(m_topology.nodes[0].id));
    }
}

void
LinkListParser::ReadLinks()
{
    m_topology.links.reserve(std::min<uint64_t>(m_header.links, m_file.GetLineCount()));
    for (uint64_t read = 0; read < m_header.links; read++)
    {
        m_next = m_file.FindText(m_next);
        if (m_next == m_file.GetLineCount())
        {
            m_file.GetLine(m_header.line)
                .Get(m_header.linksField)
                .Fail("link count (" + Count(read, "link line") + " follow)");
        }
        m_lines.push_back(m_next);
        const TextLine line = m_file.GetLine(m_next++);
        if (!LooksLikeLink(line))
        {
            line.Fail("link line " + std::to_string(read + 1) + " of the " +
                      std::to_string(m_header.links) + " that line " +
                      std::to_string(m_header.line + 1) + " announces (" +
                      std::string(LINK_FIELDS) + ")");
        }
        m_topology.links.push_back(ReadLink(line));
    }
}

TopologyLink
LinkListParser::ReadLink(const TextLine& line) const
{
    if (line.GetCount() == LINK_WORDS + 1 && line.GetWord(3).find("ps") != std::string_view::npos)
    {
        const std::string rate = std::string(line.GetWord(2)) + " " + std::string(line.GetWord(3));
        line.Get(2).Fail(rate, "link rate (in one word, such as 400Gbps)");
    }
    if (line.GetCount() != LINK_WORDS + 1)
    {
        line.RequireCount(LINK_WORDS, std::string(LINK_FIELDS) + "; 6 with a bit error rate");
    }
    TopologyLink link;
    link.a = m_nodeOfFile[line.Get(0).GetUint("source node", 0, m_header.nodes - 1)];
    link.b = m_nodeOfFile[line.Get(1).GetUint("destination node", 0, m_header.nodes - 1)];
    if (link.a == link.b)
    {
        line.Get(1).Fail("destination node (other than the source: a link joins two nodes)");
    }
    link.rate = line.Get(2).GetDataRate("link rate");
    link.delay = line.Get(3).GetTime("link delay");
    link.lossRate = ReadProbability(line, LINK_WORDS - 1, "error rate", "a loss");
    if (line.GetCount() > LINK_WORDS)
    {
        link.bitErrorRate = ReadProbability(line, LINK_WORDS, "bit error rate", "a wrong bit");
    }
    return link;
}

std::size_t
LinkListParser::GetLineOfLink(std::size_t link) const
{
    return m_lines.at(link);
}

void
LinkListParser::NoteTrailer()
{
    uint64_t moreLinks = 0;
    uint64_t otherLines = 0;
    for (std::size_t i = m_file.FindText(m_next); i < m_file.GetLineCount();
         i = m_file.FindText(i + 1))
    {
        (LooksLikeLink(m_file.GetLine(i)) ? moreLinks : otherLines)++;
    }
    const std::string trailer = "trailing text (" + Count(otherLines, "line") + ")";
    if (moreLinks > 0)
    {
        m_topology.notes.push_back(
            "line " + std::to_string(m_header.line + 1) + " announces " +
            Count(m_header.links, "link") + ", " + std::to_string(m_header.links + moreLinks) +
            " link lines follow: loads the first " + Count(m_header.links, "link") + ", ignores " +
            Count(moreLinks, "more link line") + (otherLines > 0 ? " and " + trailer : ""));
    }
    else if (otherLines > 0)
    {
        m_topology.notes.push_back("loads " + Count(m_header.links, "link") + ", ignores " +
                                   trailer);
    }
}

} // namespace ns3
