/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_RUN_H
#define FLOW_RUN_H

#include "flow-taps.h"
#include "scenario-run.h"

#include "ns3/flow-file.h"
#include "ns3/hpcc-config.h"
#include "ns3/poisson-traffic.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Which flows are to be simulated on what, and where the results go. */
struct FlowRunOptions : ScenarioRunOptions
{
    std::string flows;                        //!< flow file
    Ptr<PoissonTraffic> traffic;              //!< instead of a flow file, if there is one
    std::optional<HpccConfig> config;         //!< thresholds and loss rate of links
    std::optional<Time> queueInterval;        //!< record queues: see QueueRecorder; none: do not
    std::vector<FlowRunPort> pcapPorts;       //!< ports whose frames go to pcap files
};

/**
 * \ingroup railyard
 * \brief One run of the flows of a file on a packet-level cluster: from files to results.
 *
 * Every flow is one message on a queue pair and UDP port of its own, posted at its start time. Its
 * completion time is from the first bit that leaves the sender to the last payload byte that
 * reaches the receiver; its ideal is that on an empty network without congestion control
 * (RoceMessageTransport::GetIdealTime()). All flows share the traffic class of the NICs, and run
 * until all of their bytes are acknowledged: stop times of ns3-rdma's files are not obeyed.
 *
 * Node ids of a flow file are those of the topology file. In the results hosts are numbered from 0
 * in the order of their ids.
 *
 * \code
 *   FlowRunOptions options;
 *   options.topology = "fat.txt";
 *   options.flows = "flow.txt";
 *   options.results.path = "out";
 *   RunSummary summary = FlowRun(options).Run();
 * \endcode
 *
 * Flows of generated traffic are written to flows.txt in the result folder: as flow file of another
 * run they give the same results.
 *
 * Everything is read and checked by the constructor; a ConfigError leaves nothing behind.
 */
class FlowRun : public ScenarioRun, private MessageEndpoint
{
  public:
    /** \param options what to simulate */
    explicit FlowRun(const FlowRunOptions& options);
    ~FlowRun() override;

    /** \return the flow file that the product ships: 7-to-1 incast on a star of 8 hosts */
    static std::string GetShippedFlows();

  protected:
    // From ScenarioRun.
    uint32_t GetRankCount() const override;
    void Start() override;
    double GetFractionDone() const override;
    void RecordEnd() override;
    void Complete(RunSummary& summary) const override;

  private:
    /** A flow. */
    struct Flow
    {
        FlowEntry entry;               //!< as in the file, with its node ids
        uint32_t src{0};               //!< sending rank
        uint32_t dst{0};               //!< receiving rank
        uint32_t channel{0};           //!< number among the flows of the pair
        std::optional<Time> end;       //!< the last byte arrived
        std::optional<Time> senderEnd; //!< the last ACK arrived

        /** \return whether it ended at both ends */
        bool HasEnded() const
        {
            return end && senderEnd;
        }
    };

    // From MessageEndpoint.
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    /** Reads the flow file, or draws the flows. */
    void LoadFlows();
    /** \return the flows of the options, with node ids of the topology file */
    FlowFile MakeFlows();
    /** Refuses flows between hosts that no path joins. */
    void CheckPaths() const;
    /** \param file the flows; a ConfigError if one takes longer than simulated time can hold */
    void RequireRepresentableTimes(const FlowFile& file) const;
    /** Adds what the user should know of the flows to the notes. \param file the flows */
    void NoteFlows(const FlowFile& file);
    /** Makes the taps that were asked for. */
    void AddTaps();
    /** \param rank posts its flows that are due, and comes back for the next */
    void StartFlows(uint32_t rank);
    /** \param flow number of a flow, recorded if it has ended at both ends by now */
    void EndFlow(uint32_t flow);
    /** \param flow number of a flow \return what is known of it */
    FlowRecord MakeRecord(uint32_t flow) const;
    /** \param flow a flow over NICs \return what its channel has done */
    RoceChannelState GetState(const Flow& flow) const;
    /** \param flow number of a flow that did not finish \return a line that says why */
    std::string DescribeUnfinished(uint32_t flow) const;
    /** \param summary gets the statistics of the flows that finished */
    void AddStatistics(RunSummary& summary) const;

    FlowRunOptions m_options;                    //!< what to simulate
    FlowFile m_drawn;                            //!< of traffic, until they are written
    std::vector<uint32_t> m_nodes;               //!< node by id of the topology file
    std::vector<Flow> m_flows;                   //!< in the order of the file
    std::vector<std::vector<uint32_t>> m_byRank; //!< flows of each sender, by start time
    std::vector<uint32_t> m_next;                //!< by sender: first flow not started
    std::vector<std::string> m_notes;            //!< for the summary
    uint64_t m_bytes{0};                         //!< payload of all flows
    bool m_cutThrough{false};                    //!< some switch does not store and forward
    uint32_t m_finished{0};                      //!< flows that ended at both ends
    std::unique_ptr<FlowTaps> m_taps;            //!< queues and pcap
};

} // namespace ns3

#endif /* FLOW_RUN_H */
