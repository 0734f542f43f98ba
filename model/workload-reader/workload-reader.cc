/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-reader.h"

#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadReader);

namespace
{

/** Readers see so many bytes of a file to recognise it. */
constexpr std::size_t HEAD_BYTES = 4096;

/** \return one reader of every registered format, by name */
std::vector<Ptr<WorkloadReader>>
CreateReaders()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(WorkloadReader::GetTypeId()) && type.HasConstructor())
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    std::vector<Ptr<WorkloadReader>> readers;
    for (const TypeId& type : types)
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        readers.push_back(factory.Create<WorkloadReader>());
    }
    return readers;
}

/**
 * \param path a file, perhaps a binary one
 * \return its first bytes, nothing if it cannot be read
 */
std::string
ReadHead(const std::string& path)
{
    std::string head(HEAD_BYTES, '\0');
    std::ifstream stream(path, std::ios::binary);
    stream.read(head.data(), head.size());
    head.resize(stream.gcount());
    return head;
}

} // namespace

TypeId
WorkloadReader::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WorkloadReader")
            .SetParent<Object>()
            .SetGroupName("Railyard")
            .AddAttribute("PipelineSchedule",
                          "Class of the order in which a pipeline stage works through the "
                          "micro-batches",
                          TypeIdValue(OneForwardOneBackwardSchedule::GetTypeId()),
                          MakeTypeIdAccessor(&WorkloadReader::m_schedule),
                          MakeTypeIdChecker());
    return tid;
}

Workload
WorkloadReader::ReadFile(const std::string& path, const WorkloadCluster& cluster)
{
    const std::string head = ReadHead(path);
    std::string formats;
    for (const Ptr<WorkloadReader>& reader : CreateReaders())
    {
        if (reader->Recognises(head))
        {
            return reader->Read(path, cluster);
        }
        formats += (formats.empty() ? "" : "; or ") + reader->DescribeFormat();
    }
    const TextFile file(path); // has its own error for folders and binary data
    const TextLine first = file.GetLine(file.FindText(0));
    first.Fail("a workload: " + formats);
}

Ptr<PipelineSchedule>
WorkloadReader::CreateSchedule() const
{
    if (!m_schedule.IsChildOf(PipelineSchedule::GetTypeId()) || !m_schedule.HasConstructor())
    {
        throw ConfigError("attribute PipelineSchedule",
                          "",
                          m_schedule.GetName(),
                          "a class derived from ns3::PipelineSchedule");
    }
    ObjectFactory factory;
    factory.SetTypeId(m_schedule);
    return factory.Create<PipelineSchedule>();
}

} // namespace ns3
