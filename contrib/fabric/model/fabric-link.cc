/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-link.h"

#include <cmath>

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
    if (parameters.bitErrorRate > 0)
    {
        m_bitErrors = CreateObject<UniformRandomVariable>();
        m_logIntact = std::log1p(-parameters.bitErrorRate);
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

LinkFate
FabricLink::Draw(const FabricPacket& packet)
{
    if (!m_up || packet.start < m_upSince)
    {
        return LinkFate::LOST; // cut now, or since the frame left
    }
    if (m_loss && m_loss->GetValue() < m_parameters.lossRate)
    {
        return LinkFate::LOST;
    }
    const double bits = 8.0 * packet.frameBytes;
    if (m_bitErrors && m_bitErrors->GetValue() < -std::expm1(bits * m_logIntact))
    {
        return LinkFate::CORRUPTED;
    }
    return LinkFate::ARRIVES;
}

void
FabricLink::SetLossStream(int64_t stream)
{
    if (m_loss)
    {
        m_loss->SetStream(stream);
    }
}

void
FabricLink::SetBitErrorStream(int64_t stream)
{
    if (m_bitErrors)
    {
        m_bitErrors->SetStream(stream);
    }
}

} // namespace ns3
