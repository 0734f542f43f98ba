/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-qlen-writer.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr uint64_t LOOK_NS = 100;        //!< time between two looks
constexpr uint64_t BLOCK_NS = 100000000; //!< time between two blocks
constexpr uint64_t BAR_BYTES = 1000;     //!< width of a bar
constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max(); //!< no switch

} // namespace

HpccQlenWriter::HpccQlenWriter(const std::string& path,
                               const std::vector<HpccNode>& nodes,
                               const HpccQlenTimes& times)
    : m_file(path),
      m_byNode(nodes.size(), NONE),
      m_start(times.start)
{
    std::vector<std::size_t> order;
    for (std::size_t node = 0; node < nodes.size(); node++)
    {
        if (nodes[node].isSwitch)
        {
            order.push_back(node);
        }
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return nodes[a].id < nodes[b].id;
    });
    for (const std::size_t node : order)
    {
        m_byNode[node] = m_switches.size();
        m_switches.push_back({nodes[node].id, std::vector<Port>(nodes[node].portCount)});
    }
    if (times.end)
    {
        m_looks = CountLooksBefore(*times.end) + 1;
    }
}

uint64_t
HpccQlenWriter::CountLooksBefore(Time when) const
{
    const int64_t ticks = (when - m_start).GetTimeStep();
    const int64_t step = NanoSeconds(LOOK_NS).GetTimeStep();
    const uint64_t looks = ticks > 0 ? (ticks + step - 1) / step : 0;
    return m_looks ? std::min(looks, *m_looks) : looks;
}

void
HpccQlenWriter::CountUpTo(Port& port, uint64_t looks)
{
    if (looks <= port.looks)
    {
        return;
    }
    const std::size_t bar = port.bytes / BAR_BYTES;
    if (port.counts.size() <= bar)
    {
        port.counts.resize(bar + 1);
    }
    port.counts[bar] += looks - port.looks;
    port.looks = looks;
}

void
HpccQlenWriter::Take(const SeriesRecord& record)
{
    const uint64_t looks = CountLooksBefore(record.time);
    WriteDue(looks);
    Port& port = m_switches[m_byNode.at(record.node)].ports.at(record.port);
    CountUpTo(port, looks);
    port.bytes = static_cast<uint64_t>(record.value);
}

void
HpccQlenWriter::WriteDue(uint64_t looks)
{
    const uint64_t start = m_start.GetNanoSeconds();
    while (m_nextBlock < looks)
    {
        const uint64_t ns = start + m_nextBlock * LOOK_NS;
        const uint64_t rest = ns % BLOCK_NS;
        if (rest == 0)
        {
            WriteBlock(m_nextBlock);
            m_nextBlock++;
        }
        else if ((BLOCK_NS - rest) % LOOK_NS == 0)
        {
            m_nextBlock += (BLOCK_NS - rest) / LOOK_NS;
        }
        else
        {
            m_nextBlock = std::numeric_limits<uint64_t>::max(); // no look at such a time
        }
    }
}

void
HpccQlenWriter::WriteBlock(uint64_t look)
{
    std::string text =
        "time: " + std::to_string(m_start.GetNanoSeconds() + look * LOOK_NS) + "\n";
    for (Switch& hub : m_switches)
    {
        for (std::size_t i = 0; i < hub.ports.size(); i++)
        {
            CountUpTo(hub.ports[i], look + 1);
            text += std::to_string(hub.id) + " " + std::to_string(i + 1);
            for (const uint64_t count : hub.ports[i].counts)
            {
                text += " " + std::to_string(count);
            }
            text += "\n";
        }
    }
    m_file.Write(text);
    m_lastBlock = look;
}

bool
HpccQlenWriter::IsIdle() const
{
    return std::all_of(m_switches.begin(), m_switches.end(), [](const Switch& hub) {
        return std::all_of(hub.ports.begin(), hub.ports.end(), [](const Port& port) {
            return port.bytes == 0;
        });
    });
}

void
HpccQlenWriter::Close()
{
    const uint64_t looks =
        m_looks && IsIdle() ? *m_looks : CountLooksBefore(Simulator::Now() + TimeStep(1));
    WriteDue(looks);
    if (looks > 0 && m_lastBlock != looks - 1)
    {
        WriteBlock(looks - 1);
    }
    m_file.Close();
}

} // namespace ns3
