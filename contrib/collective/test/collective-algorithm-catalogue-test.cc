/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/config-error.h"

#include <gtest/gtest.h>

namespace ns3
{

TEST(CollectiveAlgorithmCatalogue, NamesAreLabelsShortOrFull)
{
    const CollectiveAlgorithmCatalogue catalogue(CollectiveKind::ALL_REDUCE);
    for (const char* name :
         {"Ring", "ring", "RING", "RingAllReduce", "ns3::RingAllReduceAlgorithm"})
    {
        const TypeId type = catalogue.Find(TextValue("test", "", name), catalogue.GetTypes());
        EXPECT_EQ(type.GetName(), "ns3::RingAllReduceAlgorithm") << name;
        EXPECT_EQ(catalogue.GetLabel(type), "Ring");
    }
    EXPECT_EQ(catalogue.GetLabel("ns3::RingAllGatherAlgorithm"), "RingAllGather");
    EXPECT_EQ(catalogue.GetLabel(""), "");
}

TEST(CollectiveAlgorithmCatalogue, AnAlgorithmNamedAsItsKindKeepsItsName)
{
    const CollectiveAlgorithmCatalogue catalogue(CollectiveKind::SEND_RECV);
    EXPECT_EQ(catalogue.GetLabel("ns3::SendRecvAlgorithm"), "SendRecv");
}

TEST(CollectiveAlgorithmCatalogue, OthersAreRefusedWithAList)
{
    const CollectiveAlgorithmCatalogue catalogue(CollectiveKind::ALL_REDUCE);
    const std::vector<TypeId> among{TypeId::LookupByName("ns3::RingAllReduceAlgorithm")};
    const std::string unknown = "an algorithm for AllReduce: Ring";
    const std::string unable = "an algorithm that can do this AllReduce: Ring";
    for (const auto& [name, expected] :
         std::vector<std::pair<std::string, std::string>>{{"Rind", unknown},
                                                          {"", unknown},
                                                          {"RingAllGather", unable},
                                                          {"msccl", unable},
                                                          {"Tree", unable}})
    {
        try
        {
            catalogue.Find(TextValue("test", "", name), among);
            ADD_FAILURE() << name;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

TEST(CollectiveEngine, PlansAreShownWithWhatWasAskedFor)
{
    CollectiveTestBed bed(4, "100Gbps", "1us");
    const CollectiveGroup group = bed.engine->GetGroup(bed.AddGroup({2, 2}));
    CollectiveCall call = MakeCall(0, CollectiveKind::ALL_REDUCE, 4000);
    call.elementBytes = 4;
    const CollectiveRequest request = bed.engine->MakeRequest(group, call);
    EXPECT_EQ(request.kind, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(request.bytes, 4000U);
    EXPECT_EQ(request.elementBytes, 4U);
    EXPECT_EQ(request.placement, (std::vector<uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(request.parallel, "DP");
    const PlannedCollective planned = bed.engine->GetPlan(group, call);
    ASSERT_TRUE(planned.plan);
    EXPECT_EQ(planned.plan->GetBytesSent(0), 6000U);
    EXPECT_EQ(planned.GetName(), "ns3::RingAllReduceAlgorithm");
    const PlannedCollective none =
        bed.engine->GetPlan(group, MakeCall(0, CollectiveKind::SEND_RECV, 4000));
    EXPECT_FALSE(none.plan);
}

} // namespace ns3
