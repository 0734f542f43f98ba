/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RUN_RECORDER_H
#define RUN_RECORDER_H

#include "cluster.h"

#include "ns3/collective-engine-service.h"
#include "ns3/collective-observer.h"
#include "ns3/result-sink.h"
#include "ns3/workload-observer.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Writes what workload and collectives do into a ResultSink, in the contract's terms.
 */
class RunRecorder : public WorkloadObserver, public CollectiveObserver
{
  public:
    /**
     * \param sink where to record
     * \param cluster says which way messages go, and when they are acknowledged
     * \param service says what a collective is in the workload, or nullptr
     * \param messages whether messages are recorded, too
     */
    RunRecorder(ResultSink& sink,
                Cluster& cluster,
                const CollectiveEngineService* service,
                bool messages = true);

    ~RunRecorder() override;
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    /** Records the messages and collectives that did not finish; at the end of a stopped run. */
    void RecordUnfinished();

    // From WorkloadObserver.
    void OperationDone(const WorkloadSpan& span) override;

    // From CollectiveObserver.
    bool ObservesMessages() const override;
    void MessageStarted(const CollectiveInstance& instance,
                        const CollectiveMessage& message) override;
    void MessageEnded(const CollectiveInstance& instance,
                      const CollectiveMessage& message) override;
    void RankJoined(const CollectiveInstance& instance, uint32_t rank) override;
    void CollectiveEnded(const CollectiveInstance& instance) override;

  private:
    /** \brief A message that has not arrived or was not acknowledged. */
    struct OpenMessage
    {
        uint64_t tag{0};   //!< Message::tag: group, collective, channel and message
        FlowRecord record; //!< what is known of it
    };

    /** \brief The messages of a rank to another on a channel of the transport. */
    struct Lane
    {
        std::deque<OpenMessage> open; //!< in the order sent, which is that of their arrival
        uint64_t arrivedBytes{0};     //!< payload of all messages that have arrived
        uint64_t retransmissions{0};  //!< packets sent again for messages that have ended
    };

    /** Sender, receiver, channel of the transport. */
    using LaneKey = std::tuple<uint32_t, uint32_t, uint32_t>;

    /**
     * \param instance a collective
     * \param message a message of it
     * \return where it travels
     */
    static LaneKey GetLane(const CollectiveInstance& instance, const CollectiveMessage& message);

    /** \param message a message \return FlowRecord::path of it */
    std::string GetPath(const CollectiveMessage& message) const;

    /** \param message a message that was acknowledged */
    void MessageAcknowledged(const Message& message);

    /**
     * \param lane where the message went
     * \param tag its tag
     * \return the message; aborts if it was not started
     */
    static std::deque<OpenMessage>::iterator Find(Lane& lane, uint64_t tag);

    /** \param instance a collective \param message one of its messages \return Message::tag */
    static uint64_t GetTag(const CollectiveInstance& instance, const CollectiveMessage& message);

    /**
     * Adds what the NICs know: time on an empty network, packets sent again since the message
     * before it on the same lane (or, if relayed, from the same NIC to the same rank) ended.
     * \param key the lane's key
     * \param lane the lane
     * \param record a message
     */
    void AddNicFigures(const LaneKey& key, Lane& lane, FlowRecord& record);

    /**
     * Records a message that has arrived and was acknowledged.
     * \param key the lane's key
     * \param message the message
     */
    void RecordIfFinished(const LaneKey& key, std::deque<OpenMessage>::iterator message);

    /** \param instance a collective \return its record, without an end */
    CollectiveRecord MakeRecord(const CollectiveInstance& instance);
    /** \param instance a collective \return the label of its algorithm */
    const std::string& GetLabel(const CollectiveInstance& instance);

    ResultSink& m_sink;                           //!< where to record
    Cluster& m_cluster;                           //!< which way messages go
    const CollectiveEngineService* m_service;     //!< origin of collectives
    bool m_messages;                              //!< messages are recorded
    uint64_t m_nextFlow{0};                       //!< id of the next message
    std::map<LaneKey, Lane> m_lanes;              //!< messages under way
    /** Packets sent again for relayed messages that have ended, by connection of the relay. */
    std::map<LaneKey, uint64_t> m_relayed;
    std::map<uint64_t, CollectiveRecord> m_open;  //!< collectives that have begun
    std::map<std::string, uint32_t> m_groupIndex; //!< number of a group within its purpose, by name
    std::map<std::string, uint32_t> m_groupCount; //!< groups seen by purpose
    /** Labels of algorithms, by kind and TypeId. */
    std::map<std::pair<CollectiveKind, std::string>, std::string> m_labels;
};

} // namespace ns3

#endif /* RUN_RECORDER_H */
