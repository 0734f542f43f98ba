/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-link.h"

#include <cmath>

namespace ns3
{

namespace
{

/** From the stream of losses to that of bit errors which a link did not have from the start. */
constexpr int64_t LATE_BIT_ERRORS = int64_t(1) << 40;

} // namespace

void
FabricLink::Configure(const FabricLinkParameters& parameters)
{
    m_parameters = parameters;
    m_rateBps = parameters.rateBps;
    SetLossRate(parameters.lossRate);
    SetBitErrorRate(parameters.bitErrorRate);
}

void
FabricLink::SetLossRate(double lossRate)
{
    m_lossRate = lossRate;
    if (lossRate > 0 && !m_loss)
    {
        m_loss = CreateObject<UniformRandomVariable>();
        m_loss->SetStream(m_stream);
    }
}

void
FabricLink::SetBitErrorRate(double bitErrorRate)
{
    m_logIntact = std::log1p(-bitErrorRate);
    if (bitErrorRate > 0 && !m_bitErrors)
    {
        m_bitErrors = CreateObject<UniformRandomVariable>();
        m_bitErrors->SetStream(m_stream < 0 ? m_stream : m_stream + LATE_BIT_ERRORS);
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
    if (m_loss && m_loss->GetValue() < m_lossRate)
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
    m_stream = stream;
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
