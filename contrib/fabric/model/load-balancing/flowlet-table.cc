/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flowlet-table.h"

namespace ns3
{

void
FlowletTable::Configure(uint32_t entries, Time timeout, uint64_t salt)
{
    m_size = entries;
    m_timeoutTicks = static_cast<uint64_t>(timeout.GetTimeStep());
    m_salt = salt;
    m_entries.clear();
}

} // namespace ns3
