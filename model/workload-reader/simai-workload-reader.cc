/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-workload-reader.h"

#include "ns3/simai-policy.h"
#include "ns3/simai-program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SimaiWorkloadReader);

namespace
{

constexpr uint64_t MAX_BYTES = uint64_t(1) << 50;  //!< 1 PiB: no collective is larger
constexpr uint64_t MAX_NS = 1'000'000'000'000'000; //!< 11 days: no layer takes longer
constexpr uint64_t MAX_COUNT = uint64_t(1) << 24;  //!< no size, degree or row number is larger
constexpr std::string_view CUSTOMIZED = "HYBRID_CUSTOMIZED"; //!< rows have a policy of their own

/** Policies that a row of HYBRID_CUSTOMIZED may have. */
constexpr std::array<std::string_view, 4> ROW_POLICIES = {"DATA",
                                                          "MODEL",
                                                          "HYBRID_DATA_MODEL",
                                                          "HYBRID_MODEL_DATA"};

/**
 * \param word a word
 * \param suffix suffix, which is removed
 * \return true if the word had it
 */
bool
RemoveSuffix(std::string_view& word, std::string_view suffix)
{
    if (word.size() < suffix.size() || word.substr(word.size() - suffix.size()) != suffix)
    {
        return false;
    }
    word.remove_suffix(suffix.size());
    return true;
}

/**
 * \param value the word that names a collective
 * \param [out] phase gets collective and group
 */
void
ReadCollective(const TextValue& value, SimaiPhase& phase)
{
    static const std::map<std::string_view, CollectiveKind> kinds = {
        {"ALLREDUCE", CollectiveKind::ALL_REDUCE},
        {"ALLGATHER", CollectiveKind::ALL_GATHER},
        {"REDUCESCATTER", CollectiveKind::REDUCE_SCATTER},
        {"ALLTOALL", CollectiveKind::ALL_TO_ALL},
        {"BROADCAST", CollectiveKind::BROADCAST},
    };
    std::string_view word = value.GetText();
    if (word == "NONE")
    {
        return;
    }
    if (RemoveSuffix(word, "_DP_EP"))
    {
        phase.group = SimaiGroup::DP_EP;
    }
    else if (RemoveSuffix(word, "_EP"))
    {
        phase.group = SimaiGroup::EP;
    }
    const auto kind = kinds.find(word);
    if (kind == kinds.end())
    {
        value.Fail("NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or BROADCAST, the last "
                   "five also with _EP or _DP_EP behind");
    }
    phase.collective = kind->second;
}

/**
 * \param line a row
 * \param field first of the three fields of a column
 * \return the column
 */
SimaiPhase
ReadPhase(const TextLine& line, std::size_t field)
{
    SimaiPhase phase;
    phase.computeNs = line.Get(field).GetUint("compute time in ns", 0, MAX_NS);
    ReadCollective(line.Get(field + 1), phase);
    phase.bytes = line.Get(field + 2).GetUint("size of the collective in bytes", 0, MAX_BYTES);
    return phase;
}

/**
 * \param line a row
 * \param isCustomized true if it has a policy of its own
 * \return the row
 */
SimaiRow
ReadRow(const TextLine& line, bool isCustomized)
{
    const std::string fields = "name, dependency, three times (compute ns, collective, bytes), "
                               "update ns";
    line.RequireCount(isCustomized ? 13 : 12, isCustomized ? fields + ", policy" : fields);
    SimaiRow row;
    row.line = line.GetNumber();
    row.name = line.GetWord(0);
    line.Get(1).GetInt("dependency");
    row.forward = ReadPhase(line, 2);
    row.inputGradient = ReadPhase(line, 5);
    row.weightGradient = ReadPhase(line, 8);
    row.updateNs = line.Get(11).GetUint("update time in ns", 0, MAX_NS);
    if (isCustomized)
    {
        row.policy = line.GetWord(12);
        if (std::find(ROW_POLICIES.begin(), ROW_POLICIES.end(), row.policy) == ROW_POLICIES.end())
        {
            line.Get(12).Fail("DATA, MODEL, HYBRID_DATA_MODEL or HYBRID_MODEL_DATA");
        }
    }
    return row;
}

/** Reads the words of the header one after another. */
class HeaderReader
{
  public:
    /**
     * \param line header
     * \param [out] workload gets what it says
     */
    HeaderReader(const TextLine& line, SimaiWorkload& workload)
        : m_line(line),
          m_workload(workload)
    {
    }

    /** Reads all keys of a header that has keys. */
    void ReadKeys()
    {
        while (m_next < m_line.GetCount())
        {
            const TextValue word = Next("a key");
            std::string_view key = word.GetText();
            RemoveSuffix(key, ":");
            if (!ReadKey(key))
            {
                word.Fail("a key: model_parallel_NPU_group, ep, pp, vpp, ga, all_gpus, "
                          "checkpoints, checkpoint_initiates or pp_comm");
            }
            if (!m_keys.emplace(key, m_next).second)
            {
                word.Fail("each key once");
            }
        }
        if (!m_workload.tensorParallel)
        {
            m_line.Fail("a header with model_parallel_NPU_group, the tensor parallel size");
        }
    }

    /**
     * \param what name of the value, for the error
     * \return the next word
     */
    TextValue Next(std::string_view what)
    {
        if (m_next == m_line.GetCount())
        {
            m_line.Fail("a header that goes on with " + std::string(what));
        }
        return m_line.Get(m_next++);
    }

    /** Makes sure that no word is left. */
    void RequireEnd()
    {
        if (m_next < m_line.GetCount())
        {
            m_line.Get(m_next).Fail("the end of the line: " + m_workload.policy +
                                    " has no more parameters");
        }
    }

  private:
    /**
     * Reads the value behind a key.
     * \param key key
     * \return false if there is no such key
     */
    bool ReadKey(std::string_view key)
    {
        const std::pair<std::string_view, std::optional<uint32_t>*> sizes[] = {
            {"model_parallel_NPU_group", &m_workload.tensorParallel},
            {"ep", &m_workload.expertParallel},
            {"pp", &m_workload.pipelineParallel},
            {"vpp", &m_workload.virtualPipeline},
            {"ga", &m_workload.gradientAccumulation},
            {"all_gpus", &m_workload.allGpus},
        };
        for (const auto& [name, size] : sizes)
        {
            if (key == name)
            {
                *size = Next(name).GetUint(name, 1, MAX_COUNT);
                return true;
            }
        }
        if (key == "checkpoints")
        {
            m_workload.checkpoints = ReadList(key);
        }
        else if (key == "checkpoint_initiates")
        {
            m_workload.checkpointInitiates = ReadList(key);
        }
        else if (key == "pp_comm")
        {
            m_workload.pipelineBytes = ReadWholeNumber(Next(key));
        }
        else
        {
            return false;
        }
        return true;
    }

    /**
     * \param key key
     * \return the list behind it: a count and that many rows
     */
    std::vector<uint32_t> ReadList(std::string_view key)
    {
        const uint64_t count = Next(key).GetUint(key, 0, MAX_COUNT);
        std::vector<uint32_t> rows;
        for (uint64_t i = 0; i < count; i++)
        {
            rows.push_back(Next(key).GetUint("row in " + std::string(key), 0, MAX_COUNT));
        }
        return rows;
    }

    /**
     * \param value bytes, which AICB may write as "5242880.0"
     * \return the bytes
     */
    uint64_t ReadWholeNumber(const TextValue& value) const
    {
        const double bytes =
            value.GetDouble("pipeline message in bytes", 0, static_cast<double>(MAX_BYTES));
        if (bytes != std::floor(bytes))
        {
            value.Fail("a whole number of bytes");
        }
        return static_cast<uint64_t>(bytes);
    }

    const TextLine& m_line;                         //!< header
    SimaiWorkload& m_workload;                      //!< what it says
    std::size_t m_next{1};                          //!< next word
    std::map<std::string_view, std::size_t> m_keys; //!< keys read
};

/**
 * \param line first line of the file
 * \param [out] workload gets what it says
 */
void
ReadHeader(const TextLine& line, SimaiWorkload& workload)
{
    workload.policy = line.GetWord(0);
    const auto policy = SimaiPolicy::Create(workload.policy);
    if (!policy)
    {
        line.Get(0).Fail("a parallelisation policy of a SimAI workload: " +
                         SimaiPolicy::ListNames());
    }
    HeaderReader reader(line, workload);
    if (policy->HasParallelSizes())
    {
        reader.ReadKeys();
    }
    else if (workload.policy.rfind("HYBRID_DLRM", 0) == 0)
    {
        workload.lastBottomLayer =
            reader.Next("last bottom layer").GetUint("last bottom layer", 0, MAX_COUNT);
    }
    if (!policy->HasParallelSizes())
    {
        reader.RequireEnd();
    }
}

/**
 * \param name path of a file
 * \param key "gbs" or "mbs"
 * \return the number behind "-key" in the file name that AICB gave it, if it is there
 */
std::optional<uint64_t>
FindInFileName(const std::string& name, const std::string& key)
{
    const std::string file = name.substr(name.rfind('/') + 1);
    const std::size_t at = file.find("-" + key);
    std::istringstream digits(at == std::string::npos ? "" : file.substr(at + 1 + key.size()));
    uint64_t value = 0;
    if (digits >> value && value > 0 && value <= MAX_COUNT)
    {
        return value;
    }
    return std::nullopt;
}

/**
 * Checks the rows that the header names.
 * \param header header
 * \param workload workload
 */
void
CheckRowNumbers(const TextLine& header, const SimaiWorkload& workload)
{
    const auto check = [&](uint64_t row, const std::string& what) {
        if (row >= workload.rows.size())
        {
            header.Fail(what + " below " + std::to_string(workload.rows.size()) +
                        ", the number of rows, not " + std::to_string(row));
        }
    };
    for (uint32_t row : workload.checkpoints)
    {
        check(row, "checkpoints");
    }
    for (uint32_t row : workload.checkpointInitiates)
    {
        check(row, "checkpoint_initiates");
        if (std::none_of(workload.checkpoints.begin(),
                         workload.checkpoints.end(),
                         [row](uint32_t checkpoint) { return checkpoint <= row; }))
        {
            header.Fail("a checkpoint at or before row " + std::to_string(row) +
                        " of checkpoint_initiates");
        }
    }
    check(workload.lastBottomLayer, "last bottom layer");
}

} // namespace

TypeId
SimaiWorkloadReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SimaiWorkloadReader")
                            .SetParent<WorkloadReader>()
                            .SetGroupName("Railyard")
                            .AddConstructor<SimaiWorkloadReader>();
    return tid;
}

SimaiWorkload
SimaiWorkloadReader::Parse(const TextFile& file)
{
    SimaiWorkload workload;
    workload.source = file.GetName();
    const std::size_t headerIndex = file.FindText(0);
    const TextLine header = file.GetLine(headerIndex);
    ReadHeader(header, workload);
    const std::size_t countIndex = file.FindText(headerIndex + 1);
    if (countIndex == file.GetLineCount())
    {
        header.Fail("a second line with the number of rows behind it");
    }
    const TextLine countLine = file.GetLine(countIndex);
    countLine.RequireCount(1, "number of rows");
    const uint64_t count = countLine.Get(0).GetUint("number of rows", 1, MAX_COUNT);
    std::size_t index = file.FindText(countIndex + 1);
    for (; index < file.GetLineCount(); index = file.FindText(index + 1))
    {
        workload.rows.push_back(ReadRow(file.GetLine(index), workload.policy == CUSTOMIZED));
    }
    if (workload.rows.size() != count)
    {
        countLine.Get(0).Fail("the number of rows that follow, " +
                              std::to_string(workload.rows.size()));
    }
    CheckRowNumbers(header, workload);
    workload.globalBatch = FindInFileName(workload.source, "gbs");
    workload.microBatch = FindInFileName(workload.source, "mbs");
    return workload;
}

bool
SimaiWorkloadReader::Recognises(const std::string& head) const
{
    std::istringstream words(head);
    std::string policy;
    words >> policy;
    return SimaiPolicy::Create(policy) != nullptr;
}

std::string
SimaiWorkloadReader::DescribeFormat() const
{
    return "a SimAI or ASTRA-sim text workload, which begins with a policy (" +
           SimaiPolicy::ListNames() + ")";
}

Workload
SimaiWorkloadReader::Read(const std::string& path, const WorkloadCluster& cluster) const
{
    return BuildSimaiWorkload(Parse(TextFile(path)), cluster, *CreateSchedule());
}

} // namespace ns3
