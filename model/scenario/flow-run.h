/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_RUN_H
#define FLOW_RUN_H

#include "flow-list.h"
#include "hpcc-output.h"
#include "port-finder.h"
#include "scenario-run.h"

#include "ns3/flow-statistics.h"
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
    std::vector<PortName> pcapPorts;          //!< ports whose frames go to pcap files
    HpccOutputOptions hpccOutput;             //!< output files in HPCC's formats
    /** Sizes at which ranges of table flow_sizes end, bytes. */
    std::vector<uint64_t> sizeLimits{FlowStatistics::GetDefaultLimits()};
};

/**
 * \ingroup railyard
 * \brief One run of the flows of a file on a packet-level cluster: from files to results.
 *
 * Every flow is one message on a queue pair and UDP port of its own, posted at its start time. Its
 * completion time is from the first bit that leaves the sender to the last payload byte that
 * reaches the receiver; its ideal is that on an empty network without congestion control
 * (RoceMessageTransport::GetIdealTime()). A flow and its acknowledgements travel in the traffic
 * class that its column priority names, and it runs until all of its bytes are acknowledged: stop
 * times of ns3-rdma's files are not obeyed.
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

    /**
     * Makes messages flows, as files and studies of flows mean them.
     * \param defaults gets the attributes
     */
    static void SetFlowAttributes(ScopedDefaults& defaults);

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
    // From MessageEndpoint.
    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;

    /** Reads the flow file, or draws the flows. */
    void MakeList();
    /** Lets flows travel in the classes that they name. */
    void SetPriorities();
    /** Makes the files that were asked for beside those of every run. */
    void AddFiles();
    /** Makes HPCC's file of completion times. */
    void AddFctFile();
    /** \return the flows as HPCC's file of completion times names them */
    std::vector<HpccFlow> MakeHpccFlows() const;
    /** \param rank posts its flows that are due, and comes back for the next */
    void StartFlows(uint32_t rank);
    /** \param flow number of a flow, recorded if it has ended at both ends by now */
    void EndFlow(uint32_t flow);
    /** \param flow number of a flow \return what is known of it */
    FlowRecord MakeRecord(uint32_t flow) const;
    /** \param flow a flow over NICs \return what its channel has done */
    RoceChannelState GetState(const RunFlow& flow) const;
    /** \param flow number of a flow that did not finish \return a line that says why */
    std::string DescribeUnfinished(uint32_t flow) const;
    /** \return lines that say why flows did not finish, as many as a person reads */
    std::vector<std::string> DescribeAllUnfinished() const;

    FlowRunOptions m_options;        //!< what to simulate
    std::unique_ptr<FlowList> m_list; //!< the flows
    std::vector<uint32_t> m_next;    //!< by sender: first flow not started
    std::vector<std::string> m_notes; //!< for the summary
    bool m_cutThrough{false};        //!< some switch does not store and forward
    uint32_t m_finished{0};          //!< flows that ended at both ends
    FlowStatistics m_statistics;     //!< of these
    std::unique_ptr<HpccOutput> m_hpccOutput; //!< output files in HPCC's formats
};

} // namespace ns3

#endif /* FLOW_RUN_H */
