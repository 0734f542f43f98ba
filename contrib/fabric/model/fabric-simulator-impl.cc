/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSimulatorImpl");

NS_OBJECT_ENSURE_REGISTERED(FabricSimulatorImpl);

FabricSimulatorImpl* FabricSimulatorImpl::g_running = nullptr;

namespace
{

/** \return log2 of the ticks of one wheel slot: about a nanosecond at any resolution */
uint32_t
SlotShift()
{
    uint32_t shift = 0;
    while ((Time(1) * (1LL << shift)) < NanoSeconds(1) && shift < 32)
    {
        shift++;
    }
    return shift;
}

} // namespace

TypeId
FabricSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Fabric")
                            .AddConstructor<FabricSimulatorImpl>();
    return tid;
}

FabricSimulatorImpl::FabricSimulatorImpl()
    : m_wheel(SlotShift(), 16),
      m_context(Simulator::NO_CONTEXT)
{
    NS_LOG_FUNCTION(this);
    g_running = this;
}

FabricSimulatorImpl::~FabricSimulatorImpl()
{
    NS_LOG_FUNCTION(this);
    if (g_running == this)
    {
        g_running = nullptr;
    }
}

void
FabricSimulatorImpl::DoDispose()
{
    DropPending();
    SimulatorImpl::DoDispose();
}

void
FabricSimulatorImpl::DropPending()
{
    while (!m_wheel.IsEmpty())
    {
        FabricEvent* event = m_wheel.Pop();
        if (event->handler == &RunNode)
        {
            static_cast<Node*>(event)->impl->Unref();
        }
    }
    m_idle = 0;
}

void
FabricSimulatorImpl::SetPollHook(std::function<void()> hook)
{
    m_pollHook = std::move(hook);
}

FabricSimulatorImpl::Node*
FabricSimulatorImpl::Insert(uint32_t context, uint64_t ts, EventImpl* event)
{
    if (m_freeNodes.empty())
    {
        constexpr size_t SLAB = 256;
        m_slabs.push_back(std::make_unique<Node[]>(SLAB));
        for (size_t i = 0; i < SLAB; i++)
        {
            m_freeNodes.push_back(&m_slabs.back()[i]);
        }
    }
    Node* node = m_freeNodes.back();
    m_freeNodes.pop_back();
    node->handler = &RunNode;
    node->impl = event;
    node->context = context;
    ScheduleAt(node, ts);
    return node;
}

void
FabricSimulatorImpl::RunNode(FabricEvent* event)
{
    Node* node = static_cast<Node*>(event);
    EventImpl* impl = node->impl;
    g_running->m_freeNodes.push_back(node);
    impl->Invoke();
    impl->Unref();
}

void
FabricSimulatorImpl::Run()
{
    NS_LOG_FUNCTION(this);
    constexpr uint64_t POLL_MASK = (1ULL << 20) - 1;
    g_running = this;
    m_stop = false;
    while (m_wheel.GetSize() > m_idle && !m_stop)
    {
        FabricEvent* event = m_wheel.Pop();
        m_wheel.Prefetch();
        m_now = event->ts;
        m_currentSequence = event->sequence;
        m_context = event->context;
        if (!(++m_eventCount & POLL_MASK) && m_pollHook)
        {
            m_pollHook();
        }
        event->handler(event);
    }
}

void
FabricSimulatorImpl::Destroy()
{
    NS_LOG_FUNCTION(this);
    DropPending(); // intrusive events die with the nodes that the destroy events dispose
    while (!m_destroyEvents.empty())
    {
        const Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

bool
FabricSimulatorImpl::IsFinished() const
{
    return m_wheel.GetSize() <= m_idle || m_stop;
}

void
FabricSimulatorImpl::Stop()
{
    m_stop = true;
}

FabricSimulatorImpl::StopResult
FabricSimulatorImpl::Stop(const Time& delay)
{
    return StopResult(Simulator::Schedule(delay, static_cast<void (*)()>(&Simulator::Stop)));
}

EventId
FabricSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "delay " << delay << " lies in the past");
    const Node* node = Insert(m_context, m_now + delay.GetTimeStep(), event);
    return EventId(Ptr<EventImpl>(event),
                   node->ts,
                   m_context,
                   static_cast<uint32_t>(node->sequence));
}

void
FabricSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "delay " << delay << " lies in the past");
    Insert(context, m_now + delay.GetTimeStep(), event);
}

EventId
FabricSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
FabricSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    const EventId id(Ptr<EventImpl>(event, false), m_now, 0xffffffff, EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

bool
FabricSimulatorImpl::IsDestroyEvent(const EventId& id)
{
    return id.GetUid() == EventId::UID::DESTROY;
}

void
FabricSimulatorImpl::Remove(const EventId& id)
{
    if (IsDestroyEvent(id))
    {
        m_destroyEvents.remove(id);
        return;
    }
    Cancel(id); // its node leaves the wheel when it is due
}

void
FabricSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
FabricSimulatorImpl::IsExpired(const EventId& id) const
{
    EventImpl* event = id.PeekEventImpl();
    if (!event || event->IsCancelled())
    {
        return true;
    }
    if (IsDestroyEvent(id))
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    if (id.GetTs() != m_now)
    {
        return id.GetTs() < m_now;
    }
    // Due in this tick: pending if it comes after the running event. An EventId holds the low half
    // of the sequence number; those that are pending lie between the running event's and the next.
    const uint32_t ahead = id.GetUid() - static_cast<uint32_t>(m_currentSequence);
    return ahead == 0 || ahead >= m_nextSequence - m_currentSequence;
}

Time
FabricSimulatorImpl::Now() const
{
    return TimeStep(m_now);
}

Time
FabricSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - m_now);
}

Time
FabricSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(0x7fffffffffffffffLL);
}

void
FabricSimulatorImpl::SetScheduler(ObjectFactory)
{
}

uint32_t
FabricSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
FabricSimulatorImpl::GetContext() const
{
    return m_context;
}

uint64_t
FabricSimulatorImpl::GetEventCount() const
{
    return m_eventCount;
}

} // namespace ns3
