/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-schedule.h"

#include "ns3/config-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \param gpu a GPU \param step a step of it \return whether what it waits for is announced */
bool
HasAwaited(const MscclGpu& gpu, const MscclStep& step)
{
    return step.awaitedBlock == MscclStep::NONE ||
           MscclSchedule::FindAwaited(gpu, step) != MscclSchedule::NONE;
}

} // namespace

MscclSchedule::MscclSchedule(const MscclProgram& program, const Room& room)
    : m_program(program),
      m_room(room),
      m_progress(program.gpus.size()),
      m_traffic(program.connections.size()),
      m_orders(program.gpus.size())
{
    for (uint32_t gpu = 0; gpu < program.gpus.size(); gpu++)
    {
        m_progress[gpu].resize(program.gpus[gpu].blocks.size());
    }
    for (bool moved = true; moved;)
    {
        moved = false;
        for (uint32_t gpu = 0; gpu < program.gpus.size(); gpu++)
        {
            for (uint32_t block = 0; block < program.gpus[gpu].blocks.size(); block++)
            {
                moved = Advance(gpu, block) || moved;
            }
        }
    }
    RequireEnd();
}

uint32_t
MscclSchedule::FindAwaited(const MscclGpu& gpu, const MscclStep& step)
{
    const std::vector<MscclStep>& steps = gpu.blocks[step.awaitedBlock].steps;
    for (uint32_t i = step.awaitedStep; i < steps.size(); i++)
    {
        if (steps[i].isAwaited && steps[i].type != MscclStepType::NOP)
        {
            return i;
        }
    }
    return NONE;
}

bool
MscclSchedule::IsReleased(uint32_t gpu, const MscclStep& step) const
{
    if (step.awaitedBlock == MscclStep::NONE)
    {
        return true;
    }
    const uint32_t awaited = FindAwaited(m_program.gpus[gpu], step);
    return awaited != NONE && m_progress[gpu][step.awaitedBlock].step > awaited;
}

bool
MscclSchedule::CanMove(const MscclThreadBlock& block, const MscclStep& step) const
{
    if (Receives(step.type))
    {
        const Traffic& traffic = m_traffic[block.incoming];
        if (traffic.received == traffic.sent)
        {
            return false;
        }
    }
    if (Sends(step.type))
    {
        const Traffic& traffic = m_traffic[block.outgoing];
        return traffic.sent - traffic.received < m_room.operations;
    }
    return true;
}

bool
MscclSchedule::Advance(uint32_t gpu, uint32_t number)
{
    const MscclThreadBlock& block = m_program.gpus[gpu].blocks[number];
    Progress& progress = m_progress[gpu][number];
    bool moved = false;
    while (progress.step < block.steps.size())
    {
        const MscclStep& step = block.steps[progress.step];
        if (progress.operations == 0 && !IsReleased(gpu, step))
        {
            return moved;
        }
        const uint32_t operations = step.count / m_room.chunks + (step.count % m_room.chunks != 0);
        for (; progress.operations < operations; progress.operations++)
        {
            if (!CanMove(block, step))
            {
                return moved;
            }
            if (Receives(step.type))
            {
                m_traffic[block.incoming].received++;
            }
            if (Sends(step.type))
            {
                m_traffic[block.outgoing].sent++;
            }
            moved = true;
        }
        m_orders[gpu].push_back({number, progress.step});
        progress.step++;
        progress.operations = 0;
        moved = true;
    }
    return moved;
}

void
MscclSchedule::RequireEnd() const
{
    // A step that nobody announces is why others wait, too.
    for (const bool isNamed : {false, true})
    {
        for (uint32_t gpu = 0; gpu < m_program.gpus.size(); gpu++)
        {
            for (uint32_t number = 0; number < m_program.gpus[gpu].blocks.size(); number++)
            {
                const MscclThreadBlock& block = m_program.gpus[gpu].blocks[number];
                const uint32_t at = m_progress[gpu][number].step;
                if (at < block.steps.size() &&
                    (isNamed || !HasAwaited(m_program.gpus[gpu], block.steps[at])))
                {
                    Fail(gpu, number, at);
                }
            }
        }
    }
}

void
MscclSchedule::Fail(uint32_t gpu, uint32_t number, uint32_t at) const
{
    const MscclThreadBlock& block = m_program.gpus[gpu].blocks[number];
    throw ConfigError(m_program.file,
                      block.steps[at].line,
                      "step " + std::to_string(at) + " of thread block " + std::to_string(number) +
                          " of GPU " + std::to_string(gpu),
                      "a step that can be done: it waits for ever for " +
                          Describe(gpu, block, block.steps[at]));
}

std::string
MscclSchedule::Describe(uint32_t gpu, const MscclThreadBlock& block, const MscclStep& step) const
{
    if (!IsReleased(gpu, step))
    {
        const uint32_t awaited = FindAwaited(m_program.gpus[gpu], step);
        return "step " + std::to_string(awaited == NONE ? step.awaitedStep : awaited) +
               " of thread block " + std::to_string(step.awaitedBlock) +
               (awaited == NONE ? ", as neither it nor a later one has hasdep=\"1\"" : "");
    }
    if (Receives(step.type) && m_traffic[block.incoming].received == m_traffic[block.incoming].sent)
    {
        return "data of GPU " + std::to_string(block.receivePeer);
    }
    return "GPU " + std::to_string(block.sendPeer) + " to receive: the connection's buffer holds " +
           std::to_string(m_room.operations) + " sends";
}

} // namespace ns3
