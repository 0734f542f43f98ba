/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REDUCTION_TRANSPORT_H
#define ROCE_REDUCTION_TRANSPORT_H

#include "roce-reducer.h"

#include "ns3/message-transport.h"
#include "ns3/rank-teams.h"
#include "ns3/roce-frame-listener.h"
#include "ns3/roce-nic-device.h"
#include "ns3/roce-switch-device.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Carries the ALL_REDUCE messages of teams through switches that add up (RoceReducer), as
 * NVIDIA's SHARP does.
 *
 * A team has a tree of switches (ReductionTree); each channel of a team is a stream of its own
 * on it. A rank cuts its messages into fragments of one packet's payload and sends them up, as long
 * as no more than a window of them has no sum yet. The sums come back down the tree.
 *
 * Before a stream sends, every switch of its tree sets memory aside for it; while one has no room,
 * the stream waits for others to end, first come first served. This is done for the whole tree at
 * once and takes no time: what an aggregation manager does beforehand is not modelled. A stream
 * lets its memory go when nothing of it is under way.
 *
 * Fragments take turns with queue pairs at the port of the NIC; no congestion control paces them:
 * the window bounds what is under way, and the tree's links carry one copy each.
 */
class RoceReductionTransport : public MessageTransport,
                               private RoceFrameListener,
                               private RoceReductionListener
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceReductionTransport();
    ~RoceReductionTransport() override;

    /**
     * \param nics by rank, null for a GPU without one
     * \param switches by node, null where there is none
     * \param routes of the fabric
     */
    void SetDevices(std::vector<Ptr<RoceNicDevice>> nics,
                    std::vector<Ptr<RoceSwitchDevice>> switches,
                    std::shared_ptr<const RouteTable> routes);

    /** \param team number of a team \return its ranks, ascending */
    const std::vector<uint32_t>& GetTeam(uint32_t team) const;

    /** \param team number of a team \return its switches */
    const ReductionTree& GetTree(uint32_t team) const;

    /**
     * \param team number of a team
     * \param channel a channel
     * \param rank a rank of the team
     * \return payload of the sums that arrived there, bytes
     */
    uint64_t GetArrivedBytes(uint32_t team, uint32_t channel, uint32_t rank) const;

    /** \return one line per hop that gave up */
    const std::vector<std::string>& GetFailures() const
    {
        return m_failures;
    }

    // From MessageTransport.
    uint32_t GetRankCount() const override;
    bool CanAllReduce(const std::vector<uint32_t>& ranks) const override;
    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override;
    void Send(const Message& message) override;
    std::vector<std::string> DescribePending() const override;

  protected:
    void DoDispose() override;

  private:
    class Member;

    /** \brief A channel of a team. */
    struct Stream
    {
        RoceReductionSettings settings;               //!< what its hops have in common
        uint32_t team{0};                             //!< its team
        uint32_t channel{0};                          //!< its channel
        bool granted{false};                          //!< switches have memory for it
        uint64_t underWay{0};                         //!< messages and hops that are not done
        std::vector<std::unique_ptr<Member>> members; //!< by rank of the team
    };

    // From RoceFrameListener.
    void FrameArrived(const FabricPacket& frame, FabricPort& port) override;
    void FrameTaken(uint32_t frameBytes) override;
    // From RoceReductionListener.
    void CountWaiting(uint32_t stream, bool more) override;
    void HopFailed(uint32_t stream, const std::string& description) override;

    /** \param ranks a team \return its tree, without switches if there is none */
    ReductionTree FindTree(const std::vector<uint32_t>& ranks) const;
    /** \param node a switch of a tree \return what adds up there */
    RoceReducer& GetReducer(const ReductionTree::Node& node) const;
    /** Does nothing: its event keeps this object, whose timers may be set, for the simulation. */
    void Retire();
    /** \return settings of a stream, but for its number */
    RoceReductionSettings GetSettings() const;
    /** \param message of a stream \return the stream */
    Stream& GetStream(const Message& message);
    /** \param stream a stream \param rank of its team \return what the rank does */
    Member& GetMember(const Stream& stream, uint32_t rank) const;
    /** \param stream a stream of which one thing less is under way */
    void Ended(Stream& stream);
    /** Lets in the streams for which there is room, in order. */
    void Grant();
    /** \param stream waits for room \return the first switch that has none, or nullptr */
    const RoceSwitchDevice* FindFull(const Stream& stream) const;
    /** \param stream a stream \param member one that waits \return what its message waits for */
    std::string DescribeWait(const Stream& stream, const Member& member) const;

    uint64_t m_windowBytes{0};                              //!< attribute WindowBytes
    std::vector<Ptr<RoceNicDevice>> m_nics;                 //!< by rank
    std::vector<Ptr<RoceSwitchDevice>> m_switches;          //!< by node
    std::shared_ptr<const RouteTable> m_routes;             //!< of the fabric
    RankTeams m_teams;                                      //!< teams by number
    std::deque<ReductionTree> m_trees;                      //!< by number of the team
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_streamNumbers; //!< by team and channel
    std::deque<Stream> m_streams;                           //!< by number
    std::deque<uint32_t> m_waiting;                         //!< streams without memory, in order
    std::vector<std::string> m_failures;                    //!< see GetFailures()
};

} // namespace ns3

#endif /* ROCE_REDUCTION_TRANSPORT_H */
