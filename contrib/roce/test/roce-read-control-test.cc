/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"
#include "verbs-under-test.h"

#include "ns3/double.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * READ with congestion controls that live on acknowledgements: the requester's governs it.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks
constexpr uint64_t SER = 84960;  //!< ticks of 1062 bytes at 100 Gb/s

/** \ingroup tests \brief Hosts on a switch; host 0 reads from all others. */
class ReadIncast
{
  public:
    /**
     * \param control TypeId name of the congestion control
     * \param sources hosts that are read from
     * \param lossRate of all links
     * \param recovery TypeId name of the loss recovery
     */
    ReadIncast(const std::string& control,
               uint32_t sources,
               double lossRate = 0,
               const std::string& recovery = GO_BACK_N)
        : m_network(MakeTopology(sources, lossRate), Options(control, recovery)),
          m_ends(sources + 1)
    {
        for (uint32_t host = 0; host <= sources; host++)
        {
            m_ends[host] = CreateObject<RoceVerbs>();
            m_ends[host]->Open(m_network.fabric.nics[host]);
        }
        m_ends[0]->SetCompletionCallback(
            Callback<void, const RoceCompletion&>([this](const RoceCompletion& completion) {
                EXPECT_EQ(completion.status, RoceStatus::SUCCESS);
                last = EngineUnderTest::Now();
                ended++;
            }));
        RoceQueuePairParameters parameters;
        parameters.switchCount = 1;
        parameters.baseRtt = 4 * US + 3 * SER;
        for (uint32_t source = 1; source <= sources; source++)
        {
            m_qps.push_back(m_ends[0]->CreateQp(*m_ends[source], parameters));
        }
    }

    ~ReadIncast()
    {
        for (const auto& end : m_ends)
        {
            end->Dispose();
        }
    }

    /** \param bytes read from each, in two READs; runs until all is there */
    void Read(uint64_t bytes)
    {
        for (const uint32_t qp : m_qps)
        {
            m_ends[0]->PostSend(qp, {RoceVerb::READ, bytes / 2, 1});
            m_ends[0]->PostSend(qp, {RoceVerb::READ, bytes - bytes / 2, 2});
        }
        Simulator::Run();
        EXPECT_EQ(ended, 2 * m_qps.size());
        EXPECT_EQ(m_network.Counters().payloadBytesDelivered, bytes * m_qps.size());
        m_network.CheckNothingIsLeft();
        m_network.CheckLinkRates();
    }

    /** \return deepest queue of the switch towards host 0, bytes */
    uint64_t GetQueue()
    {
        return m_network.fabric.nics[0]->GetPort(0).GetPeer()->GetCounters().maxQueueBytes;
    }

    uint64_t last{0};  //!< time of the last completion, ticks
    uint64_t ended{0}; //!< READs

  private:
    /** \param sources as the constructor's \param lossRate likewise \return the cluster */
    static Topology MakeTopology(uint32_t sources, double lossRate)
    {
        Topology topology = StarTopology(sources + 1, "100Gbps", MicroSeconds(1));
        for (TopologyLink& link : topology.links)
        {
            link.lossRate = lossRate;
        }
        return topology;
    }

    /** \param control as the constructor's \param recovery likewise \return options */
    static RoceTestOptions Options(const std::string& control, const std::string& recovery)
    {
        RoceTestOptions options;
        options.congestionControl = control;
        options.ackInterval = 64;
        options.configure = [recovery](RoceHelper& helper) {
            helper.SetNicAttribute("LossRecovery", TypeIdValue(TypeId::LookupByName(recovery)));
            helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(6)); // 262 us
            helper.SetSwitchAttribute("EcnReferenceRate", StringValue("0bps"));
            helper.SetSwitchAttribute("EcnKmin", UintegerValue(20000));
            helper.SetSwitchAttribute("EcnKmax", UintegerValue(20000));
            helper.SetSwitchAttribute("EcnPmax", DoubleValue(1));
        };
        return options;
    }

    RoceTestNetwork m_network;            //!< the network
    std::vector<Ptr<RoceVerbs>> m_ends;   //!< verbs of every host
    std::vector<uint32_t> m_qps;          //!< of host 0, one to each other host
};

} // namespace

TEST(RoceReadControl, WhatIsAskedForStaysWithinTheWindow)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedWindowCongestionControl::Window", UintegerValue(3000));
    NicOptions options;
    options.congestionControl = "ns3::FixedWindowCongestionControl";
    options.firstPsn = PSN_COUNT - 3;
    VerbsUnderTest test(options);
    test.PostSend({RoceVerb::READ, 9500, 1});
    test.PostSend({RoceVerb::READ, 0, 2});
    test.PostSend({RoceVerb::SEND, 10, 3});
    test.Run();
    EXPECT_EQ(test.GetEnds(),
              (std::vector<std::pair<uint64_t, RoceStatus>>{{1, RoceStatus::SUCCESS},
                                                            {2, RoceStatus::SUCCESS},
                                                            {3, RoceStatus::SUCCESS}}));
    uint32_t asked = 0;
    uint32_t answered = 0;
    uint32_t most = 0;
    for (const auto& [opcode, psn] : test.GetOpcodes())
    {
        if (opcode == RoceOpcode::READ_REQUEST)
        {
            EXPECT_EQ(psn, (PSN_COUNT - 3 + asked++) % PSN_COUNT);
        }
        else if (opcode == RoceOpcode::READ_RESPONSE_ONLY)
        {
            EXPECT_EQ(psn, (PSN_COUNT - 3 + answered++) % PSN_COUNT);
        }
        most = std::max(most, asked - answered);
    }
    EXPECT_EQ(asked, 11U) << "a request for every packet, as an acknowledgement for every packet";
    EXPECT_EQ(answered, 11U);
    EXPECT_EQ(most, 3U);
    EXPECT_EQ(test.context->counters.retransmittedPackets, 0U);
}

TEST(RoceReadControl, RoundTripsOfPartsAreThoseOfTheIdlePath)
{
    NicOptions options;
    options.congestionControl = "ns3::TimelyCongestionControl"; // segments of 16 packets
    options.ackInterval = 64;
    VerbsUnderTest test(options);
    RoceQueuePair& qp = test.nic->FindQueuePair(test.qp);
    std::vector<uint64_t> rtts;
    test.nic->TraceConnectWithoutContext(
        "QueuePairStart",
        Callback<void, const RoceQueuePair&>([&rtts](const RoceQueuePair& started) {
            started.congestionControl->TraceConnectWithoutContext(
                "Rtt",
                Callback<void, uint64_t, uint64_t>(
                    [&rtts](uint64_t, uint64_t rtt) { rtts.push_back(rtt); }));
        }));
    test.PostSend({RoceVerb::READ, 40000, 1});
    test.Run();
    EXPECT_TRUE(qp.congestionControl);
    const auto requests = test.wire->Select(0, FrameClass::DATA);
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[1].psn, 16U);
    EXPECT_EQ(requests[2].psn, 32U);
    // Request of 78 bytes and packet of 1062 (4 more with an AETH), twice over links of 0.5 us.
    const uint64_t idle = 4 * 500000 + 2 * 78 * 80 + 2 * SER;
    ASSERT_EQ(rtts.size(), 40U);
    for (const uint64_t rtt : rtts)
    {
        EXPECT_NEAR(static_cast<double>(rtt), static_cast<double>(idle), 16 * 4 * 80);
    }
}

TEST(RoceReadControl, ControlsOfRateAndMarksAskForAllAtOnce)
{
    for (const char* control : {"ns3::NoCongestionControl",
                                "ns3::DcqcnCongestionControl",
                                "ns3::NvidiaDcqcnCongestionControl",
                                "ns3::FixedRateCongestionControl"})
    {
        NicOptions options;
        options.congestionControl = control;
        VerbsUnderTest test(options);
        test.PostSend({RoceVerb::READ, 1000000, 1});
        test.Run();
        EXPECT_EQ(test.wire->Select(0, FrameClass::DATA).size(), 1U) << control;
    }
}

TEST(RoceReadControl, ResponsesCarryTelemetryForTheRequester)
{
    NicOptions options;
    options.congestionControl = "ns3::HpccCongestionControl";
    ScopedDefaults defaults;
    defaults.Set("ns3::HpccCongestionControl::BaseRtt", TimeValue(MicroSeconds(3)));
    VerbsUnderTest test(options);
    test.PostSend({RoceVerb::READ, 2000, 1});
    test.Run();
    for (const auto& frame : test.wire->Select(1, FrameClass::DATA))
    {
        EXPECT_EQ(frame.frameBytes, 1066U + 42);
    }
    for (const auto& frame : test.wire->Select(0, FrameClass::DATA))
    {
        EXPECT_EQ(frame.frameBytes, 78U);
    }
    EXPECT_EQ(test.context->pool.GetInUse(), 0U);
}

TEST(RoceReadControl, WindowsKeepTheQueueOfAnIncastShort)
{
    constexpr uint32_t SOURCES = 8;
    constexpr uint64_t BYTES = 1000000;
    ReadIncast wild("ns3::NoCongestionControl", SOURCES);
    wild.Read(BYTES);
    const uint64_t ideal = SOURCES * BYTES / 1000 * SER;
    EXPECT_LT(wild.last, ideal * 1.02 + 10 * US);
    // The path holds 53 KB, with which each of them starts at the same time.
    constexpr uint64_t MOST = SOURCES * 54000;
    for (const auto& [name, share] :
         std::vector<std::pair<std::string, double>>{{"FixedWindow", 0.95},
                                                     {"Dctcp", 0.95},
                                                     {"Hpcc", 0.85},
                                                     {"PowerTcp", 0.9},
                                                     {"Swift", 0.95}})
    {
        ReadIncast test("ns3::" + name + "CongestionControl", SOURCES);
        test.Read(BYTES);
        EXPECT_LT(test.GetQueue(), MOST) << name;
        EXPECT_GT(wild.GetQueue(), 15 * MOST) << name;
        EXPECT_GT(static_cast<double>(ideal) / static_cast<double>(test.last), share) << name;
    }
}

/** \ingroup tests \brief Hosts on a switch of 100 Gb/s, and when READs ended at each. */
class ReadingHosts
{
  public:
    /** \param control TypeId name of the congestion control \param hosts number of hosts */
    ReadingHosts(const std::string& control, uint32_t hosts)
        : m_network(StarTopology(hosts, "100Gbps", MicroSeconds(1)), Options(control)),
          ends(hosts),
          last(hosts)
    {
        for (uint32_t host = 0; host < hosts; host++)
        {
            ends[host] = CreateObject<RoceVerbs>();
            ends[host]->Open(m_network.fabric.nics[host]);
            ends[host]->SetCompletionCallback(
                Callback<void, const RoceCompletion&>([this, host](const RoceCompletion& completion) {
                    EXPECT_EQ(completion.status, RoceStatus::SUCCESS);
                    last[host] = EngineUnderTest::Now();
                }));
        }
    }

    ~ReadingHosts()
    {
        for (const auto& end : ends)
        {
            end->Dispose();
        }
    }

    /** Runs until all is there. */
    void Run()
    {
        Simulator::Run();
        m_network.CheckNothingIsLeft();
        m_network.CheckLinkRates();
    }

  private:
    /** \param control TypeId name \return options */
    static RoceTestOptions Options(const std::string& control)
    {
        RoceTestOptions options;
        options.congestionControl = control;
        return options;
    }

    RoceTestNetwork m_network; //!< the network

  public:
    std::vector<Ptr<RoceVerbs>> ends; //!< verbs of every host
    std::vector<uint64_t> last;       //!< when the last READ ended there, ticks
};

TEST(RoceReadControl, AResponderDoesNotPaceWhatTheRequesterGoverns)
{
    // TIMELY starts at a share of the line rate where others are active. Eight hosts read from host 0;
    // the control of host 0 hears nothing, and must not hold the last of them at that share.
    constexpr uint32_t READERS = 8;
    for (const char* control : {"Timely", "PatchedTimely", "Swift"})
    {
        SCOPED_TRACE(control);
        ReadingHosts test("ns3::" + std::string(control) + "CongestionControl", READERS + 1);
        uint32_t qp = 0;
        for (uint32_t host = 1; host <= READERS; host++)
        {
            qp = test.ends[host]->CreateQp(*test.ends[0], {});
            test.ends[host]->PostSend(qp, {RoceVerb::READ, 4000, 1});
        }
        Simulator::Schedule(MilliSeconds(1), [&test, qp] {
            test.ends[READERS]->PostSend(qp, {RoceVerb::READ, 1000000, 2});
        });
        test.Run();
        EXPECT_GT(test.last[READERS], 1000 * US + 1000 * SER);
        EXPECT_LT(test.last[READERS], 1000 * US + 1500 * SER);
    }
}

TEST(RoceReadControl, ReadsInBothDirectionsOfAQueuePairDoNotSlowEachOther)
{
    for (const char* control : {"No", "FixedWindow", "Swift", "Timely"})
    {
        SCOPED_TRACE(control);
        ReadingHosts test("ns3::" + std::string(control) + "CongestionControl", 2);
        const uint32_t qp = test.ends[0]->CreateQp(*test.ends[1], {});
        test.ends[0]->PostSend(qp, {RoceVerb::READ, 2000000, 1});
        test.ends[1]->PostSend(test.ends[0]->GetPeerQp(qp), {RoceVerb::READ, 2000000, 2});
        test.Run();
        // Requests of 78 bytes and a gap go between the responses: 9 %.
        for (const uint64_t last : test.last)
        {
            EXPECT_GT(last, 2000 * SER);
            EXPECT_LT(last, 2000 * SER * 1.25);
        }
    }
}

TEST(RoceReadResponses, WhatIsAskedForAgainReplacesWhatWaits)
{
    constexpr uint32_t MTU = 1000;
    RoceReadResponses responses;
    responses.Add({0, 4 * MTU, 1}, MTU);
    responses.Add({4, 4 * MTU, 1}, MTU);
    responses.Add({8, 4 * MTU, 1}, MTU);
    responses.Add({2, 2 * MTU, 1}, MTU);  // still to be sent, as the end of the first one
    responses.Add({4, 8 * MTU, 1}, MTU);  // both others
    responses.Add({8, 2 * MTU, 1}, MTU);  // a part of that
    std::vector<uint32_t> sent;
    while (!responses.IsEmpty())
    {
        FabricPacket packet{};
        EXPECT_FALSE(responses.BuildNext(packet, MTU));
        sent.push_back(packet.psn);
    }
    EXPECT_EQ(sent, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(RoceReadControl, LossesAreRepaired)
{
    for (const char* name : {"FixedWindow", "Dctcp", "Hpcc", "PowerTcp", "Swift", "Timely"})
    {
        for (const char* recovery : {GO_BACK_N, SELECTIVE})
        {
            SCOPED_TRACE(std::string(name) + " " + recovery);
            ReadIncast test("ns3::" + std::string(name) + "CongestionControl", 3, 0.01, recovery);
            test.Read(200000);
        }
    }
}
