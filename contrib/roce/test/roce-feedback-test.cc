/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <vector>

/**
 * \file
 * What a NIC tells a congestion control, when, and how fast it follows a rate that changes.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000;       //!< ticks
constexpr uint64_t GBPS = 1000000000;  //!< bit/s
constexpr uint64_t FRAME = 1000 + 62;  //!< a full packet, bytes

/** \ingroup tests \brief Rates to play and what was heard; one for all queue pairs of a test. */
struct FeedbackScript
{
    uint64_t rate{0};      //!< at the start, bit/s, 0 = line rate
    uint64_t afterCnp{0};  //!< from the first CNP on, 0 = no change
    uint64_t riseAt{RoceCongestionControl::NEVER}; //!< on its own, ticks
    uint64_t afterRise{0}; //!< from then on

    std::vector<SendEvent> sends;     //!< departures
    std::vector<AckEvent> acks;       //!< acknowledgements
    std::vector<uint32_t> activeQps;  //!< of every start
};

/** \ingroup tests \brief Plays a script. */
class ScriptedCongestionControl : public RoceCongestionControl
{
  public:
    static FeedbackScript script; //!< what to play

    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ScriptedCongestionControl")
                                .SetParent<RoceCongestionControl>()
                                .SetGroupName("Tests")
                                .AddConstructor<ScriptedCongestionControl>();
        return tid;
    }

    Ptr<RoceCongestionControl> Fork() const override
    {
        return CopyObject(Ptr<const ScriptedCongestionControl>(this));
    }

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.ecn = true;
        return needs;
    }

    void Start(const CongestionControlStart& start) override
    {
        Note(start.now);
        script.activeQps.push_back(start.activeQps);
        m_rate = script.rate ? std::min(script.rate, start.lineRateBps) : start.lineRateBps;
    }

    void OnSend(const SendEvent& event) override
    {
        Note(event.now);
        script.sends.push_back(event);
    }

    void OnAck(const AckEvent& event) override
    {
        Note(event.now);
        script.acks.push_back(event);
    }

    void OnCnp(const CnpEvent& event) override
    {
        Note(event.now);
        m_rate = script.afterCnp ? script.afterCnp : m_rate;
    }

    void OnLineRate(const LineRateEvent&) override
    {
    }

    uint64_t GetRateBps(uint64_t now) override
    {
        Note(now);
        return now >= script.riseAt ? script.afterRise : m_rate;
    }

    uint64_t GetNextChange(uint64_t now) override
    {
        Note(now);
        return now < script.riseAt ? script.riseAt : NEVER;
    }

  private:
    /** \param now time of a call, ticks; it never runs backwards */
    void Note(uint64_t now)
    {
        EXPECT_GE(now, m_last);
        m_last = now;
    }

    uint64_t m_rate{0}; //!< present rate, bit/s
    uint64_t m_last{0}; //!< time of the last call, ticks
};

NS_OBJECT_ENSURE_REGISTERED(ScriptedCongestionControl);

FeedbackScript ScriptedCongestionControl::script;

/** \ingroup tests \brief A NIC whose congestion control plays a script. */
class RoceFeedback : public testing::Test
{
  protected:
    /** \param ackInterval packets \return options */
    static NicOptions Options(uint32_t ackInterval = 1)
    {
        NicOptions options;
        options.congestionControl = "ns3::ScriptedCongestionControl";
        options.ackInterval = ackInterval;
        return options;
    }

    void SetUp() override
    {
        script = {};
    }

    void TearDown() override
    {
        script = {};
    }

    /** \param test where \param when a CNP arrives at the first queue pair, ticks */
    static void Cnp(NicUnderTest& test, uint64_t when)
    {
        EngineUnderTest::At(when, [&test] {
            FabricPacket cnp{};
            cnp.frameClass = static_cast<uint8_t>(FrameClass::CONTROL);
            cnp.opcode = static_cast<uint8_t>(RoceOpcode::CNP);
            test.Qp().Receive(cnp, test.nic->GetPort(0));
        });
    }

    /** \param test a run that is over \param i a packet \return when it left, ticks */
    static uint64_t Departure(const NicUnderTest& test, size_t i)
    {
        return test.Data().at(i).when - test.Ser(FRAME) - US / 2;
    }

    FeedbackScript& script{ScriptedCongestionControl::script}; //!< what is played
};

/** \param rate bit/s \return time of a packet at that rate, ticks */
uint64_t
At(uint64_t rate)
{
    return (FRAME * 8 * 1000000000000 + rate - 1) / rate;
}

TEST_F(RoceFeedback, AFallOfTheRateHoldsBackThePacketThatWaits)
{
    script.rate = 4 * GBPS;
    script.afterCnp = GBPS;
    NicUnderTest test(Options());
    test.Post(3000);
    Cnp(test, US); // the second packet would leave at 2.124 us
    test.Run();
    EXPECT_EQ(Departure(test, 1), At(GBPS));
    EXPECT_EQ(Departure(test, 2), 2 * At(GBPS));
}

TEST_F(RoceFeedback, ACutRightAfterAPacketAtLineRateCounts)
{
    script.afterCnp = GBPS;
    NicUnderTest test(Options());
    test.Post(3000);
    Cnp(test, test.Ser(FRAME) / 2); // the second packet is ready
    test.Run();
    EXPECT_EQ(Departure(test, 1), At(GBPS));
}

TEST_F(RoceFeedback, ARiseOfTheRateReleasesThePacketThatWaits)
{
    for (const auto& [rate, expected] : {std::make_pair(4 * GBPS, At(4 * GBPS)),
                                         std::make_pair(10 * GBPS, US),
                                         std::make_pair(100 * GBPS, US)})
    {
        script = {};
        script.rate = 1000000; // 1 Mb/s: 8.5 ms
        script.afterCnp = rate;
        NicUnderTest test(Options());
        test.Post(2000);
        Cnp(test, US);
        test.Run();
        EXPECT_EQ(Departure(test, 1), expected);
    }
}

TEST_F(RoceFeedback, ARateThatRisesOnItsOwnReleasesThePacketThatWaits)
{
    script.rate = 1000000;
    script.riseAt = 30 * US;
    script.afterRise = 10 * GBPS;
    NicUnderTest test(Options());
    test.Post(3000);
    test.Run();
    EXPECT_EQ(Departure(test, 1), 30 * US);
    EXPECT_EQ(Departure(test, 2), 30 * US + At(10 * GBPS));
}

TEST_F(RoceFeedback, NothingIsScheduledForAQueuePairWithoutData)
{
    script.rate = GBPS;
    script.riseAt = 500 * US;
    script.afterRise = 2 * GBPS;
    NicUnderTest test(Options());
    test.Post(2000);
    test.Run();
    ASSERT_EQ(test.sender.acknowledged.size(), 1U);
    EXPECT_EQ(EngineUnderTest::Now(), test.sender.acknowledged[0].when)
        << "neither a rise of the rate nor the acknowledgement timer is waited for";
}

TEST_F(RoceFeedback, ActiveQueuePairsAreThoseWithUnacknowledgedData)
{
    NicUnderTest test(Options());
    std::vector<RoceQueuePair*> qps;
    for (int i = 0; i < 5; i++)
    {
        qps.push_back(&test.AddQueuePair());
    }
    test.nic->Post(*qps[0], {RoceVerb::SEND, 1000, 0, 0});
    EngineUnderTest::At(100 * US, [&] { // it is finished
        test.nic->Post(*qps[1], {RoceVerb::SEND, 100000, 0, 0});
        test.nic->Post(*qps[2], {RoceVerb::SEND, 100000, 0, 0});
        test.peer->Post(test.peer->FindQueuePair(qps[3]->peerNumber),
                        {RoceVerb::SEND, 1000, 0, 0}); // passive here
    });
    EngineUnderTest::At(200 * US, [&] { test.nic->Post(*qps[4], {RoceVerb::SEND, 1, 0, 0}); });
    test.Run();
    EXPECT_EQ(script.activeQps, (std::vector<uint32_t>{1, 1, 2, 1, 1}));
}

TEST_F(RoceFeedback, StampsAndDeparturesAreTrueWhateverHoldsAPacketUp)
{
    // Data in both directions, so that data queues behind acknowledgements; CNPs and pauses at
    // odd times, so that frames are recalled.
    script.rate = 60 * GBPS;
    script.afterCnp = 40 * GBPS;
    NicUnderTest test(Options());
    uint64_t frames = 0;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        if (packet.GetClass() == FrameClass::DATA)
        {
            EXPECT_EQ(EngineUnderTest::Now(),
                      packet.stamp + test.Ser(packet.frameBytes) + US / 2);
            frames += from == 0;
        }
        return false;
    };
    test.Post(200000);
    test.peer->Post(test.peer->FindQueuePair(test.Qp().peerNumber), {RoceVerb::SEND, 200000, 9, 0});
    for (uint64_t i = 1; i < 60; i++)
    {
        const uint64_t when = i * 400037;
        Cnp(test, when + 3);
        EngineUnderTest::At(when, [&test, when] {
            test.nic->GetPort(0).Pause(3, when + 150000, when);
        });
    }
    test.Run();
    EXPECT_EQ(frames, 200U);
    // Both ends play the script.
    ASSERT_EQ(script.sends.size(), 400U);
}

TEST_F(RoceFeedback, AcknowledgementsTellOfAllMarksSinceTheLastOne)
{
    NicUnderTest test(Options(4));
    test.wire->drop = [](FabricPacket& packet, uint32_t from) {
        if (from == 0 && (packet.psn % 4 == 1 || packet.psn == 6))
        {
            packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
        }
        return false;
    };
    test.Post(16000);
    test.Run();
    ASSERT_EQ(script.acks.size(), 4U);
    for (size_t i = 0; i < 4; i++)
    {
        EXPECT_EQ(script.acks[i].ackedBytes, 4000U);
        EXPECT_EQ(script.acks[i].markedPackets, i == 1 ? 2U : 1U);
        EXPECT_EQ(script.acks[i].markedBytes, i == 1 ? 2000U : 1000U);
    }
}

} // namespace

TEST(RoceCnpBudget, CnpsOfANicKeepTheirLeastDistance)
{
    // Four queue pairs, all marked. Each is told of it once per 50 us; with a gap of 5 us for the
    // NIC they are told one after the other.
    for (const uint64_t gap : {0, 5})
    {
        SCOPED_TRACE(gap);
        NicOptions options;
        options.congestionControl = "ns3::DcqcnCongestionControl";
        NicUnderTest bench(options);
        bench.peer->SetAttribute("CnpMinGap", TimeValue(MicroSeconds(gap)));
        bench.wire->drop = [](FabricPacket& packet, uint32_t) {
            packet.ecn |= packet.GetClass() == FrameClass::DATA ? 3 : 0;
            return false;
        };
        for (uint32_t i = 0; i < 4; i++)
        {
            bench.nic->Post(bench.AddQueuePair(), {RoceVerb::SEND, 500000, i, 0});
        }
        bench.Run();
        std::vector<uint64_t> times;
        for (const TamperedWire::Frame& frame : bench.wire->Select(1, FrameClass::CONTROL))
        {
            times.push_back(frame.when);
        }
        ASSERT_GE(times.size(), 8U);
        uint64_t least = UINT64_MAX;
        for (std::size_t i = 1; i < times.size(); i++)
        {
            least = std::min(least, times[i] - times[i - 1]);
        }
        const auto begin = [&](uint64_t us) {
            return std::count_if(times.begin(), times.end(), [&](uint64_t t) {
                return t < times[0] + us * US;
            });
        };
        EXPECT_EQ(least >= 5 * US, gap == 5) << least;
        EXPECT_EQ(begin(4), gap ? 1 : 4);
        EXPECT_EQ(begin(21), 4) << "a mark that came too early is not forgotten";
    }
}
