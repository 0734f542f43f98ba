/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../../fabric/test/test-paths.h"
#include "../../fabric/test/xml-under-test.h"
#include "msccl-writer.h"

#include "ns3/config-error.h"
#include "ns3/msccl-library.h"
#include "ns3/msccl-reader.h"
#include "ns3/msccl-schedule.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/**
 * Reads a file and proves it.
 * \param text the file
 * \return why it is refused, empty if it is not
 */
std::string
Refuse(const std::string& text)
{
    try
    {
        MscclLibrary::Prove(MscclReader::Read(TextFile::FromString("own.xml", text)));
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * \param text a text
 * \param from a part of it
 * \param to what is to stand there instead
 * \return the text with the first such part replaced
 */
std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

} // namespace

TEST(CollectiveMscclReader, ReadsWhatAFileSays)
{
    RAILYARD_NEED_XML();
    MscclTestFile file = MakeMscclAllPairs(4);
    file.more = " minBytes=\"1024\" maxBytes=\"65536\" nthreads=\"512\" redop=\"sum\"";
    const MscclProgram program = MscclReader::Read(TextFile::FromString("own.xml", file.Write()));
    EXPECT_EQ(program.kind, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(program.protocol, "LL");
    EXPECT_EQ(program.chunks, 4U);
    EXPECT_EQ(program.minBytes, 1024U);
    EXPECT_EQ(program.maxBytes, 65536U);
    EXPECT_TRUE(program.isInPlace);
    EXPECT_FALSE(program.isOutOfPlace);
    ASSERT_EQ(program.gpus.size(), 4U);
    EXPECT_EQ(program.connections.size(), 12U);
    const MscclThreadBlock& block = program.gpus[1].blocks[0];
    EXPECT_EQ(block.sendPeer, 2U);
    EXPECT_EQ(block.steps[1].type, MscclStepType::RECEIVE);
    EXPECT_TRUE(block.steps[1].destination == (MscclPlace{MscclBuffer::SCRATCH, 2}));
    EXPECT_TRUE(block.steps[1].isAwaited);
    EXPECT_EQ(block.steps[2].awaitedBlock, 3U);
    EXPECT_EQ(block.steps[2].awaitedStep, 5U);
    EXPECT_EQ(program.gpus[0].blocks[0].steps[0].line, 4U);
}

TEST(CollectiveMscclReader, ProvesWhatIsRight)
{
    RAILYARD_NEED_XML();
    for (const int ranks : {2, 3, 4, 8})
    {
        EXPECT_EQ(Refuse(MakeMscclRing(ranks, 1, false).Write()), "") << ranks;
        EXPECT_EQ(Refuse(MakeMscclRing(ranks, 2, true).Write()), "") << ranks;
        EXPECT_EQ(Refuse(MakeMscclAllPairs(ranks).Write()), "") << ranks;
        EXPECT_EQ(Refuse(MakeMscclGather(ranks).Write()), "") << ranks;
        EXPECT_EQ(Refuse(MakeMscclScatter(ranks).Write()), "") << ranks;
        EXPECT_EQ(Refuse(MakeMscclBroadcast(ranks, ranks / 2).Write()), "") << ranks;
        EXPECT_EQ(Refuse(MakeMscclReduce(ranks).Write()), "") << ranks;
    }
    EXPECT_EQ(Refuse(MakeMscclTwoStep(2, 2).Write()), "");
    EXPECT_EQ(Refuse(MakeMscclTwoStep(3, 4).Write()), "");
}

TEST(CollectiveMscclReader, TakesInPlaceUnlessToldOtherwise)
{
    RAILYARD_NEED_XML();
    const std::string text = MakeMscclGather(4).Write();
    const std::string older = Replace(text, " outofplace=\"1\"", "");
    EXPECT_TRUE(MscclReader::Read(TextFile::FromString("own.xml", older)).isOutOfPlace);
    EXPECT_EQ(Refuse(older), "");
    // This one is right in place, too: what it copies to the output is there.
    EXPECT_EQ(Refuse(Replace(text, "inplace=\"0\"", "inplace=\"1\"")), "");
    EXPECT_EQ(Refuse(Replace(
                  Replace(MakeMscclRing(2, 1, false).Write(), "inplace=\"1\"", "inplace=\"0\""),
                  "outofplace=\"0\"",
                  "outofplace=\"1\"")),
              "own.xml: line 1: read 'algorithm own', expected a program that does AllReduce out "
              "of place: rank 0 ends with chunk 0 holding nothing");
}

TEST(CollectiveMscclReader, RefusesWhatIsWrong)
{
    RAILYARD_NEED_XML();
    const std::string pairs = MakeMscclAllPairs(3).Write();
    const std::string ring = MakeMscclRing(3, 1, false).Write();

    /** A file with one fault, and the error. */
    struct Case
    {
        std::string text;  //!< the file
        std::string error; //!< what is said of it
    };

    const std::vector<Case> cases{
        {"<system/>", "own.xml: line 1: read '<system>', expected an algorithm of MSCCL: <algo>"},
        {"<algo", "own.xml: line 1: read"},
        {Replace(pairs, "coll=\"allreduce\"", "coll=\"custom\""), "coll=\"custom\""},
        {Replace(pairs, "coll=\"allreduce\" ", ""), "<algo> without coll"},
        {Replace(pairs, "proto=\"LL\"", "proto=\"ll\""), "one of LL, LL128, Simple"},
        {Replace(pairs, "ngpus=\"3\"", "ngpus=\"4\""), "no <gpu id=\"3\">"},
        {Replace(pairs, "ngpus=\"3\"", "ngpus=\"0\""), "ngpus"},
        {Replace(pairs, "<gpu id=\"1\"", "<gpu id=\"0\""), "another GPU than in line 2"},
        {Replace(pairs, "i_chunks=\"3\"", "i_chunks=\"2\""), "3 as nchunksperloop has it"},
        {Replace(pairs, "inplace=\"1\"", "inplace=\"0\""), "one of them to be 1"},
        {Replace(pairs, "outofplace=\"0\"", "outofplace=\"0\" minBytes=\"8\" maxBytes=\"4\""),
         "minBytes=\"8\" or more"},
        {Replace(pairs, "<tb id=\"1\"", "<tb id=\"0\""), "another thread block than in line 3"},
        {Replace(pairs, "send=\"1\"", "send=\"0\""), "another GPU than the thread block's own"},
        {Replace(pairs, "recv=\"1\"", "recv=\"-1\""),
         "own.xml: line 5: read 'r', expected a step for which the thread block in line 3 has a "
         "peer and a channel"},
        {Replace(pairs, "chan=\"0\"", "chan=\"1\""), "chan"},
        {Replace(pairs, "<step s=\"1\"", "<step s=\"2\""), "own.xml: line 5"},
        {Replace(pairs, "type=\"re\"", "type=\"rr\""), "one of cpy, nop, r, rcs, re, rrc, rrcs"},
        {Replace(pairs, "srcbuf=\"i\"", "srcbuf=\"x\""), "one of i, o, s"},
        {Replace(pairs, "dstoff=\"1\" cnt=\"1\"", "dstoff=\"3\" cnt=\"1\""), "chunks of the 3 of"},
        {Replace(ring, "cnt=\"1\"", "cnt=\"0\""), "cnt"},
        {Replace(ring,
                 "srcoff=\"0\" dstbuf=\"i\" dstoff=\"0\" cnt=\"1\"",
                 "srcoff=\"0\" dstbuf=\"i\" dstoff=\"0\" cnt=\"2\""),
         "expected 2, as GPU 0 sends it in line 4"},
    };
    for (const Case& each : cases)
    {
        const std::string error = Refuse(each.text);
        EXPECT_NE(error.find(each.error), std::string::npos) << each.error << "\n" << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
}

TEST(CollectiveMscclReader, RefusesWhatIsSentAndNotReceived)
{
    RAILYARD_NEED_XML();
    MscclTestFile file = MakeMscclRing(3, 1, false);
    file.gpus[1][0].steps.pop_back();
    EXPECT_EQ(Refuse(file.Write()),
              "own.xml: line 10: read 'a send to GPU 1 on channel 0', expected as many as GPU 1 "
              "receives there: 3");
    file = MakeMscclRing(3, 1, false);
    file.gpus[0][0].steps.erase(file.gpus[0][0].steps.begin());
    EXPECT_EQ(Refuse(file.Write()),
              "own.xml: line 22: read 'a receive from GPU 0 on channel 0', expected as many as "
              "GPU 0 sends there: 3");
    file = MakeMscclRing(3, 2, false);
    file.gpus[2][1].channel = 0;
    EXPECT_EQ(Refuse(file.Write()),
              "own.xml: line 57: read 'send=\"0\" chan=\"0\"', expected one thread block for a "
              "peer and a channel; that in line 47 is another");
}

TEST(CollectiveMscclReader, RefusesWhatComputesSomethingElse)
{
    RAILYARD_NEED_XML();
    const std::string begin = "own.xml: line 1: read 'algorithm own', expected a program that "
                              "does AllReduce in place: ";
    MscclTestFile file = MakeMscclRing(3, 1, false);
    file.gpus[1][0].steps[1].type = "r"; // forgets its own
    EXPECT_EQ(Refuse(file.Write()),
              begin + "rank 0 ends with chunk 0 holding 0 contributions of rank 1 instead of 1");
    file = MakeMscclRing(3, 1, false);
    file.gpus[1][0].steps.back().target = "i1"; // another place
    EXPECT_NE(Refuse(file.Write()).find(begin), std::string::npos);
    file = MakeMscclAllPairs(3);
    file.gpus[2][2].steps.back() = file.gpus[2][2].steps[2]; // one twice
    EXPECT_NE(Refuse(file.Write()).find("2 contributions"), std::string::npos)
        << Refuse(file.Write());
    file = MakeMscclAllPairs(3);
    file.gpus[0][2].steps[0].block = -1; // reads what may not have come
    EXPECT_NE(Refuse(file.Write()).find(begin), std::string::npos) << Refuse(file.Write());
}

TEST(CollectiveMscclReader, RefusesGpusThatOnlyCopy)
{
    RAILYARD_NEED_XML();
    const auto gpu = [](const std::string& id) {
        return "<gpu id=\"" + id +
               "\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"><tb id=\"0\" send=\"-1\" "
               "recv=\"-1\" chan=\"0\"><step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" "
               "dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>"
               "</tb></gpu>";
    };
    EXPECT_EQ(Refuse("<algo name=\"own\" coll=\"allreduce\" proto=\"Simple\" ngpus=\"2\" "
                     "nchannels=\"1\" nchunksperloop=\"1\" inplace=\"0\">" +
                     gpu("0") + gpu("1") + "</algo>"),
              "own.xml: line 1: read 'algorithm own', expected a program that does AllReduce out "
              "of place: rank 0 ends with chunk 0 holding 0 contributions of rank 1 instead of 1");
}

TEST(CollectiveMscclReader, RefusesWhatWaitsForEver)
{
    RAILYARD_NEED_XML();
    MscclTestFile file = MakeMscclAllPairs(2);
    file.gpus[0][0].steps[0].block = 1; // a cycle
    file.gpus[0][0].steps[0].step = 1;
    EXPECT_EQ(Refuse(file.Write()),
              "own.xml: line 4: read 'step 0 of thread block 0 of GPU 0', expected a step that "
              "can be done: it waits for ever for step 1 of thread block 1");
    file = MakeMscclRing(2, 1, false);
    for (auto& blocks : file.gpus) // all receive before they send
    {
        std::swap(blocks[0].steps[0], blocks[0].steps[1]);
    }
    EXPECT_EQ(Refuse(file.Write()),
              "own.xml: line 4: read 'step 0 of thread block 0 of GPU 0', expected a step that "
              "can be done: it waits for ever for data of GPU 1");
    EXPECT_NE(Refuse(Replace(MakeMscclAllPairs(2).Write(),
                             "depid=\"-1\" deps=\"-1\" hasdep=\"1\"",
                             "depid=\"-1\" deps=\"-1\" hasdep=\"0\""))
                  .find("step 1 of thread block 0, as neither it nor a later one has hasdep"),
              std::string::npos);
}

TEST(CollectiveMscclReader, AsksForTheStepOfAThreadBlockThatIsWaitedFor)
{
    RAILYARD_NEED_XML();
    EXPECT_EQ(Refuse(Replace(MakeMscclAllPairs(2).Write(), "depid=\"-1\"", "depid=\"0\"")),
              "own.xml: line 4: read '-1', expected a step, 0 or more, of the thread block that "
              "depid names");
}

TEST(CollectiveMscclReader, KnowsWhatBuffersHold)
{
    RAILYARD_NEED_XML();
    // Both send three times before they receive.
    MscclTestFile file;
    file.coll = "alltoall";
    file.chunks = 6;
    file.isInPlace = false;
    file.isOutOfPlace = true;
    for (int gpu = 0; gpu < 2; gpu++)
    {
        const int other = 1 - gpu;
        MscclTestBlock block{other, other, 0, {}};
        for (const std::string type : {"s", "r"})
        {
            for (int i = 0; i < 3; i++)
            {
                const std::string chunk = std::to_string(3 * other + i);
                block.steps.push_back({type, "i" + chunk, "o" + chunk});
            }
        }
        const std::string own = std::to_string(3 * gpu);
        block.steps.push_back({"cpy", "i" + own, "o" + own, 3});
        file.gpus.push_back({block});
    }
    const MscclProgram program = MscclReader::Read(TextFile::FromString("own.xml", file.Write()));
    EXPECT_EQ(Refuse(file.Write()), "");
    EXPECT_NO_THROW(MscclSchedule(program, {3, 1}));
    try
    {
        MscclSchedule(program, {2, 1});
        ADD_FAILURE() << "three sends in room for two";
    }
    catch (const ConfigError& error)
    {
        EXPECT_STREQ(error.what(),
                     "own.xml: line 6: read 'step 2 of thread block 0 of GPU 0', expected a step "
                     "that can be done: it waits for ever for GPU 1 to receive: the connection's "
                     "buffer holds 2 sends");
    }
}

TEST(CollectiveMscclReader, ReadsFoldersAndLists)
{
    RAILYARD_NEED_XML();
    const std::string a = KeepMscclFile(MakeMscclRing(2, 1, false).Write(), "list/a.xml");
    const std::string b = KeepMscclFile(MakeMscclAllPairs(3).Write(), "list/b.xml");
    const std::string folder = std::filesystem::path(a).parent_path().string();
    KeepMscclFile("no program", "list/readme.txt");
    EXPECT_EQ(MscclLibrary(b + "," + a).GetPrograms()[0].gpus.size(), 3U);
    const MscclLibrary library(folder);
    ASSERT_EQ(library.GetPrograms().size(), 2U);
    EXPECT_EQ(library.GetPrograms()[0].gpus.size(), 2U);
    EXPECT_THROW(MscclLibrary("/no/such/file.xml"), ConfigError);
    for (const std::string& paths : {"," + a, a + ",," + b, std::string(",")})
    {
        try
        {
            MscclLibrary library(paths);
            ADD_FAILURE() << paths;
        }
        catch (const ConfigError& error)
        {
            EXPECT_EQ(std::string(error.what()).find("attribute: ns3::MscclAlgorithm::Files: read"),
                      0U)
                << error.what();
        }
    }
    std::filesystem::create_directories(folder + "/none");
    EXPECT_THROW(MscclLibrary(folder + "/none"), ConfigError);
    std::filesystem::remove_all(folder);
}

TEST(CollectiveMscclReader, ReadsFilesOfOthers)
{
    RAILYARD_NEED_XML();
    RAILYARD_NEED_SHARED_FILES();
    const MscclLibrary library(SharedDir() +
                               "/data/realfiles/astra-sim/custom_collectives/custom_allreduce.xml");
    const MscclProgram& program = library.GetPrograms().at(0);
    EXPECT_EQ(program.name, "allreduce_ring_1channelsperring");
    EXPECT_EQ(program.protocol, "LL128");
    EXPECT_EQ(program.gpus.size(), 8U);
    EXPECT_EQ(program.gpus[7].blocks[0].steps.size(), 28U);
}

} // namespace ns3
