/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_PFC_WRITER_H
#define HPCC_PFC_WRITER_H

#include "ns3/result-file.h"
#include "ns3/result-writer.h"

#include <vector>

namespace ns3
{

/** \ingroup roce \brief A node as HPCC's files name it. */
struct HpccNode
{
    uint32_t id{0};        //!< its id in the topology file
    bool isSwitch{false};  //!< it is a switch, not a host
    uint32_t portCount{0}; //!< its Ethernet ports
};

/**
 * \ingroup roce
 * \brief Pauses in HPCC's format (PFC_OUTPUT_FILE): a line for each PAUSE and RESUME that changes
 * something at its receiver.
 *
 * Columns: time in ns, node, 0 for a host and 1 for a switch, port counted from 1, 1 for PAUSE and
 * 0 for RESUME. It takes the samples of metric "pause"; a pause whose quanta run out ends as by a
 * RESUME.
 */
class HpccPfcWriter : public ResultSinkTemplate<HpccPfcWriter, ResultWriter>
{
  public:
    /** \param path the file \param nodes by node of the records */
    HpccPfcWriter(const std::string& path, std::vector<HpccNode> nodes);

    /** \param record ignored */
    template <class R>
    void Take(const R& record)
    {
    }

    /** \param record a line */
    void Take(const SeriesRecord& record);

    void Close() override;

  private:
    ResultFile m_file;             //!< the file
    std::vector<HpccNode> m_nodes; //!< by node of the records
};

} // namespace ns3

#endif /* HPCC_PFC_WRITER_H */
