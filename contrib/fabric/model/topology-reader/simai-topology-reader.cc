/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-topology-reader.h"

#include "link-list-parser.h"

#include "ns3/hardware-table.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SimAiTopologyReader);

namespace
{

/** Fields of the first line. */
enum SimAiField : std::size_t
{
    NODES,
    GPUS_PER_SERVER,
    NVSWITCHES,
    SWITCHES,
    LINKS,
    GPU_TYPE,
    FIELD_COUNT
};

/**
 * \param word a word, not empty
 * \return true if it begins with a letter
 */
bool
BeginsWithLetter(std::string_view word)
{
    return std::isalpha(static_cast<unsigned char>(word[0])) != 0;
}

/**
 * Decides for every link which fabric it belongs to.
 * \param topology nodes and links
 * \param file the file, for errors
 * \param parser the parser that read the links
 */
void
SetLinkKinds(Topology& topology, const TextFile& file, const LinkListParser& parser)
{
    for (std::size_t i = 0; i < topology.links.size(); i++)
    {
        TopologyLink& link = topology.links[i];
        const TopologyNode& a = topology.nodes[link.a];
        const TopologyNode& b = topology.nodes[link.b];
        const bool isEthernet =
            a.kind == TopologyNodeKind::SWITCH || b.kind == TopologyNodeKind::SWITCH;
        link.kind = isEthernet ? TopologyLinkKind::ETHERNET : TopologyLinkKind::NVLINK;
        if (isEthernet &&
            (a.kind == TopologyNodeKind::NVSWITCH || b.kind == TopologyNodeKind::NVSWITCH))
        {
            file.GetLine(parser.GetLineOfLink(i))
                .Fail("a link inside one fabric: an NVSwitch has no port to a network switch");
        }
    }
}

/**
 * Says of every NVSwitch whether it multicasts and adds, by the generation of the GPU's NVLinks;
 * those of unknown GPUs do not.
 * \param topology nodes, gpuType set
 */
void
SetOffload(Topology& topology)
{
    const bool hasNvSwitch =
        std::any_of(topology.nodes.begin(), topology.nodes.end(), [](const TopologyNode& node) {
            return node.kind == TopologyNodeKind::NVSWITCH;
        });
    if (!hasNvSwitch)
    {
        return;
    }
    const HardwareTable table = HardwareTable::Load();
    const bool hasNvlink = table.Has("gpu", topology.gpuType, "nvlink");
    const std::string nvlink = hasNvlink ? table.GetText("gpu", topology.gpuType, "nvlink") : "";
    const bool able =
        table.Has("nvlink", nvlink, "nvls") && table.GetBool("nvlink", nvlink, "nvls");
    for (TopologyNode& node : topology.nodes)
    {
        node.offload = able && node.kind == TopologyNodeKind::NVSWITCH;
    }
}

/**
 * Puts GPUs into servers by rank, NVSwitches into the server of the GPUs they are wired to.
 * \param topology nodes and links, gpusPerServer set
 */
void
SetServers(Topology& topology)
{
    const uint32_t gpus = topology.GetGpuCount();
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        topology.nodes[gpu].server = gpu / topology.gpusPerServer;
    }
    std::vector<bool> isShared(topology.nodes.size(), false);
    for (const TopologyLink& link : topology.links)
    {
        for (const auto& [gpu, other] : {std::pair(link.a, link.b), std::pair(link.b, link.a)})
        {
            TopologyNode& node = topology.nodes[other];
            if (node.kind != TopologyNodeKind::NVSWITCH || gpu >= gpus)
            {
                continue;
            }
            const int32_t server = topology.nodes[gpu].server;
            isShared[other] = isShared[other] || (node.server >= 0 && node.server != server);
            node.server = isShared[other] ? -1 : server;
        }
    }
    if (gpus % topology.gpusPerServer != 0)
    {
        topology.notes.push_back(std::to_string(gpus) + " GPUs are no multiple of " +
                                 std::to_string(topology.gpusPerServer) +
                                 " GPUs per server: the last server has " +
                                 std::to_string(gpus % topology.gpusPerServer));
    }
}

} // namespace

TypeId
SimAiTopologyReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SimAiTopologyReader")
                            .SetParent<TopologyFileReader>()
                            .SetGroupName("Fabric")
                            .AddConstructor<SimAiTopologyReader>();
    return tid;
}

std::string
SimAiTopologyReader::GetForm() const
{
    return "SimAI: nodes gpus_per_server nvswitches switches links GPU_TYPE";
}

bool
SimAiTopologyReader::Recognises(const TextFile& file) const
{
    const TextLine line = file.GetLine(file.FindText(0));
    return line.GetCount() == FIELD_COUNT && !BeginsWithLetter(line.GetWord(NODES)) &&
           BeginsWithLetter(line.GetWord(GPU_TYPE));
}

Topology
SimAiTopologyReader::Read(const TextFile& file) const
{
    const TextLine line = file.GetLine(file.FindText(0));
    const LinkListHeader header =
        LinkListParser::ReadHeader(line, NODES, NVSWITCHES, SWITCHES, LINKS);
    const uint64_t gpusPerServer =
        line.Get(GPUS_PER_SERVER).GetUint("GPUs per server", 1, LinkListHeader::MAX_NODES);
    LinkListParser parser(file, header);
    Topology topology = parser.Parse();
    topology.gpuType = line.GetWord(GPU_TYPE);
    topology.gpusPerServer = gpusPerServer;
    SetLinkKinds(topology, file, parser);
    SetServers(topology);
    SetOffload(topology);
    topology.AssignTiers();
    return topology;
}

} // namespace ns3
