/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "interrupt-guard.h"

#include "ns3/abort.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

SimulatorImpl* g_engine = nullptr;         //!< engine to stop; null without a guard
volatile std::sig_atomic_t g_signal = 0; //!< the signal that came, 0 for none

/** \param signal SIGINT or SIGTERM */
void
Stop(int signal)
{
    g_signal = signal;
    g_engine->Stop(); // sets a flag that the engine reads behind every event
}

} // namespace

InterruptGuard::InterruptGuard()
{
    NS_ABORT_MSG_IF(g_engine, "there is an InterruptGuard already");
    g_engine = PeekPointer(Simulator::GetImplementation());
    g_signal = 0;
    struct sigaction action = {};
    action.sa_handler = Stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_oldInt);
    sigaction(SIGTERM, &action, &m_oldTerm);
}

InterruptGuard::~InterruptGuard()
{
    sigaction(SIGINT, &m_oldInt, nullptr);
    sigaction(SIGTERM, &m_oldTerm, nullptr);
    g_engine = nullptr;
}

std::string
InterruptGuard::GetSignal() const
{
    return g_signal == SIGINT ? "SIGINT" : g_signal == SIGTERM ? "SIGTERM" : "";
}

} // namespace ns3
