/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-output.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>

namespace ns3
{

namespace
{

/**
 * \param config a configuration
 * \param key one of its keys
 * \param path its value, if it is there
 * \param [in,out] names of the other files
 * \return name of the file in the result folder, empty if the key is not there
 */
std::string
GetFileName(const HpccConfig& config,
            const std::string& key,
            const std::optional<std::string>& path,
            std::set<std::string>& names)
{
    if (!path)
    {
        return "";
    }
    const std::string name = path->substr(path->find_last_of('/') + 1);
    if (name.empty() || name == "." || name == "..")
    {
        throw ConfigError(config.source, key, *path, "the path of a file");
    }
    if (!names.insert(name).second)
    {
        throw ConfigError(config.source,
                          key,
                          *path,
                          "a name of its own: all output files go into one folder");
    }
    return name;
}

} // namespace

HpccOutputOptions
HpccOutputOptions::Read(const HpccConfig& config)
{
    std::set<std::string> names;
    HpccOutputOptions options;
    options.fct = GetFileName(config, "FCT_OUTPUT_FILE", config.fctFile, names);
    options.pfc = GetFileName(config, "PFC_OUTPUT_FILE", config.pfcFile, names);
    options.qlen = GetFileName(config, "QLEN_MON_FILE", config.queueFile, names);
    // Without keys the originals look from 2 s to 2.1 s.
    options.times.start = config.queueStart.value_or(Seconds(2));
    options.times.end = config.queueEnd.value_or(MilliSeconds(2100));
    return options;
}

HpccOutputOptions
HpccOutputOptions::Parse(const TextValue& value)
{
    HpccOutputOptions options;
    if (value.GetText() == "none")
    {
        return options;
    }
    for (const std::string_view word : SplitList(value.GetText()))
    {
        if (word != "fct" && word != "pfc" && word != "qlen")
        {
            value.Fail("fct, pfc, qlen, several with commas, or none");
        }
        std::string& file =
            word == "fct" ? options.fct : word == "pfc" ? options.pfc : options.qlen;
        if (!file.empty())
        {
            value.Fail("each file only once");
        }
        file = std::string(word) + ".txt";
    }
    return options;
}

HpccOutput::HpccOutput(Cluster& cluster, const HpccOutputOptions& options)
    : m_cluster(cluster),
      m_options(options)
{
}

std::vector<HpccNode>
HpccOutput::GetNodes() const
{
    const PortFinder finder(m_cluster);
    std::vector<HpccNode> nodes(m_cluster.GetTopology().nodes.size());
    const std::vector<uint32_t> byFileId = m_cluster.GetTopology().GetNodesByFileId();
    for (uint32_t id = 0; id < byFileId.size(); id++)
    {
        if (byFileId[id] < nodes.size())
        {
            nodes[byFileId[id]].id = id;
        }
    }
    for (uint32_t node = 0; node < nodes.size(); node++)
    {
        if (const FabricDevice* device = finder.GetDevice(node))
        {
            nodes[node].isSwitch =
                m_cluster.GetTopology().nodes[node].kind != TopologyNodeKind::GPU;
            nodes[node].portCount = device->GetPortCount();
        }
    }
    return nodes;
}

void
HpccOutput::Watch(const std::string& recorder, ResultSink& sink, bool hosts, PortTaps& taps)
{
    const PortFinder finder(m_cluster);
    ObjectFactory factory(recorder);
    m_recorders.push_back(factory.Create<PortSeriesRecorder>());
    m_recorders.back()->Start(sink, Time());
    for (FabricPort* port : finder.GetPorts(hosts))
    {
        taps.Add(*port, m_recorders.back()->MakeTap(finder.GetNode(*port), *port));
    }
}

void
HpccOutput::AddTo(ResultFolder& results, PortTaps& taps)
{
    if (!m_options.pfc.empty())
    {
        auto writer =
            std::make_unique<HpccPfcWriter>(results.AddFile(m_options.pfc), GetNodes());
        Watch("ns3::PauseSeriesRecorder", *writer, true, taps);
        results.AddWriter(std::move(writer), false);
    }
    if (!m_options.qlen.empty())
    {
        auto writer = std::make_unique<HpccQlenWriter>(results.AddFile(m_options.qlen),
                                                       GetNodes(),
                                                       m_options.times);
        Watch("ns3::DepthSeriesRecorder", *writer, false, taps);
        results.AddWriter(std::move(writer), false);
    }
}

void
HpccOutput::AddFct(ResultFolder& results, std::vector<HpccFlow> flows, FlowFileForm form)
{
    results.AddWriter(std::make_unique<HpccFctWriter>(results.AddFile(m_options.fct),
                                                      std::move(flows),
                                                      form == FlowFileForm::CONWEAVE
                                                          ? HpccFctWriter::Form::CONWEAVE
                                                          : HpccFctWriter::Form::HPCC),
                      true);
}

void
HpccOutput::Finish()
{
    for (const auto& recorder : m_recorders)
    {
        recorder->Finish();
    }
}

std::vector<std::string>
HpccOutput::GetNotes() const
{
    std::string files;
    for (const std::string& file : {m_options.fct, m_options.pfc, m_options.qlen})
    {
        if (!file.empty())
        {
            AppendToList(files, file);
        }
    }
    if (files.empty())
    {
        return {};
    }
    return {files + ": in the formats of HPCC, in the result folder"};
}

} // namespace ns3
