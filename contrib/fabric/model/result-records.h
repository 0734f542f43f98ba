/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_RECORDS_H
#define RESULT_RECORDS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>

/**
 * \file
 * \ingroup fabric
 * What a run records, as plain data: one struct is one row of a result table. The columns that are
 * written, with units and meaning, stand in result-schema.cc and doc/formats.
 *
 * A time is an instant of the simulation unless its comment says duration. An id of -1 means "none"
 * and is written as NULL.
 */

namespace ns3
{

/** \ingroup fabric \brief A node of the simulated cluster; recorded before everything else. */
struct NodeRecord
{
    uint32_t node{0};   //!< node id
    std::string kind;   //!< "gpu", "nvswitch", "pcie" or "switch"
    std::string name;   //!< what a person calls it
    int32_t server{-1}; //!< server it stands in, -1 for network switches
    int32_t rank{-1};   //!< rank that runs on it, -1 for switches and idle GPUs
};

/** \ingroup fabric \brief How a rank spent the run; one per rank, at the end. */
struct RankRecord
{
    uint32_t rank{0};          //!< rank
    bool finished{false};      //!< true if it did all its work
    Time end;                  //!< when its last work ended (so far, if not finished)
    Time compute;              //!< duration of its compute
    Time computeStretch;       //!< of it, what kernels took longer as communication held SMs
    Time exposedCommunication; //!< duration in which it waited for communication alone
    Time idle;                 //!< duration in which it had nothing to do (pipeline bubble, end)
};

/** \ingroup fabric \brief One part of a rank's time by category, e.g. exposed "tp" communication.
 */
struct RankPartRecord
{
    uint32_t rank{0}; //!< rank
    std::string part; //!< category
    Time duration;    //!< time spent in it
};

/** \ingroup fabric \brief A collective operation of one group; recorded when it ends. */
struct CollectiveRecord
{
    uint64_t id{0};          //!< unique in the run
    std::string kind;        //!< "AllReduce", "AllGather", ...
    std::string group;       //!< what the group is for: "TP", "DP", ...
    uint32_t groupIndex{0};  //!< which of the groups with that purpose
    uint32_t ranks{0};       //!< size of the group
    std::string algorithm;   //!< "Ring", "Tree", ..., empty if there was nothing to move
    std::string protocol;    //!< "LL", "Simple", ..., empty if kernels cost nothing
    uint64_t bytes{0};       //!< size as nccl-tests counts it: the whole buffer of one rank
    double busFactor{1.0};   //!< busbw / algbw, e.g. 2(n-1)/n for AllReduce (nccl-tests)
    std::string label;       //!< operation of the workload it belongs to, may be empty
    int64_t iteration{-1};   //!< iteration, counted from 0, -1 for none
    Time start;              //!< the first rank entered
    Time lastStart;          //!< the last rank entered
    std::optional<Time> end; //!< the last rank left; absent if it did not finish

    /** \return bytes / (end - start) in GB/s (1e9); 0 if unfinished or instantaneous */
    double GetAlgbwGBps() const;
    /** \return algbw times busFactor, GB/s (1e9) */
    double GetBusbwGBps() const;
};

/** \ingroup fabric \brief A row of a benchmark of collectives, as nccl-tests has them. */
struct CollectiveBenchRecord
{
    std::string kind;           //!< "AllReduce", "AllGather", ...
    std::string algorithm;      //!< "Ring", "Tree", ..., empty if there was nothing to move
    std::string protocol;       //!< "LL", "Simple", ..., empty if kernels cost nothing
    uint32_t ranks{0};          //!< size of the group
    uint64_t bytes{0};          //!< size: the larger of what a rank gives and what it gets
    uint64_t elements{0};       //!< count as the call has it
    std::string type;           //!< type of an element: "float", "half", ...
    std::string operation;      //!< "sum", ..., "none" where nothing is reduced
    int64_t root{-1};           //!< root, -1 for none
    uint32_t warmUps{0};        //!< iterations before that were not timed
    uint32_t iterations{0};     //!< timed iterations, one behind the other
    double busFactor{1.0};      //!< busbw / algbw (nccl-tests)
    Time start;                 //!< all ranks entered the first timed iteration
    Time end;                   //!< the last rank left the last one
    std::optional<uint64_t> wrong; //!< elements not proven right; absent if nothing was proven

    /** \return duration of an iteration, the mean */
    Time GetTime() const;
    /** \return bytes of an iteration / its mean duration in GB/s (1e9); 0 if instantaneous */
    double GetAlgbwGBps() const;
    /** \return algbw times busFactor, GB/s (1e9) */
    double GetBusbwGBps() const;
};

/** \ingroup fabric \brief A message from rank to rank; recorded when it ends, or at the stop. */
struct FlowRecord
{
    uint64_t id{0};                   //!< unique in the run
    uint32_t src{0};                  //!< sending rank
    uint32_t dst{0};                  //!< receiving rank
    uint64_t bytes{0};                //!< payload
    uint64_t deliveredBytes{0};       //!< payload that reached the receiver in order, once each
    Time start;                       //!< the first bit leaves the sender
    std::optional<Time> end;          //!< the receiver has the last byte; absent if unfinished
    std::optional<Time> senderEnd;    //!< the sender has the last ACK; absent if unfinished
    int64_t collective{-1};           //!< CollectiveRecord::id, -1 for none
    int32_t step{-1};                 //!< step of the collective's plan, -1 for none
    uint32_t channel{0};              //!< channel of the collective, or queue pair
    std::string path;                 //!< "nvlink", "nvls", "collnet", "nic" or "pxn"
    std::optional<Time> ideal;        //!< duration on an empty network; absent if not computed
    uint64_t retransmittedPackets{0}; //!< data packets sent again

    /** \return whether switches add up or copy it for a team: rows are not what arrives */
    bool IsOfTeam() const;

    /** \return (end - start) / ideal; 0 if unfinished or the ideal duration is absent or zero */
    double GetSlowdown() const;
};

/** \ingroup fabric \brief Something a rank did on one stream: a bar of the timeline. */
struct SpanRecord
{
    uint32_t rank{0};       //!< rank
    std::string stream;     //!< "compute", "tp", "dp", ...
    std::string name;       //!< operation
    std::string category;   //!< "compute", "collective", "p2p", ...
    Time start;             //!< begin
    Time end;               //!< end, never before start
    int64_t collective{-1}; //!< CollectiveRecord::id, -1 for none
    uint64_t bytes{0};      //!< bytes moved, 0 for compute
    int64_t iteration{-1};  //!< iteration, counted from 0, -1 for none
};

/** \ingroup fabric \brief One direction of a link: what left through a port; at the end. */
struct LinkRecord
{
    uint32_t node{0};             //!< sending node
    uint32_t port{0};             //!< its port
    uint32_t peer{0};             //!< receiving node
    uint32_t peerPort{0};         //!< port of the receiving node
    std::string kind;             //!< "ethernet" or "nvlink"
    DataRate rate;                //!< bit rate
    Time window;                  //!< duration over which was counted
    uint64_t dataPackets{0};      //!< data packets, repeated ones included
    uint64_t payloadBytes{0};     //!< payload in them
    uint64_t dataWireBytes{0};    //!< their bytes on the wire
    uint64_t ackPackets{0};       //!< ACK and NAK packets
    uint64_t ackWireBytes{0};     //!< their bytes on the wire
    uint64_t controlPackets{0};   //!< CNP and PFC frames
    uint64_t controlWireBytes{0}; //!< their bytes on the wire
    uint64_t ecnMarks{0};         //!< packets marked on their way out
    uint64_t drops{0};            //!< packets that found no room before this port
    uint64_t losses{0};           //!< packets lost on the wire
    Time paused;                  //!< duration in which at least one priority was paused
    uint64_t corruptions{0};      //!< of the packets lost, those that arrived with wrong bits
    bool isShared{true};          //!< what passes waits for each other; else it may exceed the rate

    /** \return all bytes on the wire */
    uint64_t GetWireBytes() const;
    /** \return wire bits / (rate * window); 0 for an empty window, absent if not shared */
    std::optional<double> GetUtilisation() const;
    /** \return wire bits / (rate * window); 0 for an empty window */
    double GetLoad() const;
};

/** \ingroup fabric \brief One priority of one port that saw anything: totals at the end. */
struct PortRecord
{
    uint32_t node{0};             //!< node
    uint32_t port{0};             //!< port
    uint32_t priority{0};         //!< priority
    uint64_t pausesSent{0};       //!< PAUSE frames sent to the neighbour, refreshes included
    uint64_t resumesSent{0};      //!< RESUME frames sent to the neighbour
    uint64_t pausesReceived{0};   //!< PAUSE frames received, refreshes included
    uint64_t resumesReceived{0};  //!< RESUME frames received
    Time paused;                  //!< duration in which the neighbour's PAUSE held it
    Time longestPause;            //!< the longest of these durations
    bool pausedAtEnd{false};      //!< held when the run ended, no RESUME sent
    uint64_t maxQueueBytes{0};    //!< the deepest egress queue, 0 if every packet left at once
    uint64_t ecnMarks{0};         //!< packets marked
    uint64_t droppedPackets{0};   //!< packets that found no room
    uint64_t watchdogDiscards{0}; //!< packets that a PFC watchdog discarded
};

/** \ingroup fabric \brief A PAUSE or RESUME frame, at the node that sends it. */
struct PauseRecord
{
    Time time;            //!< when it was sent
    uint32_t node{0};     //!< sender
    uint32_t port{0};     //!< port it leaves through
    uint32_t priority{0}; //!< priority it speaks of
    bool pause{true};     //!< true for PAUSE, false for RESUME
};

/** \ingroup fabric \brief What a time series shows; recorded before the first sample of it. */
struct MetricRecord
{
    std::string name;    //!< "queue", "rate", ...
    std::string object;  //!< whose value it is: "port", "class of a port" or "queue pair"
    std::string unit;    //!< unit of the values, empty for ratios and flags
    std::string meaning; //!< one line
};

/** \ingroup fabric \brief A sample of a time series: some value changed. */
struct SeriesRecord
{
    Time time;                           //!< when
    const MetricRecord* metric{nullptr}; //!< what it is a sample of, lives as long as the program
    uint32_t node{0};                    //!< node of the port, or of the sending queue pair
    int64_t port{-1};                    //!< port, -1 for none
    int32_t priority{-1};                //!< class, -1 for all of the port, or none
    int64_t peer{-1};                    //!< receiving node of a queue pair, -1 for none
    int64_t channel{-1};                 //!< which of the queue pairs to that node, -1 for none
    double value{0.0};                   //!< in the unit of the metric; exact below 2^53
};

/** \ingroup fabric \brief Something worth a line: a link went down, a rank got stuck, ... */
struct EventRecord
{
    Time time;        //!< when
    std::string kind; //!< short word for filters: "link-down", ...
    std::string text; //!< the whole story, one line
};

/** \ingroup fabric \brief Mean and exact quantiles of a time; quantiles by nearest rank. */
struct FlowTimes
{
    Time mean; //!< arithmetic mean, rounded down to a tick
    Time p50;  //!< median
    Time p90;  //!< 90 % take this or less
    Time p95;  //!< 95 % take this or less
    Time p99;  //!< 99 % take this or less
    Time p999; //!< 99.9 % take this or less
    Time max;  //!< the longest
};

/** \ingroup fabric \brief Mean and exact quantiles of a ratio; quantiles by nearest rank. */
struct FlowRatios
{
    double mean{0.0}; //!< arithmetic mean
    double p50{0.0};  //!< median
    double p90{0.0};  //!< 90 % have this or less
    double p95{0.0};  //!< 95 % have this or less
    double p99{0.0};  //!< 99 % have this or less
    double p999{0.0}; //!< 99.9 % have this or less
    double max{0.0};  //!< the largest
};

/** \ingroup fabric \brief How long the flows of some sizes took; at the end. */
struct FlowSizeRecord
{
    uint64_t fromBytes{0};           //!< least size
    std::optional<uint64_t> toBytes; //!< the sizes end below this; absent: there is no limit
    uint64_t flows{0};               //!< flows that finished, at least one
    FlowTimes completion;            //!< first bit sent to last byte received
    uint64_t slowdowns{0};           //!< of them: flows whose slowdown is known
    FlowRatios slowdown;             //!< completion time / that on an empty network
};

/** \ingroup fabric \brief A bar of a histogram; those of a quantity and port go upwards. */
struct HistogramRecord
{
    std::string quantity;          //!< "fct", "slowdown" or "depth"
    int64_t node{-1};              //!< node, -1 for none
    int64_t port{-1};              //!< port, -1 for none
    double lower{0.0};             //!< least value, in ns, as a ratio or in bytes
    double upper{0.0};             //!< values are below this
    std::optional<uint64_t> flows; //!< number of flows with such a value
    std::optional<Time> duration;  //!< time during which there was such a value
};

} // namespace ns3

#endif /* RESULT_RECORDS_H */
