/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FLOW_LIST_H
#define FLOW_LIST_H

#include "cluster.h"

#include "ns3/flow-file.h"
#include "ns3/topology.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief A flow of a run. */
struct RunFlow
{
    FlowEntry entry;               //!< as in the file, with its node ids
    uint32_t src{0};               //!< sending rank
    uint32_t dst{0};               //!< receiving rank
    uint32_t channel{0};           //!< number of its connection among those of the pair
    std::optional<Time> end;       //!< the last byte arrived
    std::optional<Time> senderEnd; //!< the last ACK arrived

    /** \return whether it ended at both ends */
    bool HasEnded() const
    {
        return end && senderEnd;
    }
};

/** \ingroup railyard \brief The flows of a file, checked against a topology. */
class FlowList
{
  public:
    /**
     * \param source the file; a ConfigError if it is wrong, or a flow takes longer than simulated
     * time can hold
     * \param topology whose hosts the flows join
     * \param packetBytes payload of a packet, for the form that counts packets
     */
    FlowList(const std::string& source, const Topology& topology, uint64_t packetBytes);

    /**
     * \param source what messages call the file
     * \param topology whose hosts the flows join
     * \param file the flows, with node ids of the topology file
     */
    FlowList(const std::string& source, const Topology& topology, FlowFile file);

    /** \param topology a topology \return ids that its file gives to its hosts, in order */
    static std::vector<uint32_t> GetHosts(const Topology& topology);

    /** \return what the file says */
    const FlowFile& GetFile() const
    {
        return m_file;
    }

    /** \return its columns */
    FlowFileForm GetForm() const
    {
        return m_file.form;
    }

    /** \return the flows, in the order of the file */
    std::vector<RunFlow>& GetFlows()
    {
        return m_flows;
    }

    /** \copydoc GetFlows */
    const std::vector<RunFlow>& GetFlows() const
    {
        return m_flows;
    }

    /** \param rank a sender \return its flows, by start time */
    const std::vector<uint32_t>& GetFlowsOf(uint32_t rank) const
    {
        return m_byRank[rank];
    }

    /** \return number of hosts */
    uint32_t GetRankCount() const
    {
        return m_byRank.size();
    }

    /** \return payload of all flows */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** Refuses flows between hosts that no path joins. \param cluster the hosts */
    void RequirePaths(const Cluster& cluster) const;

    /**
     * Lets every flow over NICs travel in the class that its column priority names, and its
     * acknowledgements with it. A ConfigError names a class to which NICs give no DSCP.
     * \param cluster the hosts, before the first flow
     */
    void SetPriorities(const Cluster& cluster) const;

    /**
     * \param cluster the hosts
     * \return a line if NICs were given a class, which no flow takes; empty if not
     */
    std::string GetPriorityWarning(const Cluster& cluster) const;

    /** \return what the user should know of the flows, one line each */
    std::vector<std::string> GetNotes() const;

  private:
    /** Numbers the flows of each pair: a number is one connection, which has one class. */
    void AssignChannels();
    /** \param links of the topology; a ConfigError if a flow takes longer than time can hold */
    void RequireRepresentableTimes(const std::vector<TopologyLink>& links) const;

    std::string m_source;                        //!< the file
    std::string m_topology;                      //!< what messages call that of the hosts
    FlowFile m_file;                             //!< what it says
    std::vector<RunFlow> m_flows;                //!< in the order of the file
    std::vector<std::vector<uint32_t>> m_byRank; //!< flows of each sender, by start time
    uint64_t m_bytes{0};                         //!< payload of all flows
};

} // namespace ns3

#endif /* FLOW_LIST_H */
