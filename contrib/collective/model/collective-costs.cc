/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-costs.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

namespace
{

const std::string SECTION = "collectives"; //!< of the hardware table

/** \brief What a protocol puts on the wire. */
struct Line
{
    uint32_t bytes;   //!< size of a line
    uint32_t payload; //!< data in it
};

/** Lines by protocol: LL has 4 bytes of flag for every 4 of data, LL128 8 for every 120. */
const std::map<std::string, Line> LINES{{"LL", {16, 8}}, {"LL128", {128, 120}}, {"Simple", {1, 1}}};

/**
 * \param rate a rate
 * \return the same in bytes per us
 */
double
ToBytesPerUs(DataRate rate)
{
    return static_cast<double>(rate.GetBitRate()) / 8e6;
}

/** \param time a time \return the same in us */
double
ToUs(Time time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e6;
}

/**
 * \param us a time in us
 * \return the same
 */
Time
ToTime(double us)
{
    return PicoSeconds(static_cast<int64_t>(std::llround(us * 1e6)));
}

} // namespace

CollectiveCosts::CollectiveCosts(const HardwareTable& table, const std::string& entry)
    : m_table(table),
      m_entry(entry)
{
    if (!table.Has(SECTION, entry))
    {
        table.GetText(SECTION, entry, "RingSimpleLaunch"); // says what is missing
    }
}

bool
CollectiveCosts::Has(const std::string& algorithm, const std::string& protocol) const
{
    return m_table.Has(SECTION, m_entry, algorithm + protocol + "Launch");
}

double
CollectiveCosts::GetTimeUs(const std::string& key) const
{
    return m_table.Has(SECTION, m_entry, key)
               ? m_table.GetTime(SECTION, m_entry, key).GetPicoSeconds() / 1e6
               : 0;
}

double
CollectiveCosts::GetRate(const std::string& key) const
{
    return m_table.Has(SECTION, m_entry, key)
               ? ToBytesPerUs(m_table.GetDataRate(SECTION, m_entry, key))
               : 0;
}

CollectiveCosts::Parameters
CollectiveCosts::GetParameters(const std::string& algorithm, const std::string& protocol) const
{
    const std::string prefix = algorithm + protocol;
    return {GetTimeUs(prefix + "Launch"),
            GetTimeUs(prefix + "Intra"),
            GetTimeUs(prefix + "Inter"),
            GetRate(prefix + "Rate"),
            GetRate(prefix + "OwnRate")};
}

std::optional<CollectiveCosts::Work>
CollectiveCosts::GetWork(const CollectiveRequest& request, const std::string& algorithm)
{
    const double n = request.GetGroupSize();
    const double m = 1 + *std::max_element(request.placement.begin(), request.placement.end());
    const double local = n / m;
    const double bytes = static_cast<double>(request.bytes);
    const bool isAllReduce = request.kind == CollectiveKind::ALL_REDUCE;
    const bool hasParts = isAllReduce || request.kind == CollectiveKind::ALL_GATHER ||
                          request.kind == CollectiveKind::REDUCE_SCATTER;
    const bool isRooted = request.kind == CollectiveKind::BROADCAST ||
                          request.kind == CollectiveKind::REDUCE;
    const double depth = std::ceil(std::log2(m));
    if (algorithm == "Ring" && (hasParts || isRooted))
    {
        const double passes = isAllReduce ? 2 : 1;
        const double steps = passes * (n - 1);
        const double interSteps = m > 1 ? std::min(passes * m, steps) : 0;
        const double sent = hasParts ? steps / n * bytes : bytes;
        return Work{steps - interSteps,
                    interSteps,
                    sent,
                    m > 1 ? sent / local : 0,
                    hasParts ? bytes / n : 0};
    }
    if (algorithm == "Tree" && isAllReduce)
    {
        return Work{2 * (local - 1), 2 * depth, 2 * bytes, std::min(m - 1, 2.0) * bytes / local, 0};
    }
    if (algorithm == "NVLS" && hasParts && m == 1)
    {
        return Work{0, 0, bytes + (isAllReduce ? bytes / n : 0), 0, 0};
    }
    if (algorithm == "NVLSTree" && isAllReduce && m > 1)
    {
        return Work{0, 2 * depth, bytes + bytes / local, std::min(m - 1, 2.0) * bytes / local, 0};
    }
    if (algorithm == "P2P" && !hasParts && !isRooted)
    {
        const double share = request.kind == CollectiveKind::SEND_RECV ? 1 : (n - 1) / n;
        const double interShare = request.kind == CollectiveKind::SEND_RECV ? 1 : (n - local) / n;
        return Work{1, m > 1 ? 1.0 : 0, share * bytes, m > 1 ? interShare * bytes : 0, bytes / n};
    }
    return std::nullopt;
}

CollectiveProtocol
CollectiveCosts::GetProtocol(const CollectiveRequest& request,
                             const std::string& algorithm,
                             const std::string& protocol,
                             const CollectiveSurroundings& surroundings) const
{
    const Parameters own = GetParameters(algorithm, protocol);
    const auto work = GetWork(request, algorithm);
    CollectiveProtocol result;
    result.name = protocol;
    result.launch =
        ToTime(own.launch + (work && own.ownRate > 0 ? work->ownBytes / own.ownRate : 0)) +
        surroundings.hostLaunch;
    result.intraOverhead = ToTime(own.intra);
    result.interOverhead = ToTime(own.inter) + surroundings.networkLatency;
    const Line& line = LINES.at(protocol);
    result.lineBytes = line.bytes;
    result.payloadBytes = line.payload;
    result.rankRate = DataRate(static_cast<uint64_t>(std::llround(own.rate * 8e6)));
    result.linkRate = surroundings.intra;
    return result;
}

std::optional<double>
CollectiveCosts::Estimate(const CollectiveRequest& request,
                          const std::string& algorithm,
                          const std::string& protocol,
                          const CollectiveSurroundings& surroundings) const
{
    const auto work = GetWork(request, algorithm);
    if (!work || !Has(algorithm, protocol) ||
        (work->interBytes > 0 && surroundings.inter.GetBitRate() == 0))
    {
        return std::nullopt;
    }
    const Parameters own = GetParameters(algorithm, protocol);
    const Line& line = LINES.at(protocol);
    const double wire = static_cast<double>(line.bytes) / line.payload;
    double transfer = own.rate > 0 ? work->bytes / own.rate : 0;
    if (surroundings.intra.GetBitRate() > 0)
    {
        transfer = std::max(transfer, work->bytes * wire / ToBytesPerUs(surroundings.intra));
    }
    if (work->interBytes > 0)
    {
        transfer = std::max(transfer, work->interBytes * wire / ToBytesPerUs(surroundings.inter));
    }
    const double inter = own.inter + ToUs(surroundings.networkLatency);
    return ToUs(surroundings.hostLaunch) + own.launch + work->intraSteps * own.intra +
           work->interSteps * inter + transfer +
           (own.ownRate > 0 ? work->ownBytes / own.ownRate : 0);
}

} // namespace ns3
