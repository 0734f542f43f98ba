/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "series-recorder.h"

#include "ns3/type-catalogue.h"

#include <cctype>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SeriesRecorder);
NS_OBJECT_ENSURE_REGISTERED(PortSeriesRecorder);

TypeId
SeriesRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SeriesRecorder").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

TypeId
SeriesRecorder::FindType(const TextValue& name)
{
    const TypeCatalogue catalogue(GetTypeId());
    for (const TypeId& type : catalogue.GetTypes())
    {
        std::string shortName = catalogue.GetShortName(type);
        shortName[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(shortName[0])));
        if (shortName == name.GetText())
        {
            return type;
        }
    }
    return catalogue.Find(name);
}

void
SeriesRecorder::Start(ResultSink& sink, Time interval)
{
    m_sink = &sink;
    m_interval = interval.GetTimeStep();
    sink.Record(GetMetric());
}

void
SeriesRecorder::Finish()
{
}

void
SeriesRecorder::Record(const SeriesRecord& object, uint64_t when, double value) const
{
    SeriesRecord record = object;
    record.time = TimeStep(when);
    record.metric = &GetMetric();
    record.value = value;
    m_sink->Record(record);
}

TypeId
PortSeriesRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PortSeriesRecorder").SetParent<SeriesRecorder>().SetGroupName("Fabric");
    return tid;
}

SeriesRecord
PortSeriesRecorder::NamePort(uint32_t node, const FabricPort& port)
{
    SeriesRecord record;
    record.node = node;
    record.port = port.GetIndex();
    return record;
}

} // namespace ns3
