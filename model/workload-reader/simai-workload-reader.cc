/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-workload-reader.h"

#include "simai-header.h"

#include "ns3/simai-policy.h"
#include "ns3/simai-program.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string_view>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SimaiWorkloadReader);

namespace
{

constexpr uint64_t MAX_NS = 1'000'000'000'000'000; //!< 11 days: no layer takes longer
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
    phase.bytes = line.Get(field + 2).GetUint("size of the collective in bytes", 0, SIMAI_MAX_BYTES);
    return phase;
}

/** \param name name of a row \return it; a ConfigError if it is not UTF-8, as results are */
std::string
ReadName(const TextValue& name)
{
    const std::string text(name.GetText());
    if (!IsUtf8(text))
    {
        name.Fail("the name of a row in UTF-8");
    }
    return text;
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
    row.name = ReadName(line.Get(0));
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
    if (digits >> value && value > 0 && value <= SIMAI_MAX_COUNT)
    {
        return value;
    }
    return std::nullopt;
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
    ReadSimaiHeader(header, workload);
    const std::size_t countIndex = file.FindText(headerIndex + 1);
    if (countIndex == file.GetLineCount())
    {
        header.Fail("a second line with the number of rows behind it");
    }
    const TextLine countLine = file.GetLine(countIndex);
    countLine.RequireCount(1, "number of rows");
    const uint64_t count = countLine.Get(0).GetUint("number of rows", 1, SIMAI_MAX_COUNT);
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
    CheckSimaiRowNumbers(header, workload);
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
