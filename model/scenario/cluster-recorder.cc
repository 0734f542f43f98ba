/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cluster-recorder.h"

namespace ns3
{

ClusterRecorder::ClusterRecorder(const Cluster& cluster, ResultSink& sink)
    : m_cluster(cluster),
      m_sink(sink)
{
}

void
ClusterRecorder::RecordNodes(uint32_t ranks) const
{
    const Topology& topology = m_cluster.GetTopology();
    for (uint32_t id = 0; id < topology.nodes.size(); id++)
    {
        const TopologyNode& node = topology.nodes[id];
        const bool gpu = node.kind == TopologyNodeKind::GPU;
        NodeRecord record;
        record.node = id;
        record.kind = GetTopologyNodeKindName(node.kind);
        record.name = topology.GetNodeName(id);
        record.server = node.server;
        record.rank = gpu && id < ranks ? static_cast<int32_t>(id) : -1;
        m_sink.Record(record);
    }
}

} // namespace ns3
