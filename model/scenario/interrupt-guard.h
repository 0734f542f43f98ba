/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INTERRUPT_GUARD_H
#define INTERRUPT_GUARD_H

#include <csignal>
#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief As long as it lives, SIGINT and SIGTERM stop the simulation behind the event that runs,
 * so that its results can be written.
 *
 * Each signal does so once: the second one of its kind ends the process, as without this object.
 * There can be one at a time.
 */
class InterruptGuard
{
  public:
    InterruptGuard();
    /** Gives the signals their old meaning back. */
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /** \return name of the signal that came, empty if none did */
    std::string GetSignal() const;

  private:
    struct sigaction m_oldInt;  //!< what SIGINT did before
    struct sigaction m_oldTerm; //!< what SIGTERM did before
};

} // namespace ns3

#endif /* INTERRUPT_GUARD_H */
