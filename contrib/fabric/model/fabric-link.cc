/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-link.h"

namespace ns3
{

void
FabricLink::Configure(const FabricLinkParameters& parameters)
{
    m_parameters = parameters;
    m_rateBps = parameters.rateBps;
    if (parameters.lossRate > 0)
    {
        m_loss = CreateObject<UniformRandomVariable>();
    }
}

void
FabricLink::SetUp(bool up, uint64_t now)
{
    m_up = up;
    m_fails = true;
    if (up)
    {
        m_upSince = now;
    }
}

bool
FabricLink::Loses(const FabricPacket& packet)
{
    if (!m_up || packet.start < m_upSince)
    {
        return true; // cut now, or since the frame left
    }
    return m_loss && m_loss->GetValue() < m_parameters.lossRate;
}

void
FabricLink::SetStream(int64_t stream)
{
    if (m_loss)
    {
        m_loss->SetStream(stream);
    }
}

} // namespace ns3
