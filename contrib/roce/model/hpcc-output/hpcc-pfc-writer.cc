/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-pfc-writer.h"

namespace ns3
{

HpccPfcWriter::HpccPfcWriter(const std::string& path, std::vector<HpccNode> nodes)
    : m_file(path),
      m_nodes(std::move(nodes))
{
}

void
HpccPfcWriter::Take(const SeriesRecord& record)
{
    const HpccNode& node = m_nodes.at(record.node);
    m_file.Write(std::to_string(record.time.GetNanoSeconds()) + " " + std::to_string(node.id) +
                 (node.isSwitch ? " 1 " : " 0 ") + std::to_string(record.port + 1) +
                 (record.value > 0 ? " 1\n" : " 0\n"));
}

void
HpccPfcWriter::Close()
{
    m_file.Close();
}

} // namespace ns3
