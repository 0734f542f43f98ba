/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-plan-writer.h"

#include "ns3/slice-pipeline.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

MscclPlanWriter::MscclPlanWriter(const MscclProgram& program,
                                 const MscclSchedule& schedule,
                                 const MscclPipe& pipe,
                                 uint64_t bytes,
                                 uint32_t elementBytes)
    : m_program(program),
      m_schedule(schedule),
      m_pipe(pipe),
      m_bytes(bytes),
      m_elementBytes(elementBytes),
      m_slices(SlicePipeline::GetSliceCount(bytes / program.chunks, pipe.sliceBytes)),
      m_chunksPerMessage(static_cast<uint32_t>(
          std::clamp<uint64_t>(pipe.sliceBytes / std::max<uint64_t>(bytes / program.chunks, 1),
                               1,
                               std::numeric_limits<uint32_t>::max() / 2)))
{
    m_connections.resize(program.connections.size());
    for (const MscclGpu& gpu : program.gpus)
    {
        for (const MscclThreadBlock& block : gpu.blocks)
        {
            for (const MscclStep& step : block.steps)
            {
                if (Sends(step.type))
                {
                    Connection& connection = m_connections[block.outgoing];
                    connection.perSlice += CountMessages(step.count);
                    connection.most =
                        std::max(connection.most, std::min(step.count, m_chunksPerMessage));
                }
            }
        }
    }
    NumberMessages();
}

void
MscclPlanWriter::NumberMessages()
{
    // Messages of a distance and a channel share a block of numbers: there is one such connection
    // from every GPU, and one to every GPU.
    const auto size = static_cast<uint32_t>(m_program.gpus.size());
    const auto key = [&](uint32_t number) {
        const MscclConnection& connection = m_program.connections[number];
        return std::make_pair((connection.dst + size - connection.src) % size, connection.channel);
    };
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> blocks; // size, then first number
    for (uint32_t i = 0; i < m_connections.size(); i++)
    {
        uint32_t& most = blocks[key(i)];
        most = std::max(most, m_connections[i].perSlice);
    }
    uint64_t total = 0;
    for (auto& [which, messages] : blocks)
    {
        total += messages;
        messages = static_cast<uint32_t>(total - messages);
    }
    SlicePipeline::RequireMessages("ns3::MscclAlgorithm::BufferBytes",
                                   m_slices,
                                   std::max<uint64_t>(total, 1),
                                   m_bytes / m_program.chunks);
    for (uint32_t i = 0; i < m_connections.size(); i++)
    {
        m_connections[i].firstMessage = blocks[key(i)] * m_slices;
    }
}

uint32_t
MscclPlanWriter::PlaceSlots(uint32_t gpu)
{
    uint32_t parts = m_program.gpus[gpu].scratchChunks;
    for (const MscclThreadBlock& block : m_program.gpus[gpu].blocks)
    {
        if (block.outgoing != MscclThreadBlock::NONE)
        {
            Connection& connection = m_connections[block.outgoing];
            connection.firstSlot = parts;
            connection.sent = 0;
            connection.acknowledged.assign(m_pipe.slots, PlanProgram::NONE);
            parts += m_pipe.slots * connection.most;
        }
    }
    return parts;
}

CollectivePlan
MscclPlanWriter::Write(bool isInPlace)
{
    m_isInPlace = isInPlace;
    const auto size = static_cast<uint32_t>(m_program.gpus.size());
    uint32_t scratch = 0;
    std::vector<PlanProgram> programs;
    for (uint32_t gpu = 0; gpu < size; gpu++)
    {
        scratch = std::max(scratch, PlaceSlots(gpu));
        programs.push_back(WriteGpu(gpu));
    }
    CollectivePlan plan(ChunkGrid(m_bytes, m_elementBytes, m_program.chunks, 1, m_slices),
                        std::move(programs));
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    plan.AddChannel(order, order);
    plan.SetBuffers(scratch, isInPlace ? PlanBuffer::OPERAND : PlanBuffer::OUTPUT);
    return plan;
}

PlanProgram
MscclPlanWriter::WriteGpu(uint32_t gpu)
{
    const MscclGpu& what = m_program.gpus[gpu];
    m_gpu = gpu;
    m_written = PlanProgram();
    m_done.clear();
    for (const MscclThreadBlock& block : what.blocks)
    {
        m_done.emplace_back(block.steps.size(), PlanProgram::NONE);
    }
    m_last.assign(what.blocks.size(), PlanProgram::NONE);
    m_waits.assign(what.blocks.size(), {});
    for (uint32_t slice = 0; slice < m_slices; slice += m_pipe.slicesPerLoop)
    {
        for (const MscclThreadBlock& block : what.blocks)
        {
            if (block.outgoing != MscclThreadBlock::NONE)
            {
                m_connections[block.outgoing].sentOfLoop = 0;
            }
            if (block.incoming != MscclThreadBlock::NONE)
            {
                m_connections[block.incoming].receivedOfLoop = 0;
            }
        }
        for (const MscclSchedule::Place& place : m_schedule.GetOrder(gpu))
        {
            WriteStep(place, slice);
        }
    }
    m_written.Finish();
    return std::move(m_written);
}

void
MscclPlanWriter::WriteStep(const MscclSchedule::Place& place, uint32_t firstSlice)
{
    const MscclGpu& gpu = m_program.gpus[m_gpu];
    const MscclThreadBlock& block = gpu.blocks[place.block];
    const MscclStep& step = block.steps[place.step];
    m_block = place.block;
    if (step.awaitedBlock != MscclStep::NONE && step.awaitedBlock != place.block)
    {
        const uint32_t awaited = MscclSchedule::FindAwaited(gpu, step);
        m_waits[m_block].push_back(m_done[step.awaitedBlock][awaited]);
    }
    const uint32_t end = std::min(firstSlice + m_pipe.slicesPerLoop, m_slices);
    for (uint32_t first = 0; first < step.count; first += m_chunksPerMessage)
    {
        const uint32_t count = std::min(m_chunksPerMessage, step.count - first);
        for (uint32_t slice = firstSlice; slice < end; slice++)
        {
            WritePiece(block, step, {first, count, slice, first / m_chunksPerMessage});
        }
    }
    m_done[place.block][place.step] = m_last[m_block];
    if (Sends(step.type))
    {
        m_connections[block.outgoing].sentOfLoop += CountMessages(step.count);
    }
    if (Receives(step.type))
    {
        m_connections[block.incoming].receivedOfLoop += CountMessages(step.count);
    }
}

void
MscclPlanWriter::WritePiece(const MscclThreadBlock& block,
                            const MscclStep& step,
                            const Piece& piece)
{
    const PlanStep source = Locate(step.source, piece);
    const PlanStep destination = Locate(step.destination, piece);
    if (step.type == MscclStepType::COPY || step.type == MscclStepType::REDUCE)
    {
        const bool copies = step.type == MscclStepType::COPY;
        WriteLocal(copies ? PlanStepKind::COPY : PlanStepKind::REDUCE, source, destination);
        return;
    }
    if (step.type == MscclStepType::RECEIVE_REDUCE_SEND)
    {
        const PlanStep slot = TakeSlot(m_connections[block.outgoing], piece);
        WriteLocal(PlanStepKind::COPY, source, slot);
        WriteReceive(block, step, piece);
        WriteSend(block, slot, piece);
        return;
    }
    if (Receives(step.type))
    {
        if (ReadsSource(step.type) && !(step.source == step.destination))
        {
            WriteLocal(PlanStepKind::COPY, source, destination);
        }
        WriteReceive(block, step, piece);
    }
    if (Sends(step.type))
    {
        const PlanStep slot = TakeSlot(m_connections[block.outgoing], piece);
        WriteLocal(PlanStepKind::COPY,
                   step.type == MscclStepType::SEND ? source : destination,
                   slot);
        WriteSend(block, slot, piece);
    }
}

void
MscclPlanWriter::WriteReceive(const MscclThreadBlock& block,
                              const MscclStep& step,
                              const Piece& piece)
{
    const Connection& connection = m_connections[block.incoming];
    PlanStep receive = WritesDestination(step.type)
                           ? Locate(step.destination, piece)
                           : m_written.GetStep(m_last[m_block]); // the slot
    receive.kind = ReadsSource(step.type) ? PlanStepKind::RECEIVE_REDUCE : PlanStepKind::RECEIVE;
    receive.peer = GetAhead(block.receivePeer);
    receive.message = connection.firstMessage + piece.slice * connection.perSlice +
                      connection.receivedOfLoop + piece.index;
    receive.connection = static_cast<uint8_t>(block.channel);
    Add(receive);
}

void
MscclPlanWriter::WriteSend(const MscclThreadBlock& block, PlanStep slot, const Piece& piece)
{
    Connection& connection = m_connections[block.outgoing];
    slot.kind = PlanStepKind::SEND;
    slot.peer = GetAhead(block.sendPeer);
    slot.message = connection.firstMessage + piece.slice * connection.perSlice +
                   connection.sentOfLoop + piece.index;
    slot.connection = static_cast<uint8_t>(block.channel);
    connection.acknowledged[connection.sent % m_pipe.slots] =
        m_written.AddStep(slot, {m_last[m_block]});
    connection.sent++;
}

void
MscclPlanWriter::WriteLocal(PlanStepKind kind, const PlanStep& from, PlanStep to)
{
    to.kind = kind;
    to.source = from.buffer;
    to.sourcePart = from.part;
    Add(to);
}

void
MscclPlanWriter::Add(const PlanStep& step)
{
    std::vector<uint32_t>& after = m_waits[m_block];
    after.push_back(m_last[m_block]);
    m_last[m_block] = m_written.AddStep(step, after);
    after.clear();
}

PlanStep
MscclPlanWriter::Locate(const MscclPlace& place, const Piece& piece) const
{
    const bool hasOwnInput = m_program.kind == CollectiveKind::ALL_GATHER;
    const bool hasOwnOutput = m_program.kind == CollectiveKind::REDUCE_SCATTER;
    const uint32_t own = m_gpu * m_program.GetShare();
    PlanStep step;
    step.part = place.offset + piece.first;
    step.parts = piece.count;
    step.slice = piece.slice;
    switch (place.buffer)
    {
    case MscclBuffer::INPUT:
        step.buffer = PlanBuffer::OPERAND;
        step.part += hasOwnInput ? own : 0;
        break;
    case MscclBuffer::OUTPUT:
        step.buffer = m_isInPlace ? PlanBuffer::OPERAND : PlanBuffer::OUTPUT;
        step.part += hasOwnOutput ? own : 0;
        break;
    case MscclBuffer::SCRATCH:
        step.buffer = PlanBuffer::SCRATCH;
        break;
    }
    return step;
}

PlanStep
MscclPlanWriter::TakeSlot(const Connection& connection, const Piece& piece)
{
    const uint32_t slot = connection.sent % m_pipe.slots;
    m_waits[m_block].push_back(connection.acknowledged[slot]);
    PlanStep step;
    step.buffer = PlanBuffer::SCRATCH;
    step.part = connection.firstSlot + slot * connection.most;
    step.parts = piece.count;
    step.slice = piece.slice;
    return step;
}

} // namespace ns3
