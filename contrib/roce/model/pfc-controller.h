/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_CONTROLLER_H
#define PFC_CONTROLLER_H

#include "ns3/fabric-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Tells the peers of a device to pause and to resume, and refreshes the pauses in force.
 *
 * Sending a frame brings its port up to date, which may show that a class can resume: so a resume
 * may be asked for while another frame is being sent, even in the midst of a refresh. Frames then
 * leave in the order in which they were asked for. A refresh first brings all ports up to date, so
 * that a class that resumes at the same tick is not paused once more.
 */
class PfcController
{
  public:
    /** \param device whose peers are told; outlives the controller */
    explicit PfcController(FabricDevice& device);

    PfcController(const PfcController&) = delete;
    PfcController& operator=(const PfcController&) = delete;

    /** \param quanta time in a PAUSE frame, 512 bit times; a pause is refreshed at half of it */
    void Start(uint16_t quanta);

    /** \param port ingress port \param priority class that is not paused: its peer is to pause */
    void Pause(uint32_t port, uint32_t priority);

    /** \param port ingress port \param priority class that is paused: its peer may go on */
    void Resume(uint32_t port, uint32_t priority);

    /** \param port ingress port whose link was mended: the peer hears of its pauses once more */
    void Repeat(uint32_t port);

    /** \param port ingress port \param priority class \return whether a pause is in force */
    bool IsPaused(uint32_t port, uint32_t priority) const;

  private:
    /** What a frame says. */
    enum class Word
    {
        PAUSE,   //!< stop
        REFRESH, //!< stay stopped
        RESUME,  //!< go on
    };

    /** A frame to be sent. */
    struct Signal
    {
        Word word;         //!< what it says
        uint32_t port;     //!< where it leaves
        uint32_t priority; //!< class
    };

    /** A pause that is in force at a peer. */
    struct ActivePause
    {
        uint32_t port;     //!< ingress port
        uint32_t priority; //!< class
        uint64_t refresh;  //!< when to send it again, ticks
    };

    /** \param port port \param priority class \return its pause, or the end */
    std::vector<ActivePause>::const_iterator Find(uint32_t port, uint32_t priority) const;
    /** \param signal sent now, or when those that are being sent have left */
    void Post(const Signal& signal);
    /** \param signal queued at its port, unless it has nothing to say any more */
    void Send(const Signal& signal);
    /** Sends pauses again before they expire. */
    void Refresh();
    /** Sets the timer of the next refresh. */
    void ArmRefresh();
    /** \param port port number \return time from a PAUSE to its refresh, ticks */
    uint64_t GetRefreshTicks(uint32_t port) const;

    FabricDevice& m_device;            //!< whose ports are used
    uint16_t m_quanta{0};              //!< time in a PAUSE frame
    std::vector<ActivePause> m_active; //!< in the order in which they began
    std::vector<Signal> m_outbox;      //!< being sent, in order
    bool m_sending{false};             //!< some caller further up works on it
    FabricTimer<PfcController, &PfcController::Refresh> m_refresh; //!< next refresh
};

} // namespace ns3

#endif /* PFC_CONTROLLER_H */
