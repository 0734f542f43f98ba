/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CLUSTER_RECORDER_H
#define CLUSTER_RECORDER_H

#include "cluster.h"

#include "ns3/result-sink.h"

#include <string>

namespace ns3
{

/** \ingroup railyard \brief Records what every run tells of its cluster. */
class ClusterRecorder
{
  public:
    /** \param cluster the cluster \param sink where to record; both must outlive the simulation */
    ClusterRecorder(const Cluster& cluster, ResultSink& sink);

    /** Records nodes. \param ranks ranks that run, on GPUs 0 to ranks - 1 */
    void RecordNodes(uint32_t ranks) const;

  private:
    const Cluster& m_cluster; //!< the cluster
    ResultSink& m_sink;       //!< where to record
};

} // namespace ns3

#endif /* CLUSTER_RECORDER_H */
