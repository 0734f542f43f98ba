/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-library.h"

#include "msccl-plan-writer.h"
#include "msccl-reader.h"
#include "msccl-schedule.h"

#include "ns3/collective-plan-verifier.h"
#include "ns3/comma-list.h"
#include "ns3/config-error.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * \param folder a folder
 * \return its XML files, by name; a ConfigError if there are none
 */
std::vector<std::string>
ListFolder(const std::string& folder)
{
    std::vector<std::string> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
    {
        if (entry->path().extension() == ".xml")
        {
            files.push_back(entry->path().string());
        }
    }
    if (error || files.empty())
    {
        throw ConfigError(folder, "", error ? error.message() : "no *.xml", "algorithms of MSCCL");
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

MscclLibrary::MscclLibrary(const std::string& paths)
{
    for (const std::string_view word : SplitList(paths))
    {
        const std::string path(word);
        if (path.empty())
        {
            throw ConfigError("attribute",
                              "ns3::MscclAlgorithm::Files",
                              paths,
                              "files or folders with commas between them, none without a name");
        }
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored))
        {
            m_programs.push_back(Load(path));
            continue;
        }
        for (const std::string& file : ListFolder(path))
        {
            m_programs.push_back(Load(file));
        }
    }
}

MscclProgram
MscclLibrary::Load(const std::string& path)
{
    MscclProgram program = MscclReader::Read(TextFile(path));
    Prove(program);
    return program;
}

const MscclProgram*
MscclLibrary::Find(const CollectiveRequest& request) const
{
    const auto fits = [&request](const MscclProgram& program) {
        const bool isRooted =
            program.kind == CollectiveKind::BROADCAST || program.kind == CollectiveKind::REDUCE;
        return program.kind == request.kind && program.gpus.size() == request.GetGroupSize() &&
               (!isRooted || program.root == request.root) && program.minBytes <= request.bytes &&
               (program.maxBytes == 0 || request.bytes <= program.maxBytes) &&
               request.bytes % (static_cast<uint64_t>(program.chunks) * request.elementBytes) == 0;
    };
    const auto found = std::find_if(m_programs.begin(), m_programs.end(), fits);
    return found == m_programs.end() ? nullptr : &*found;
}

void
MscclLibrary::Prove(const MscclProgram& program)
{
    const MscclSchedule schedule(program, {});
    const MscclPipe pipe{1U << 31, 1, 1, 1}; // a message for every send
    CollectiveRequest request;
    request.kind = program.kind;
    request.bytes = program.chunks;
    request.root = program.root;
    request.placement.assign(program.gpus.size(), 0);
    for (const bool isInPlace : {false, true})
    {
        if (!(isInPlace ? program.isInPlace : program.isOutOfPlace) || request.IsEmpty())
        {
            continue;
        }
        MscclPlanWriter writer(program, schedule, pipe, request.bytes, 1);
        const CollectivePlan plan = writer.Write(isInPlace);
        if (CollectivePlanVerifier::GetCost(request, plan) > MAX_COST)
        {
            continue;
        }
        const std::string problem = CollectivePlanVerifier::Verify(request, plan);
        if (!problem.empty())
        {
            std::ostringstream expected;
            expected << "a program that does " << program.kind
                     << (isInPlace ? " in place" : " out of place") << ": " << problem;
            throw ConfigError(program.file,
                              program.line,
                              "algorithm " + program.name,
                              expected.str());
        }
    }
}

} // namespace ns3
