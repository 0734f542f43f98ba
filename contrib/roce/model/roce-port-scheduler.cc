/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port-scheduler.h"

#include "roce-nic-device.h"

#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

RocePortScheduler::RocePortScheduler(RoceNicDevice& nic, FabricPort& port)
    : m_nic(nic),
      m_port(port),
      m_ticksPerSecond(FabricEngine::GetTicksPerSecond()),
      m_timer(this)
{
    m_timer.Bind(&nic.GetFabric()->engine, nic.GetNode()->GetId());
}

void
RocePortScheduler::Wake(RoceQueuePair& qp, uint64_t now)
{
    if (qp.place != RoceQueuePair::Place::IDLE || !qp.CanSend())
    {
        return;
    }
    Place(qp, now);
    Resume(now);
}

void
RocePortScheduler::Resume(uint64_t now)
{
    MoveDue(now);
    if (m_readyHead && m_port.GetFreeTime() <= now && !m_nic.IsDataPaused(m_port))
    {
        SendOne(now);
    }
    Arm(now);
}

void
RocePortScheduler::Run()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    MoveDue(now);
    // The port may have been given an acknowledgement meanwhile: the packet then queues behind it,
    // lest data starve behind a stream of acknowledgements.
    if (m_readyHead && !m_nic.IsDataPaused(m_port))
    {
        SendOne(now);
    }
    Arm(now);
}

void
RocePortScheduler::MoveDue(uint64_t now)
{
    while (!m_paced.empty() && m_paced.front().available <= now)
    {
        std::pop_heap(m_paced.begin(), m_paced.end());
        RoceQueuePair* qp = m_paced.back().qp;
        m_paced.pop_back();
        qp->place = RoceQueuePair::Place::IDLE;
        if (qp->CanSend())
        {
            Place(*qp, now);
        }
    }
}

void
RocePortScheduler::Place(RoceQueuePair& qp, uint64_t now)
{
    if (qp.available > now)
    {
        qp.place = RoceQueuePair::Place::PACED;
        m_paced.push_back({qp.available, m_order++, &qp});
        std::push_heap(m_paced.begin(), m_paced.end());
        return;
    }
    qp.place = RoceQueuePair::Place::READY;
    qp.nextReady = nullptr;
    (m_readyTail ? m_readyTail->nextReady : m_readyHead) = &qp;
    m_readyTail = &qp;
}

void
RocePortScheduler::SendOne(uint64_t now)
{
    RoceQueuePair* qp = nullptr;
    while (m_readyHead && !qp)
    {
        qp = m_readyHead;
        m_readyHead = qp->nextReady;
        m_readyTail = m_readyHead ? m_readyTail : nullptr;
        qp->place = RoceQueuePair::Place::IDLE;
        if (!qp->CanSend())
        {
            qp = nullptr; // its window shut, or it failed, while it waited
        }
    }
    if (!qp)
    {
        return;
    }
    const uint64_t start = std::max(now, m_port.GetFreeTime());
    const uint64_t wireBytes = m_nic.SendData(*qp, m_port, now, start);
    Pace(*qp, wireBytes, start);
    if (qp->CanSend())
    {
        Place(*qp, m_port.GetFreeTime());
    }
}

void
RocePortScheduler::Pace(RoceQueuePair& qp, uint64_t wireBytes, uint64_t start)
{
    const uint64_t rate = qp.congestionControl->GetRateBps(start);
    if (rate >= m_port.GetLink().rateBps)
    {
        qp.available = 0;
        qp.burstBytes = 0;
        return;
    }
    if (qp.burstBytes == 0 || EndOfBurst(qp, rate) <= start)
    {
        qp.burstStart = start;
        qp.burstBytes = 0; // a part of a burst long ago gives no credit
    }
    qp.burstBytes += wireBytes;
    if (qp.burstBytes < qp.needs.burstBytes)
    {
        qp.available = 0; // the rest of the burst follows at line rate
        return;
    }
    qp.available = EndOfBurst(qp, rate);
    qp.burstBytes = 0;
}

uint64_t
RocePortScheduler::EndOfBurst(const RoceQueuePair& qp, uint64_t rate) const
{
    const auto tickBits = static_cast<unsigned __int128>(qp.burstBytes) * 8 * m_ticksPerSecond;
    return qp.burstStart + static_cast<uint64_t>((tickBits + rate - 1) / rate);
}

void
RocePortScheduler::Arm(uint64_t now)
{
    if (m_readyHead && !m_nic.IsDataPaused(m_port))
    {
        m_timer.Set(std::max(now, m_port.GetFreeTime()));
    }
    else if (!m_readyHead && !m_paced.empty())
    {
        m_timer.Set(std::max(m_paced.front().available, m_port.GetFreeTime()));
    }
}

} // namespace ns3
