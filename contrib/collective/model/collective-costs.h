/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_COSTS_H
#define COLLECTIVE_COSTS_H

#include "collective-protocol.h"
#include "collective-request.h"

#include "ns3/hardware-table.h"
#include "ns3/nstime.h"

#include <optional>
#include <string>

namespace ns3
{

/** \ingroup collective \brief What depends on the cluster, not on the GPU. */
struct CollectiveSurroundings
{
    DataRate intra;      //!< what a rank can send to ranks of the same server
    DataRate inter;      //!< to other servers, each rank's share of the NICs; 0: there are none
    Time networkLatency; //!< what a step between servers takes beside the links and NCCL's own
                         //!< share: the NIC, its driver, its transport
    Time hostLaunch;     //!< what the host takes to launch a kernel, beside the entry's share
};

/** \ingroup collective \brief What a rank has to do for a request in an algorithm. */
struct CollectiveKernelWork
{
    double intraSteps; //!< steps in a server, one behind the other
    double interSteps; //!< steps between servers
    double bytes;      //!< that it sends
    double interBytes; //!< that it sends to other servers
    double ownBytes;   //!< of its own part
};

/** \ingroup collective \brief What a protocol puts on the wire. */
struct CollectiveLine
{
    uint32_t bytes;   //!< size of a line
    uint32_t payload; //!< data in it
};

/**
 * \ingroup collective
 * \brief What NCCL's kernels cost: times and rates by algorithm and protocol.
 *
 * A rank starts its kernel in `launch`, spends a latency per step, and sends at the rate of the
 * links or at its own, if that is lower. The parameters are those of an entry of section
 * "collectives" of the hardware table (doc/formats/hardware.md): measured ones of a GPU generation,
 * or those by which NCCL itself chooses (its src/graph/tuning.cc), which have the same form:
 *
 *     time = launch + steps latency + bytes / rate
 *
 * with, for n ranks on m servers and an operand of S bytes,
 *
 *     Ring       2(n-1) steps of an all-reduce, n-1 of others; S/n each, of broadcast and reduce
 *                S in all; of an all-reduce 2m, else m of them lead to other servers
 *     Tree       2 (n/m - 1 + log2 m) steps; 2 S per rank; between servers min(m-1, 2) S m/n
 *     NVLS       S + S/n per rank of an all-reduce, S of others
 *     NVLSTree   the same in the servers; between them 2 log2 m steps and bytes as Tree
 *     CollNet    a step between servers with S m/n, 2 h in the servers with 2 (1 - m/n) S per rank,
 *                l = n/m ranks each: h = l-1 for CollNetChain, min(l-1, 1) + (l-1) 0.4/3.7 for
 *                CollNetDirect, whose step NCCL takes to be longer for every other rank
 *     P2P        what ranks exchange directly: (n-1)/n S
 *
 * log2 m is rounded up.
 *
 * In a group over several servers, whose channels are those that NCCL has, the thread block of a
 * channel passes data on at ChannelRate at most. In one server, where one ring or chain stands for
 * all channels, the rate of the kernel alone holds. Estimates know no channels.
 *
 * GPUs that reach each other through their host, its bridges and its memory, share that: where more
 * than PeerGpus ranks stand in a server, what a rank puts on its link is limited to
 *
 *     HostRate (PeerGpus / ranks of the server)^HostContention
 *
 * An exponent of 0 is a limit per GPU (its own port of the host), 1 a rate that all share, and more
 * a host that gets slower the more of them talk.
 */
class CollectiveCosts
{
  public:
    /**
     * \param table where the parameters are
     * \param entry name of the entry; a ConfigError if there is none
     */
    CollectiveCosts(const HardwareTable& table, const std::string& entry);

    /**
     * \param algorithm NCCL's name of an algorithm
     * \param protocol NCCL's name of a protocol
     * \return whether there are parameters for them
     */
    bool Has(const std::string& algorithm, const std::string& protocol) const;

    /** \return the entry by which is chosen: the one that key Tuning names, else this one */
    std::string GetTuning() const;

    /**
     * \param protocol NCCL's name of a protocol: LL, LL128, Simple
     * \return one that costs nothing but what it puts on the wire
     */
    static CollectiveProtocol MakeProtocol(const std::string& protocol);

    /**
     * \param request a request that is not empty
     * \param algorithm NCCL's name of an algorithm: Ring, Tree, NVLS, NVLSTree, CollNetDirect,
     * CollNetChain, P2P
     * \param protocol NCCL's name of a protocol: LL, LL128, Simple
     * \param surroundings what depends on the cluster
     * \return what a rank pays beside the network, which is simulated
     */
    CollectiveProtocol GetProtocol(const CollectiveRequest& request,
                                   const std::string& algorithm,
                                   const std::string& protocol,
                                   const CollectiveSurroundings& surroundings) const;

    /**
     * \copydetails GetProtocol
     * \return how long all of it takes, us; none if the algorithm cannot do it
     */
    std::optional<double> Estimate(const CollectiveRequest& request,
                                   const std::string& algorithm,
                                   const std::string& protocol,
                                   const CollectiveSurroundings& surroundings) const;

  private:
    /** \brief Parameters of an algorithm with a protocol; times in us, rates in bytes per us. */
    struct Parameters
    {
        double launch;  //!< until the kernel runs
        double intra;   //!< of a step in a server
        double inter;   //!< of a step between servers
        double rate;    //!< of a rank's kernel, 0: any
        double ownRate; //!< of the rank's own part, which passes the kernel once more, 0: any
        double channelRate; //!< of a channel's thread block, 0: any
    };

    /**
     * \param request a request
     * \param algorithm NCCL's name
     * \return the work, none if the algorithm cannot do it
     */
    static std::optional<CollectiveKernelWork> GetWork(const CollectiveRequest& request,
                                                 const std::string& algorithm);

    /**
     * \param algorithm NCCL's name
     * \param protocol NCCL's name
     * \return the parameters
     */
    Parameters GetParameters(const std::string& algorithm, const std::string& protocol) const;

    /**
     * \param ranks ranks of a server
     * \return what the host lets each of them send on its link, bytes per us, 0: any
     */
    double GetHostRate(double ranks) const;

    /**
     * \param request a request
     * \param own parameters of an algorithm with a protocol
     * \param line what the protocol puts on the wire
     * \return rate of data of a rank in its server, bytes per us: its kernel's, or less where the
     * host is slower; 0: any
     */
    double GetRankRate(const CollectiveRequest& request,
                       const Parameters& own,
                       const CollectiveLine& line) const;

    /**
     * \param key a parameter
     * \return its value, us, 0 if the entry has none
     */
    double GetTimeUs(const std::string& key) const;

    /**
     * \param key a parameter
     * \return its value, bytes per us, 0 if the entry has none
     */
    double GetRate(const std::string& key) const;

    HardwareTable m_table; //!< where the parameters are
    std::string m_entry;   //!< name of the entry
};

} // namespace ns3

#endif /* COLLECTIVE_COSTS_H */
