/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-reader.h"

#include "msccl-connections.h"

#include "ns3/collective-tag.h"
#include "ns3/comma-list.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_GPUS = 1U << 16;    //!< of a program
constexpr uint64_t MAX_CHUNKS = 1U << 16;  //!< of a buffer
constexpr uint64_t MAX_MEMORY = 1U << 25;  //!< chunks of all GPUs
constexpr uint64_t MAX_STEPS = 1U << 20;   //!< of a thread block
constexpr uint64_t MAX_BLOCKS = 1U << 12;  //!< of a GPU
constexpr uint64_t MAX_BYTES = 1ULL << 62; //!< of minBytes and maxBytes

const std::map<std::string, CollectiveKind> KINDS{
    {"allreduce", CollectiveKind::ALL_REDUCE},
    {"allgather", CollectiveKind::ALL_GATHER},
    {"reducescatter", CollectiveKind::REDUCE_SCATTER},
    {"reduce_scatter", CollectiveKind::REDUCE_SCATTER},
    {"alltoall", CollectiveKind::ALL_TO_ALL},
    {"broadcast", CollectiveKind::BROADCAST},
    {"reduce", CollectiveKind::REDUCE},
}; //!< by what files call them

const std::map<std::string, MscclStepType> TYPES{
    {"s", MscclStepType::SEND},
    {"r", MscclStepType::RECEIVE},
    {"rcs", MscclStepType::RECEIVE_COPY_SEND},
    {"rrs", MscclStepType::RECEIVE_REDUCE_SEND},
    {"rrc", MscclStepType::RECEIVE_REDUCE_COPY},
    {"rrcs", MscclStepType::RECEIVE_REDUCE_COPY_SEND},
    {"cpy", MscclStepType::COPY},
    {"re", MscclStepType::REDUCE},
    {"nop", MscclStepType::NOP},
}; //!< by what files call them

const std::map<std::string, MscclBuffer> BUFFERS{
    {"i", MscclBuffer::INPUT},
    {"o", MscclBuffer::OUTPUT},
    {"s", MscclBuffer::SCRATCH},
}; //!< by what files call them

const std::map<std::string, std::string> PROTOCOLS{
    {"LL", "LL"},
    {"LL128", "LL128"},
    {"Simple", "Simple"},
}; //!< by what files call them

/**
 * \param element an element
 * \param name an attribute of it
 * \param names what it may be
 * \return what it stands for
 */
template <class T>
const T&
GetNamed(const XmlElement& element, const std::string& name, const std::map<std::string, T>& names)
{
    const std::string text(element.Get(name).GetText());
    const auto found = names.find(text);
    if (found == names.end())
    {
        std::string list;
        for (const auto& [known, value] : names)
        {
            AppendToList(list, known);
        }
        element.Fail(name + "=\"" + text + "\"", "one of " + list);
    }
    return found->second;
}

/**
 * \param element an element
 * \param name an attribute of it
 * \param least least value
 * \param most largest value
 * \return its value
 */
uint32_t
GetNumber(const XmlElement& element, const std::string& name, uint64_t least, uint64_t most)
{
    return static_cast<uint32_t>(element.Get(name).GetUint(name, least, most));
}

/**
 * \param element an element
 * \param name an attribute of it, -1 for none
 * \param end end of the values
 * \return its value, UINT32_MAX for none
 */
uint32_t
GetOptional(const XmlElement& element, const std::string& name, uint64_t end)
{
    const int64_t value = element.Get(name).GetInt(name, -1, static_cast<int64_t>(end) - 1);
    return value < 0 ? std::numeric_limits<uint32_t>::max() : static_cast<uint32_t>(value);
}

/**
 * \param element an element
 * \param name an attribute of it that may be missing
 * \param otherwise what it is then
 * \return its value
 */
uint64_t
GetBytes(const XmlElement& element, const std::string& name, uint64_t otherwise)
{
    return element.Has(name) ? element.Get(name).GetUint(name, 0, MAX_BYTES) : otherwise;
}

/**
 * \param gpu a GPU
 * \param buffer a buffer
 * \return how many chunks it has
 */
uint32_t
GetChunks(const MscclGpu& gpu, MscclBuffer buffer)
{
    return buffer == MscclBuffer::INPUT    ? gpu.inputChunks
           : buffer == MscclBuffer::OUTPUT ? gpu.outputChunks
                                           : gpu.scratchChunks;
}

} // namespace

MscclProgram
MscclReader::Read(const TextFile& file)
{
    MscclProgram program;
    program.file = file.GetName();
    MscclReader(program).ReadAlgo(XmlElement::Parse(file));
    return program;
}

void
MscclReader::ReadAlgo(const XmlElement& algo)
{
    if (algo.GetName() != "algo")
    {
        algo.Fail("<" + algo.GetName() + ">", "an algorithm of MSCCL: <algo>");
    }
    m_program.line = algo.GetLine();
    m_program.name = algo.GetText("name");
    m_program.kind = GetNamed(algo, "coll", KINDS);
    m_program.protocol = GetNamed(algo, "proto", PROTOCOLS);
    m_program.gpus.resize(GetNumber(algo, "ngpus", 1, MAX_GPUS));
    m_program.chunks = GetNumber(algo, "nchunksperloop", 1, MAX_CHUNKS);
    m_program.channels = GetNumber(algo, "nchannels", 1, CollectiveTag::MAX_CHANNELS);
    m_program.isInPlace = algo.Get("inplace").GetBool("inplace");
    m_program.isOutOfPlace = algo.Has("outofplace") ? algo.Get("outofplace").GetBool("outofplace")
                                                    : !m_program.isInPlace;
    m_program.minBytes = GetBytes(algo, "minBytes", 0);
    m_program.maxBytes = GetBytes(algo, "maxBytes", 0);
    if (m_program.maxBytes > 0 && m_program.maxBytes < m_program.minBytes)
    {
        algo.Get("maxBytes")
            .Fail("minBytes=\"" + std::to_string(m_program.minBytes) + "\" or more, or 0 for any");
    }
    if (!m_program.isInPlace && !m_program.isOutOfPlace)
    {
        algo.Fail("inplace=\"0\" outofplace=\"0\"", "one of them to be 1");
    }
    if (m_program.HasShares() && m_program.chunks % m_program.gpus.size() != 0)
    {
        algo.Get("nchunksperloop")
            .Fail("equally many chunks for each of " + std::to_string(m_program.gpus.size()) +
                  " GPUs");
    }
    for (const XmlElement& child : algo.GetChildren())
    {
        ReadGpu(child);
    }
    for (std::size_t gpu = 0; gpu < m_program.gpus.size(); gpu++)
    {
        if (m_program.gpus[gpu].line == 0)
        {
            algo.Fail("no <gpu id=\"" + std::to_string(gpu) + "\">",
                      "ngpus=\"" + std::to_string(m_program.gpus.size()) + "\" of them");
        }
    }
    MscclConnections(m_program).Connect();
    FindRoot();
}

void
MscclReader::ReadGpu(const XmlElement& element)
{
    if (element.GetName() != "gpu")
    {
        element.Fail("<" + element.GetName() + ">", "<gpu> in <algo>");
    }
    const uint32_t id = GetNumber(element, "id", 0, m_program.gpus.size() - 1);
    MscclGpu& gpu = m_program.gpus[id];
    if (gpu.line != 0)
    {
        element.Get("id").Fail("another GPU than in line " + std::to_string(gpu.line));
    }
    gpu.line = element.GetLine();
    gpu.inputChunks = GetNumber(element, "i_chunks", 0, MAX_CHUNKS);
    gpu.outputChunks = GetNumber(element, "o_chunks", 0, MAX_CHUNKS);
    gpu.scratchChunks = GetNumber(element, "s_chunks", 0, MAX_CHUNKS);
    const uint32_t inputs =
        m_program.kind == CollectiveKind::ALL_GATHER ? m_program.GetShare() : m_program.chunks;
    const uint32_t outputs =
        m_program.kind == CollectiveKind::REDUCE_SCATTER ? m_program.GetShare() : m_program.chunks;
    const auto require = [&element](const std::string& name, uint32_t chunks, uint32_t right) {
        if (chunks != 0 && chunks != right)
        {
            element.Fail(name + "=\"" + std::to_string(chunks) + "\"",
                         std::to_string(right) + " as nchunksperloop has it, or 0");
        }
    };
    require("i_chunks", gpu.inputChunks, inputs);
    require("o_chunks", gpu.outputChunks, outputs);
    if ((gpu.scratchChunks + 2ULL * m_program.chunks) * m_program.gpus.size() > MAX_MEMORY)
    {
        element.Fail("s_chunks=\"" + std::to_string(gpu.scratchChunks) + "\"",
                     "at most " + std::to_string(MAX_MEMORY) + " chunks in all buffers of " +
                         std::to_string(m_program.gpus.size()) + " such GPUs");
    }
    gpu.blocks.resize(element.GetChildren().size());
    if (gpu.blocks.size() > MAX_BLOCKS)
    {
        element.Fail(std::to_string(gpu.blocks.size()) + " thread blocks",
                     std::to_string(MAX_BLOCKS) + " or fewer");
    }
    for (const XmlElement& child : element.GetChildren())
    {
        ReadBlock(id, child);
    }
}

void
MscclReader::ReadBlock(uint32_t gpu, const XmlElement& element)
{
    if (element.GetName() != "tb")
    {
        element.Fail("<" + element.GetName() + ">", "<tb> in <gpu>");
    }
    MscclGpu& owner = m_program.gpus[gpu];
    MscclThreadBlock& block = owner.blocks[GetNumber(element, "id", 0, owner.blocks.size() - 1)];
    if (block.line != 0)
    {
        element.Get("id").Fail("another thread block than in line " + std::to_string(block.line));
    }
    block.line = element.GetLine();
    block.sendPeer = GetOptional(element, "send", m_program.gpus.size());
    block.receivePeer = GetOptional(element, "recv", m_program.gpus.size());
    block.channel = static_cast<uint32_t>(
        element.Get("chan").GetInt("chan", -1, static_cast<int64_t>(m_program.channels) - 1));
    if (block.sendPeer == gpu || block.receivePeer == gpu)
    {
        element.Fail(block.sendPeer == gpu ? "send=\"" + std::to_string(gpu) + "\""
                                           : "recv=\"" + std::to_string(gpu) + "\"",
                     "another GPU than the thread block's own");
    }
    if (element.GetChildren().size() > MAX_STEPS)
    {
        element.Fail(std::to_string(element.GetChildren().size()) + " steps",
                     std::to_string(MAX_STEPS) + " or fewer");
    }
    for (const XmlElement& child : element.GetChildren())
    {
        ReadStep(owner, block, child);
    }
}

void
MscclReader::ReadStep(const MscclGpu& gpu, MscclThreadBlock& block, const XmlElement& element) const
{
    if (element.GetName() != "step")
    {
        element.Fail("<" + element.GetName() + ">", "<step> in <tb>");
    }
    GetNumber(element, "s", block.steps.size(), block.steps.size());
    MscclStep step;
    step.line = element.GetLine();
    step.type = GetNamed(element, "type", TYPES);
    step.awaitedBlock = GetOptional(element, "depid", gpu.blocks.size());
    step.awaitedStep = GetOptional(element, "deps", MAX_STEPS);
    if (step.awaitedBlock != MscclStep::NONE && step.awaitedStep == MscclStep::NONE)
    {
        element.Get("deps").Fail("a step, 0 or more, of the thread block that depid names");
    }
    step.isAwaited = element.Get("hasdep").GetBool("hasdep");
    if (step.type != MscclStepType::NOP)
    {
        step.count = GetNumber(element, "cnt", 1, m_program.chunks + gpu.scratchChunks);
    }
    if (ReadsSource(step.type))
    {
        step.source = ReadPlace(gpu, element, "src", step.count);
    }
    if (WritesDestination(step.type))
    {
        step.destination = ReadPlace(gpu, element, "dst", step.count);
    }
    const bool lacksPeer = (Sends(step.type) && block.sendPeer == MscclThreadBlock::NONE) ||
                           (Receives(step.type) && block.receivePeer == MscclThreadBlock::NONE);
    if (lacksPeer ||
        ((Sends(step.type) || Receives(step.type)) && block.channel >= m_program.channels))
    {
        element.Get("type").Fail("a step for which the thread block in line " +
                                 std::to_string(block.line) + " has a peer and a channel");
    }
    block.steps.push_back(step);
}

MscclPlace
MscclReader::ReadPlace(const MscclGpu& gpu,
                       const XmlElement& element,
                       const std::string& name,
                       uint32_t count)
{
    MscclPlace place;
    place.buffer = GetNamed(element, name + "buf", BUFFERS);
    place.offset = GetNumber(element, name + "off", 0, MAX_CHUNKS);
    const uint32_t chunks = GetChunks(gpu, place.buffer);
    if (place.offset + static_cast<uint64_t>(count) > chunks)
    {
        element.Fail(name + "off=\"" + std::to_string(place.offset) + "\" cnt=\"" +
                         std::to_string(count) + "\"",
                     "chunks of the " + std::to_string(chunks) + " of buffer " +
                         std::string(element.Get(name + "buf").GetText()));
    }
    return place;
}

void
MscclReader::FindRoot()
{
    const bool isBroadcast = m_program.kind == CollectiveKind::BROADCAST;
    if (!isBroadcast && m_program.kind != CollectiveKind::REDUCE)
    {
        return;
    }
    std::vector<bool> canBeRoot(m_program.gpus.size(), true);
    for (const MscclConnection& connection : m_program.connections)
    {
        canBeRoot[isBroadcast ? connection.dst : connection.src] = false;
    }
    const auto found = std::find(canBeRoot.begin(), canBeRoot.end(), true);
    m_program.root =
        found == canBeRoot.end() ? 0 : static_cast<uint32_t>(found - canBeRoot.begin());
}

} // namespace ns3
