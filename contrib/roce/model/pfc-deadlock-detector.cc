/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-deadlock-detector.h"

#include "pfc-wait-graph.h"

#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PfcDeadlockDetector);

TypeId
PfcDeadlockDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PfcDeadlockDetector")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<PfcDeadlockDetector>()
            .AddAttribute(
                "Interval",
                "How long no payload has arrived, at least, before pauses are looked into "
                "(longer than a local ACK timeout of 67 ms, the default).",
                TimeValue(MilliSeconds(100)),
                MakeTimeAccessor(&PfcDeadlockDetector::m_interval),
                MakeTimeChecker(TimeStep(1)))
            .AddAttribute("StormTime",
                          "A host that pauses a port for so long without a break will do so for "
                          "ever.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&PfcDeadlockDetector::m_stormTime),
                          MakeTimeChecker(TimeStep(1)));
    return tid;
}

PfcDeadlockDetector::PfcDeadlockDetector()
    : m_timer(this)
{
}

PfcDeadlockDetector::~PfcDeadlockDetector() = default;

void
PfcDeadlockDetector::DoDispose()
{
    m_switches.clear();
    m_context = nullptr;
    Object::DoDispose();
}

void
PfcDeadlockDetector::Start(Ptr<FabricContext> context,
                           const std::vector<Ptr<RoceSwitchDevice>>& switches)
{
    m_context = context;
    m_switches = switches;
    m_timer.Bind(&m_context->engine, 0);
    // The timer's event may be in the engine's queue to the end: this object outlives the queue.
    Simulator::ScheduleDestroy(&PfcDeadlockDetector::Dispose, Ptr<PfcDeadlockDetector>(this));
    for (const auto& device : m_switches)
    {
        for (const char* source : {"PauseSent", "PauseReceived"})
        {
            if (device)
            {
                device->TraceConnectWithoutContext(
                    source,
                    MakeCallback(&PfcDeadlockDetector::PauseSeen, this));
            }
        }
    }
}

void
PfcDeadlockDetector::PauseSeen(uint32_t, uint32_t, bool pause)
{
    if (pause && m_timer.GetDue() == m_timer.NEVER)
    {
        Arm();
    }
}

void
PfcDeadlockDetector::Arm()
{
    m_delivered = m_context->counters.payloadBytesDelivered;
    m_timer.Set(m_context->engine.Now() + m_interval.GetTimeStep());
    m_context->engine.CountIdle(true);
}

void
PfcDeadlockDetector::Look()
{
    m_context->engine.CountIdle(false);
    if (m_delivered == m_context->counters.payloadBytesDelivered && !Describe().empty())
    {
        m_found = true;
        Simulator::Stop();
    }
    else if (IsSomethingPaused())
    {
        Arm();
    }
}

bool
PfcDeadlockDetector::IsSomethingPaused() const
{
    for (const auto& device : m_switches)
    {
        for (uint32_t i = 0; device && i < device->GetPortCount(); i++)
        {
            if (device->GetPort(i).GetPausedMask())
            {
                return true;
            }
        }
        if (device && device->GetBuffer().GetPausedCount())
        {
            return true;
        }
    }
    return false;
}

std::vector<std::string>
PfcDeadlockDetector::Describe() const
{
    return PfcWaitGraph(m_switches, m_context->engine.Now(), m_stormTime.GetTimeStep()).Describe();
}

} // namespace ns3
