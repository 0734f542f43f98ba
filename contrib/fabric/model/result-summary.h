/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_SUMMARY_H
#define RESULT_SUMMARY_H

#include "result-records.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * \ingroup fabric
 * What a run comes down to: the content of summary.json and of the text on the terminal. The keys
 * of the file are explained in doc/formats/summary.md.
 */

namespace ns3
{

/** \ingroup fabric \brief Whether all work of a run was done. */
enum class RunVerdict : uint8_t
{
    FINISHED,    //!< all of it
    UNFINISHED,  //!< stuck or stopped
    INTERRUPTED, //!< ended by a signal from outside
};

/** \ingroup fabric \param verdict a verdict \return "finished", "unfinished" or "interrupted" */
std::string ToString(RunVerdict verdict);

/** \ingroup fabric \brief A named part of a time. */
struct TimePart
{
    std::string name; //!< "compute", "exposedTp", "bubble", ...
    Time duration;    //!< its duration
};

/** \ingroup fabric \brief Communication of one kind: how much, and how much of it was waited for.
 */
struct CommunicationSummary
{
    std::string name; //!< "TP", "DP", ...
    Time total;       //!< duration in which it was going on
    Time exposed;     //!< duration in which nothing else was going on; the rest is hidden
};

/** \ingroup fabric \brief All collectives of one kind, purpose, group size, algorithm and size. */
struct CollectiveSummary
{
    std::string kind;       //!< "AllReduce", ...
    std::string group;      //!< "TP", "DP", ...
    uint32_t ranks{0};      //!< size of the group
    std::string algorithm;  //!< "Ring", "Tree", ..., empty if there was nothing to move
    std::string protocol;   //!< "LL", "Simple", ..., empty if kernels cost nothing
    uint64_t bytes{0};      //!< size as nccl-tests counts it
    uint64_t count{0};      //!< how many finished
    uint64_t unfinished{0}; //!< how many did not
    Time time;              //!< mean duration, first rank in to last rank out
    Time minTime;           //!< shortest duration
    Time maxTime;           //!< longest duration
    Time wait;              //!< mean of the part of it in which not all ranks were in
    double algbwGBps{0.0};  //!< bytes / mean duration, GB/s (1e9); 0 if instantaneous
    double busbwGBps{0.0};  //!< algbw times the factor of nccl-tests, GB/s (1e9)
    double joinedBusbwGBps{0.0}; //!< the same from the last rank in to the last rank out; can
                                 //!< exceed what links carry, as early ranks have sent before
};

/** \ingroup fabric \brief How long flows took, in a run of flows; see FlowStatistics. */
struct FlowSummary
{
    uint64_t count{0};                  //!< flows of the run
    uint64_t unfinished{0};             //!< flows that did not finish; not in the statistics
    FlowTimes completion;               //!< first bit sent to last byte received
    FlowRatios slowdown;                //!< completion time / that on an empty network
    std::vector<FlowSizeRecord> bySize; //!< the same for each range of sizes that has flows
};

/** \ingroup fabric \brief Frames that the links of one fabric carried, each link by itself. */
struct FabricSummary
{
    std::string name;              //!< "ethernet", "nvlink"
    uint64_t dataPacketHops{0};    //!< data packets, repeated ones included, times links crossed
    uint64_t ackPacketHops{0};     //!< ACK and NAK packets times links crossed
    uint64_t controlPacketHops{0}; //!< CNP and PFC frames times links crossed
    uint64_t wireBytes{0};         //!< bytes on the wire of all of them
};

/** \ingroup fabric \brief Counters over the whole network, NVLink included. */
struct NetworkSummary
{
    uint64_t packets{0};               //!< packets of any kind sent by end points
    uint64_t packetHops{0};            //!< packets times links crossed
    uint64_t payloadBytesDelivered{0}; //!< payload delivered in order, once each
    uint64_t payloadBytesOffloaded{0}; //!< of these, sums and copies that switches made
    uint64_t drops{0};                 //!< packets that found no room in a buffer
    uint64_t linkLosses{0};            //!< packets lost on the wire
    uint64_t linkCorruptions{0};       //!< of these, packets that arrived with wrong bits
    uint64_t ecnMarks{0};              //!< packets marked
    uint64_t cnps{0};                  //!< congestion notification packets sent
    uint64_t pfcPauses{0};             //!< PAUSE frames sent
    uint64_t pfcResumes{0};            //!< RESUME frames sent
    uint64_t retransmittedPackets{0};  //!< data packets sent again
    uint64_t timeouts{0};              //!< retransmission timers that expired
    std::vector<FabricSummary> fabrics; //!< of each fabric
};

/** \ingroup fabric \brief Where the kernel times came from: number of look-ups. */
struct KernelTableSummary
{
    uint64_t exact{0};        //!< a row of the table
    uint64_t interpolated{0}; //!< between rows
    uint64_t roofline{0};     //!< no row near: a roofline estimate
};

/** \ingroup fabric \brief A key of a configuration file, and what came of it. */
struct ConfigurationKey
{
    std::string key;     //!< the key
    std::string value;   //!< its value as it stands in the file
    uint64_t line{0};    //!< its line, counted from 1
    std::string effect;  //!< attribute or option that it sets, empty if none
    std::string ignored; //!< why it changed nothing, empty if it did
};

/** \ingroup fabric \brief All that depends on the day, the machine or the event engine. */
struct EngineSummary
{
    std::string name;         //!< TypeId of the simulator implementation
    uint64_t events{0};       //!< events executed
    double wallSeconds{0.0};  //!< wall-clock time of the simulation
    uint64_t peakRssBytes{0}; //!< peak resident memory of the process
    std::string date;         //!< UTC, ISO 8601
    std::string host;         //!< name of the machine

    /** Fills peakRssBytes, date and host from the operating system. */
    void FillFromHost();
};

/** \ingroup fabric \brief The summary of a run. */
struct RunSummary
{
    RunVerdict verdict{RunVerdict::UNFINISHED};             //!< whether all work was done
    Time simulatedTime;                                     //!< instant at which the run ended
    uint64_t iterations{0};                                 //!< iterations completed
    Time iterationTime;                                     //!< mean duration, 0 without iterations
    std::vector<TimePart> breakdown;                        //!< adds up to iterationTime
    std::string breakdownOf;                                //!< whose: "rank 0", "mean over ranks"
    Time computeStretch;                                    //!< of its compute, what kernels took
                                                            //!< longer as communication held SMs
    std::vector<CommunicationSummary> communication;        //!< by kind, per iteration
    std::vector<CollectiveSummary> collectives;             //!< in order of first completion
    FlowSummary flows;                                      //!< of a run of flows, else empty
    NetworkSummary network;                                 //!< counters
    KernelTableSummary kernelTable;                         //!< look-ups
    std::vector<std::pair<std::string, std::string>> input; //!< option and value in effect
    std::vector<ConfigurationKey> configuration;            //!< keys of a configuration file
    uint64_t seed{0};                                       //!< seed of all randomness
    std::string revision;                                   //!< git revision of the product
    std::vector<std::string> unfinished;                    //!< who waits for what
    std::vector<std::string> warnings;                      //!< what the user should look at
    std::vector<std::string> notes;                         //!< what the user may want to know
    std::vector<std::pair<std::string, uint64_t>> tables;   //!< rows of each result table
    EngineSummary engine;                                   //!< not to be compared between runs

    /**
     * Throws std::logic_error where the summary contradicts itself: parts of the breakdown that do
     * not add up or have the same name, something unfinished in a finished run, or a number that is
     * not finite.
     */
    void Check() const;
};

/**
 * \ingroup fabric
 * \return the git revision that the library was built from, with "-dirty" if files had been
 * changed, or "unknown"
 */
std::string GetRevision();

} // namespace ns3

#endif /* RESULT_SUMMARY_H */
