/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVSWITCH_DEVICE_H
#define NVSWITCH_DEVICE_H

#include "nvlink-reduction-table.h"

#include "ns3/fabric-switch-device.h"
#include "ns3/rank-teams.h"

#include <memory>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief An NVSwitch: a lossless crossbar with credits on every link.
 *
 * Every ingress port may hold packets up to a limit. When it is reached the peer is told to stop,
 * when the port has drained to one packet below it to resume: a zero-byte frame that waits for
 * the packet being sent in its direction and takes the link's delay. What the peer still sends,
 *
 *     headroom = rate * (2 * delay + Latency) + 3 * packet
 *
 * (the packet that reached the limit, one that the peer had begun, one that the stop had to wait
 * for), always finds room, so nothing is lost. The limit of a port is the dynamic threshold of
 * SharedBuffer with alpha = 1 / ports over a pool of 2 * ports * (InputBufferPackets * packet +
 * rate * (2 * delay + Latency)): from half to nearly all of its share of the pool, that is at least
 * InputBufferPackets and what is under way while the peer resumes, so a link never runs dry.
 *
 * A real NVLink counts credits per flit and virtual channel; here all packets of a link share one
 * account, so a GPU whose link is full of packets for a busy GPU waits with the others behind
 * them.
 *
 * With SetTeams() it copies and adds up for teams (NVLink SHARP). A multicast frame is copied to
 * the links of all GPUs of the team, the sender's own included, and stands in the ingress buffer
 * until the last copy has left. A contribution to a sum leaves the ingress buffer at once; when the
 * last one is there, the sum is forwarded as it. Adding takes no time. Sums wait for late GPUs
 * without limit (GetReductions()): real switches ask GPUs for what they add, and ask only for as
 * much as they can hold.
 *
 * By default it forwards cut-through (attribute CutThrough) and spreads packets over parallel
 * links to a GPU (LoadBalancer ns3::LeastLoadedLoadBalancer). Latency is 0 by default:
 * NVIDIA has published none; measured figures belong to the delays of the topology.
 */
class NvSwitchDevice : public FabricSwitchDevice
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    NvSwitchDevice();
    ~NvSwitchDevice() override;

    /** \param bytes size of the largest frame that a GPU sends; call before Configure() */
    void SetMaxFrameBytes(uint64_t bytes);

    /** \param offload whether the chip can copy and add up */
    void SetOffload(bool offload);

    /** \return whether it copies and adds up: the chip can, and attribute Sharp is set */
    bool CanOffload() const
    {
        return m_offload && m_sharp;
    }

    /** \param teams for whom it copies and adds up, shared by all switches */
    void SetTeams(std::shared_ptr<const RankTeams> teams);

    /** \return what it is adding up */
    const NvlinkReductionTable& GetReductions() const
    {
        return m_reductions;
    }

    /**
     * TracedCallback signature of CreditSignal.
     * \param port ingress port whose peer is told
     * \param stop true to stop, false to resume
     */
    typedef void (*CreditTracedCallback)(uint32_t port, bool stop);

  protected:
    // From FabricSwitchDevice.
    SharedBufferParameters GetBufferParameters() const override;
    void SignalPause(FabricPort& port, uint32_t priority, bool pause) override;
    void ReceiveControl(const FabricPacket& packet, FabricPort& port) override;
    void Offload(FabricPacket* packet, FabricPort& in, uint64_t now) override;

  private:
    /**
     * Copies a frame to all GPUs of its team.
     * \param packet the frame, becomes one of the copies
     * \param in ingress port
     * \param now ticks
     */
    void Multicast(FabricPacket* packet, FabricPort& in, uint64_t now);

    /** \param port a port \return bytes on its link there and back and inside the switch */
    uint64_t GetRoundTripBytes(const FabricPort& port) const;

    bool m_sharp{true};                           //!< attribute Sharp
    bool m_offload{false};                        //!< the chip can copy and add up
    std::shared_ptr<const RankTeams> m_teams;     //!< for whom it copies and adds up
    NvlinkReductionTable m_reductions;            //!< what it is adding up
    uint32_t m_inputBufferPackets{0};             //!< packets that every port may hold
    uint64_t m_maxFrameBytes{0};                  //!< largest frame
    TracedCallback<uint32_t, bool> m_creditTrace; //!< trace CreditSignal
};

} // namespace ns3

#endif /* NVSWITCH_DEVICE_H */
