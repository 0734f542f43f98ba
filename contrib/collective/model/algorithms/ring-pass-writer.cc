/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-pass-writer.h"

namespace ns3
{

RingPassWriter::RingPassWriter(PlanProgram& program, uint32_t slices)
    : m_program(program),
      m_slices(slices)
{
}

RingPassWriter::SliceSteps
RingPassWriter::Write(const RingView& ring,
                      int32_t firstOffset,
                      PlanStepKind receive,
                      const SliceSteps& before)
{
    const auto size = static_cast<uint32_t>(ring.peers.size());
    SliceSteps received(m_slices);
    SliceSteps after = before; // what the next send waits for
    uint32_t offset = (firstOffset + size) % size;
    for (uint32_t step = 0; step + 1 < size; step++)
    {
        const uint32_t previous = (offset + size - 1) % size;
        for (uint32_t slice = 0; slice < m_slices; slice++, m_message++)
        {
            const PlanStep send{PlanStepKind::SEND,
                                PlanBuffer::OPERAND,
                                ring.peers[1],
                                ring.sentParts[offset],
                                slice,
                                m_message,
                                ring.partsPerShare,
                                ring.stride};
            PlanStep arrival = send;
            arrival.kind = receive;
            arrival.peer = ring.peers[size - 1];
            arrival.part = ring.parts[previous];
            m_program.AddStep(send, after[slice]);
            received[slice].push_back(m_program.AddStep(arrival));
            if (receive != PlanStepKind::RECEIVE_REDUCE)
            {
                after[slice].clear();
            }
            else if (step > 0)
            {
                after[slice].pop_back(); // the receive before this one
            }
            after[slice].push_back(received[slice].back());
        }
        offset = previous;
    }
    return received;
}

} // namespace ns3
