/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

TEST(RoceCongestionControlCatalogue, HoldsTheShippedOnes)
{
    std::vector<std::string> names;
    for (const TypeId& tid : FindCongestionControls())
    {
        names.push_back(tid.GetName());
    }
    for (const char* name : {"ns3::DcqcnCongestionControl",
                             "ns3::DctcpCongestionControl",
                             "ns3::FixedRateCongestionControl",
                             "ns3::FixedWindowCongestionControl",
                             "ns3::HpccCongestionControl",
                             "ns3::NoCongestionControl",
                             "ns3::NvidiaDcqcnCongestionControl",
                             "ns3::PatchedTimelyCongestionControl",
                             "ns3::PowerTcpCongestionControl",
                             "ns3::SwiftCongestionControl",
                             "ns3::TimelyCongestionControl"})
    {
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    }
}

TEST(RoceCongestionControlCatalogue, EveryOneRunsWithItsDefaults)
{
    constexpr uint64_t lineRate = 400000000000;
    for (const TypeId& tid : FindCongestionControls())
    {
        SCOPED_TRACE(tid.GetName());
        ObjectFactory factory;
        factory.SetTypeId(tid);
        Ptr<RoceCongestionControl> control = factory.Create<RoceCongestionControl>();
        const CongestionControlNeeds needs = control->GetNeeds();
        EXPECT_TRUE(!needs.cnp || needs.ecn) << "CNPs come from marked packets alone";
        control->Start(MakeStart(lineRate, 3));
        uint64_t now = 0;
        for (uint64_t psn = 0; psn < 2000; psn++)
        {
            now += UsTicks(1);
            PlayPacket(*control, psn, now, lineRate);
            if (psn % 500 == 499)
            {
                control->OnLoss({now, psn, psn % 1000 == 999});
            }
            ASSERT_GT(control->GetRateBps(now), 0);
            ASSERT_LE(control->GetRateBps(now), lineRate);
            ASSERT_GT(control->GetWindowBytes(), 0);
        }
    }
}

TEST(RoceCongestionControlCatalogue, WithoutOneTheLineRateStays)
{
    ObjectFactory factory("ns3::NoCongestionControl");
    Ptr<RoceCongestionControl> control = factory.Create<RoceCongestionControl>();
    control->Start(MakeStart(123456789));
    control->OnCnp({5});
    EXPECT_EQ(control->GetRateBps(7), 123456789);
    EXPECT_EQ(control->GetWindowBytes(), RoceCongestionControl::UNLIMITED);
}
