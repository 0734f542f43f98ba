/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_WATCHDOG_H
#define PFC_WATCHDOG_H

#include "ns3/fabric-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief What a PfcWatchdog does about a storm. */
class PfcWatchdogClient
{
  public:
    virtual ~PfcWatchdogClient() = default;
    /**
     * A class of a port has been stuck for too long.
     * \param port the port, paused
     * \param priority the class, which has frames queued
     */
    virtual void StormBegan(FabricPort& port, uint32_t priority) = 0;
    /**
     * No PAUSE has come for long enough.
     * \param port the port
     * \param priority the class
     */
    virtual void StormEnded(FabricPort& port, uint32_t priority) = 0;
};

/**
 * \ingroup roce
 * \brief Finds the classes of ports that their peers pause without end, as SONiC's PFC watchdog
 * does (SONiC, "PFC Watchdog", design document and `pfcwd` command).
 *
 * A storm begins when a class has been paused for the detection time without a break and frames
 * are queued; if none are, with the next PAUSE, refreshes included, that finds some. It ends when
 * no PAUSE has come for the restoration time. What happens in between is the client's.
 *
 * Departure: SONiC polls counters every few hundred milliseconds, and wants to find frames in the
 * queue each time; here every PAUSE is looked at, and a storm is found when its time is over.
 */
class PfcWatchdog
{
  public:
    /** A storm that was found. */
    struct Storm
    {
        uint32_t port;     //!< port number
        uint32_t priority; //!< class
        uint64_t begin;    //!< when it was found, ticks
    };

    /** \param device whose ports are watched \param client acts; both outlive the watchdog */
    PfcWatchdog(FabricDevice& device, PfcWatchdogClient& client);

    PfcWatchdog(const PfcWatchdog&) = delete;
    PfcWatchdog& operator=(const PfcWatchdog&) = delete;

    /**
     * Begins to watch.
     * \param detection time after which a stuck class is a storm, ticks
     * \param restoration time without PAUSE after which a storm is over, ticks
     */
    void Start(uint64_t detection, uint64_t restoration);

    /** \return whether Start() was called */
    bool IsStarted() const
    {
        return m_started;
    }

    /** \param port where a PAUSE, not a RESUME, came and was dealt with \param priority its class
     */
    void PauseReceived(FabricPort& port, uint32_t priority);

    /** \param port port number \return a bit per class in which a storm is going on */
    uint32_t GetStormMask(uint32_t port) const;

    /** \return all storms so far, in the order in which they were found */
    const std::vector<Storm>& GetStorms() const
    {
        return m_storms;
    }

  private:
    /** A class that was paused and may be stuck. */
    struct Watch
    {
        uint32_t port;      //!< port number
        uint32_t priority;  //!< class
        uint64_t lastPause; //!< when the last PAUSE came, ticks
        uint64_t due;       //!< when to look again, ticks
        bool storm;         //!< a storm is going on
    };

    /** \param port port number \param priority class \return its watch, or the end */
    std::vector<Watch>::iterator Find(uint32_t port, uint32_t priority);
    /** Some watch is due. */
    void Look();
    /**
     * \param watch one that is due; may become a storm, or stop being one
     * \param now ticks
     * \return whether to go on watching
     */
    bool Judge(Watch& watch, uint64_t now);
    /** Sets the timer to the first watch that is due. */
    void Arm();

    FabricDevice& m_device;                               //!< whose ports are watched
    PfcWatchdogClient& m_client;                          //!< acts
    bool m_started{false};                                //!< see Start()
    uint64_t m_detection{0};                              //!< ticks
    uint64_t m_restoration{0};                            //!< ticks
    std::vector<Watch> m_watches;                         //!< in the order of their first PAUSE
    std::vector<Storm> m_storms;                          //!< all of them
    FabricTimer<PfcWatchdog, &PfcWatchdog::Look> m_timer; //!< first watch that is due
};

} // namespace ns3

#endif /* PFC_WATCHDOG_H */
