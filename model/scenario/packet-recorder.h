/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACKET_RECORDER_H
#define PACKET_RECORDER_H

#include "packet-network.h"

#include "ns3/result-sink.h"

#include <string>

namespace ns3
{

/** \ingroup railyard \brief Records what a network of packets tells. */
class PacketRecorder
{
  public:
    /** \param network the network \param sink where to record; both must outlive the simulation */
    PacketRecorder(const PacketNetwork& network, ResultSink& sink);

    /** Records PAUSE and RESUME frames and PFC storms of switches as they happen. */
    void TracePauses() const;

    /** Records links and ports, at the end. */
    void RecordLinks() const;

  private:
    /** \param device a device whose ports are recorded \param kind "ethernet" or "nvlink" */
    void RecordPorts(const FabricDevice& device, const std::string& kind) const;

    const PacketNetwork& m_network; //!< the network
    ResultSink& m_sink;             //!< where to record
};

} // namespace ns3

#endif /* PACKET_RECORDER_H */
