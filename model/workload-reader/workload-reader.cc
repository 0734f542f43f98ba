/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-reader.h"

#include "ns3/config-error.h"
#include "ns3/object-factory.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/text-scanner.h"
#include "ns3/type-catalogue.h"
#include "ns3/uinteger.h"

#include <fstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadReader);

namespace
{

/** Readers see so many bytes of a file to recognise it. */
constexpr std::size_t HEAD_BYTES = 4096;

/** A number of GPUs or sequences that an attribute takes; 0: as in the file. */
constexpr uint32_t MAX_DEGREE = 1U << 20;

/**
 * \param path a file, perhaps a binary one
 * \return its first bytes, without a UTF-8 byte order mark; nothing if it cannot be read
 */
std::string
ReadHead(const std::string& path)
{
    std::string head(HEAD_BYTES, '\0');
    std::ifstream stream(path, std::ios::binary);
    stream.read(head.data(), head.size());
    head.resize(stream.gcount());
    return head.rfind("\xEF\xBB\xBF", 0) == 0 ? head.substr(3) : head;
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
                          MakeTypeIdChecker())
            .AddAttribute("TensorParallel",
                          "Tensor parallel size of a model. 0: as in the file.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadReader::m_tensor),
                          MakeUintegerChecker<uint32_t>(0, MAX_DEGREE))
            .AddAttribute("PipelineParallel",
                          "Pipeline stages of a model. 0: as in the file.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadReader::m_pipeline),
                          MakeUintegerChecker<uint32_t>(0, MAX_DEGREE))
            .AddAttribute("DataParallel",
                          "Data parallel size of a model. 0: as in the file.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadReader::m_data),
                          MakeUintegerChecker<uint32_t>(0, MAX_DEGREE))
            .AddAttribute("MicroBatch",
                          "Sequences of a micro-batch. 0: as in the file.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadReader::m_microBatch),
                          MakeUintegerChecker<uint32_t>(0, MAX_DEGREE))
            .AddAttribute("GlobalBatch",
                          "Sequences of an iteration, all replicas together. 0: as in the file.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadReader::m_globalBatch),
                          MakeUintegerChecker<uint32_t>(0, MAX_DEGREE));
    return tid;
}

Workload
WorkloadReader::ReadFile(const std::string& path, const WorkloadCluster& cluster)
{
    if (path.empty())
    {
        throw ConfigError("workload", "", path, "a file: SimAI text, or JSON of Railyard");
    }
    const std::string head = ReadHead(path);
    std::string formats;
    const TypeCatalogue readers(WorkloadReader::GetTypeId());
    for (const Ptr<WorkloadReader>& reader : readers.CreateAll<WorkloadReader>())
    {
        if (reader->Recognises(head))
        {
            if (!reader->HasLayout() && reader->ChangesLayout())
            {
                throw ConfigError(path,
                                  "",
                                  "another layout or batch",
                                  "a workload that describes a model: only there can --tp, --pp, "
                                  "--dp, --microBatch and --globalBatch change them");
            }
            return reader->Read(path, cluster);
        }
        formats += (formats.empty() ? "" : "; or ") + reader->DescribeFormat();
    }
    const TextFile file(path); // has its own error for folders and binary data
    const TextLine first = file.GetLine(file.FindText(0));
    first.Fail("a workload: " + formats);
}

bool
WorkloadReader::ChangesLayout() const
{
    return m_tensor + m_pipeline + m_data + m_microBatch + m_globalBatch > 0;
}

bool
WorkloadReader::HasLayout() const
{
    return false;
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
