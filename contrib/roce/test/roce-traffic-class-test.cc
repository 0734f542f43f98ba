/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wire-frame.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <tuple>

/**
 * \file
 * Traffic classes: DSCP, scheduling between classes at NIC and switch, marks.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

/** \ingroup tests \brief Writes down frames that pass a port. */
class FrameTap : public FabricTap
{
  public:
    /** A frame. */
    struct Note
    {
        uint64_t when;         //!< ticks
        uint32_t priority;     //!< class
        uint32_t dscp;         //!< on the wire
        uint32_t ecn;          //!< on the wire
        FrameClass frameClass; //!< data, ACK, control
        uint32_t frameBytes;   //!< size
    };

    std::vector<Note> sent;     //!< frames that left
    std::vector<Note> received; //!< frames that arrived

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        sent.push_back(MakeNote(packet, when));
    }

    void FrameReceived(const FabricPacket& packet, uint64_t when) override
    {
        received.push_back(MakeNote(packet, when));
    }

    /**
     * \param from ticks
     * \param to ticks
     * \return bytes that left in that time with a gap of 20 bytes each, by class
     */
    std::map<uint32_t, uint64_t> GetSentBytes(uint64_t from, uint64_t to) const
    {
        std::map<uint32_t, uint64_t> bytes;
        for (const Note& note : sent)
        {
            bytes[note.priority] += note.when >= from && note.when < to ? note.frameBytes + 20 : 0;
        }
        return bytes;
    }

  private:
    /** \param packet a frame \param when ticks \return what is noted of it */
    static Note MakeNote(const FabricPacket& packet, uint64_t when)
    {
        const bool control = packet.priority == FabricPort::CONTROL;
        const uint32_t service = control ? 0 : MakeWireFrame(packet)[15];
        return {when,
                packet.priority,
                service >> 2,
                service & 3,
                packet.GetClass(),
                packet.frameBytes};
    }
};

/** \param text weights \param quantumBytes quantum \param defaults gets a scheduler with them */
void
SetDwrr(const std::string& text, uint32_t quantumBytes, ScopedDefaults& defaults)
{
    const TypeIdValue type(DwrrEgressScheduler::GetTypeId());
    defaults.Set("ns3::DwrrEgressScheduler::Weights", StringValue(text));
    defaults.Set("ns3::DwrrEgressScheduler::Quantum", UintegerValue(quantumBytes));
    defaults.Set("ns3::RoceNicDevice::EgressScheduler", type);
    defaults.Set("ns3::RoceSwitchDevice::EgressScheduler", type);
}

/** \return options with a gap of 20 bytes */
RoceTestOptions
WithGap()
{
    RoceTestOptions options;
    options.gapBytes = 20;
    return options;
}

// DSCP and ECN on the wire.

TEST(RoceTrafficClass, FramesCarryTheirDscpAndOnlyDataIsEcnCapable)
{
    RoceTestOptions options = WithGap();
    options.congestionControl = "ns3::DcqcnCongestionControl";
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(0)); // any queue marks
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(0));
    };
    RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
    FrameTap tap;
    network.fabric.nics[0]->GetPort(0).SetTap(&tap);
    for (const uint32_t src : {1, 2})
    {
        network.Send(src, 0, 300000);
        network.Send(0, src, 300000); // so that acknowledgements meet queues of data
    }
    network.Run();
    std::map<FrameClass, uint32_t> seen;
    uint32_t marked = 0;
    for (const auto* notes : {&tap.sent, &tap.received})
    {
        for (const FrameTap::Note& note : *notes)
        {
            seen[note.frameClass]++;
            const bool cnp = note.frameClass == FrameClass::CONTROL;
            EXPECT_EQ(note.dscp, cnp ? 48U : 26U);
            EXPECT_EQ(note.priority, cnp ? 6U : 3U);
            const auto ecn = static_cast<EcnCodepoint>(note.ecn);
            const bool capable = ecn == EcnCodepoint::ECT0 || ecn == EcnCodepoint::CE;
            EXPECT_EQ(capable, note.frameClass == FrameClass::DATA);
            marked += ecn == EcnCodepoint::CE;
        }
    }
    EXPECT_GT(seen[FrameClass::DATA], 1000U);
    EXPECT_GT(seen[FrameClass::ACK], 1000U);
    EXPECT_GT(seen[FrameClass::CONTROL], 1U);
    EXPECT_GT(marked, 100U);
}

TEST(RoceTrafficClass, SwitchesClassifyByDscp)
{
    RoceTestOptions options = WithGap();
    options.configure = [](RoceHelper& helper) {
        helper.SetNicAttribute("DscpMap", StringValue("46:3,0-39:0"));
        helper.SetSwitchAttribute("DscpMap", StringValue("46:5"));
    };
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
    FrameTap atNic;
    FrameTap atSwitch;
    network.fabric.nics[0]->GetPort(0).SetTap(&atNic);
    network.fabric.switches[2]->GetPort(1).SetTap(&atSwitch);
    network.Send(0, 1, 10000);
    network.Run();
    ASSERT_EQ(atNic.sent.size(), 10U);
    ASSERT_EQ(atSwitch.sent.size(), 10U);
    for (size_t i = 0; i < 10; i++)
    {
        EXPECT_EQ(atNic.sent[i].priority, 3U);
        EXPECT_EQ(atNic.sent[i].dscp, 46U);
        EXPECT_EQ(atSwitch.sent[i].priority, 5U);
        EXPECT_EQ(atSwitch.sent[i].dscp, 46U) << "switches do not rewrite it";
    }
}

TEST(RoceTrafficClass, BadMapsAreOneLine)
{
    const auto refusal = [](bool nic, const std::string& text) -> std::string {
        RoceTestOptions options;
        options.configure = [&](RoceHelper& helper) {
            nic ? helper.SetNicAttribute("DscpMap", StringValue(text))
                : helper.SetSwitchAttribute("DscpMap", StringValue(text));
        };
        try
        {
            RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
            network.Send(0, 1, 1000);
            Simulator::Run();
        }
        catch (const ConfigError& error)
        {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(false, "64:1"),
              "ns3::RoceSwitchDevice::DscpMap: switch0: read '64:1', expected DSCP:class or "
              "first-last:class, with commas between them, DSCPs from 0 to 63, classes from 0 to "
              "7");
    EXPECT_NE(refusal(true, "64:1").find("ns3::RoceNicDevice::DscpMap"), std::string::npos);
    EXPECT_NE(refusal(true, "24-31:2").find("a DSCP for class 3, which sends"), std::string::npos);
    EXPECT_EQ(refusal(true, "24-30:2"), "");
}

// ECN marks.

/**
 * \param atEnqueue where the switch marks
 * \param kBytes threshold
 * \return when the first marked frame reached the receiver of two hosts that send at line rate
 */
uint64_t
GetFirstMark(bool atEnqueue, uint64_t kBytes)
{
    RoceTestOptions options = WithGap();
    options.configure = [&](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(kBytes));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(kBytes));
        helper.SetSwitchAttribute("EcnReferenceRate", DataRateValue(DataRate(0)));
        helper.SetSwitchAttribute("EcnAtEnqueue", BooleanValue(atEnqueue));
        // The NICs ask for marks and do not slow down.
        helper.SetNicAttribute("CongestionControl",
                               TypeIdValue(TypeId::LookupByName("ns3::DcqcnCongestionControl")));
        helper.SetNicAttribute("CnpInterval", TimeValue(Seconds(1)));
    };
    RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
    FrameTap tap;
    network.fabric.nics[0]->GetPort(0).SetTap(&tap);
    network.Send(1, 0, 400000);
    network.Send(2, 0, 400000);
    network.Run();
    for (const FrameTap::Note& note : tap.received)
    {
        if (note.ecn == static_cast<uint32_t>(EcnCodepoint::CE))
        {
            return note.when;
        }
    }
    return 0;
}

TEST(RoceTrafficClass, MarksAtEnqueueAreLateByTheTimeThatTheQueueTakesToDrain)
{
    constexpr uint64_t BYTE_TICKS = 80;
    constexpr uint64_t FRAME = 1000 + 62;
    for (const uint64_t k : {20000, 50000, 100000})
    {
        const uint64_t late = GetFirstMark(true, k) - GetFirstMark(false, k);
        const uint64_t frames = k / FRAME + 1; // that the first marked one found
        EXPECT_NEAR(static_cast<double>(late),
                    static_cast<double>(frames * (FRAME + 20) * BYTE_TICKS),
                    2.0 * (FRAME + 20) * BYTE_TICKS);
    }
}

TEST(RoceTrafficClass, FramesThatAreNotEcnCapableAreNeverMarked)
{
    for (const bool atEnqueue : {false, true})
    {
        RoceTestOptions options = WithGap(); // without congestion control nobody asks for marks
        options.configure = [&](RoceHelper& helper) {
            helper.SetSwitchAttribute("EcnKmin", UintegerValue(0));
            helper.SetSwitchAttribute("EcnKmax", UintegerValue(0));
            helper.SetSwitchAttribute("EcnAtEnqueue", BooleanValue(atEnqueue));
        };
        RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
        network.Send(1, 0, 100000);
        network.Send(2, 0, 100000);
        network.Run();
        EXPECT_EQ(network.Counters().ecnMarks, 0U);
    }
}

// Scheduling at a switch.

TEST(RoceTrafficClass, LossyAndLosslessClassesShareAPortByWeight)
{
    for (const std::string engine : {"fabric", "default"})
    {
        ScopedDefaults defaults;
        SetDwrr("1:1,3:3", 2000, defaults);
        RoceTestOptions options = WithGap();
        options.engine = engine;
        options.configure = [](RoceHelper& helper) {
            // So much that the lossless queue does not run empty between two pauses.
            helper.SetSwitchAttribute("BufferBytes", UintegerValue(800000));
            helper.SetSwitchAttribute("Alpha", DoubleValue(0.5));
            helper.SetSwitchAttribute("MaxFrameBytes", UintegerValue(1062));
            helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(7)); // 524 us
        };
        RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
        network.fabric.nics[2]->SetAttribute("Priority", UintegerValue(1));
        FrameTap tap;
        FabricPort& port = network.fabric.switches[3]->GetPort(0);
        port.SetTap(&tap);
        network.Send(1, 0, 3000000); // class 3, lossless
        network.Send(2, 0, 6000000); // class 1, lossy
        network.RunFor(MicroSeconds(200));
        std::map<uint32_t, uint64_t> bytes = tap.GetSentBytes(60 * US, 160 * US);
        const double all = bytes[1] + bytes[3];
        EXPECT_NEAR(all, 100 * US / 80.0, 2200) << "the link is never idle";
        EXPECT_NEAR(bytes[3] / all, 0.75, (2000 + 2 * 1082) / all);
        EXPECT_EQ(port.GetPriorityCounters(3).drops, 0U);
        EXPECT_GT(port.GetPriorityCounters(1).drops, 100U);
        EXPECT_EQ(port.GetCounters().drops, port.GetPriorityCounters(1).drops);
        EXPECT_GT(network.Counters().pfcPauses, 0U);
        network.Run();
        EXPECT_EQ(port.GetPriorityCounters(3).drops, 0U);
    }
}

TEST(RoceTrafficClass, ALossyQueueStopsAtItsDynamicThreshold)
{
    // One lossy queue that is always full: q = a (B - q), so q = a B / (1 + a).
    for (const double alpha : {0.25, 1.0, 4.0})
    {
        RoceTestOptions options = WithGap();
        options.configure = [&](RoceHelper& helper) {
            helper.SetSwitchAttribute("Pfc", BooleanValue(false));
            helper.SetSwitchAttribute("BufferBytes", UintegerValue(300000));
            helper.SetSwitchAttribute("EgressAlpha", DoubleValue(alpha));
        };
        RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
        network.Send(1, 0, 2000000);
        network.Send(2, 0, 2000000);
        network.RunFor(MicroSeconds(100));
        const FabricPort& port = network.fabric.switches[3]->GetPort(0);
        const double expected = alpha * 300000 / (1 + alpha);
        EXPECT_NEAR(port.GetPriorityCounters(3).maxQueueBytes, expected, 1062 + 1);
        EXPECT_GT(port.GetPriorityCounters(3).drops, 0U);
    }
}

TEST(RoceTrafficClass, RunsAreTheSameOnBothEngines)
{
    const auto play = [](const std::string& engine) {
        ScopedDefaults defaults;
        SetDwrr("1:1,3:3,4:2", 3000, defaults);
        RoceTestOptions options = WithGap();
        options.engine = engine;
        options.fingerprint = true;
        options.congestionControl = "ns3::DcqcnCongestionControl";
        options.configure = [](RoceHelper& helper) {
            helper.SetSwitchAttribute("LosslessPriorities", UintegerValue(0x1a));
        };
        RoceTestNetwork network(LeafPairTopology(4, 2, "100Gbps", MicroSeconds(1)), options);
        for (uint32_t i = 0; i < 8; i++)
        {
            network.fabric.nics[i]->SetAttribute("Priority", UintegerValue(i % 2 ? 3 : 1 + i / 2));
        }
        for (uint32_t i = 0; i < 56; i++)
        {
            network.Send(i / 7, (i / 7 + 1 + i % 7) % 8, 20000 + 999 * i);
        }
        network.Run();
        return network.context->GetFingerprint();
    };
    EXPECT_EQ(play("fabric"), play("default"));
}

// Scheduling at a NIC.

/** \ingroup tests \brief A NIC with deficit round robin and queue pairs of different classes. */
class ClassedNic
{
  public:
    /** \param weights of classes \param quantumBytes quantum \param options of the NIC */
    ClassedNic(const std::string& weights, uint32_t quantumBytes, const NicOptions& options = {})
    {
        SetDwrr(weights, quantumBytes, m_defaults);
        test = std::make_unique<NicUnderTest>(options);
    }

    /** \param priority class \param bytes message that it sends \return the new queue pair */
    RoceQueuePair& AddSender(uint32_t priority, uint64_t bytes)
    {
        RoceQueuePairParameters parameters;
        parameters.priority = priority;
        RoceQueuePair& qp =
            RoceNicDevice::Connect(*test->nic, *test->peer, parameters, parameters);
        EngineUnderTest::At(0, [this, &qp, bytes] {
            test->nic->Post(qp, {RoceVerb::SEND, bytes, 0, 0});
        });
        return qp;
    }

    /** \param to ticks \param from ticks \return bytes of data that came to the wire, by class */
    std::map<uint32_t, uint64_t> GetBytes(uint64_t to, uint64_t from = 0) const
    {
        std::map<uint32_t, uint64_t> bytes;
        for (const TamperedWire::Frame& frame : test->Data())
        {
            bytes[frame.priority] += frame.when >= from && frame.when < to ? frame.frameBytes : 0;
        }
        return bytes;
    }

    /** Expects data to arrive without a break up to a time. \param to ticks */
    void ExpectBusy(uint64_t to) const
    {
        const auto data = test->Data();
        for (size_t i = 1; i < data.size() && data[i].when < to; i++)
        {
            ASSERT_EQ(data[i].when - data[i - 1].when, test->Ser(data[i].frameBytes)) << i;
        }
    }

  private:
    ScopedDefaults m_defaults; //!< the scheduler

  public:
    std::unique_ptr<NicUnderTest> test; //!< the NIC
};

TEST(RoceTrafficClass, ANicSharesItsPortByWeight)
{
    for (const auto& [text, one, four] : std::vector<std::tuple<std::string, double, double>>{
             {"1:1,4:1", 0.5, 0.5}, {"1:1,4:4", 0.2, 0.8}, {"1:7,4:3", 0.7, 0.3}})
    {
        ClassedNic nic(text, 1062);
        nic.AddSender(1, 1000000);
        nic.AddSender(4, 1000000);
        nic.test->Run();
        const uint64_t to = 100 * US;
        nic.ExpectBusy(to);
        std::map<uint32_t, uint64_t> bytes = nic.GetBytes(to);
        const double all = bytes[1] + bytes[4];
        EXPECT_NEAR(bytes[1] / all, one, 10 * 1062 / all) << text;
        EXPECT_NEAR(bytes[4] / all, four, 10 * 1062 / all) << text;
    }
}

TEST(RoceTrafficClass, QueuePairsOfAClassTakeTurns)
{
    ClassedNic nic("1:1,4:1", 1062);
    for (int i = 0; i < 3; i++)
    {
        nic.AddSender(1, 100000);
    }
    nic.AddSender(4, 400000);
    nic.test->Run();
    nic.ExpectBusy(50 * US);
    for (uint32_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(nic.test->nic->GetQueuePair(i).requester.GetUna(), 100U);
    }
    // Their packets leave in turn: the numbers of all three grow together, those of the first one
    // two ahead, which alone was there when the port had nothing on the wire and nothing waiting.
    uint64_t most = 0;
    std::map<uint32_t, uint32_t> count;
    for (const TamperedWire::Frame& frame : nic.test->Data())
    {
        if (frame.priority == 1)
        {
            count[frame.psn]++;
            most = std::max<uint64_t>(most, frame.psn);
            EXPECT_GE(frame.psn + 2U, most);
        }
    }
    EXPECT_EQ(count.size(), 100U);
    EXPECT_EQ(count[50], 3U);
}

TEST(RoceTrafficClass, APausedClassHoldsUpNoOther)
{
    for (const bool dwrr : {true, false})
    {
        ClassedNic nic(dwrr ? "1:1,4:1" : "0:1", 1062);
        nic.AddSender(1, 1000000);
        nic.AddSender(4, 1000000);
        FabricPort& port = nic.test->nic->GetPort(0);
        EngineUnderTest::At(20 * US, [&] { port.Pause(4, 60 * US, 20 * US); });
        nic.test->Run();
        nic.ExpectBusy(100 * US);
        std::map<uint32_t, uint64_t> during = nic.GetBytes(60 * US, 22 * US);
        EXPECT_EQ(during[4], 0U);
        EXPECT_GT(during[1], 450000U) << "at line rate";
        std::map<uint32_t, uint64_t> after = nic.GetBytes(80 * US, 62 * US);
        EXPECT_GT(after[4], dwrr ? 100000U : 210000U);
        EXPECT_LT(after[4], dwrr ? 125000U : 230000U) << "no time is made up for";
    }
}

TEST(RoceTrafficClass, WhatAClassDoesNotUseIsTheOthers)
{
    // Class 4 may have 80 %, and is paced at 20 %.
    ScopedDefaults rate;
    NicOptions options;
    ClassedNic nic("1:1,4:4", 1062, options);
    nic.AddSender(1, 1000000);
    const TypeId paced = TypeId::LookupByName("ns3::FixedRateCongestionControl");
    nic.test->nic->SetAttribute("CongestionControl", TypeIdValue(paced));
    rate.Set("ns3::FixedRateCongestionControl::Rate", DataRateValue(DataRate("20Gbps")));
    nic.AddSender(4, 1000000);
    nic.test->Run();
    const uint64_t to = 80 * US;
    nic.ExpectBusy(to);
    std::map<uint32_t, uint64_t> bytes = nic.GetBytes(to);
    const double all = bytes[1] + bytes[4];
    EXPECT_NEAR(bytes[4] / all, 0.2, 2 * 1062 / all);
}

} // namespace
