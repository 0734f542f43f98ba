/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-feeder.h"

#include "nvlink-device.h"
#include "nvlink-frame.h"

#include "ns3/node.h"

namespace ns3
{

NvlinkFeeder::NvlinkFeeder(NvlinkDevice* device, FabricPort& port)
    : m_device(device),
      m_port(port),
      m_free(this)
{
    m_free.Bind(&device->GetFabric()->engine, device->GetNode() ? device->GetNode()->GetId() : 0);
}

void
NvlinkFeeder::Offer(uint32_t flow)
{
    if (flow >= m_offered.size())
    {
        m_offered.resize(flow + 1, false);
    }
    if (!m_offered[flow])
    {
        m_offered[flow] = true;
        m_turn.push_back(flow);
    }
}

void
NvlinkFeeder::Pull()
{
    if (m_busy || m_port.IsPaused(NVLINK_DATA_CLASS))
    {
        return;
    }
    while (!m_turn.empty())
    {
        const uint32_t flow = m_turn.front();
        m_turn.pop_front();
        if (m_device->HasWork(flow))
        {
            m_busy = true;
            m_flow = flow;
            m_sequence = m_device->SendPacket(flow, m_port);
            m_free.Set(m_port.GetFreeTime());
            return;
        }
        m_offered[flow] = false;
    }
}

void
NvlinkFeeder::PacketLeft()
{
    m_busy = false;
    m_turn.push_back(m_flow); // behind those who came meanwhile
    m_device->PacketLeft(m_flow, m_sequence);
    Pull();
}

} // namespace ns3
