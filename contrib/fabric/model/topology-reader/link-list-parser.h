/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LINK_LIST_PARSER_H
#define LINK_LIST_PARSER_H

#include "ns3/text-scanner.h"
#include "ns3/topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The numbers of a topology file's first line, whatever their order there.
 */
struct LinkListHeader
{
    /** Largest node count taken: as many as HPCC's addresses 11.x.y.1 can number. */
    static constexpr uint64_t MAX_NODES = 1U << 24;

    std::size_t line{0};       //!< index of the line the numbers stand in
    uint32_t nodes{0};         //!< GPUs, NVSwitches and switches together
    uint32_t nvswitches{0};    //!< NVSwitches, the first ids of the second line
    uint32_t switches{0};      //!< network switches, the ids after those
    uint64_t links{0};         //!< link lines announced
    std::size_t linksField{0}; //!< field of the first line that holds the link count
};

/**
 * \ingroup fabric
 * \brief Reads what topology files of the HPCC family share behind their first line: the ids of the
 * switches, then one link per line, `source destination rate delay error_rate`, and perhaps
 * `bit_error_rate` behind it, which no other simulator knows.
 *
 * Ids may spread over several lines and may be any ids below the node count. A topology numbers its
 * GPUs from 0: where a file does not, nodes are renumbered, GPUs first, each kind in ascending
 * order of its ids, and TopologyNode::id keeps the file's.
 *
 * Header and body may disagree. Fewer link lines than announced are an error; behind the
 * announced number the file ends for this reader, and a note says what it left out.
 */
class LinkListParser
{
  public:
    /**
     * \param file the file
     * \param header its first line
     */
    LinkListParser(const TextFile& file, const LinkListHeader& header);

    /**
     * Reads the file behind its header. Links are ETHERNET, servers are not set.
     * \return nodes, links and notes
     */
    Topology Parse();

    /**
     * \param link index of a link that Parse() returned
     * \return index of its line in the file
     */
    std::size_t GetLineOfLink(std::size_t link) const;

    /**
     * Reads the node counts of a header and checks that they leave a GPU.
     *
     * \param line the first line
     * \param nodesField field that holds the node count
     * \param nvswitchesField field that holds the NVSwitch count, NO_FIELD if there is none
     * \param switchesField field that holds the switch count
     * \param linksField field that holds the link count
     * \return the header
     */
    static LinkListHeader ReadHeader(const TextLine& line,
                                     std::size_t nodesField,
                                     std::size_t nvswitchesField,
                                     std::size_t switchesField,
                                     std::size_t linksField);

    /** A field that a form does not have. */
    static constexpr std::size_t NO_FIELD = SIZE_MAX;

  private:
    /**
     * Reads the ids of NVSwitches and switches.
     * \return the kind of every file id
     */
    std::vector<TopologyNodeKind> ReadKinds();

    /**
     * Numbers the nodes, GPUs first.
     * \param kinds by file id
     */
    void NumberNodes(const std::vector<TopologyNodeKind>& kinds);

    /** Reads the announced number of link lines. */
    void ReadLinks();

    /**
     * \param line a link line
     * \return the link, between nodes as they are numbered now
     */
    TopologyLink ReadLink(const TextLine& line) const;

    /** Notes the lines behind the last link. */
    void NoteTrailer();

    const TextFile& m_file;             //!< the file
    LinkListHeader m_header;            //!< its first line
    std::size_t m_next;                 //!< index of the next line to read
    std::vector<uint32_t> m_nodeOfFile; //!< node by file id
    std::vector<std::size_t> m_lines;   //!< index of the line by link
    Topology m_topology;                //!< what was read so far
};

} // namespace ns3

#endif /* LINK_LIST_PARSER_H */
