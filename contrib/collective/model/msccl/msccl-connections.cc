/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-connections.h"

#include "ns3/config-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * \param block a thread block, or null
 * \param uses whether a step uses the connection
 * \return the steps that do, in order
 */
std::vector<const MscclStep*>
GetSteps(const MscclThreadBlock* block, bool (*uses)(MscclStepType))
{
    std::vector<const MscclStep*> steps;
    for (std::size_t i = 0; block && i < block->steps.size(); i++)
    {
        if (uses(block->steps[i].type))
        {
            steps.push_back(&block->steps[i]);
        }
    }
    return steps;
}

} // namespace

void
MscclConnections::Connect()
{
    for (uint32_t id = 0; id < m_program.gpus.size(); id++)
    {
        for (MscclThreadBlock& block : m_program.gpus[id].blocks)
        {
            if (!GetSteps(&block, Sends).empty())
            {
                Ends& ends = m_ends[{id, block.sendPeer, block.channel}];
                SetEnd(ends.sender, block, "send", block.sendPeer);
            }
            if (!GetSteps(&block, Receives).empty())
            {
                Ends& ends = m_ends[{block.receivePeer, id, block.channel}];
                SetEnd(ends.receiver, block, "recv", block.receivePeer);
            }
        }
    }
    for (const auto& [key, ends] : m_ends)
    {
        Match(key, ends);
        const auto number = static_cast<uint32_t>(m_program.connections.size());
        ends.sender->outgoing = number;
        ends.receiver->incoming = number;
        m_program.connections.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
    }
}

void
MscclConnections::SetEnd(MscclThreadBlock*& end,
                         MscclThreadBlock& block,
                         const std::string& what,
                         uint32_t peer) const
{
    if (end)
    {
        Fail(block.line,
             what + "=\"" + std::to_string(peer) + "\" chan=\"" + std::to_string(block.channel) +
                 "\"",
             "one thread block for a peer and a channel; that in line " +
                 std::to_string(end->line) + " is another");
    }
    end = &block;
}

void
MscclConnections::Match(const Key& key, const Ends& ends) const
{
    const auto [src, dst, channel] = key;
    const std::vector<const MscclStep*> sends = GetSteps(ends.sender, Sends);
    const std::vector<const MscclStep*> receives = GetSteps(ends.receiver, Receives);
    const std::size_t both = std::min(sends.size(), receives.size());
    for (std::size_t i = 0; i < both; i++)
    {
        if (sends[i]->count != receives[i]->count)
        {
            Fail(receives[i]->line,
                 "cnt=\"" + std::to_string(receives[i]->count) + "\"",
                 std::to_string(sends[i]->count) + ", as GPU " + std::to_string(src) +
                     " sends it in line " + std::to_string(sends[i]->line));
        }
    }
    if (sends.size() > both)
    {
        Fail(sends[both]->line,
             "a send to GPU " + std::to_string(dst) + " on channel " + std::to_string(channel),
             "as many as GPU " + std::to_string(dst) + " receives there: " + std::to_string(both));
    }
    if (receives.size() > both)
    {
        Fail(receives[both]->line,
             "a receive from GPU " + std::to_string(src) + " on channel " + std::to_string(channel),
             "as many as GPU " + std::to_string(src) + " sends there: " + std::to_string(both));
    }
}

void
MscclConnections::Fail(uint64_t line, const std::string& value, const std::string& expected) const
{
    throw ConfigError(m_program.file, line, value, expected);
}

} // namespace ns3
