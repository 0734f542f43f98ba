/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_DEADLOCK_DETECTOR_H
#define PFC_DEADLOCK_DETECTOR_H

#include "roce-switch-device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Ends a simulation that PFC has brought to a standstill for ever, and says why.
 *
 * A standstill does not end by itself: every pause is refreshed, which is an event. While some
 * pause is in force, and at no other time, the detector looks every Interval whether payload has
 * arrived since it looked last. Only if none has, it looks for a deadlock or a storm (PfcWaitGraph)
 * and, if there is one, stops the simulation. A long incast is no standstill; a deadlock in one
 * part of a fabric is found when the rest has done its work, or does nothing for Interval: the run
 * could not have finished.
 *
 * Nothing is asked of the path of a packet, and the detector's own event does not keep a simulation
 * alive (on FabricSimulatorImpl; see FabricEngine::CountIdle).
 */
class PfcDeadlockDetector : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    PfcDeadlockDetector();
    ~PfcDeadlockDetector() override;

    /**
     * Begins to watch.
     * \param context shared state of the fabric
     * \param switches its switches; null pointers are passed over
     */
    void Start(Ptr<FabricContext> context, const std::vector<Ptr<RoceSwitchDevice>>& switches);

    /** \return whether it stopped the simulation */
    bool HasFound() const
    {
        return m_found;
    }

    /** \return the deadlocks and storms that there are now, a line each */
    std::vector<std::string> Describe() const;

  protected:
    void DoDispose() override;

  private:
    /** \param port port \param priority class \param pause whether it is a PAUSE; see Arm() */
    void PauseSeen(uint32_t port, uint32_t priority, bool pause);
    /** Sets the timer unless it runs. */
    void Arm();
    /** Time has come to look. */
    void Look();
    /** \return whether some pause is in force at a switch, whoever asked for it */
    bool IsSomethingPaused() const;

    Time m_interval;                               //!< see Look()
    Time m_stormTime;                              //!< pause of a host that counts as a storm
    Ptr<FabricContext> m_context;                  //!< shared state
    std::vector<Ptr<RoceSwitchDevice>> m_switches; //!< watched
    uint64_t m_delivered{0};                       //!< payload when it looked last, bytes
    bool m_found{false};                           //!< see HasFound()
    FabricTimer<PfcDeadlockDetector, &PfcDeadlockDetector::Look> m_timer; //!< next look
};

} // namespace ns3

#endif /* PFC_DEADLOCK_DETECTOR_H */
