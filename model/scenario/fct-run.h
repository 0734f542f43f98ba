/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FCT_RUN_H
#define FCT_RUN_H

#include "cluster.h"

#include "ns3/flow-file.h"
#include "ns3/nstime.h"
#include "ns3/poisson-traffic.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief What an FctRun simulates and what it measures. */
struct FctRunOptions
{
    Topology topology;               //!< the network, a dumbbell
    Ptr<PoissonTraffic> traffic;     //!< flows; its Start and Duration are those of the arrivals
    Time warmUp;                     //!< flows that start before are not measured
    uint64_t smallFlowBytes{100000}; //!< flows below this size are measured
    Time queueInterval;              //!< time between two samples of the bottleneck's queue
};

/** \ingroup railyard \brief What an FctRun measured. */
struct FctRunResult
{
    std::vector<Time> completions;    //!< of the measured flows, ascending
    std::vector<uint64_t> queueBytes; //!< samples of the bottleneck's queue, ascending
    uint64_t flows{0};                //!< flows that were started
    uint64_t unfinished{0};           //!< measured flows that did not complete
    uint64_t mostActive{0};           //!< most flows under way at a time
    NetworkSummary network;           //!< counters
    double wallSeconds{0};            //!< wall time of the simulation
};

/**
 * \ingroup railyard
 * \brief Completion times of small flows among Poisson traffic across a dumbbell, without files.
 *
 * A completion time is from the posting of a flow, so that it includes the wait for the sender's
 * NIC, to the arrival of its last payload byte; the way of the acknowledgement back is not in it.
 * Every flow has a queue pair of its own. The bottleneck is the port of the first switch to the
 * second. The run ends when arrivals have ended and all measured flows have completed.
 */
class FctRun : private MessageEndpoint
{
  public:
    /** \param options what to simulate; a ConfigError if it cannot be built or drawn */
    explicit FctRun(const FctRunOptions& options);
    ~FctRun() override;
    FctRun(const FctRun&) = delete;
    FctRun& operator=(const FctRun&) = delete;

    /** \return what was measured; to be called once */
    FctRunResult Run();

  private:
    // From MessageEndpoint.
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    /** Draws the flows. */
    void DrawFlows();
    /** \return the port of the first switch to the second; a ConfigError if there is none */
    FabricPort& FindBottleneck();
    /** Posts the flows that are due, and comes back for the next. */
    void StartFlows();
    /** Takes a sample of the queue, and comes back for the next. */
    void SampleQueue();
    /** Ends the simulation if nothing is left to be measured. */
    void StopIfDone();

    FctRunOptions m_options;            //!< what to simulate
    std::unique_ptr<Cluster> m_cluster; //!< the network
    FabricPort* m_bottleneck{nullptr};  //!< whose queue is sampled
    std::vector<FlowEntry> m_flows;     //!< by start time
    std::vector<uint32_t> m_channels;   //!< by flow: number among those of its pair
    std::size_t m_next{0};              //!< first flow not started
    uint64_t m_active{0};               //!< flows under way
    uint64_t m_pending{0};              //!< measured flows that have not completed
    FctRunResult m_result;              //!< what was measured so far
};

} // namespace ns3

#endif /* FCT_RUN_H */
