/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/roce-wire.h"

#include <gtest/gtest.h>

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

} // namespace
