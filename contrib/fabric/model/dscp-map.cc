/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dscp-map.h"

#include "number-pair-list.h"

namespace ns3
{

DscpMap::DscpMap()
    : DscpMap("", "", "")
{
}

DscpMap::DscpMap(const std::string& text, const std::string& attribute, const std::string& device)
{
    for (uint32_t dscp = 0; dscp < CODE_POINTS; dscp++)
    {
        m_class[dscp] = dscp / 8;
    }
    static const NumberPairFormat FORMAT{CODE_POINTS - 1,
                                         0,
                                         CLASSES - 1,
                                         "DSCP:class or first-last:class, with commas between "
                                         "them, DSCPs from 0 to 63, classes from 0 to 7"};
    for (const NumberPair& pair : ReadNumberPairs(TextValue(attribute, device, text), FORMAT))
    {
        m_class[pair.key] = pair.value;
    }
    Invert();
}

void
DscpMap::Invert()
{
    m_dscp.fill(NONE);
    for (uint32_t dscp = CODE_POINTS; dscp-- > 0;)
    {
        m_dscp[m_class[dscp]] = dscp;
    }
    for (uint32_t priority = 0; priority < CLASSES; priority++)
    {
        if (m_class[8 * priority] == priority)
        {
            m_dscp[priority] = 8 * priority;
        }
    }
    constexpr uint32_t ROCE_CLASS = ROCE_DATA_DSCP / 8;
    if (m_class[ROCE_DATA_DSCP] == ROCE_CLASS)
    {
        m_dscp[ROCE_CLASS] = ROCE_DATA_DSCP;
    }
}

} // namespace ns3
