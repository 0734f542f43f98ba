/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef QUEUE_RECORDER_H
#define QUEUE_RECORDER_H

#include "ns3/fabric-port.h"
#include "ns3/result-sink.h"

#include <array>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Records how deep the egress queues of a port are, at the departures of its frames.
 *
 * A queue only shrinks by a departure, so its length right before one, the departing frame
 * included, is its greatest since the one before: no peak is missed, and nothing is polled. A
 * queue that empties is recorded as 0. A frame that leaves at once, with nothing before or behind
 * it, is no queue. MAC control frames are left out.
 */
class QueueRecorder : public FabricTap
{
  public:
    /**
     * \param sink where to record, must outlive the recorder
     * \param node node of the records
     * \param port the port, to be tapped by this object
     * \param interval of each queue the deepest sample in every such interval is recorded, and when
     * it emptied; 0: every sample
     */
    QueueRecorder(ResultSink& sink, uint32_t node, const FabricPort& port, Time interval);
    /** Records what is still held back. */
    ~QueueRecorder() override;
    QueueRecorder(const QueueRecorder&) = delete;
    QueueRecorder& operator=(const QueueRecorder&) = delete;

    // From FabricTap.
    void FrameSent(const FabricPacket& packet, uint64_t when) override;
    void FrameReceived(const FabricPacket& packet, uint64_t when) override;

  private:
    /** A sample of a queue. */
    struct Sample
    {
        uint64_t when{0};  //!< ticks
        uint64_t bytes{0}; //!< bytes in the queue
    };

    /** What is known of one queue. */
    struct Queue
    {
        bool waiting{false}; //!< frames were left behind by the last departure
        bool held{false};    //!< there are samples not recorded yet
        uint64_t index{0};   //!< interval that they lie in
        Sample deepest;      //!< the deepest of them, the first of several
        Sample last;         //!< the last of them
    };

    /** \param priority a class \param sample of its queue */
    void Take(uint32_t priority, const Sample& sample);
    /** \param priority a class; records what is held back of its queue */
    void Flush(uint32_t priority);
    /** \param priority a class \param sample goes to the sink */
    void Record(uint32_t priority, const Sample& sample);

    ResultSink& m_sink;       //!< where to record
    uint32_t m_node;          //!< node of the records
    const FabricPort& m_port; //!< the port
    uint64_t m_interval;      //!< ticks
    std::array<Queue, FabricPort::PRIORITIES> m_queues; //!< by priority
};

} // namespace ns3

#endif /* QUEUE_RECORDER_H */
