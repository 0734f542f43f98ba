/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program-builder.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** The compute stream. */
constexpr uint32_t COMPUTE_STREAM = 0;

/**
 * \param index index by key
 * \param values values, to which a new key is appended
 * \param key key
 * \return the index of the key
 */
template <typename T>
uint32_t
FindOrAppend(std::map<T, uint32_t>& index, std::vector<T>& values, const T& key)
{
    const auto [place, isNew] = index.emplace(key, values.size());
    if (isNew)
    {
        values.push_back(key);
    }
    return place->second;
}

} // namespace

WorkloadProgramBuilder::WorkloadProgramBuilder()
{
    GetStream(GetWorkloadPartName(WorkloadPart::COMPUTE));
}

void
WorkloadProgramBuilder::SetMicroBatch(int32_t microBatch)
{
    m_microBatch = microBatch;
}

void
WorkloadProgramBuilder::Compute(const std::string& name, Time duration)
{
    if (duration.IsStrictlyPositive())
    {
        Append(COMPUTE_STREAM, name, WorkloadPart::COMPUTE, ComputeWork{duration, {}}, m_pending);
        m_pending.clear();
    }
}

void
WorkloadProgramBuilder::Compute(const std::string& name, const std::vector<KernelCall>& kernels)
{
    ComputeWork work;
    for (const KernelCall& kernel : kernels)
    {
        work.kernels.push_back(FindOrAppend(m_kernels, m_program.kernels, kernel));
    }
    Append(COMPUTE_STREAM, name, WorkloadPart::COMPUTE, work, m_pending);
    m_pending.clear();
}

std::optional<WorkloadWait>
WorkloadProgramBuilder::ComputeAfter(const std::string& name, WorkloadPart part, Time duration)
{
    if (!duration.IsStrictlyPositive())
    {
        return std::nullopt;
    }
    return Append(GetStream(GetWorkloadPartName(part)),
                  name,
                  WorkloadPart::COMPUTE,
                  ComputeWork{duration, {}},
                  {});
}

WorkloadWait
WorkloadProgramBuilder::Collective(const std::string& name,
                                   WorkloadPart part,
                                   const CollectiveWork& work)
{
    return Append(GetStream(GetWorkloadPartName(part)), name, part, work, GetCommunicationWaits());
}

WorkloadWait
WorkloadProgramBuilder::Prefetch(const std::string& name,
                                 WorkloadPart part,
                                 const CollectiveWork& work)
{
    return Append(GetStream(GetWorkloadPartName(part)), name, part, work, {});
}

void
WorkloadProgramBuilder::BatchMessages(bool batches)
{
    m_batches = batches;
}

void
WorkloadProgramBuilder::Send(const std::string& name, int32_t stageOffset, uint64_t bytes)
{
    m_lastSend = Append(GetStream(stageOffset > 0 ? "pp send next" : "pp send previous"),
                        name,
                        WorkloadPart::PP,
                        TransferWork{true, stageOffset, bytes},
                        GetCommunicationWaits());
}

void
WorkloadProgramBuilder::Receive(const std::string& name, int32_t stageOffset, uint64_t bytes)
{
    TransferWork work{false, stageOffset, bytes};
    std::vector<WorkloadWait> waits;
    if (m_batches && m_lastSend)
    {
        const WorkloadWait send = *m_lastSend;
        auto& sent = std::get<TransferWork>(m_program.streams[send.stream].ops[send.ordinal].work);
        if (sent.stageOffset == stageOffset && sent.bytes > 0 && bytes > 0)
        {
            sent.together = 2;
            work.together = 2;
            waits = GetCommunicationWaits();
        }
    }
    WaitFor(Append(GetStream(stageOffset > 0 ? "pp receive next" : "pp receive previous"),
                   name,
                   WorkloadPart::PP,
                   work,
                   waits));
}

void
WorkloadProgramBuilder::WaitFor(const WorkloadWait& op)
{
    const auto sameStream =
        std::find_if(m_pending.begin(), m_pending.end(), [&op](const WorkloadWait& wait) {
            return wait.stream == op.stream;
        });
    if (sameStream == m_pending.end())
    {
        m_pending.push_back(op);
    }
    else
    {
        sameStream->ordinal = std::max(sameStream->ordinal, op.ordinal);
    }
}

WorkloadProgram
WorkloadProgramBuilder::Take()
{
    WorkloadProgram program = std::move(m_program);
    *this = WorkloadProgramBuilder();
    return program;
}

uint32_t
WorkloadProgramBuilder::GetStream(const std::string& name)
{
    const auto [place, isNew] = m_streams.emplace(name, m_program.streams.size());
    if (isNew)
    {
        m_program.streams.push_back({name, {}});
    }
    return place->second;
}

WorkloadWait
WorkloadProgramBuilder::Append(uint32_t stream,
                               const std::string& name,
                               WorkloadPart part,
                               std::variant<ComputeWork, CollectiveWork, TransferWork> work,
                               const std::vector<WorkloadWait>& waits)
{
    m_lastSend.reset();
    WorkloadOp op;
    op.work = std::move(work);
    op.part = part;
    op.name = FindOrAppend(m_names, m_program.names, name);
    op.microBatch = m_microBatch;
    op.firstWait = m_program.waits.size();
    std::copy_if(waits.begin(),
                 waits.end(),
                 std::back_inserter(m_program.waits),
                 [stream](const WorkloadWait& wait) { return wait.stream != stream; });
    op.waitCount = m_program.waits.size() - op.firstWait;
    std::vector<WorkloadOp>& ops = m_program.streams[stream].ops;
    ops.push_back(std::move(op));
    return {stream, static_cast<uint32_t>(ops.size() - 1)};
}

std::vector<WorkloadWait>
WorkloadProgramBuilder::GetCommunicationWaits() const
{
    std::vector<WorkloadWait> waits = m_pending;
    const std::size_t kernels = m_program.streams[COMPUTE_STREAM].ops.size();
    if (kernels > 0)
    {
        waits.push_back({COMPUTE_STREAM, static_cast<uint32_t>(kernels - 1)});
    }
    return waits;
}

} // namespace ns3
