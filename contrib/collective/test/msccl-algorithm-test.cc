/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../../fabric/test/xml-under-test.h"
#include "collective-test-bed.h"
#include "msccl-writer.h"

#include "ns3/collective-plan-verifier.h"
#include "ns3/config-error.h"
#include "ns3/config.h"
#include "ns3/first-fit-selector.h"
#include "ns3/msccl-algorithm.h"
#include "ns3/nccl-selector.h"
#include "ns3/string.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/**
 * \param text a file
 * \return an algorithm that plays it
 */
Ptr<MscclAlgorithm>
MakeAlgorithm(const std::string& text)
{
    const auto algorithm = CreateObject<MscclAlgorithm>();
    algorithm->SetAttribute("Files", StringValue(KeepMscclFile(text, "algorithm.xml")));
    return algorithm;
}

/**
 * \param text a file
 * \param request a request
 * \return what is wrong with the plan, empty if nothing
 */
std::string
Prove(const std::string& text, const CollectiveRequest& request)
{
    const Ptr<MscclAlgorithm> algorithm = MakeAlgorithm(text);
    EXPECT_TRUE(algorithm->Supports(request));
    return CollectivePlanVerifier::Verify(request, algorithm->Plan(request), *algorithm);
}

/** \brief Files of MSCCL for the engine, while it lives. */
class MscclDefault
{
  public:
    /** \param text a file \param algorithms those that the engine takes */
    explicit MscclDefault(const std::string& text,
                          const std::string& algorithms = "ns3::MscclAlgorithm")
        : path(KeepMscclFile(text, "engine.xml"))
    {
        Set(path, algorithms);
    }

    ~MscclDefault()
    {
        Set("", "");
    }

    const std::string path; //!< of the file

  private:
    /** \param files the files \param algorithms those that the engine takes */
    static void Set(const std::string& files, const std::string& algorithms)
    {
        Config::SetDefault("ns3::MscclAlgorithm::Files", StringValue(files));
        Config::SetDefault("ns3::FirstFitSelector::Algorithms", StringValue(algorithms));
    }
};

/**
 * \param text a file
 * \param kind what it does
 * \param ranks its GPUs
 * \param bytes size of the operand
 * \return what happened, at 100 Gbps and with a latency of 1 us
 */
CollectiveInstance
Play(const std::string& text, CollectiveKind kind, uint32_t ranks, uint64_t bytes)
{
    const MscclDefault files(text);
    CollectiveTestBed bed(ranks, "100Gbps", "1us");
    return bed.RunOne({ranks}, kind, bytes);
}

} // namespace

TEST(CollectiveMsccl, SupportsNothingWithoutFiles)
{
    const auto algorithm = CreateObject<MscclAlgorithm>();
    EXPECT_FALSE(algorithm->Supports(MakeRequest(CollectiveKind::ALL_REDUCE, {2}, 1024)));
}

TEST(CollectiveMsccl, TakesTheFirstFileThatFits)
{
    RAILYARD_NEED_XML();
    MscclTestFile file = MakeMscclAllPairs(4);
    file.more = " minBytes=\"1024\" maxBytes=\"4096\"";
    const auto algorithm = CreateObject<MscclAlgorithm>();
    algorithm->SetAttribute(
        "Files",
        StringValue(KeepMscclFile(file.Write(), "pairs.xml") + "," +
                    KeepMscclFile(MakeMscclRing(4, 1, true).Write(), "ring.xml") + "," +
                    KeepMscclFile(MakeMscclBroadcast(4, 2).Write(), "broadcast.xml")));
    const auto protocol = [&](uint32_t ranks, uint64_t bytes, uint32_t elementBytes) {
        CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {ranks}, bytes);
        request.elementBytes = elementBytes;
        return algorithm->Supports(request) ? algorithm->GetProtocolName(request) : "";
    };
    EXPECT_EQ(protocol(4, 1023, 1), "");
    EXPECT_EQ(protocol(4, 1020, 1), "Simple");
    EXPECT_EQ(protocol(4, 1024, 1), "LL");
    EXPECT_EQ(protocol(4, 4096, 4), "LL");
    EXPECT_EQ(protocol(4, 4100, 4), "");
    EXPECT_EQ(protocol(4, 4112, 4), "Simple");
    EXPECT_EQ(protocol(8, 4096, 1), "");
    CollectiveRequest request = MakeRequest(CollectiveKind::BROADCAST, {4}, 4096);
    EXPECT_FALSE(algorithm->Supports(request));
    request.root = 2;
    EXPECT_TRUE(algorithm->Supports(request));
}

TEST(CollectiveMsccl, PlansAreRightInSlices)
{
    RAILYARD_NEED_XML();
    using Kind = CollectiveKind;
    for (const uint64_t chunk : {1ULL, 1000ULL, 40000ULL, 1200000ULL, 7000001ULL})
    {
        const auto request = [chunk](Kind kind, uint32_t ranks, uint64_t chunks) {
            return MakeRequest(kind, {ranks}, chunk * chunks);
        };
        EXPECT_EQ(Prove(MakeMscclRing(4, 2, true).Write(), request(Kind::ALL_REDUCE, 4, 8)), "");
        EXPECT_EQ(Prove(MakeMscclRing(3, 1, false).Write(), request(Kind::ALL_REDUCE, 3, 3)), "");
        EXPECT_EQ(Prove(MakeMscclAllPairs(4).Write(), request(Kind::ALL_REDUCE, 4, 4)), "");
        EXPECT_EQ(Prove(MakeMscclGather(4).Write(), request(Kind::ALL_GATHER, 4, 4)), "");
        EXPECT_EQ(Prove(MakeMscclScatter(4).Write(), request(Kind::REDUCE_SCATTER, 4, 4)), "");
        EXPECT_EQ(Prove(MakeMscclTwoStep(3, 2).Write(), request(Kind::ALL_TO_ALL, 6, 6)), "");
        EXPECT_EQ(Prove(MakeMscclBroadcast(4, 0).Write(), request(Kind::BROADCAST, 4, 2)), "");
        CollectiveRequest reduce = request(Kind::REDUCE, 4, 1);
        reduce.root = 3;
        EXPECT_EQ(Prove(MakeMscclReduce(4).Write(), reduce), "");
    }
}

TEST(CollectiveMsccl, SendsAsManyMessagesAsTheKernel)
{
    RAILYARD_NEED_XML();
    const MscclPipe simple = MscclAlgorithm::GetPipe("Simple", 4194304);
    EXPECT_EQ(simple.sliceBytes, 1048576U);
    EXPECT_EQ(simple.GetOperationBytes(), 2097152U);
    EXPECT_EQ(MscclAlgorithm::GetPipe("LL", 4194304).sliceBytes, 32768U);
    EXPECT_EQ(MscclAlgorithm::GetPipe("LL128", 4194304).sliceBytes, 576000U);
    // Chunks of 64 KiB: 3 steps of two GPUs each way.
    const auto messages = [](const MscclTestFile& file, CollectiveKind kind, uint64_t bytes) {
        return Play(file.Write(), kind, 2, bytes).messages;
    };
    EXPECT_EQ(messages(MakeMscclAllPairs(2), CollectiveKind::ALL_REDUCE, 2 * 32768), 4U);
    EXPECT_EQ(messages(MakeMscclAllPairs(2), CollectiveKind::ALL_REDUCE, 2 * 65536), 8U);
    EXPECT_EQ(messages(MakeMscclRing(2, 1, true), CollectiveKind::ALL_REDUCE, 2 * 1048576), 4U);
    EXPECT_EQ(messages(MakeMscclRing(2, 1, true), CollectiveKind::ALL_REDUCE, 8 * 1048576), 16U);
    // Several small chunks of a step travel together.
    MscclTestFile file = MakeMscclBroadcast(2, 0);
    for (auto& blocks : file.gpus)
    {
        blocks[0].steps.pop_back();
        blocks[0].steps[0].count = 2;
    }
    EXPECT_EQ(messages(file, CollectiveKind::BROADCAST, 1048576), 1U);
    EXPECT_EQ(messages(file, CollectiveKind::BROADCAST, 2 * 1048576), 2U);
}

TEST(CollectiveMsccl, TakesTheTimeOfItsSteps)
{
    RAILYARD_NEED_XML();
    // A ring of n: 2(n-1) (S/(nB) + a), chunks of 1 MB on 12.5 GB/s.
    for (const uint32_t ranks : {2U, 4U, 8U})
    {
        const auto instance = Play(MakeMscclRing(ranks, 1, true).Write(),
                                   CollectiveKind::ALL_REDUCE,
                                   ranks,
                                   ranks * 1000000);
        EXPECT_EQ(instance.GetDuration(), MicroSeconds(2 * (ranks - 1) * 81)) << ranks;
        EXPECT_EQ(instance.algorithm, "ns3::MscclAlgorithm");
        EXPECT_EQ(instance.bytesSent, 2 * (ranks - 1) * ranks * 1000000U);
    }
    // All pairs of 4, 8000 bytes for each, which LL doubles: out, in, and once more.
    const auto pairs = Play(MakeMscclAllPairs(4).Write(), CollectiveKind::ALL_REDUCE, 4, 32000);
    EXPECT_EQ(pairs.GetDuration(), NanoSeconds(2 * (3 * 1280 + 1000)));
    EXPECT_EQ(pairs.bytesSent, 2 * 3 * 4 * 16000U);
}

TEST(CollectiveMsccl, AddsUpAtTheRateOfTheEngine)
{
    RAILYARD_NEED_XML();
    Config::SetDefault("ns3::CollectiveEngine::ReduceBandwidth", StringValue("8Gbps"));
    const auto pairs = Play(MakeMscclAllPairs(4).Write(), CollectiveKind::ALL_REDUCE, 4, 32000);
    Config::SetDefault("ns3::CollectiveEngine::ReduceBandwidth", StringValue("0bps"));
    EXPECT_EQ(pairs.GetDuration(), NanoSeconds(2 * (3 * 1280 + 1000)) + MicroSeconds(3 * 8));
}

TEST(CollectiveMsccl, PiecesFollowEachOther)
{
    RAILYARD_NEED_XML();
    // A chain of 4 broadcasts 16 MB in 2 chunks: runs of 2 slices of 1 MB. Every GPU passes on what
    // comes while more comes: (slices + 2) (1 MB / B) + 3 a, if the order of the chain holds.
    const auto instance =
        Play(MakeMscclBroadcast(4, 0).Write(), CollectiveKind::BROADCAST, 4, 16000000);
    EXPECT_EQ(instance.messages, 3 * 16U);
    EXPECT_EQ(instance.GetDuration(), MicroSeconds((16 + 2) * 80 + 3));
}

TEST(CollectiveMsccl, ConnectionsHoldWhatTheirBuffersDo)
{
    RAILYARD_NEED_XML();
    for (const auto& [proto, most] :
         std::vector<std::pair<std::string, uint32_t>>{{"Simple", 4}, {"LL", 8}, {"LL128", 8}})
    {
        MscclTestFile file = MakeMscclBroadcast(2, 0);
        file.proto = proto;
        const MscclDefault files(file.Write());
        CollectiveTestBed bed(2, "100Gbps", "10ms");
        bed.RunOne({2}, CollectiveKind::BROADCAST, 40000000);
        uint32_t underWay = 0;
        for (const auto& one : bed.recorder.ended)
        {
            const auto count = std::count_if(bed.recorder.ended.begin(),
                                             bed.recorder.ended.end(),
                                             [&one](const auto& other) {
                                                 return other.message.start <= one.message.start &&
                                                        other.message.end > one.message.start;
                                             });
            underWay = std::max(underWay, static_cast<uint32_t>(count));
        }
        EXPECT_EQ(underWay, most) << proto;
    }
}

TEST(CollectiveMsccl, RefusesWhatTheKernelWouldHangOn)
{
    RAILYARD_NEED_XML();
    // Both send 3 chunks and then receive: as one send or, where they are large, as three.
    MscclTestFile file;
    file.coll = "alltoall";
    file.chunks = 6;
    file.isInPlace = false;
    file.isOutOfPlace = true;
    for (int gpu = 0; gpu < 2; gpu++)
    {
        const std::string chunk = std::to_string(3 * (1 - gpu));
        const std::string own = std::to_string(3 * gpu);
        file.gpus.push_back({{1 - gpu,
                              1 - gpu,
                              0,
                              {{"s", "i" + chunk, "o0", 3},
                               {"r", "i0", "o" + chunk, 3},
                               {"cpy", "i" + own, "o" + own, 3}}}});
    }
    const Ptr<MscclAlgorithm> algorithm = MakeAlgorithm(file.Write());
    EXPECT_NO_THROW(algorithm->Plan(MakeRequest(CollectiveKind::ALL_TO_ALL, {2}, 6 * 100000)));
    EXPECT_THROW(algorithm->Plan(MakeRequest(CollectiveKind::ALL_TO_ALL, {2}, 6 * 2000000)),
                 ConfigError);
}

TEST(CollectiveMsccl, ChannelsAreConnectionsOfTheirOwn)
{
    RAILYARD_NEED_XML();
    const MscclDefault files(MakeMscclRing(2, 3, true).Write());
    CollectiveTestBed bed(2, "100Gbps", "1us");
    bed.RunOne({2}, CollectiveKind::ALL_REDUCE, 6000);
    std::set<uint32_t> channels;
    for (const auto& entry : bed.recorder.ended)
    {
        channels.insert(entry.message.channel);
    }
    EXPECT_EQ(channels, (std::set<uint32_t>{0, 1, 2}));
}

TEST(CollectiveMsccl, SelectorsTakeFilesFirst)
{
    RAILYARD_NEED_XML();
    const MscclDefault files(MakeMscclRing(8, 1, true).Write(), "");
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {8}, 8 << 20);
    const auto choose = [&request](CollectiveSelector& selector) {
        const CollectiveChoice choice = selector.Select(request);
        return choice.algorithm->GetInstanceTypeId().GetName() + " " + choice.protocol.name;
    };
    const auto firstFit = CreateObject<FirstFitSelector>();
    EXPECT_EQ(choose(*firstFit), "ns3::MscclAlgorithm ");
    const auto nccl = [](const std::string& algorithms, const std::string& protocols) {
        const auto selector = CreateObject<NcclSelector>();
        selector->SetAttribute("Gpu", StringValue("H100"));
        selector->SetAttribute("Algorithms", StringValue(algorithms));
        selector->SetAttribute("Protocols", StringValue(protocols));
        return selector;
    };
    EXPECT_EQ(choose(*nccl("", "")), "ns3::MscclAlgorithm Simple");
    EXPECT_EQ(choose(*nccl("msccl,ring,tree", "simple")), "ns3::MscclAlgorithm Simple");
    EXPECT_EQ(choose(*nccl("ring", "")).find("ns3::RingAllReduceAlgorithm"), 0U);
    EXPECT_EQ(choose(*nccl("^MSCCL", "")).find("ns3::MscclAlgorithm"), std::string::npos);
    EXPECT_EQ(choose(*nccl("^MSCCL;allreduce:MSCCL", "")), "ns3::MscclAlgorithm Simple");
    EXPECT_EQ(choose(*nccl("", "LL")).find("ns3::RingAllReduceAlgorithm LL"), 0U);
    const CollectiveProtocol paid = nccl("", "")->Select(request).protocol;
    const CollectiveProtocol ring = nccl("ring", "simple")->Select(request).protocol;
    EXPECT_EQ(paid.launch, ring.launch);
    EXPECT_TRUE(paid.intraOverhead.IsStrictlyPositive());
    request.kind = CollectiveKind::ALL_GATHER;
    EXPECT_EQ(choose(*firstFit), "ns3::RingAllGatherAlgorithm ");
    EXPECT_EQ(choose(*nccl("", "")).find("ns3::MscclAlgorithm"), std::string::npos);
}

TEST(CollectiveMsccl, FilesAreReadOnceForAllKinds)
{
    RAILYARD_NEED_XML();
    const MscclDefault files(MakeMscclRing(8, 1, true).Write(), "");
    const auto selector = CreateObject<NcclSelector>();
    selector->SetAttribute("Gpu", StringValue("H100"));
    const auto choose = [&selector](CollectiveKind kind) {
        return selector->Select(MakeRequest(kind, {8}, 8 << 20)).algorithm->GetInstanceTypeId();
    };
    EXPECT_EQ(choose(CollectiveKind::ALL_REDUCE), MscclAlgorithm::GetTypeId());
    std::filesystem::remove(files.path);
    EXPECT_NE(choose(CollectiveKind::ALL_GATHER), MscclAlgorithm::GetTypeId());
    EXPECT_EQ(choose(CollectiveKind::ALL_REDUCE), MscclAlgorithm::GetTypeId());
}

TEST(CollectiveMsccl, ForbiddenFilesLeaveDirectExchangesAsTheyAre)
{
    RAILYARD_NEED_XML();
    const MscclDefault files(MakeMscclTwoStep(2, 2).Write(), "");
    const auto selector = CreateObject<NcclSelector>();
    selector->SetAttribute("Gpu", StringValue("H100"));
    selector->SetAttribute("Algorithms", StringValue("^MSCCL"));
    const auto request = MakeRequest(CollectiveKind::ALL_TO_ALL, {4}, 4096);
    EXPECT_EQ(selector->Select(request).algorithm->GetInstanceTypeId().GetName(),
              "ns3::DirectAllToAllAlgorithm");
}

TEST(CollectiveMsccl, RanksMayJoinInAnyOrder)
{
    RAILYARD_NEED_XML();
    const MscclDefault files(MakeMscclTwoStep(2, 2).Write());
    std::string first;
    for (int run = 0; run < 2; run++)
    {
        CollectiveTestBed bed(4, "100Gbps", "1us");
        const uint32_t group = bed.AddGroup({4});
        for (uint32_t rank = 0; rank < 4; rank++)
        {
            bed.JoinAt(MicroSeconds(50 * (3 - rank)),
                       rank,
                       MakeCall(group, CollectiveKind::ALL_TO_ALL, 4000000));
        }
        bed.Run();
        EXPECT_EQ(bed.done, 4U);
        first = run == 0 ? bed.recorder.GetFingerprint() : first;
        EXPECT_EQ(bed.recorder.GetFingerprint(), first);
    }
}

} // namespace ns3
