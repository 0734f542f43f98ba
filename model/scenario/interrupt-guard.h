/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INTERRUPT_GUARD_H
#define INTERRUPT_GUARD_H

#include <array>
#include <csignal>
#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief As long as it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT stop the simulation behind the
 * event that runs, so that its results can be written. Under nohup SIGHUP stays ignored.
 *
 * Each signal does so once: the second one of its kind ends the process, as without this object.
 * A program makes one first thing; those of its runs, within, hear of what came before them. Who
 * waits to open an input file fails to, so that a pipe that nobody writes to holds up nothing.
 */
class InterruptGuard
{
  public:
    InterruptGuard();
    /** The outermost one gives the signals their old meaning back. */
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /** Signals stop the present engine from now on, as long as this object lives. */
    void StopEngine();

    /** \return name of the signal that came, empty if none did */
    std::string GetSignal() const;

  private:
    /** A signal and its name. */
    struct Signal
    {
        int number;       //!< as the system knows it
        const char* name; //!< as a summary says it
    };

    static constexpr std::array<Signal, 4> SIGNALS{
        {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGQUIT, "SIGQUIT"}}};

    std::array<struct sigaction, 4> m_old; //!< what each signal did before
};

} // namespace ns3

#endif /* INTERRUPT_GUARD_H */
