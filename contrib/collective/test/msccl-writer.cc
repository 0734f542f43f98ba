/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-writer.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace ns3
{

namespace
{

/** \param buffer i, o or s \param chunk a chunk \return the place */
std::string
At(const char* buffer, int chunk)
{
    return buffer + std::to_string(chunk);
}

/** \param place a buffer and a chunk \param name src or dst \return both attributes */
std::string
WritePlace(const std::string& place, const std::string& name)
{
    return " " + name + "buf=\"" + place.substr(0, 1) + "\" " + name + "off=\"" + place.substr(1) +
           "\"";
}

/** \param blocks of a GPU \param block one of them \param step a step \return who waits for it */
bool
IsAwaited(const std::vector<MscclTestBlock>& blocks, std::size_t block, std::size_t step)
{
    for (const MscclTestBlock& other : blocks)
    {
        for (const MscclTestStep& waiting : other.steps)
        {
            if (waiting.block == static_cast<int>(block) && waiting.step == static_cast<int>(step))
            {
                return true;
            }
        }
    }
    return false;
}

/** \param number a number \param ranks more than 0 \return it modulo ranks, never negative */
int
Wrap(int number, int ranks)
{
    return ((number % ranks) + ranks) % ranks;
}

} // namespace

std::string
MscclTestFile::Write() const
{
    const int ranks = static_cast<int>(gpus.size());
    std::ostringstream out;
    out << "<algo name=\"own\" nchannels=\"" << channels << "\" nchunksperloop=\"" << chunks
        << "\" proto=\"" << proto << "\" ngpus=\"" << ranks << "\" coll=\"" << coll
        << "\" inplace=\"" << isInPlace << "\" outofplace=\"" << isOutOfPlace << "\"" << more
        << ">\n";
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        out << " <gpu id=\"" << gpu << "\" i_chunks=\""
            << (coll == "allgather" ? chunks / ranks : chunks) << "\" o_chunks=\""
            << (coll == "reducescatter" ? chunks / ranks : chunks) << "\" s_chunks=\"" << scratch
            << "\">\n";
        for (std::size_t i = 0; i < gpus[gpu].size(); i++)
        {
            const MscclTestBlock& block = gpus[gpu][i];
            out << "  <tb id=\"" << i << "\" send=\"" << block.send << "\" recv=\"" << block.receive
                << "\" chan=\"" << block.channel << "\">\n";
            for (std::size_t s = 0; s < block.steps.size(); s++)
            {
                const MscclTestStep& step = block.steps[s];
                out << "   <step s=\"" << s << "\" type=\"" << step.type << "\""
                    << WritePlace(step.source, "src") << WritePlace(step.target, "dst") << " cnt=\""
                    << step.count << "\" depid=\"" << step.block << "\" deps=\"" << step.step
                    << "\" hasdep=\"" << IsAwaited(gpus[gpu], i, s) << "\"/>\n";
            }
            out << "  </tb>\n";
        }
        out << " </gpu>\n";
    }
    out << "</algo>\n";
    return out.str();
}

std::string
KeepMscclFile(const std::string& text, const std::string& name)
{
    const auto folder =
        std::filesystem::temp_directory_path() / ("railyard-msccl-" + std::to_string(getpid()));
    const auto path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
}

MscclTestFile
MakeMscclRing(int ranks, int rings, bool fused)
{
    MscclTestFile file;
    file.chunks = ranks * rings;
    file.channels = rings;
    file.gpus.resize(ranks);
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        for (int ring = 0; ring < rings; ring++)
        {
            MscclTestBlock block{Wrap(gpu + 1, ranks), Wrap(gpu - 1, ranks), ring, {}};
            const auto chunk = [&](int step) {
                return At("i", Wrap(gpu - step, ranks) * rings + ring);
            };
            block.steps.push_back({"s", chunk(0), chunk(0)});
            for (int step = 1; step < 2 * ranks - 1; step++)
            {
                const bool adds = step < ranks;
                const bool ends = step == 2 * ranks - 2;
                if (fused && !ends)
                {
                    block.steps.push_back({adds ? "rrcs" : "rcs", chunk(step), chunk(step)});
                    continue;
                }
                block.steps.push_back({adds ? "rrc" : "r", chunk(step), chunk(step)});
                if (!ends)
                {
                    block.steps.push_back({"s", chunk(step), chunk(step)});
                }
            }
            file.gpus[gpu].push_back(block);
        }
    }
    return file;
}

MscclTestFile
MakeMscclAllPairs(int ranks)
{
    MscclTestFile file;
    file.proto = "LL";
    file.chunks = ranks;
    file.scratch = ranks;
    file.gpus.resize(ranks);
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        // The last thread block adds up, when all others have received.
        MscclTestBlock sum;
        for (int peer = 0; peer < ranks - 1; peer++)
        {
            const int other = Wrap(gpu + 1 + peer, ranks);
            MscclTestBlock block{other, other, 0, {}};
            block.steps.push_back({"s", At("i", other), At("s", gpu)});
            block.steps.push_back({"r", At("i", gpu), At("s", other)});
            block.steps.push_back({"s", At("i", gpu), At("i", gpu), 1, ranks - 1, 2 * ranks - 3});
            block.steps.push_back({"r", At("i", other), At("i", other)});
            file.gpus[gpu].push_back(block);
            sum.steps.push_back({"nop", "i0", "o0", 0, peer, 1});
        }
        for (int peer = 0; peer < ranks - 1; peer++)
        {
            const int other = Wrap(gpu + 1 + peer, ranks);
            sum.steps.push_back({"re", At("s", other), At("i", gpu)});
        }
        file.gpus[gpu].push_back(sum);
    }
    return file;
}

MscclTestFile
MakeMscclGather(int ranks)
{
    MscclTestFile file;
    file.coll = "allgather";
    file.proto = "LL128";
    file.chunks = ranks;
    file.isInPlace = false;
    file.isOutOfPlace = true;
    file.gpus.resize(ranks);
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        MscclTestBlock block{Wrap(gpu + 1, ranks), Wrap(gpu - 1, ranks), 0, {}};
        block.steps.push_back({"s", "i0", At("o", gpu)});
        for (int step = 1; step < ranks; step++)
        {
            const std::string chunk = At("o", Wrap(gpu - step, ranks));
            block.steps.push_back({step == ranks - 1 ? "r" : "rcs", chunk, chunk});
        }
        file.gpus[gpu].push_back(block);
        file.gpus[gpu].push_back({-1, -1, 0, {{"cpy", "i0", At("o", gpu)}}});
    }
    return file;
}

MscclTestFile
MakeMscclScatter(int ranks)
{
    MscclTestFile file;
    file.coll = "reducescatter";
    file.chunks = ranks;
    file.isInPlace = false;
    file.isOutOfPlace = true;
    file.gpus.resize(ranks);
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        MscclTestBlock block{Wrap(gpu + 1, ranks), Wrap(gpu - 1, ranks), 0, {}};
        block.steps.push_back({"s", At("i", Wrap(gpu - 1, ranks)), "i0"});
        for (int step = 2; step < ranks; step++)
        {
            block.steps.push_back({"rrs", At("i", Wrap(gpu - step, ranks)), "i0"});
        }
        block.steps.push_back({"rrc", At("i", gpu), "o0"});
        file.gpus[gpu].push_back(block);
    }
    return file;
}

MscclTestFile
MakeMscclTwoStep(int servers, int local)
{
    const int ranks = servers * local;
    MscclTestFile file;
    file.coll = "alltoall";
    file.chunks = ranks;
    file.isInPlace = false;
    file.isOutOfPlace = true;
    file.scratch = ranks;
    file.channels = 2;
    file.gpus.resize(ranks);
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        const int server = gpu / local;
        const int place = gpu % local;
        std::vector<MscclTestBlock>& blocks = file.gpus[gpu];
        // Scratch chunk source * local + p: what the GPU of this place in server source has for
        // the GPU of place p here.
        MscclTestBlock own{-1, -1, 0, {}};
        own.steps.push_back({"cpy", At("i", server * local), At("s", server * local), local});
        own.steps.push_back({"cpy", At("s", server * local + place), At("o", gpu)});
        blocks.push_back(own);
        for (int i = 1; i < servers; i++)
        {
            const int to = Wrap(server + i, servers);
            const int from = Wrap(server - i, servers);
            MscclTestBlock block{to * local + place, from * local + place, 0, {}};
            block.steps.push_back({"s", At("i", to * local), At("s", server * local), local});
            block.steps.push_back({"r", "i0", At("s", from * local), local});
            block.steps.push_back(
                {"cpy", At("s", from * local + place), At("o", from * local + place)});
            blocks.push_back(block);
        }
        for (int i = 1; i < local; i++)
        {
            const int to = server * local + Wrap(place + i, local);
            const int from = server * local + Wrap(place - i, local);
            MscclTestBlock block{to, from, 1, {}};
            for (int k = 0; k < servers; k++)
            {
                const int source = Wrap(server + k, servers);
                // Thread block 0 has the own server's, the others those of the servers before.
                const int waits = Wrap(server - source, servers);
                block.steps.push_back({"s",
                                       At("s", source * local + to % local),
                                       At("o", source * local + place),
                                       1,
                                       waits,
                                       waits == 0 ? 0 : 1});
                block.steps.push_back({"r", "i0", At("o", source * local + from % local)});
            }
            blocks.push_back(block);
        }
    }
    return file;
}

MscclTestFile
MakeMscclBroadcast(int ranks, int root)
{
    MscclTestFile file;
    file.coll = "broadcast";
    file.chunks = 2;
    file.gpus.resize(ranks);
    for (int i = 0; i < ranks; i++)
    {
        const int gpu = Wrap(root + i, ranks);
        const bool ends = i == ranks - 1;
        MscclTestBlock block{ends ? -1 : Wrap(gpu + 1, ranks),
                             i == 0 ? -1 : Wrap(gpu - 1, ranks),
                             0,
                             {}};
        for (int chunk = 0; chunk < 2; chunk++)
        {
            block.steps.push_back({i == 0 ? "s"
                                   : ends ? "r"
                                          : "rcs",
                                   At("i", chunk),
                                   At("o", chunk)});
        }
        file.gpus[gpu].push_back(block);
    }
    return file;
}

MscclTestFile
MakeMscclReduce(int ranks)
{
    MscclTestFile file;
    file.coll = "reduce";
    file.isInPlace = false;
    file.isOutOfPlace = true;
    file.gpus.resize(ranks);
    for (int gpu = 0; gpu < ranks; gpu++)
    {
        const bool ends = gpu == ranks - 1;
        file.gpus[gpu].push_back({ends ? -1 : gpu + 1,
                                  gpu - 1,
                                  0,
                                  {{gpu == 0 ? "s"
                                    : ends   ? "rrc"
                                             : "rrs",
                                    "i0",
                                    "o0"}}});
    }
    return file;
}

} // namespace ns3
