/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_DEVICE_H
#define ROCE_SWITCH_DEVICE_H

#include "pfc-controller.h"
#include "pfc-watchdog.h"
#include "switch-ecn-marker.h"

#include "ns3/fabric-switch-device.h"

#include <memory>

namespace ns3
{

class RoceReducer;

/**
 * \ingroup roce
 * \brief Ethernet switch for RoCE: shared buffer, priority flow control, ECN marking.
 *
 * A NetDevice on a plain Node. Lossless classes are protected by PFC: a class of an ingress port
 * that reaches its dynamic threshold sends PAUSE to its peer, refreshes it while it lasts, and
 * sends RESUME when it is ResumeOffset below the threshold again; what still comes in between is
 * held in headroom, computed from rate, delay and the largest frame. Packets that are ECN
 * capable are marked when they leave their queue, by RED on the present length of the queue.
 *
 * With PfcWatchdog a class of an egress port that its peer pauses without end is freed: as long as
 * the storm lasts its frames are thrown away, those that wait and those that come, or they are
 * sent whatever the peer says. SONiC's action drop also throws away what comes from that peer in
 * that class; here it does not.
 *
 * With InNetworkReduction it adds up for teams of ranks (RoceReducer, RoceReductionTransport). Such
 * frames stand in the reduction table, not in the packet memory; they obey PFC and are not marked.
 *
 * Not modelled: pipeline contention, cell granularity of the memory.
 */
class RoceSwitchDevice : public FabricSwitchDevice, private PfcWatchdogClient
{
  public:
    /** Packet memory of a small switch whose BufferBytes is 0. */
    static constexpr uint64_t LEAST_BUFFER_BYTES = 64000000;

    /** \return the TypeId */
    static TypeId GetTypeId();

    RoceSwitchDevice();
    ~RoceSwitchDevice() override;

    /**
     * Replaces the thresholds of one port, which otherwise follow from the attributes.
     * \param port port number
     * \param thresholds what they are
     */
    void SetEcnThresholds(uint32_t port, const EcnThresholds& thresholds);

    /** \param port port number \return the ECN thresholds in force */
    EcnThresholds GetEcnThresholds(uint32_t port) const;

    /** \param port port number \return headroom of each lossless class, bytes */
    uint64_t GetHeadroomBytes(uint32_t port) const;

    /** \return packet memory that the attributes and ports come to, bytes */
    uint64_t GetBufferBytes() const
    {
        return GetBufferParameters().totalBytes;
    }

    /** \return whether BufferBytes leaves it to the ports, and they need more than the least */
    bool IsBufferScaled() const
    {
        return !m_bufferBytes && GetBufferBytes() > LEAST_BUFFER_BYTES;
    }

    /** \return the watchdog, which may not be on */
    const PfcWatchdog& GetWatchdog() const
    {
        return m_watchdog;
    }

    /** \return what adds up here, nullptr without InNetworkReduction or before Configure() */
    RoceReducer* GetReducer() const
    {
        return m_reducer.get();
    }

    /**
     * Sends a frame that was made here and is charged to nobody.
     * \param packet the frame \param port where it leaves
     */
    void SendOwn(FabricPacket* packet, uint32_t port);

    /** \return a bit per class that PFC protects, none without PFC */
    uint32_t GetLosslessMask() const
    {
        return m_pfc ? m_losslessMask : 0;
    }

    /**
     * \param port port number
     * \param priority a class
     * \return whether the peer of the port is asked to pause it; from the moment at which a RESUME
     * is decided on it is not
     */
    bool IsPausing(uint32_t port, uint32_t priority) const
    {
        return m_pfcController.IsPaused(port, priority);
    }

    /**
     * A pause was signalled or obeyed.
     * \param port port number
     * \param priority the class
     * \param pause true: pause, false: resume
     */
    typedef void (*PfcTracedCallback)(uint32_t port, uint32_t priority, bool pause);

    /**
     * The watchdog found a storm, or its end.
     * \param port port number
     * \param priority the class
     * \param begins true: it begins, false: it is over
     */
    typedef void (*StormTracedCallback)(uint32_t port, uint32_t priority, bool begins);

    FabricPort& AddPort() override;
    void LinkMended(FabricPort& port) override;
    /** Throws ConfigError if memory or thresholds cannot be what the attributes say. */
    void Configure() override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    SharedBufferParameters GetBufferParameters() const override;
    void SignalPause(FabricPort& port, uint32_t priority, bool pause) override;
    void ReceiveControl(const FabricPacket& packet, FabricPort& port) override;
    void Mark(FabricPacket& packet, FabricPort& port) override;
    void Offload(FabricPacket* packet, FabricPort& in, uint64_t now) override;

  private:
    // From PfcWatchdogClient.
    void StormBegan(FabricPort& port, uint32_t priority) override;
    void StormEnded(FabricPort& port, uint32_t priority) override;

    /** \param tid this type \return it, with the attributes of the packet memory */
    static TypeId AddBufferAttributes(TypeId tid);
    /** \param tid this type \return it, with the attributes of priority flow control */
    static TypeId AddPfcAttributes(TypeId tid);
    /** \param tid this type \return it, with the attributes of the PFC watchdog */
    static TypeId AddWatchdogAttributes(TypeId tid);
    /** \param tid this type \return it, with the attributes of ECN marking */
    static TypeId AddEcnAttributes(TypeId tid);
    /** \param tid this type \return it, with the attributes of in-network reduction */
    static TypeId AddReductionAttributes(TypeId tid);
    /** \param tid this type \return it, with the attributes of traffic classes */
    static TypeId AddClassAttributes(TypeId tid);
    /** Throws ConfigError if the attributes do not go with each other or with the ports. */
    void CheckAttributes() const;
    /** Throws ConfigError if pauses would expire before their refreshes arrive. */
    void CheckPauseQuanta() const;
    /**
     * \param headroomBytes headroom of all ports and classes
     * \return the packet memory where BufferBytes is 0
     */
    uint64_t GetDefaultBufferBytes(uint64_t headroomBytes) const;
    /** \return how to mark, by the attributes */
    EcnSettings GetEcnSettings() const;

    uint64_t m_bufferBytes{0};      //!< packet memory, 0: by ports
    uint64_t m_reservedBytes{0};    //!< per lossless (port, class)
    uint64_t m_resumeOffset{0};     //!< bytes
    double m_alpha{0};              //!< lossless ingress
    double m_egressAlpha{0};        //!< lossy egress
    uint32_t m_losslessMask{0};     //!< bit per class
    bool m_pfc{true};               //!< lossless classes exist
    std::string m_dscpMapText;      //!< class of every DSCP
    TypeId m_schedulerType;         //!< type of the scheduler of every port
    bool m_ecn{true};               //!< mark
    bool m_ecnAtEnqueue{false};     //!< mark frames that are queued, not those that leave
    uint64_t m_kminBytes{0};        //!< at the reference rate
    uint64_t m_kmaxBytes{0};        //!< at the reference rate
    double m_pmax{0};               //!< marking probability at Kmax
    DataRate m_ecnReferenceRate;    //!< rate for which Kmin and Kmax hold, 0 = every rate
    uint32_t m_maxFrameBytes{0};    //!< largest frame
    uint16_t m_pauseQuanta{0};      //!< time in a PAUSE frame
    bool m_watch{false};            //!< the watchdog is on
    Time m_detectionTime;           //!< of the watchdog
    Time m_restorationTime;         //!< of the watchdog
    bool m_forward{false};          //!< what the watchdog does
    bool m_reduces{false};          //!< adds up for teams
    uint64_t m_reductionTableBytes{0}; //!< of fragments that are being added up
    std::unique_ptr<RoceReducer> m_reducer; //!< see GetReducer()
    SwitchEcnMarker m_marker;              //!< marks
    PfcController m_pfcController;         //!< speaks to the peers
    PfcWatchdog m_watchdog;                //!< looks for classes that are stuck
    TracedCallback<uint32_t, uint32_t, bool> m_pauseSent;     //!< PAUSE or RESUME sent
    TracedCallback<uint32_t, uint32_t, bool> m_pauseReceived; //!< PAUSE or RESUME obeyed
    TracedCallback<uint32_t, uint32_t, bool> m_storm;         //!< storm found, or its end
};

} // namespace ns3

#endif /* ROCE_SWITCH_DEVICE_H */
