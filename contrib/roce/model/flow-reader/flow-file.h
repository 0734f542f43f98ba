/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_FILE_H
#define FLOW_FILE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class TextFile;

/** \ingroup roce \brief Which columns a flow file has. */
enum class FlowFileForm : uint8_t
{
    HPCC,     //!< src dst priority dport bytes start (HPCC, ns3-datacenter)
    CONWEAVE, //!< src dst priority bytes start
    NS3_RDMA, //!< src dst priority packets start stop
};

/** \ingroup roce \brief One flow of a flow file. */
struct FlowEntry
{
    uint32_t src{0};     //!< sending node
    uint32_t dst{0};     //!< receiving node
    uint8_t priority{0}; //!< traffic class, 0 to 7
    uint16_t dstPort{0}; //!< destination port, a label (HPCC marks traffic kinds by it); 0 = none
    uint64_t bytes{0};   //!< payload
    Time start;          //!< when it starts
    std::optional<Time> stop; //!< when it gives up (ns3-rdma)
    uint64_t line{0};         //!< its line in the file, counted from 1
};

/** \ingroup roce \brief What a flow file must fit. */
struct FlowFileOptions
{
    std::vector<bool> isHost;   //!< by node id: whether it is a host; empty = ids are not checked
    uint64_t packetBytes{1000}; //!< payload of a packet, for the form that counts packets
};

/** \ingroup roce \brief A flow file. */
struct FlowFile
{
    FlowFileForm form{FlowFileForm::HPCC}; //!< its columns
    std::vector<FlowEntry> flows;          //!< its flows, by start time
    uint64_t ignoredFlows{0};              //!< flow lines beyond the number that its header says
    uint64_t ignoredLines{0};              //!< other lines behind the flows (notes)

    /**
     * \return a line for the user that says what was ignored, empty if nothing was
     */
    std::string DescribeIgnored() const;
};

/**
 * \ingroup roce
 * \brief Reads a flow file of HPCC, ConWeave, ns3-datacenter or ns3-rdma.
 *
 * The first line says how many flows follow, one a line, in the order of their start times. The
 * columns are recognised by the first flow. Lines behind the last flow are counted, not read.
 * Errors, with their line: fewer flows than announced, a missing column, an id that is no host, a
 * flow to itself, a size of 0, a start before its predecessor's.
 *
 * \param file the text
 * \param options what it must fit
 * \return what it holds; a ConfigError if it is wrong
 */
FlowFile ReadFlowFile(const TextFile& file, const FlowFileOptions& options = {});

/**
 * \ingroup roce
 * \param path the file
 * \param options what it must fit
 * \return what it holds; a ConfigError if it cannot be read or is wrong
 */
FlowFile ReadFlowFile(const std::string& path, const FlowFileOptions& options = {});

} // namespace ns3

#endif /* FLOW_FILE_H */
