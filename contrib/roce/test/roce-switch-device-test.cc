/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config-error.h"
#include "ns3/config.h"
#include "ns3/roce-wire.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;

namespace
{

TEST(RoceSwitchDevice, FollowsTheDefaultsOfItsOwnKind)
{
    const auto arrival = [](bool cutThrough) {
        Config::SetDefault("ns3::RoceSwitchDevice::CutThrough", BooleanValue(cutThrough));
        RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)));
        network.Send(0, 1, 1000);
        Simulator::Run();
        return network.flows[0].received;
    };
    const Time cut = arrival(true);
    const Time forwarded = arrival(false); // the default, which stays in force
    EXPECT_EQ(forwarded - cut, PicoSeconds(80 * RoceWire::FrameBytes(RoceOpcode::SEND_ONLY, 1000)));
}

/** \ingroup tests \brief A switch with hosts, and how it is set. */
struct SwitchSetting
{
    uint32_t hosts;                               //!< hosts
    std::string rate;                             //!< of every link
    Time delay;                                   //!< of every link
    std::map<std::string, uint64_t> attributes{}; //!< integer attributes of the switch
    uint64_t nicPriority{3};                      //!< class of data

    /**
     * \param helper sets the switches
     * \param name an integer attribute, or Pfc
     * \param value its value
     */
    static void Set(RoceHelper& helper, const std::string& name, uint64_t value)
    {
        if (name == "Pfc")
        {
            helper.SetSwitchAttribute(name, BooleanValue(value != 0));
            return;
        }
        helper.SetSwitchAttribute(name, UintegerValue(value));
    }

    /** \return options of a network that is set like this */
    RoceTestOptions GetOptions() const
    {
        RoceTestOptions options;
        options.gapBytes = 20;
        options.configure = [this](RoceHelper& helper) {
            helper.SetNicAttribute("Priority", UintegerValue(nicPriority));
            for (const auto& [name, value] : attributes)
            {
                Set(helper, name, value);
            }
        };
        return options;
    }

    /** \return the hosts on their switch */
    Topology GetTopology() const
    {
        return StarTopology(hosts, rate, delay);
    }

    /** \return packet memory of the switch, bytes */
    uint64_t GetBufferBytes() const
    {
        const RoceTestNetwork network(GetTopology(), GetOptions());
        return network.fabric.switches.back()->GetBufferBytes();
    }

    /** \return what refuses it, empty if nothing does */
    std::string GetRefusal() const
    {
        try
        {
            GetBufferBytes();
            return "";
        }
        catch (const ConfigError& error)
        {
            return error.what();
        }
    }
};

TEST(RoceSwitchDevice, MemoryGrowsWithPortsAndHeadroomUnlessItIsGiven)
{
    const Time us = MicroSeconds(1);
    EXPECT_EQ((SwitchSetting{8, "100Gbps", us}.GetBufferBytes()), 64000000U);
    EXPECT_EQ((SwitchSetting{32, "400Gbps", us}.GetBufferBytes()), 64000000U) << "12.8 Tb/s";
    EXPECT_EQ((SwitchSetting{33, "400Gbps", us}.GetBufferBytes()), 66000000U);
    EXPECT_EQ((SwitchSetting{1200, "400Gbps", us}.GetBufferBytes()), 2400000000U) << "480 Tb/s";
    // 300 us: headroom 2 r d + two frames and a PAUSE, twice, of 16 ports.
    const uint64_t headroom = 2 * 15000000 + 2 * (4178 + 20) + 84;
    EXPECT_EQ((SwitchSetting{16, "400Gbps", MicroSeconds(300)}.GetBufferBytes()),
              2 * 16 * headroom);
    EXPECT_EQ((SwitchSetting{1200, "400Gbps", us, {{"BufferBytes", 200000000}}}.GetBufferBytes()),
              200000000U);
    EXPECT_EQ((SwitchSetting{8, "100Gbps", us, {{"BufferBytes", 1000000}}}.GetBufferBytes()),
              1000000U);
}

TEST(RoceSwitchDevice, MemoryThatCannotHoldTheHeadroomIsRefused)
{
    const Time us = MicroSeconds(1);
    const uint64_t headroom = 8 * (25000 + 2 * (4178 + 20) + 84); // of 8 ports
    EXPECT_EQ((SwitchSetting{8, "100Gbps", us, {{"BufferBytes", headroom + 4178}}}.GetRefusal()),
              "");
    EXPECT_EQ(
        (SwitchSetting{8, "100Gbps", us, {{"BufferBytes", headroom + 4177}}}.GetRefusal()),
        "ns3::RoceSwitchDevice::BufferBytes: switch0: read '272017', expected at least 267840 "
        "bytes for headroom and reserve of 8 ports and 4178 for a frame");
    EXPECT_NE((SwitchSetting{2, "100Gbps", us, {{"Pfc", 0}, {"BufferBytes", 1000}}}.GetRefusal()),
              "");
    // Reserve is not made room for; delay is, up to what a number holds.
    EXPECT_NE((SwitchSetting{8, "100Gbps", us, {{"ReservedBytes", 8000000}}}.GetRefusal()), "");
    EXPECT_NE((SwitchSetting{40, "400Gbps", Seconds(8000000)}.GetRefusal()), "");
}

TEST(RoceSwitchDevice, EcnThresholdsInTheWrongOrderAreRefused)
{
    const SwitchSetting setting{2, "100Gbps", MicroSeconds(1), {{"EcnKmin", 400001}}};
    EXPECT_EQ(setting.GetRefusal(),
              "ns3::RoceSwitchDevice::EcnKmin: switch0: read '400001', expected EcnKmax, 400000 "
              "bytes, or less");
}

TEST(RoceSwitchDevice, PausesThatExpireBeforeTheirRefreshAreRefused)
{
    // Half of the quanta, 32 bytes each, holds 4178 + 20 bytes and 64 + 20 for every class.
    const auto refuse = [](uint64_t quanta, uint64_t mask, uint64_t pfc = 1) {
        return SwitchSetting{2,
                             "1kbps",
                             MicroSeconds(1),
                             {{"PauseQuanta", quanta}, {"LosslessPriorities", mask}, {"Pfc", pfc}}}
            .GetRefusal();
    };
    EXPECT_EQ(refuse(134, 1U << 3), "");
    EXPECT_EQ(
        refuse(133, 1U << 3),
        "ns3::RoceSwitchDevice::PauseQuanta: switch0: read '133', expected at least 134: half "
        "of it must hold a frame of 4178 bytes and a PAUSE for the lossless class");
    EXPECT_EQ(refuse(153, 0xff), "");
    EXPECT_NE(refuse(152, 0xff), "");
    EXPECT_EQ(refuse(1, 1U << 3, 0), "") << "nothing is paused";
}

TEST(RoceSwitchDevice, ARefreshIsNeverFasterThanItsLink)
{
    // Host 0 is slow: its switch pauses the others, which also get acknowledgements, for long.
    RoceTestOptions options;
    options.gapBytes = 20;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("PauseQuanta", UintegerValue(134)); // the least
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(100000));
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(31));
    };
    Topology topology = StarTopology(3, "1Mbps", MicroSeconds(1));
    topology.links[0].rate = DataRate("100kbps");
    RoceTestNetwork network(topology, options);
    for (const uint32_t host : {1, 2})
    {
        network.Send(host, 0, 100000);
    }
    network.Run(); // 16 s on the slow link
    EXPECT_EQ(network.Counters().drops, 0U);
    EXPECT_EQ(network.Counters().retransmittedPackets, 0U);
    EXPECT_GT(network.Counters().pfcRefreshes, 100U);
    // Two frames of 84 bytes at most for each time of 134 / 2 * 64 bytes.
    const double share = 84.0 / (67 * 64);
    const double most = share * network.GetLastReceived().GetSeconds() * 1e6 / 8 / 84;
    EXPECT_LE(static_cast<double>(network.Counters().pfcRefreshes), 2 * most);
}

TEST(RoceSwitchDevice, AResumeOnItsWayEndsAPause)
{
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(200000));
    };
    RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)), options);
    const auto resumed = [](uint32_t, uint32_t, bool pause) { pause ? void() : Simulator::Stop(); };
    network.fabric.switches.back()->TraceConnectWithoutContext(
        "PauseSent",
        Callback<void, uint32_t, uint32_t, bool>(resumed));
    network.Send(1, 0, 1000000);
    network.Send(2, 0, 1000000);
    Simulator::Run();
    uint32_t held = 0;
    uint32_t still = 0;
    for (FabricPort* port : network.GetPorts())
    {
        held += port->GetPausedMask() >> 3 & 1;
        still += RoceFabric::IsStillPaused(*port, 3);
    }
    EXPECT_EQ(held, still + 1) << "one has not heard of it yet";
    EXPECT_EQ(network.fabric.DescribePauses(16).size(), still);
}

TEST(RoceSwitchDevice, TrafficThatPfcDoesNotProtectIsWarnedOf)
{
    const auto warnings = [](uint64_t priority, uint64_t mask, bool pfc) {
        const SwitchSetting setting{2,
                                    "100Gbps",
                                    MicroSeconds(1),
                                    {{"LosslessPriorities", mask}, {"Pfc", pfc}},
                                    priority};
        const RoceTestNetwork network(setting.GetTopology(), setting.GetOptions());
        return network.fabric.GetWarnings();
    };
    EXPECT_TRUE(warnings(3, 1U << 3, true).empty());
    EXPECT_TRUE(warnings(5, 1U << 3 | 1U << 5, true).empty());
    EXPECT_TRUE(warnings(5, 1U << 3, false).empty()) << "lossy is what was asked for";
    ASSERT_EQ(warnings(5, 1U << 3, true).size(), 1U);
    EXPECT_NE(warnings(5, 1U << 3, true)[0].find("in class 5"), std::string::npos);
}

/** \param map DscpMap of the switches \param mask lossless classes \param send whether to send */
std::vector<std::string>
WarnOfMap(const std::string& map, uint32_t mask, bool send)
{
    RoceTestOptions options;
    options.configure = [&](RoceHelper& helper) {
        helper.SetSwitchAttribute("DscpMap", StringValue(map));
        helper.SetSwitchAttribute("LosslessPriorities", UintegerValue(mask));
    };
    RoceTestNetwork network(LeafPairTopology(1, 1, "100Gbps", MicroSeconds(1)), options);
    if (send)
    {
        network.Send(0, 1, 1000);
        network.Run();
    }
    return network.fabric.GetWarnings();
}

TEST(RoceSwitchDevice, AMapThatMakesRdmaLossyIsWarnedOf)
{
    for (const bool send : {false, true})
    {
        SCOPED_TRACE(send);
        EXPECT_TRUE(WarnOfMap("", 1U << 3, send).empty());
        EXPECT_TRUE(WarnOfMap("48-63:3", 1U << 3, send).empty()) << "other DSCPs";
        const std::vector<std::string> lossy = WarnOfMap("24-31:0", 1U << 3, send);
        ASSERT_EQ(lossy.size(), 1U);
        EXPECT_EQ(lossy[0],
                  "NICs send in class 3 with DSCP 26, to which switch0 and 2 more switches give "
                  "class 0 (attribute ns3::RoceSwitchDevice::DscpMap), which PFC does not protect "
                  "(attribute ns3::RoceSwitchDevice::LosslessPriorities): full switches drop "
                  "packets");
        const std::vector<std::string> deaf = WarnOfMap("26:4", 1U << 3 | 1U << 4, send);
        ASSERT_EQ(deaf.size(), 1U);
        EXPECT_NE(deaf[0].find("PAUSE of class 4 does not stop them"), std::string::npos);
    }
}

TEST(RoceSwitchDevice, ClassesOfQueuePairsAreThoseThatCount)
{
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)));
    RoceQueuePairParameters parameters;
    parameters.priority = 5;
    RoceNicDevice::Connect(*network.fabric.nics[0],
                           *network.fabric.nics[1],
                           parameters,
                           parameters);
    const std::vector<std::string> warnings = network.fabric.GetWarnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("in class 5, which PFC does not protect"), std::string::npos);
}

TEST(RoceSwitchDevice, LargeMemoryIsNoted)
{
    const auto notes = [](uint32_t hosts, uint64_t bytes) {
        const SwitchSetting setting{hosts, "400Gbps", MicroSeconds(1), {{"BufferBytes", bytes}}};
        const RoceTestNetwork network(setting.GetTopology(), setting.GetOptions());
        return network.fabric.GetNotes();
    };
    EXPECT_TRUE(notes(32, 0).empty());
    EXPECT_TRUE(notes(40, 100000000).empty()) << "as given";
    ASSERT_EQ(notes(40, 0).size(), 1U);
    EXPECT_NE(notes(40, 0)[0].find("switch0 has 80000000 bytes"), std::string::npos);
}

} // namespace
