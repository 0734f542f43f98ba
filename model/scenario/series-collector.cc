/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "series-collector.h"

#include "ns3/object-factory.h"
#include "ns3/roce-queue-pair.h"

#include <algorithm>

namespace ns3
{

SeriesCollector::SeriesCollector(Cluster& cluster, const SeriesOptions& options)
    : m_cluster(cluster),
      m_options(options)
{
    const PortFinder finder(cluster);
    if (options.ports.empty())
    {
        m_ports = finder.GetPorts(options.allPorts);
    }
    for (const PortName& name : options.ports)
    {
        for (FabricPort* port : finder.Find(name))
        {
            if (std::find(m_ports.begin(), m_ports.end(), port) == m_ports.end())
            {
                m_ports.push_back(port); // GPUs may share it
            }
        }
    }
    for (const auto& [src, dst] : options.pairs)
    {
        m_pairs.emplace_back(finder.FindNode(TextValue("command line", "--seriesPairs", src)),
                             finder.FindNode(TextValue("command line", "--seriesPairs", dst)));
    }
}

SeriesCollector::~SeriesCollector() = default;

void
SeriesCollector::Start(ResultSink& sink, PortTaps& taps)
{
    const PortFinder finder(m_cluster);
    for (const TypeId& type : m_options.recorders)
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        const auto recorder = factory.Create<SeriesRecorder>();
        m_recorders.push_back(recorder);
        recorder->Start(sink, m_options.interval);
        if (const auto ofPorts = DynamicCast<PortSeriesRecorder>(recorder))
        {
            for (FabricPort* port : m_ports)
            {
                taps.Add(*port, ofPorts->MakeTap(finder.GetNode(*port), *port));
            }
        }
        else if (const auto ofPairs = DynamicCast<QueuePairSeriesRecorder>(recorder))
        {
            m_pairRecorders.push_back(ofPairs);
        }
    }
    if (m_pairRecorders.empty())
    {
        return;
    }
    const auto& nics = m_cluster.GetRoceFabric().nics;
    for (std::size_t i = 0; i < nics.size(); i++)
    {
        const auto& nic = nics[i];
        if (nic && nic->GetRank() == i) // one that is shared is connected once
        {
            nic->TraceConnectWithoutContext("QueuePairStart",
                                            MakeCallback(&SeriesCollector::QueuePairStarts, this));
        }
    }
}

bool
SeriesCollector::IsWanted(const RoceQueuePair& qp) const
{
    const std::pair pair{qp.parameters.localRank, qp.parameters.peerRank};
    return m_pairs.empty() || std::find(m_pairs.begin(), m_pairs.end(), pair) != m_pairs.end();
}

void
SeriesCollector::QueuePairStarts(const RoceQueuePair& qp)
{
    if (!IsWanted(qp))
    {
        return;
    }
    SeriesRecord object;
    object.node = qp.parameters.localRank;
    object.peer = qp.parameters.peerRank;
    object.channel = qp.parameters.channel;
    for (const auto& recorder : m_pairRecorders)
    {
        recorder->Add(*qp.congestionControl, object);
    }
}

void
SeriesCollector::Finish()
{
    for (const auto& recorder : m_recorders)
    {
        recorder->Finish();
    }
}

} // namespace ns3
