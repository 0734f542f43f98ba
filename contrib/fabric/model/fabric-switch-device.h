/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_SWITCH_DEVICE_H
#define FABRIC_SWITCH_DEVICE_H

#include "dscp-map.h"
#include "fabric-device.h"
#include "route-table.h"
#include "shared-buffer.h"

#include "ns3/load-balancer.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief An output-queued switch with shared packet memory and back-pressure to its ingress ports.
 *
 * Forwarding is a look-up of the next ports and a choice of the load balancer. Frames are charged
 * to a SharedBuffer; derived classes say how its pauses reach the peer (PFC frames, credits). With
 * a Latency all of this happens when a frame has spent it, as the memory of a chip lies behind its
 * parser: thresholds, marks and load balancers see exactly what is queued. What the peer sends
 * during the latency comes on top of the headroom of a lossless class.
 *
 * Departures of frames are noted when somebody looks, as FabricPort does. A look is needed only
 * when occupancy may reach a threshold: the accounts held here are then never too small, so a
 * frame that fits them fits. Otherwise all ports are brought up to date first, and from half of
 * the threshold on every departure is an event (tracked), until the memory has emptied. So
 * thresholds are met exactly, at one event per frame and hop in a calm network.
 */
class FabricSwitchDevice : public FabricDevice
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    FabricSwitchDevice();
    ~FabricSwitchDevice() override;

    /**
     * Sets the routes, also in mid-run: frames that are queued keep their port. From the second
     * time on a frame without a route is dropped and counted.
     * \param routes next ports, shared by all devices
     * \param node node id of this switch within the routes
     */
    void SetRoutes(std::shared_ptr<const RouteTable> routes, uint32_t node);

    /** Fixes sizes and thresholds; call when all ports are there. */
    virtual void Configure();

    /** \return the packet memory */
    const SharedBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    /** \return whether frames of one flow may leave by several ports, side by side */
    bool SpreadsFlows() const;

    /** \return what chooses among equal ports, null before Configure() */
    Ptr<LoadBalancer> GetLoadBalancer() const;

    /** \return time that a frame takes through the switch before it is queued */
    Time GetLatency() const;

    /**
     * A frame found no room.
     * \param packet the frame
     * \param port ingress port number
     */
    typedef void (*DropTracedCallback)(const FabricPacket& packet, uint32_t port);

    // From FabricDevice.
    int64_t AssignStreams(int64_t stream) override;
    void Receive(FabricPacket* packet, FabricPort& port) final;
    bool WantsDepartures() const override;
    void Departed(FabricPacket& packet, FabricPort& port) override;

  protected:
    void DoDispose() override;

    /**
     * Declares the attributes LoadBalancer, CutThrough and Latency, which every kind of switch has
     * as its own, so that their defaults are set for each kind apart.
     * \param tid type of a switch
     * \param loadBalancer default of LoadBalancer
     * \param cutThrough default of CutThrough
     * \return tid
     */
    static TypeId AddForwardingAttributes(TypeId tid, TypeId loadBalancer, bool cutThrough);

    /** \return sizes and thresholds of the packet memory */
    virtual SharedBufferParameters GetBufferParameters() const = 0;

    /**
     * Tells a peer to pause or to resume. When it is called to pause all ports are up to date;
     * while something is being sent here other classes may be found to resume: the call is nested.
     * \param port ingress port
     * \param priority class
     * \param pause true to pause
     */
    virtual void SignalPause(FabricPort& port, uint32_t priority, bool pause) = 0;

    /**
     * A MAC control frame arrived.
     * \param packet the frame, released by the caller
     * \param port where it arrived
     */
    virtual void ReceiveControl(const FabricPacket& packet, FabricPort& port) = 0;

    /**
     * May mark a frame that leaves its queue or is about to be queued; called where SetMarking() says
     * so.
     * \param packet the frame, in the packet memory
     * \param port where it leaves, up to date and, of a frame that is about to be queued, without it
     */
    virtual void Mark(FabricPacket& packet, FabricPort& port);

    /**
     * Before it is called no frame is marked.
     * \param departing whether Mark() sees frames that leave
     * \param arriving whether it sees frames that are about to be queued
     */
    void SetMarking(bool departing, bool arriving)
    {
        m_marksDeparting = departing;
        m_marksArriving = arriving;
    }

    /**
     * Frames with FabricPacket::offload come here instead of being forwarded; by default there are
     * none.
     * \param packet the frame, owned from now on
     * \param in ingress port
     * \param now ticks
     */
    virtual void Offload(FabricPacket* packet, FabricPort& in, uint64_t now);

    /** \param packet a frame \return the port it leaves by, or ~0 if there is none */
    uint32_t SelectPort(FabricPacket& packet);

    /**
     * Charges a frame, unless it is uncharged, and queues it, or drops it.
     * \param packet the frame
     * \param in ingress port
     * \param choice port it leaves by
     * \param now ticks
     */
    void Forward(FabricPacket* packet, FabricPort& in, uint32_t choice, uint64_t now);

    /**
     * Queues a frame that was made here, which is there as a whole: it is never cut through.
     * \param packet the frame, charged to nobody
     * \param choice port it leaves by
     * \param now ticks
     */
    void SendOwn(FabricPacket* packet, uint32_t choice, uint64_t now);

    /**
     * From now on the class of a frame follows from its DSCP, not from what the sender says.
     * \param map class of every DSCP
     */
    void TrustDscp(const DscpMap& map);

    /**
     * Throws away, from now on, what would be queued.
     * \param port where it would leave
     * \param priority its class
     * \param on whether to
     */
    void SetDiscarding(const FabricPort& port, uint32_t priority, bool on);

    /**
     * Throws away what is queued, which may end pauses.
     * \param port where it would leave
     * \param priority its class, which is paused
     */
    void DiscardQueue(FabricPort& port, uint32_t priority);

    /** A frame found no room. Parameters: packet, ingress port number. */
    TracedCallback<const FabricPacket&, uint32_t> m_dropTrace;

  private:
    /**
     * Chooses the port that a frame leaves by and forwards it there.
     * \param packet the frame
     * \param in ingress port
     * \param now ticks
     */
    void Switch(FabricPacket* packet, FabricPort& in, uint64_t now);

    /** \param packet a frame \param choice port it would leave by \return whether it may not */
    bool IsDiscarded(const FabricPacket& packet, uint32_t choice) const
    {
        return m_discarding && m_discards[choice] >> packet.priority & 1;
    }
    /** \param packet a frame that is thrown away \param out port it would have left by */
    void Discard(FabricPacket* packet, FabricPort& out);
    /**
     * A frame leaves the packet memory: its class may resume.
     * \param port ingress port
     * \param priority class
     * \param bytes size
     */
    void ReleaseMemory(uint32_t port, uint32_t priority, uint64_t bytes)
    {
        m_buffer.Release(port, priority, bytes);
        if (m_tracked)
        {
            ResumeIfDue(port, priority);
        }
    }
    /**
     * Tracked: memory was released.
     * \param port ingress port
     * \param priority class, which resumes if it may
     */
    void ResumeIfDue(uint32_t port, uint32_t priority);
    /** \param packet a frame that no port leads on, dropped */
    void DropWithoutRoute(FabricPacket* packet);
    /** Frames have spent their time in the switch. */
    void LeavePipeline();
    /**
     * \param packet a frame
     * \param in ingress port
     * \param out egress port
     * \param now ticks
     * \return whether it is charged to the packet memory
     */
    bool Admit(const FabricPacket& packet, FabricPort& in, FabricPort& out, uint64_t now);
    /**
     * \param packet a lossless frame for which there may be no room
     * \param in ingress port
     * \param now ticks
     * \return whether it is charged to the packet memory
     */
    bool AdmitExactly(const FabricPacket& packet, FabricPort& in, uint64_t now);
    /**
     * \param in ingress port
     * \param priority class that is not paused and seems to have reached its threshold
     * \param now ticks
     */
    void PauseIfDue(FabricPort& in, uint32_t priority, uint64_t now);
    /**
     * \param packet an instrumented frame that leaves its queue
     * \param port where it leaves
     */
    static void WriteTelemetry(FabricPacket& packet, const FabricPort& port);
    /** \param now ticks; brings every port up to date */
    void AdvanceAll(uint64_t now);
    /** \param on whether every departure is an event */
    void TrackAll(bool on);

    // What every frame touches first.
    RouteRow m_route;                    //!< next ports of this switch
    Ptr<LoadBalancer> m_balancer;        //!< chooses among equal ports
    int64_t m_latencyTicks{0};           //!< processing delay, ticks
    uint32_t m_discarding{0};            //!< classes of ports that throw away what they get
    bool m_watched{false};               //!< the load balancer sees every frame
    bool m_tracked{false};               //!< every departure is an event
    bool m_trustsDscp{false};            //!< m_dscpMap tells the class of frames
    bool m_marksArriving{false};         //!< Mark() sees what is about to be queued
    bool m_marksDeparting{false};        //!< Mark() sees what leaves
    bool m_cutThrough{false};            //!< forward when the head of a frame is there
    SharedBuffer m_buffer;               //!< packet memory
    DscpMap m_dscpMap;                   //!< class of every DSCP

    std::shared_ptr<const RouteTable> m_routes; //!< next ports of all nodes
    uint32_t m_place{0};                 //!< node of this switch within the routes
    TypeId m_balancerType;               //!< its type
    bool m_rerouted{false};              //!< the routes have changed since the start
    std::vector<uint8_t> m_discards;     //!< by port, once there are any: a bit per class
    Time m_latency;                      //!< processing delay
    FabricPacketList m_pipeline;         //!< frames that have not spent it, by due
    /** The first of them has. */
    FabricTimer<FabricSwitchDevice, &FabricSwitchDevice::LeavePipeline> m_leavePipeline;
};

} // namespace ns3

#endif /* FABRIC_SWITCH_DEVICE_H */
