/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ns3
{

namespace
{

const std::string SECTION = "collectives"; //!< of the hardware table

/** Lines by protocol: LL has 4 bytes of flag for every 4 of data, LL128 8 for every 120. */
const std::map<std::string, CollectiveLine> LINES{
    {"LL", {16, 8}},
    {"LL128", {128, 120}},
    {"Simple", {1, 1}}};

constexpr std::size_t CORRECTIONS = 24; //!< sizes for which NCCL corrects its rates of trees

/**
 * What NCCL takes off its rates of trees for an all-reduce of 64 bytes, 128 bytes ... 512 MiB, in
 * percent left (its src/graph/tuning.cc, treeCorrectionFactor).
 */
const std::map<std::string, std::array<int, CORRECTIONS>> TREE_CORRECTIONS{
    {"LL", {100, 100, 100, 100, 90, 80, 70, 70, 70, 70,  60,  50,
            40,  40,  50,  60,  70, 80, 90, 100, 100, 100, 100, 100}},
    {"LL128", {100, 100, 100, 100, 100, 90, 80, 80, 80, 70,  60,  60,
               60,  60,  60,  60,  80,  90, 90, 90, 90, 100, 100, 100}},
    {"Simple", {90, 90, 90, 90, 90, 90, 90, 80, 70, 60, 60, 50,
                50, 50, 50, 60, 70, 80, 70, 70, 80, 90, 90, 90}}};

/**
 * \param protocol NCCL's name of a protocol
 * \param bytes size of an all-reduce
 * \return share of the rate of a tree that NCCL expects
 */
double
GetTreeCorrection(const std::string& protocol, double bytes)
{
    const double index = bytes < 64 ? 0 : std::floor(std::log2(bytes / 64));
    const auto& corrections = TREE_CORRECTIONS.at(protocol);
    return index < CORRECTIONS ? corrections[static_cast<std::size_t>(index)] / 100.0 : 1;
}

/** \brief A request in numbers. */
struct Shape
{
    /** \param request a request */
    explicit Shape(const CollectiveRequest& request)
        : kind(request.kind),
          bytes(static_cast<double>(request.bytes)),
          ranks(request.GetGroupSize()),
          servers(request.GetServerCount()),
          local(ranks / servers)
    {
    }

    /** \return whether every rank ends with, or begins with, a part of the operand */
    bool HasParts() const
    {
        return kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::ALL_GATHER ||
               kind == CollectiveKind::REDUCE_SCATTER;
    }

    /** \return whether one rank has or gets the operand, and all others the whole of it */
    bool IsRooted() const
    {
        return kind == CollectiveKind::BROADCAST || kind == CollectiveKind::REDUCE;
    }

    /** \return whether it is an all-reduce */
    bool IsAllReduce() const
    {
        return kind == CollectiveKind::ALL_REDUCE;
    }

    /** \return steps of a tree over the servers, there and back */
    double GetTreeSteps() const
    {
        return 2 * std::ceil(std::log2(servers));
    }

    /** \return bytes that a rank sends to other servers in a pair of trees */
    double GetTreeBytes() const
    {
        return std::min(servers - 1, 2.0) * bytes / local;
    }

    CollectiveKind kind; //!< what is done
    double bytes;        //!< size of the operand
    double ranks;        //!< ranks
    double servers;      //!< servers
    double local;        //!< ranks of a server, on average
};

/** \param shape a request \return the work in a ring, none if it cannot do it */
std::optional<CollectiveKernelWork>
GetRingWork(const Shape& shape)
{
    if (!shape.HasParts() && !shape.IsRooted())
    {
        return std::nullopt;
    }
    const double passes = shape.IsAllReduce() ? 2 : 1;
    const double steps = passes * (shape.ranks - 1);
    const double interSteps = shape.servers > 1 ? std::min(passes * shape.servers, steps) : 0;
    const double sent = shape.HasParts() ? steps / shape.ranks * shape.bytes : shape.bytes;
    return CollectiveKernelWork{steps - interSteps,
                          interSteps,
                          sent,
                          shape.servers > 1 ? sent / shape.local : 0,
                          shape.HasParts() ? shape.bytes / shape.ranks : 0};
}

/** \param shape a request \return the work in a pair of trees, none if they cannot do it */
std::optional<CollectiveKernelWork>
GetTreeWork(const Shape& shape)
{
    if (!shape.IsAllReduce())
    {
        return std::nullopt;
    }
    return CollectiveKernelWork{2 * (shape.local - 1),
                          shape.GetTreeSteps(),
                          2 * shape.bytes,
                          shape.GetTreeBytes(),
                          0};
}

/** \param shape a request \return the work with NVLS, none if it cannot do it */
std::optional<CollectiveKernelWork>
GetNvlsWork(const Shape& shape)
{
    if (!shape.HasParts() || shape.servers > 1)
    {
        return std::nullopt;
    }
    return CollectiveKernelWork{0,
                          0,
                          shape.bytes + (shape.IsAllReduce() ? shape.bytes / shape.ranks : 0),
                          0,
                          0};
}

/** \param shape a request \return the work with NVLSTree, none if it cannot do it */
std::optional<CollectiveKernelWork>
GetNvlsTreeWork(const Shape& shape)
{
    if (!shape.IsAllReduce() || shape.servers == 1)
    {
        return std::nullopt;
    }
    return CollectiveKernelWork{0,
                          shape.GetTreeSteps(),
                          shape.bytes + shape.bytes / shape.local,
                          shape.GetTreeBytes(),
                          0};
}

/**
 * \param shape a request
 * \param hops links of a server that a part passes before it is at its head
 * \return the work where network switches add up between servers, none if they cannot do it
 */
std::optional<CollectiveKernelWork>
GetCollnetWork(const Shape& shape, double hops)
{
    if (!shape.IsAllReduce() || shape.servers == 1)
    {
        return std::nullopt;
    }
    return CollectiveKernelWork{2 * hops,
                          1,
                          2 * (1 - 1 / shape.local) * shape.bytes,
                          shape.bytes / shape.local,
                          0};
}

/** \param shape a request \return the work with CollnetDirect, none if it cannot do it */
std::optional<CollectiveKernelWork>
GetCollnetDirectWork(const Shape& shape)
{
    // NCCL adds 0.4 us for every other rank of the server to the step, which takes 3.7 us.
    constexpr double ARITY = 0.4 / 3.7;
    return GetCollnetWork(shape, std::min(shape.local - 1, 1.0) + (shape.local - 1) * ARITY);
}

/** \param shape a request \return the work with CollnetChain, none if it cannot do it */
std::optional<CollectiveKernelWork>
GetCollnetChainWork(const Shape& shape)
{
    return GetCollnetWork(shape, shape.local - 1);
}

/** \param shape a request \return the work where ranks exchange directly, none if they do not */
std::optional<CollectiveKernelWork>
GetDirectWork(const Shape& shape)
{
    if (shape.HasParts() || shape.IsRooted())
    {
        return std::nullopt;
    }
    const bool isPair = shape.kind == CollectiveKind::SEND_RECV;
    const double share = isPair ? 1 : (shape.ranks - 1) / shape.ranks;
    const double interShare = isPair ? 1 : (shape.ranks - shape.local) / shape.ranks;
    return CollectiveKernelWork{1,
                          shape.servers > 1 ? 1.0 : 0,
                          share * shape.bytes,
                          shape.servers > 1 ? interShare * shape.bytes : 0,
                          shape.bytes / shape.ranks};
}

/** The work by NCCL's name of the algorithm. */
const std::map<std::string, std::optional<CollectiveKernelWork> (*)(const Shape&)> WORKS{
    {"Ring", GetRingWork},
    {"Tree", GetTreeWork},
    {"NVLS", GetNvlsWork},
    {"NVLSTree", GetNvlsTreeWork},
    {"CollNetDirect", GetCollnetDirectWork},
    {"CollNetChain", GetCollnetChainWork},
    {"P2P", GetDirectWork}};

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

std::string
CollectiveCosts::GetTuning() const
{
    return m_table.Has(SECTION, m_entry, "Tuning") ? m_table.GetText(SECTION, m_entry, "Tuning")
                                                   : m_entry;
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
            GetRate(prefix + "OwnRate"),
            GetRate(prefix + "ChannelRate")};
}

double
CollectiveCosts::GetHostRate(double ranks) const
{
    const double rate = GetRate("HostRate");
    const double peers =
        rate > 0 ? static_cast<double>(m_table.GetUint(SECTION, m_entry, "PeerGpus")) : ranks;
    return ranks > peers
               ? rate * std::pow(peers / ranks,
                                 m_table.GetDouble(SECTION, m_entry, "HostContention"))
               : 0;
}

double
CollectiveCosts::GetRankRate(const CollectiveRequest& request,
                             const Parameters& own,
                             const CollectiveLine& line) const
{
    const double host = GetHostRate(Shape(request).local) * line.payload / line.bytes;
    return host > 0 && (own.rate == 0 || host < own.rate) ? host : own.rate;
}

std::optional<CollectiveKernelWork>
CollectiveCosts::GetWork(const CollectiveRequest& request, const std::string& algorithm)
{
    const auto found = WORKS.find(algorithm);
    return found == WORKS.end() ? std::nullopt : found->second(Shape(request));
}

CollectiveProtocol
CollectiveCosts::MakeProtocol(const std::string& protocol)
{
    CollectiveProtocol result;
    result.name = protocol;
    const CollectiveLine& line = LINES.at(protocol);
    result.lineBytes = line.bytes;
    result.payloadBytes = line.payload;
    return result;
}

CollectiveProtocol
CollectiveCosts::GetProtocol(const CollectiveRequest& request,
                             const std::string& algorithm,
                             const std::string& protocol,
                             const CollectiveSurroundings& surroundings) const
{
    const Parameters own = GetParameters(algorithm, protocol);
    const auto work = GetWork(request, algorithm);
    CollectiveProtocol result = MakeProtocol(protocol);
    result.launch =
        ToTime(own.launch + (work && own.ownRate > 0 ? work->ownBytes / own.ownRate : 0)) +
        surroundings.hostLaunch;
    result.intraOverhead = ToTime(own.intra);
    result.interOverhead = ToTime(own.inter) + surroundings.networkLatency;
    result.rankRate = DataRate(
        static_cast<uint64_t>(std::llround(GetRankRate(request, own, LINES.at(protocol)) * 8e6)));
    result.linkRate = surroundings.intra;
    if (Shape(request).servers > 1)
    {
        result.channelRate =
            DataRate(static_cast<uint64_t>(std::llround(own.channelRate * 8e6)));
    }
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
    const CollectiveLine& line = LINES.at(protocol);
    const double wire = static_cast<double>(line.bytes) / line.payload;
    const double rate = GetRankRate(request, own, line);
    double transfer = rate > 0 ? work->bytes / rate : 0;
    if (surroundings.intra.GetBitRate() > 0)
    {
        transfer = std::max(transfer, work->bytes * wire / ToBytesPerUs(surroundings.intra));
    }
    if (work->interBytes > 0)
    {
        transfer = std::max(transfer, work->interBytes * wire / ToBytesPerUs(surroundings.inter));
    }
    if (algorithm == "Tree" && m_table.Has(SECTION, m_entry, "TreeCorrection"))
    {
        transfer /= GetTreeCorrection(protocol, static_cast<double>(request.bytes));
    }
    const double inter = own.inter + ToUs(surroundings.networkLatency);
    return ToUs(surroundings.hostLaunch) + own.launch + work->intraSteps * own.intra +
           work->interSteps * inter + transfer +
           (own.ownRate > 0 ? work->ownBytes / own.ownRate : 0);
}

} // namespace ns3
