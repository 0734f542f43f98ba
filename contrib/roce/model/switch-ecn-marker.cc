/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-ecn-marker.h"

#include "ns3/rng-seed-manager.h"

namespace ns3
{

EcnThresholds
EcnSettings::Scale(uint64_t rateBps) const
{
    const uint64_t reference = referenceRate.GetBitRate();
    if (!reference)
    {
        return thresholds;
    }
    const auto scale = [&](uint64_t bytes) {
        return static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * rateBps / reference);
    };
    return {scale(thresholds.kminBytes), scale(thresholds.kmaxBytes), thresholds.pmax};
}

void
SwitchEcnMarker::AddPort()
{
    m_ports.emplace_back();
    m_ports.back().stream = RngSeedManager::GetNextStreamIndex();
}

void
SwitchEcnMarker::Start(const EcnSettings& settings, const std::vector<uint64_t>& rates)
{
    for (uint32_t i = 0; i < m_ports.size(); i++)
    {
        if (!m_ports[i].set)
        {
            m_ports[i].marker = RedEcnMarker(settings.Scale(rates.at(i)));
        }
    }
}

void
SwitchEcnMarker::SetThresholds(uint32_t port, const EcnThresholds& thresholds)
{
    m_ports.at(port).marker = RedEcnMarker(thresholds);
    m_ports[port].set = true;
}

int64_t
SwitchEcnMarker::AssignStreams(int64_t stream)
{
    constexpr uint64_t ASSIGNED = 1ULL << 63; // as in RandomVariableStream::SetStream()
    for (Port& port : m_ports)
    {
        port.stream = ASSIGNED + stream++;
        port.random = nullptr;
    }
    return m_ports.size();
}

double
SwitchEcnMarker::Draw(Port& port)
{
    if (!port.random)
    {
        port.random = std::make_unique<RngStream>(RngSeedManager::GetSeed(),
                                                  port.stream,
                                                  RngSeedManager::GetRun());
    }
    return port.random->RandU01();
}

} // namespace ns3
