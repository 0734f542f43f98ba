/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TEST_HELPER_H
#define WORKLOAD_TEST_HELPER_H

#include "ns3/collective-service.h"
#include "ns3/config-error.h"
#include "ns3/simai-workload-reader.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/workload-executor.h"
#include "ns3/workload-observer.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup tests
 * \brief A network without a network: a collective takes a given time from the moment when its last
 * rank joined, a message a given time from its start.
 */
class FakeCollectiveService : public CollectiveService
{
  public:
    /** Duration of a collective of a group. */
    using CollectiveTime = std::function<Time(const WorkloadCollectiveCall&, const ParallelGroup&)>;

    /** A message that was sent. */
    struct SentMessage
    {
        uint32_t src;   //!< sender
        uint32_t dst;   //!< receiver
        uint64_t bytes; //!< payload
        Time start;     //!< when
    };

    /** A collective whose ranks have all joined. */
    struct PlayedCollective
    {
        WorkloadCollectiveCall call; //!< the call
        uint32_t ranks;              //!< size of the group
        Time start;                  //!< when the last rank joined
        std::string label;           //!< operation
    };

    CollectiveTime collectiveTime = [](const auto&, const auto&) { return Time(0); }; //!< duration
    std::function<Time(uint64_t)> messageTime = [](uint64_t) { return Time(0); };     //!< by bytes
    std::vector<uint32_t> silentRanks;         //!< ranks whose Join() is lost
    std::vector<SentMessage> messages;         //!< all messages, in order
    std::vector<PlayedCollective> collectives; //!< all complete collectives, in order

    void SetWorkload(const Workload& workload) override
    {
        m_groups = workload.layout.GetGroups();
    }

    void Join(uint32_t rank, const WorkloadCollectiveCall& call, Done done) override
    {
        if (call.bytes == 0)
        {
            done({});
            return;
        }
        if (std::find(silentRanks.begin(), silentRanks.end(), rank) != silentRanks.end())
        {
            return;
        }
        const Communicator communicator{call.group, call.part};
        std::deque<Open>& open = m_open[communicator];
        uint64_t& sequence = m_sequence[{rank, communicator}];
        Open& mine = open.at(Ensure(open, sequence++ - m_closed[communicator]));
        if (mine.members.empty())
        {
            mine.call = call;
        }
        EXPECT_EQ(mine.call.bytes, call.bytes) << "group " << m_groups[call.group].GetLabel();
        EXPECT_EQ(mine.call.kind, call.kind);
        mine.members.emplace_back(rank, std::move(done));
        const std::size_t size = m_groups[call.group].ranks.size();
        if (mine.members.size() == size)
        {
            Play(mine, m_groups[call.group]);
        }
        while (!open.empty() && open.front().members.size() == size)
        {
            open.pop_front();
            m_closed[communicator]++;
        }
    }

    void Send(uint32_t rank, const WorkloadMessageCall& call, Done done) override
    {
        const Time time = messageTime(call.bytes);
        const uint32_t peer = call.peer;
        messages.push_back({rank, peer, call.bytes, Simulator::Now()});
        Simulator::ScheduleWithContext(rank, time, [done = std::move(done)] { done({}); });
        Simulator::ScheduleWithContext(peer, time, [this, rank, peer, start = Simulator::Now()] {
            Pair& pair = m_pairs[{rank, peer}];
            pair.arrived.push_back(start);
            Match(pair);
        });
    }

    void Receive(uint32_t rank, const WorkloadMessageCall& call, Done arrived) override
    {
        Pair& pair = m_pairs[{call.peer, rank}];
        pair.waiting.push_back(std::move(arrived));
        Match(pair);
    }

  private:
    /** Group and stream. */
    using Communicator = std::pair<uint32_t, WorkloadPart>;

    /** A collective that ranks have joined. */
    struct Open
    {
        WorkloadCollectiveCall call;                    //!< the call of the first rank
        std::vector<std::pair<uint32_t, Done>> members; //!< ranks that joined
    };

    /** Messages of a pair of ranks. */
    struct Pair
    {
        std::deque<Time> arrived; //!< start of messages that nobody took
        std::deque<Done> waiting; //!< receives without a message
    };

    /**
     * \param open collectives of a group
     * \param index one of them
     * \return the index, which exists
     */
    static std::size_t Ensure(std::deque<Open>& open, std::size_t index)
    {
        while (open.size() <= index)
        {
            open.emplace_back();
        }
        return index;
    }

    /**
     * \param open collective whose ranks have all joined
     * \param group its group
     */
    void Play(Open& open, const ParallelGroup& group)
    {
        const Time time = collectiveTime(open.call, group);
        collectives.push_back({open.call,
                               static_cast<uint32_t>(group.ranks.size()),
                               Simulator::Now(),
                               open.call.label});
        for (auto& [rank, done] : open.members)
        {
            Simulator::ScheduleWithContext(rank, time, [done = std::move(done)] { done({}); });
        }
    }

    /** \param pair hands messages to receives */
    static void Match(Pair& pair)
    {
        while (!pair.arrived.empty() && !pair.waiting.empty())
        {
            const Time start = pair.arrived.front();
            const Done arrived = std::move(pair.waiting.front());
            pair.arrived.pop_front();
            pair.waiting.pop_front();
            arrived({-1, start});
        }
    }

    std::vector<ParallelGroup> m_groups;                              //!< all groups
    std::map<Communicator, std::deque<Open>> m_open;                  //!< collectives
    std::map<Communicator, uint64_t> m_closed;                        //!< dropped from m_open
    std::map<std::pair<uint32_t, Communicator>, uint64_t> m_sequence; //!< joins, by rank too
    std::map<std::pair<uint32_t, uint32_t>, Pair> m_pairs;            //!< by sender and receiver
};

/** \ingroup tests \brief A span, kept. */
struct KeptSpan
{
    uint32_t rank;      //!< rank
    std::string stream; //!< stream
    std::string name;   //!< operation
    Time start;         //!< begin
    Time end;           //!< end
    bool collective;    //!< is a collective

    /**
     * \param other another span
     * \return true if they are the same
     */
    bool operator==(const KeptSpan& other) const
    {
        return rank == other.rank && stream == other.stream && name == other.name &&
               start == other.start && end == other.end;
    }
};

/** \ingroup tests \brief Runs a workload over a FakeCollectiveService. */
class WorkloadRunner : public WorkloadObserver
{
  public:
    FakeCollectiveService service;     //!< the network
    std::vector<KeptSpan> spans;       //!< what the ranks did
    std::vector<std::string> standing; //!< lines of ranks that did not finish

    /**
     * \param workload workload
     * \param iterations iterations
     * \return what became of it
     */
    WorkloadResult Run(const Workload& workload, uint32_t iterations = 1)
    {
        auto executor = CreateObject<WorkloadExecutor>();
        executor->SetAttribute("Iterations", UintegerValue(iterations));
        executor->SetWorkload(std::make_shared<Workload>(workload));
        executor->SetCollectiveService(&service);
        executor->AddObserver(this);
        executor->Start();
        Simulator::Run();
        WorkloadResult result = executor->GetResult();
        standing = executor->DescribeUnfinished();
        EXPECT_EQ(executor->IsFinished(), executor->GetDoneCount() == executor->GetOpCount());
        executor->Dispose();
        Simulator::Destroy();
        CheckSums(result);
        return result;
    }

    void OperationDone(const WorkloadSpan& span) override
    {
        EXPECT_LE(span.start, span.end);
        spans.push_back({span.rank,
                         span.stream->name,
                         span.GetName(),
                         span.start,
                         span.end,
                         span.group != nullptr});
    }

    /**
     * \param rank a rank
     * \param stream a stream
     * \return its spans
     */
    std::vector<KeptSpan> GetSpans(uint32_t rank, const std::string& stream) const
    {
        std::vector<KeptSpan> found;
        for (const KeptSpan& span : spans)
        {
            if (span.rank == rank && span.stream == stream)
            {
                found.push_back(span);
            }
        }
        return found;
    }

  private:
    /**
     * Every breakdown adds up to the tick.
     * \param result result
     */
    static void CheckSums(const WorkloadResult& result)
    {
        const auto check = [](const WorkloadBreakdown& breakdown, Time total) {
            EXPECT_EQ(breakdown.GetTotal(), total);
            for (std::size_t i = 0; i < WORKLOAD_PART_COUNT; i++)
            {
                const auto part = static_cast<WorkloadPart>(i);
                EXPECT_GE(breakdown.Get(part), Time(0)) << GetWorkloadPartName(part);
                if (part != WorkloadPart::COMPUTE && part != WorkloadPart::BUBBLE)
                {
                    EXPECT_GE(breakdown.GetHidden(part), Time(0)) << GetWorkloadPartName(part);
                }
            }
        };
        for (const WorkloadRankResult& rank : result.ranks)
        {
            check(rank.breakdown, result.end - result.start);
        }
        for (const WorkloadIteration& iteration : result.iterations)
        {
            check(iteration.breakdown, iteration.end - iteration.start);
        }
    }
};

/**
 * \ingroup tests
 * \param text text of a SimAI workload
 * \param name file name
 * \return what stands in it
 */
inline SimaiWorkload
ParseSimai(const std::string& text, const std::string& name = "test.txt")
{
    return SimaiWorkloadReader::Parse(TextFile::FromString(name, text));
}

/**
 * \ingroup tests
 * \param name file name
 * \param text text
 * \return the path of a file with that text in the folder of temporary files
 */
inline std::string
WriteTestFile(const std::string& name, const std::string& text)
{
    const std::string path = testing::TempDir() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

/**
 * \ingroup tests
 * \param function a function
 * \return the message of the ConfigError that it throws, empty if it throws none
 */
template <typename Function>
std::string
GetConfigError(Function function)
{
    try
    {
        function();
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace ns3

#endif /* WORKLOAD_TEST_HELPER_H */
