/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_DEVICE_H
#define NVLINK_DEVICE_H

#include "nvlink-feeder.h"
#include "nvlink-receive-flow.h"
#include "nvlink-send-flow.h"
#include "nvlink-team-flow.h"

#include "ns3/fabric-device.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief The NVLink interface of a GPU: links to NVSwitches and to other GPUs.
 *
 * A message is cut into packets of the attribute Granularity, which stands for many link packets
 * in a row: 64 KiB instead of 256 bytes makes the traffic inside a server cheap to simulate. All
 * links on a shortest path to the destination carry pieces of the message: a link that becomes
 * free takes the next one. Flows (destination, channel) take turns on each link.
 *
 * A frame occupies payload + HeaderBytes * ceil(payload / HeaderPayloadBytes) bytes, an empty
 * message HeaderBytes. The link's rate is what the topology says, usually an effective rate that
 * has the headers taken off already: then HeaderBytes stays 0.
 *
 * What NVSwitches copy or add up for a team (NVLink SHARP) is striped over the links by rules that
 * all GPUs of the team share, see NvlinkTeamFlow. GPUs of a team send in step, so their packets
 * meet at every link at once, and wait there for all others. Real packets are too short for that to
 * matter; those of a team are therefore cut to MinGranularity.
 *
 * The peer may stop a link (credits used up) and start it again. Nothing is lost, so nothing is
 * acknowledged: a message counts as sent when its last bit has left. GPUs take what arrives at
 * any rate and do not forward.
 *
 * Not modelled: single flits, virtual channels, link-level replay, the memory system behind the
 * links, loads and stores of single words.
 */
class NvlinkDevice : public FabricDevice
{
  public:
    /** Somebody who hears of a message. */
    using MessageCallback = Callback<void, const Message&>;

    /** \return the TypeId */
    static TypeId GetTypeId();

    NvlinkDevice();
    ~NvlinkDevice() override;

    /**
     * \param routes next ports, shared by all devices
     * \param rank this GPU: its node id within the routes
     */
    void SetRoutes(std::shared_ptr<const RouteTable> routes, uint32_t rank);

    /** \param received who hears of messages that arrived here */
    void SetReceivedCallback(MessageCallback received);
    /** \param sent who hears of messages that have left */
    void SetSentCallback(MessageCallback sent);

    using FabricDevice::Send;

    /**
     * Starts to send a message; aborts if there is no route to its destination.
     * \param message a message whose source is this GPU
     */
    void Send(const Message& message);

    /** \return rank of this GPU */
    uint32_t GetRank() const
    {
        return m_rank;
    }

    /**
     * \param payloadBytes payload of a frame
     * \return bytes that it occupies on the link and in buffers
     */
    uint64_t GetFrameBytes(uint64_t payloadBytes) const;

    /** \return size of the largest frame sent, bytes */
    uint64_t GetMaxFrameBytes() const;

    /**
     * \return what is sent, in order of first use: one flow per destination and channel, and one
     * per flow of a team and link (NvlinkSendFlow::IsShare())
     */
    const std::deque<NvlinkSendFlow>& GetSendFlows() const
    {
        return m_sendFlows;
    }

    /** \return what is sent for teams */
    const std::map<NvlinkTeamKey, NvlinkTeamFlow>& GetTeamFlows() const
    {
        return m_teamFlows;
    }

    /**
     * \param src a GPU
     * \param channel a channel
     * \return what was received from there, nullptr if nothing ever
     */
    const NvlinkReceiveFlow* FindReceiveFlow(uint32_t src, uint32_t channel) const;

    /**
     * \param key a team's flow
     * \return what was received of it, nullptr if nothing ever
     */
    const NvlinkReceiveFlow* FindTeamReceiveFlow(const NvlinkTeamKey& key) const;

    // From FabricDevice.
    FabricPort& AddPort() override;
    void Receive(FabricPacket* packet, FabricPort& port) override;
    void PauseEnded(FabricPort& port) override;

  protected:
    void DoDispose() override;

  private:
    friend class NvlinkFeeder;

    /** \param peer a GPU \param channel a channel \return key of a flow */
    static uint64_t MakeKey(uint32_t peer, uint32_t channel)
    {
        return static_cast<uint64_t>(peer) << 32 | channel;
    }

    /** \param message a message \return index of its flow, made at first use */
    uint32_t GetSendFlow(const Message& message);

    /** \param flow index of a flow \return whether it has something to send */
    bool HasWork(uint32_t flow) const
    {
        return m_sendFlows[flow].HasWork();
    }

    /** \param message a message of a team */
    void SendToTeam(const Message& message);

    /**
     * \param key a team's flow
     * \param lane link of this GPU
     * \return index of the flow of its shares, made at first use
     */
    uint32_t GetLaneFlow(const NvlinkTeamKey& key, uint32_t lane);

    /** \param packet a data frame \return the flow that it belongs to, made at first use */
    NvlinkReceiveFlow& GetReceiveFlow(const FabricPacket& packet);

    /**
     * \param flow index of a flow with work
     * \param port a free link
     * \return number of the message that the packet belongs to
     */
    uint32_t SendPacket(uint32_t flow, FabricPort& port);

    /**
     * A link has sent the last bit of a packet.
     * \param flow index of its flow
     * \param sequence number of its message
     */
    void PacketLeft(uint32_t flow, uint32_t sequence);

    std::shared_ptr<const RouteTable> m_routes;         //!< next ports
    uint32_t m_rank{0};                                 //!< this GPU
    uint32_t m_packetNumber{0};                         //!< of the next packet
    uint32_t m_granularity{0};                          //!< largest payload, bytes
    uint32_t m_minGranularity{0};                       //!< see NvlinkCutting, bytes
    uint32_t m_headerBytes{0};                          //!< size of a header, bytes
    uint32_t m_headerPayloadBytes{0};                   //!< payload behind one header, bytes
    std::deque<NvlinkFeeder> m_feeders;                 //!< by port, at stable addresses
    std::deque<NvlinkSendFlow> m_sendFlows;             //!< by index
    std::unordered_map<uint64_t, uint32_t> m_sendIndex; //!< looked up only, never walked
    std::unordered_map<uint64_t, NvlinkReceiveFlow> m_receiveFlows; //!< never walked either
    std::deque<uint16_t> m_lanePorts;                    //!< by lane, its port, at stable addresses
    std::map<NvlinkTeamKey, NvlinkTeamFlow> m_teamFlows; //!< sent for teams
    std::map<std::pair<NvlinkTeamKey, uint32_t>, uint32_t> m_laneIndex; //!< flow of a lane
    std::map<NvlinkTeamKey, NvlinkReceiveFlow> m_teamReceiveFlows;      //!< received for teams
    MessageCallback m_received; //!< hears of messages that arrived
    MessageCallback m_sent;     //!< hears of messages that have left
};

} // namespace ns3

#endif /* NVLINK_DEVICE_H */
