/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-engine.h"

#include "config-error.h"

#include "ns3/global-value.h"
#include "ns3/string.h"

namespace ns3
{

FabricEngine::FabricEngine()
    : m_wheel(dynamic_cast<FabricSimulatorImpl*>(PeekPointer(Simulator::GetImplementation())))
{
}

void
FabricEngine::Select(const std::string& name)
{
    std::string type;
    if (name == "fabric")
    {
        type = "ns3::FabricSimulatorImpl";
    }
    else if (name == "default")
    {
        type = "ns3::DefaultSimulatorImpl";
    }
    else
    {
        throw ConfigError("--engine", "", name, "fabric or default");
    }
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    GlobalValue::Bind("SimulatorImplementationType", StringValue(type));
}

void
FabricEngine::ScheduleOrdinary(FabricEvent* event, uint64_t ts) const
{
    event->ts = ts;
    const Time delay = TimeStep(ts) - Simulator::Now();
    Simulator::ScheduleWithContext(event->context, delay, [event] { event->handler(event); });
}

uint64_t
FabricEngine::GetTicksPerSecond()
{
    return Seconds(1).GetTimeStep();
}

std::string
FabricEngine::GetName() const
{
    return m_wheel ? "fabric" : Simulator::GetImplementation()->GetInstanceTypeId().GetName();
}

} // namespace ns3
