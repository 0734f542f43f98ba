/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_FCT_WRITER_H
#define HPCC_FCT_WRITER_H

#include "ns3/result-file.h"
#include "ns3/result-writer.h"
#include "ns3/roce-path.h"

#include <vector>

namespace ns3
{

/** \ingroup roce \brief What HPCC's file of completion times says of a flow beside the times. */
struct HpccFlow
{
    uint32_t src{0};          //!< sending node, by its id in the topology file
    uint32_t dst{0};          //!< receiving node
    uint16_t srcPort{0};      //!< source port as HPCC counts it: 10000, 10001, ... for each pair
    uint16_t dstPort{0};      //!< UDP destination port of the flow file
    Time start;               //!< start time of the flow file
    /** Completion time on an empty network as HPCC computes it; 0: of no use to scripts that divide
     * by it, the flow is left out. */
    uint64_t standaloneNs{0};
};

/**
 * \ingroup roce
 * \brief Completion times in HPCC's format (FCT_OUTPUT_FILE): a line for each flow, in the order in
 * which the last acknowledgements arrive.
 *
 * Columns: source and destination address in hexadecimal, source and destination port, bytes, start
 * time, completion time from there to the last acknowledgement at the sender, and completion time
 * on an empty network, in ns. In ConWeave's form source and destination are node ids in decimal.
 * Flows that do not finish have no line, nor those without a time for an empty network.
 */
class HpccFctWriter : public ResultSinkTemplate<HpccFctWriter, ResultWriter>
{
  public:
    /** How nodes are written. */
    enum class Form : uint8_t
    {
        HPCC,     //!< as addresses, hexadecimal
        CONWEAVE, //!< as ids, decimal
    };

    /**
     * \param path the file
     * \param flows by FlowRecord::id
     * \param form how nodes are written
     */
    HpccFctWriter(const std::string& path, std::vector<HpccFlow> flows, Form form);

    /** \param node id of a node \return its IPv4 address as HPCC assigns it */
    static uint32_t GetAddress(uint32_t node);

    /**
     * Completion time on an empty network as HPCC computes it: twice the delays of the links, a
     * payload on each of them, and all bytes on the slowest, with 48 bytes of headers a packet.
     * \param path from source to destination
     * \param bytes size of the flow
     * \param payloadBytes payload of a full packet
     * \return ns
     */
    static uint64_t GetStandaloneNs(const RocePath& path, uint64_t bytes, uint32_t payloadBytes);

    /** \param record ignored */
    template <class R>
    void Take(const R& record)
    {
    }

    /** \param record a line if it finished */
    void Take(const FlowRecord& record);

    void Close() override;

  private:
    ResultFile m_file;             //!< the file
    std::vector<HpccFlow> m_flows; //!< by FlowRecord::id
    Form m_form;                   //!< how nodes are written
};

} // namespace ns3

#endif /* HPCC_FCT_WRITER_H */
