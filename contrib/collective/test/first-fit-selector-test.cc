/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/config-error.h"
#include "ns3/first-fit-selector.h"
#include "ns3/pinned-selector.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** \brief Registered by the test alone: an all-reduce without a plan of its own. */
class ZeroTestAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ZeroTestAlgorithm")
                                .SetParent<CollectiveAlgorithm>()
                                .SetGroupName("Tests")
                                .AddConstructor<ZeroTestAlgorithm>();
        return tid;
    }

    bool Supports(const CollectiveRequest& request) const override
    {
        return request.kind == CollectiveKind::ALL_REDUCE && request.parallel == "zero";
    }

    ByteRange GetBytesSent(const CollectiveRequest&, uint32_t) const override
    {
        return {};
    }

  private:
    CollectivePlan DoPlan(const CollectiveRequest&) const override
    {
        return {};
    }
};

/**
 * \param kind a kind
 * \param parallel parallel dimension
 * \return a request of four ranks
 */
CollectiveRequest
MakeRequest(CollectiveKind kind, const std::string& parallel = "DP")
{
    CollectiveRequest request;
    request.kind = kind;
    request.bytes = 1000;
    request.parallel = parallel;
    request.placement = PlaceRanks({4});
    return request;
}

/**
 * \param selector a selector
 * \param request a request
 * \return the name of the algorithm it chooses, "none" if none
 */
std::string
GetChoice(FirstFitSelector& selector, const CollectiveRequest& request)
{
    const Ptr<CollectiveAlgorithm> algorithm = selector.Select(request).algorithm;
    return algorithm ? algorithm->GetInstanceTypeId().GetName() : "none";
}

} // namespace

TEST(CollectiveFirstFitSelector, TakesWhatSupportsTheRequest)
{
    const auto selector = CreateObject<FirstFitSelector>();
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::ALL_REDUCE)),
              "ns3::RingAllReduceAlgorithm");
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::ALL_TO_ALL)),
              "ns3::DirectAllToAllAlgorithm");
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::SEND_RECV)), "none");
}

TEST(CollectiveFirstFitSelector, PrefersRingsAndDirectExchanges)
{
    const auto selector = CreateObject<FirstFitSelector>();
    const std::vector<std::pair<CollectiveKind, std::string>> choices{
        {CollectiveKind::ALL_REDUCE, "ns3::RingAllReduceAlgorithm"},
        {CollectiveKind::ALL_GATHER, "ns3::RingAllGatherAlgorithm"},
        {CollectiveKind::REDUCE_SCATTER, "ns3::RingReduceScatterAlgorithm"},
        {CollectiveKind::ALL_TO_ALL, "ns3::DirectAllToAllAlgorithm"},
        {CollectiveKind::BROADCAST, "ns3::RingBroadcastAlgorithm"},
        {CollectiveKind::REDUCE, "ns3::RingReduceAlgorithm"},
        {CollectiveKind::GATHER, "ns3::DirectGatherAlgorithm"},
        {CollectiveKind::SCATTER, "ns3::DirectScatterAlgorithm"}};
    for (const auto& [kind, name] : choices)
    {
        EXPECT_EQ(GetChoice(*selector, MakeRequest(kind)), name);
    }
}

TEST(CollectiveFirstFitSelector, FindsWhatIsRegisteredElsewhere)
{
    ASSERT_EQ(ZeroTestAlgorithm::GetTypeId().GetName(), "ns3::ZeroTestAlgorithm");
    const auto selector = CreateObject<FirstFitSelector>();
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::ALL_REDUCE)),
              "ns3::RingAllReduceAlgorithm");
    EXPECT_EQ(selector->Select(MakeRequest(CollectiveKind::SEND_RECV, "zero")).algorithm, nullptr);
    selector->SetAttribute("Algorithms",
                           StringValue("ns3::ZeroTestAlgorithm,ns3::RingAllReduceAlgorithm"));
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::ALL_REDUCE, "zero")),
              "ns3::ZeroTestAlgorithm");
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::ALL_REDUCE)),
              "ns3::RingAllReduceAlgorithm");
    EXPECT_EQ(GetChoice(*selector, MakeRequest(CollectiveKind::BROADCAST)), "none");
}

TEST(CollectiveFirstFitSelector, RefusesNamesThatAreNoAlgorithm)
{
    for (const std::string name : {"ns3::NoSuchAlgorithm", "ns3::Object", "ns3::RingAlgorithm"})
    {
        const auto selector = CreateObject<FirstFitSelector>();
        selector->SetAttribute("Algorithms", StringValue(name));
        try
        {
            selector->Select(MakeRequest(CollectiveKind::ALL_REDUCE));
            FAIL() << name << " was accepted";
        }
        catch (const ConfigError& error)
        {
            EXPECT_EQ(std::string(error.what()).find("attribute ns3::FirstFitSelector::Algorithms: "
                                                     "read '" +
                                                     name + "', expected one of CollnetChainAllReduce, "),
                      0U)
                << error.what();
        }
    }
}

TEST(CollectivePinnedSelector, TakesWhatIsPinnedIfItSupportsTheRequest)
{
    const auto selector = CreateObject<PinnedSelector>();
    const TypeId ring = TypeId::LookupByName("ns3::RingAllReduceAlgorithm");
    selector->Pin("DP", ring);
    const auto chosen = selector->Select(MakeRequest(CollectiveKind::ALL_REDUCE, "DP")).algorithm;
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->GetInstanceTypeId(), ring);
    EXPECT_FALSE(selector->Select(MakeRequest(CollectiveKind::ALL_REDUCE, "TP")).algorithm);
    EXPECT_FALSE(selector->Select(MakeRequest(CollectiveKind::ALL_GATHER, "DP")).algorithm);
}

} // namespace ns3
