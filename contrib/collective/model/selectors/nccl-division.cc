/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-division.h"

#include "ns3/collective-protocol.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

namespace
{

constexpr uint32_t RING_COPIES = 2;       //!< how often NCCL has every ring
constexpr uint64_t CELL_STEP = 16;        //!< bytes, of which a cell is a multiple
constexpr uint64_t LL_TRAFFIC = 4;        //!< traffic of a byte with LL, as NCCL counts it
constexpr uint64_t LARGE_SLICE = 131072;  //!< bytes: larger slices are halved early
constexpr uint64_t SMALL_SLICE = 32768;   //!< bytes: no slices are halved that are not larger
constexpr double LARGE_SLICES = 64;       //!< by s/p: of fewer on a channel large ones are halved
constexpr double SMALL_SLICES = 16;       //!< by s/p: of fewer on a channel all are halved
constexpr double LOCAL_STEPS = 0.1;       //!< steps that a rank of the server counts for

/** Threads of a channel, by protocol. */
const std::map<std::string, uint64_t> THREADS{{"LL", 512}, {"LL128", 640}, {"Simple", 512}};

/** Bytes of a thread, by protocol. */
const std::map<std::string, uint64_t> THRESHOLDS{{"LL", 8}, {"LL128", 8}, {"Simple", 64}};

/** \param a a number \param b what it is divided by \return the quotient, rounded up */
uint64_t
DivideUp(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

/** \param request a request \return traffic of a byte that a rank gives to the call */
uint64_t
GetTrafficPerByte(const CollectiveRequest& request)
{
    switch (request.kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return 2;
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
        return request.GetGroupSize();
    default:
        return 1;
    }
}

/** \param request a request \return bytes that a rank gives to the call */
uint64_t
GetGivenBytes(const CollectiveRequest& request)
{
    const bool hasParts = request.kind == CollectiveKind::ALL_GATHER ||
                          request.kind == CollectiveKind::REDUCE_SCATTER;
    return hasParts ? DivideUp(request.bytes, request.GetGroupSize()) : request.bytes;
}

} // namespace

NcclDivision::NcclDivision(const std::string& algorithm,
                           const std::string& protocol,
                           uint64_t channelTraffic,
                           uint32_t tunedChannels)
    : m_isRing(algorithm == "Ring"),
      m_isTree(algorithm == "Tree"),
      m_protocol(protocol),
      m_channelTraffic(channelTraffic),
      m_tunedChannels(tunedChannels)
{
}

uint64_t
NcclDivision::GetLeastBytes(const CollectiveRequest& request) const
{
    if (!m_isRing && !m_isTree)
    {
        return 0;
    }
    const uint64_t bytes = THREADS.at(m_protocol) * THRESHOLDS.at(m_protocol);
    return m_isRing && m_protocol == "LL" ? bytes * request.GetGroupSize() : bytes;
}

uint32_t
NcclDivision::GetNcclChannels(const CollectiveRequest& request, uint32_t available) const
{
    uint64_t channels = available;
    if (m_tunedChannels > 0)
    {
        channels = std::min(available, m_tunedChannels);
    }
    else if (const uint64_t least = GetLeastBytes(request))
    {
        channels = std::clamp<uint64_t>(request.bytes / least, 1, channels);
    }
    if (m_channelTraffic == 0)
    {
        return static_cast<uint32_t>(channels);
    }
    const uint64_t traffic = GetTrafficPerByte(request) * (m_protocol == "LL" ? LL_TRAFFIC : 1);
    const uint64_t given = GetGivenBytes(request);
    const uint64_t cell = DivideUp(DivideUp(m_channelTraffic, traffic), CELL_STEP) * CELL_STEP;
    const uint64_t cells = DivideUp(given, cell);
    const uint64_t share = std::max(m_channelTraffic, given * traffic / channels);
    const uint64_t cellsPerChannel = std::min(cells, DivideUp(share, cell * traffic));
    return static_cast<uint32_t>(std::min(channels, DivideUp(cells, cellsPerChannel)));
}

uint32_t
NcclDivision::GetChannels(const CollectiveRequest& request, uint32_t most) const
{
    return std::min(most, GetNcclChannels(request, m_isRing ? RING_COPIES * most : most));
}

uint64_t
NcclDivision::GetSliceBytes(const CollectiveRequest& request,
                            uint32_t channels,
                            uint64_t most) const
{
    const uint32_t servers = request.GetServerCount();
    if (!m_isTree || m_protocol == "Simple" || servers == 1)
    {
        return most;
    }
    if (m_protocol == "LL")
    {
        return CollectiveProtocol::LL_STEP;
    }
    uint64_t slice = CollectiveProtocol::LL128_STEP;
    const double local = static_cast<double>(request.GetGroupSize()) / servers;
    const double steps = 1 + std::floor(std::log2(servers)) + LOCAL_STEPS * local;
    const auto halve = [&](double least, uint64_t bytes) {
        while (slice > bytes &&
               static_cast<double>(request.bytes / (channels * slice)) < least * steps / local)
        {
            slice /= 2;
        }
    };
    halve(LARGE_SLICES, LARGE_SLICE);
    halve(SMALL_SLICES, SMALL_SLICE);
    return slice;
}

} // namespace ns3
