/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "picosecond-environment.h"

#include "ns3/type-catalogue.h"

#include <gtest/gtest.h>
#include <memory>
#include <sstream>

namespace ns3
{

void
SetSizes(CollectiveRequest& request)
{
    if (request.kind != CollectiveKind::ALL_TO_ALL_V)
    {
        return;
    }
    const uint32_t ranks = request.GetGroupSize();
    std::vector<uint64_t> sizes;
    for (uint64_t source = 0; source < ranks; source++)
    {
        for (uint64_t destination = 0; destination < ranks; destination++)
        {
            const uint64_t luck = (source * 7 + destination * 13 + source * destination) % 5;
            const bool isLeftOut = source % 7 == 3 || destination % 6 == 4;
            sizes.push_back(isLeftOut ? 0 : request.bytes * luck / ranks);
        }
    }
    request.sizes = std::make_shared<SizeMatrix>(ranks, sizes);
    request.bytes = request.sizes->GetMeanBytes();
}

std::vector<uint32_t>
PlaceRanks(const std::vector<uint32_t>& servers)
{
    std::vector<uint32_t> placement;
    for (uint32_t server = 0; server < servers.size(); server++)
    {
        placement.insert(placement.end(), servers[server], server);
    }
    return placement;
}

std::vector<Ptr<CollectiveAlgorithm>>
MakeAllAlgorithms()
{
    return TypeCatalogue(CollectiveAlgorithm::GetTypeId()).CreateAll<CollectiveAlgorithm>();
}

CollectiveRequest
MakeRequest(CollectiveKind kind,
            const std::vector<uint32_t>& servers,
            uint64_t bytes,
            uint32_t elementBytes)
{
    CollectiveRequest request;
    request.kind = kind;
    request.bytes = bytes;
    request.elementBytes = elementBytes;
    request.placement = PlaceRanks(servers);
    SetSizes(request);
    return request;
}

CollectiveCall
MakeCall(uint32_t group, CollectiveKind kind, uint64_t bytes)
{
    CollectiveCall call;
    call.group = group;
    call.kind = kind;
    call.bytes = bytes;
    return call;
}

void
CollectiveRecorder::MessageStarted(const CollectiveInstance& instance,
                                   const CollectiveMessage& message)
{
    started.push_back({instance.id, message});
}

void
CollectiveRecorder::MessageEnded(const CollectiveInstance& instance,
                                 const CollectiveMessage& message)
{
    ended.push_back({instance.id, message});
}

void
CollectiveRecorder::RankJoined(const CollectiveInstance&, uint32_t)
{
    joins++;
}

void
CollectiveRecorder::RankDone(const CollectiveInstance&, uint32_t, Time)
{
    leaves++;
}

void
CollectiveRecorder::CollectiveEnded(const CollectiveInstance& instance)
{
    closed.push_back(instance);
}

std::string
CollectiveRecorder::GetFingerprint() const
{
    std::ostringstream text;
    for (const auto& entry : ended)
    {
        const auto& message = entry.message;
        text << entry.collective << ' ' << message.channel << ' ' << message.step << ' '
             << message.src << ' ' << message.dst << ' ' << message.bytes << ' '
             << message.start.GetTimeStep() << ' ' << message.end.GetTimeStep() << '\n';
    }
    for (const auto& instance : closed)
    {
        text << instance.id << ' ' << instance.call.kind << ' ' << instance.end.GetTimeStep()
             << '\n';
    }
    return text.str();
}

CollectiveTestBed::CollectiveTestBed(uint32_t ranks,
                                     const std::string& rate,
                                     const std::string& latency)
{
    UsePicoseconds();
    transport = CreateObject<LatencyTransport>(ranks, DataRate(rate), Time(latency));
    engine = CreateObject<CollectiveEngine>();
    engine->SetTransport(transport);
    engine->AddObserver(&recorder);
}

CollectiveTestBed::~CollectiveTestBed()
{
    engine->Dispose();
    Simulator::Destroy();
}

uint32_t
CollectiveTestBed::AddGroup(const std::vector<uint32_t>& servers)
{
    CollectiveGroup group;
    group.name = "test";
    group.parallel = "DP";
    group.servers = PlaceRanks(servers);
    for (uint32_t rank = 0; rank < group.servers.size(); rank++)
    {
        group.ranks.push_back(rank);
    }
    return engine->AddGroup(group);
}

void
CollectiveTestBed::JoinAll(const CollectiveCall& call)
{
    for (const uint32_t rank : engine->GetGroup(call.group).ranks)
    {
        engine->Join(rank, call, [this] { done++; });
    }
}

void
CollectiveTestBed::JoinAt(Time at, uint32_t rank, const CollectiveCall& call)
{
    Simulator::ScheduleWithContext(rank, at, [this, rank, call] {
        engine->Join(rank, call, [this] { done++; });
    });
}

CollectiveInstance
CollectiveTestBed::Run()
{
    Simulator::Run();
    return recorder.closed.empty() ? CollectiveInstance() : recorder.closed.back();
}

CollectiveInstance
CollectiveTestBed::RunOne(const std::vector<uint32_t>& servers, CollectiveKind kind, uint64_t bytes)
{
    JoinAll(MakeCall(AddGroup(servers), kind, bytes));
    const CollectiveInstance instance = Run();
    EXPECT_EQ(engine->GetOpenCount(), 0U);
    EXPECT_EQ(done, PlaceRanks(servers).size());
    return instance;
}

} // namespace ns3
