/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-tally.h"

namespace ns3
{

void
ResultTally::Unfinished::Add(const std::string& text)
{
    if (count++ == 0)
    {
        example = text;
    }
}

void
ResultTally::Unfinished::Report(const std::string& kind, std::vector<std::string>& list) const
{
    if (count > 0)
    {
        list.push_back(std::to_string(count) + " " + kind +
                       " did not finish, the first: " + example);
    }
}

ResultTally::ResultTally()
    : m_rows(GetResultTables().size())
{
}

void
ResultTally::Take(const CollectiveRecord& record)
{
    m_rows[GetResultTableIndex<CollectiveRecord>()]++;
    m_collectives.Add(record);
    if (!record.end)
    {
        m_openCollectives.Add(record.kind + " " + std::to_string(record.id) + " of " +
                              std::to_string(record.bytes) + " bytes in group " + record.group +
                              " " + std::to_string(record.groupIndex));
    }
}

void
ResultTally::Take(const CollectiveBenchRecord& record)
{
    m_rows[GetResultTableIndex<CollectiveBenchRecord>()]++;
    m_collectives.Add(record);
}

void
ResultTally::Take(const FlowRecord& record)
{
    m_rows[GetResultTableIndex<FlowRecord>()]++;
    // Rows of what switches add up or copy are not what arrives: many make one sum, one many
    // copies.
    m_deliveredBytes += record.IsOfTeam() ? 0 : record.deliveredBytes;
    if (!record.end || record.deliveredBytes != record.bytes)
    {
        m_openFlows.Add("flow " + std::to_string(record.id) + " from rank " +
                        std::to_string(record.src) + " to rank " + std::to_string(record.dst) +
                        ", " + std::to_string(record.deliveredBytes) + " of " +
                        std::to_string(record.bytes) + " bytes delivered");
    }
}

void
ResultTally::Take(const RankRecord& record)
{
    m_rows[GetResultTableIndex<RankRecord>()]++;
    if (!record.finished)
    {
        m_openRanks.Add("rank " + std::to_string(record.rank));
    }
}

void
ResultTally::Complete(RunSummary& summary) const
{
    const std::vector<ResultTable>& tables = GetResultTables();
    for (std::size_t i = 0; i < tables.size(); i++)
    {
        if (i != GetResultTableIndex<ResultColumnRecord>())
        {
            summary.tables.emplace_back(tables[i].name, m_rows[i]);
        }
    }
    summary.collectives = m_collectives.GetSummaries();
    if (summary.unfinished.empty())
    {
        m_openRanks.Report("ranks", summary.unfinished);
        m_openCollectives.Report("collectives", summary.unfinished);
        m_openFlows.Report("flows", summary.unfinished);
    }
    uint64_t flows = m_rows[GetResultTableIndex<FlowRecord>()];
    const NetworkSummary& network = summary.network;
    const uint64_t delivered = network.payloadBytesDelivered - network.payloadBytesOffloaded;
    if (flows > 0 && m_deliveredBytes != delivered)
    {
        summary.unfinished.push_back("bytes are not conserved: the network delivered " +
                                     std::to_string(delivered) + " bytes of payload, the flows " +
                                     std::to_string(m_deliveredBytes));
    }
    if (!summary.unfinished.empty() && summary.verdict == RunVerdict::FINISHED)
    {
        summary.verdict = RunVerdict::UNFINISHED;
    }
}

} // namespace ns3
