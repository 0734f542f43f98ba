/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-writer.h"

namespace ns3
{

void
ResultRowWriter::WriteColumnTable()
{
    for (const ResultTable& table : GetResultTables())
    {
        for (const ResultColumn& column : table.columns)
        {
            Take(ResultColumnRecord{&table, &column});
        }
    }
}

} // namespace ns3
