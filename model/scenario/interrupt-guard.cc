/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "interrupt-guard.h"

#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

namespace
{

SimulatorImpl* volatile g_engine = nullptr; //!< engine to stop, or nullptr
volatile std::sig_atomic_t g_signal = 0;    //!< the signal that came, 0 for none
uint32_t g_guards = 0;                      //!< how many there are

/** \param signal one of InterruptGuard::SIGNALS */
void
Stop(int signal)
{
    g_signal = signal;
    if (g_engine)
    {
        g_engine->Stop(); // sets a flag that the engine reads behind every event
    }
}

} // namespace

InterruptGuard::InterruptGuard()
{
    if (g_guards++ > 0)
    {
        return;
    }
    g_signal = 0;
    struct sigaction action = {};
    action.sa_handler = Stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND); // a pipe that nobody writes to fails to open
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < SIGNALS.size(); i++)
    {
        sigaction(SIGNALS[i].number, nullptr, &m_old[i]);
        const bool isNohup = SIGNALS[i].number == SIGHUP && m_old[i].sa_handler == SIG_IGN;
        if (!isNohup)
        {
            sigaction(SIGNALS[i].number, &action, nullptr);
        }
    }
}

void
InterruptGuard::StopEngine()
{
    g_engine = PeekPointer(Simulator::GetImplementation());
}

InterruptGuard::~InterruptGuard()
{
    g_engine = nullptr;
    if (--g_guards > 0)
    {
        return;
    }
    for (std::size_t i = 0; i < SIGNALS.size(); i++)
    {
        sigaction(SIGNALS[i].number, &m_old[i], nullptr);
    }
}

std::string
InterruptGuard::GetSignal() const
{
    for (const Signal& signal : SIGNALS)
    {
        if (signal.number == g_signal)
        {
            return signal.name;
        }
    }
    return "";
}

} // namespace ns3
