/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/kernel-op.h"
#include "ns3/load-balancer.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/training-options.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

/**
 * \file
 * Options of the programs, and what a summary says of them.
 */

namespace ns3
{

namespace
{

using nlohmann::json;

/** Runs of flows by the command line. */
class RailyardScenarioOptions : public FlowRunUnderTest
{
  protected:
    /** \return the summary of the last run */
    json ReadSummary() const
    {
        return json::parse(Read("out/summary.json"));
    }
};

} // namespace

TEST_F(RailyardScenarioOptions, SummaryHasWhatHoldsGivenOrNot)
{
    Simulate({"--topology=" + WriteStar(2),
              "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n"),
              "--seed=4",
              "--set=RoceNicDevice::MtuBytes=2048",
              "--set=ns3::RoceNicDevice::AckInterval=2"});
    const json input = ReadSummary().at("input");
    EXPECT_EQ(input.at("congestionControl"), "Dcqcn");
    EXPECT_EQ(input.at("loadBalancer"), "Ecmp");
    EXPECT_EQ(input.at("engine"), "fabric");
    EXPECT_EQ(input.at("seed"), "4");
    EXPECT_EQ(input.at("ns3::RoceNicDevice::MtuBytes"), "2048");
    EXPECT_EQ(input.at("ns3::RoceNicDevice::AckInterval"), "2");
    EXPECT_NE(input.at("topology").get<std::string>().find("star-2"), std::string::npos);
}

TEST_F(RailyardScenarioOptions, ConfigurationFileShowsInTheSummary)
{
    Simulate({"--topology=" + WriteStar(2),
              "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n"),
              "--config=" + Write("config", "CC_MODE 7\nRANDOM_SEED 9\n")});
    const json input = ReadSummary().at("input");
    EXPECT_EQ(input.at("congestionControl"), "Timely");
    EXPECT_EQ(input.at("seed"), "9");
}

TEST_F(RailyardScenarioOptions, ShippedFilesAreNamedWithoutTheirFolder)
{
    Simulate({});
    EXPECT_EQ(ReadSummary().at("input").at("flows"), "examples/flows/incast-7-to-1.txt");
}

TEST_F(RailyardScenarioOptions, LoadBalancerIsChosenByShortName)
{
    const FlowRunOptions run = Parse({"--loadBalancer=Spray"}, "out");
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceSwitchDevice::LoadBalancer"), "Spray");
    EXPECT_NE(GetRefusal({"--loadBalancer=spray"}).find("did you mean Spray?"), std::string::npos);
    EXPECT_NE(GetRefusal({"--congestionControl=dcqcn"}).find("did you mean Dcqcn?"),
              std::string::npos);
}

TEST_F(RailyardScenarioOptions, HelpListsWhatIsThere)
{
    FlowOptions options;
    std::ostringstream help;
    options.PrintHelp(help);
    for (const TypeId& base : {RoceCongestionControl::GetTypeId(), LoadBalancer::GetTypeId()})
    {
        EXPECT_NE(help.str().find(TypeCatalogue(base).DescribeNames()), std::string::npos);
    }
}

TEST_F(RailyardScenarioOptions, RunIsTheBodyOfAMain)
{
    const auto run = [](std::vector<std::string> words, const std::function<ExitStatus()>& body) {
        words.insert(words.begin(), "program");
        std::vector<char*> argv;
        for (std::string& word : words)
        {
            argv.push_back(word.data());
        }
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        const int status = ScenarioOptions("usage", "star:hosts=2", "Dcqcn")
                               .Run(static_cast<int>(argv.size()), argv.data(), body);
        return std::to_string(status) + testing::internal::GetCapturedStdout().substr(0, 5) +
               testing::internal::GetCapturedStderr();
    };
    int calls = 0;
    const auto body = [&calls] {
        calls++;
        Simulator::Schedule(Seconds(1), [] { FAIL() << "beyond the end"; });
        Simulator::Run();
        EXPECT_EQ(Simulator::Now(), MicroSeconds(3));
        EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceNicDevice::MtuBytes"), "1024");
        return ExitStatus::UNFINISHED;
    };
    EXPECT_EQ(run({"--help"}, body), "0usage");
    EXPECT_EQ(run({"--engine=steam"}, body).substr(0, 8), "2error: ");
    for (const std::string option : {"--out=folder", "--csv=true", "--linkEvents=file"})
    {
        EXPECT_EQ(run({option}, body).substr(0, 8), "2error: ") << "there is nothing it could do";
    }
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(run({"--stop=3us", "--set=ns3::RoceNicDevice::MtuBytes=1024"}, body), "1");
    EXPECT_EQ(calls, 1);
    EXPECT_NE(AttributeText::GetDefaultOf("ns3::RoceNicDevice::MtuBytes"), "1024");
    EXPECT_EQ(run({}, []() -> ExitStatus { throw std::runtime_error("why"); }),
              "3error: internal: why\n");
}

TEST_F(RailyardScenarioOptions, OneRunDoesNotChangeTheNext)
{
    const std::string mtu = AttributeText::GetDefaultOf("ns3::RoceNicDevice::MtuBytes");
    const std::string timer =
        AttributeText::GetDefaultOf("ns3::DcqcnCongestionControl::AlphaTimer");
    {
        FlowRun run(Parse({"--topology=" + WriteStar(2),
                           "--flows=" + Write("flows", "1\n0 1 3 100 5000 0\n"),
                           "--congestionControl=Timely",
                           "--loadBalancer=Spray",
                           "--set=RoceNicDevice::MtuBytes=2048",
                           "--config=" + Write("config", "ENABLE_PFC 0\nCC_MODE 1\n"
                                                         "ALPHA_RESUME_INTERVAL 2\n")},
                          "out"));
        run.Run();
        EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceNicDevice::MtuBytes"), "2048");
        EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceSwitchDevice::Pfc"), "false");
    }
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceNicDevice::MtuBytes"), mtu);
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceSwitchDevice::Pfc"), "true");
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceMessageTransport::UseWrite"), "true");
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::RoceSwitchDevice::LoadBalancer"), "Ecmp");
    EXPECT_EQ(AttributeText::GetDefaultOf("ns3::DcqcnCongestionControl::AlphaTimer"), timer);
}

TEST_F(RailyardScenarioOptions, BadAttributeValuesAreRefused)
{
    for (const char* bad : {"RoceNicDevice::MtuBytes=abc",
                            "RoceSwitchDevice::BufferBytes=abc",
                            "DcqcnCongestionControl::AlphaGain=zz",
                            "DcqcnCongestionControl::AlphaTimer=55",
                            "RoceSwitchDevice::LoadBalancer=Sprai"})
    {
        const std::string message = GetRefusal({std::string("--set=ns3::") + bad});
        EXPECT_NE(message.find("expected"), std::string::npos) << bad;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

/** Every default that is listed can be given as it is listed. */
TEST_F(RailyardScenarioOptions, ListedDefaultsCanBeGiven)
{
    std::size_t count = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const std::string group = type.GetGroupName();
        const bool ours = group == "Roce" || group == "Nvlink" || group == "Collective" ||
                          group == "Fabric" || group == "Railyard";
        // ns-3's test runner holds the types of all suites.
        const bool test = type.GetName() == "ns3::AttributeSample";
        for (std::size_t j = 0; ours && !test && j < type.GetAttributeN(); j++)
        {
            const AttributeText attribute(type, j);
            const TypeId::AttributeInformation info = type.GetAttribute(j);
            const std::string text = attribute.GetDefault();
            EXPECT_EQ(attribute.Read(TextValue("test", "", text))->SerializeToString(info.checker),
                      info.initialValue->SerializeToString(info.checker))
                << attribute.GetFullName() << " " << text;
            EXPECT_NE(info.help, "") << attribute.GetFullName();
            count++;
        }
    }
    EXPECT_GT(count, 40U);
}

TEST_F(RailyardScenarioOptions, EveryKindIsListedAndCanBeMade)
{
    std::ostringstream list;
    TypeCatalogue::PrintAll(list);
    for (const char* kind : {"ns3::RoceCongestionControl: Dcqcn, ",
                             "ns3::LoadBalancer: Adaptive, ",
                             "ns3::CollectiveAlgorithm: ",
                             "ns3::TopologyStructure: ",
                             "ns3::PipelineSchedule: Gpipe, OneForwardOneBackward",
                             "ns3::WorkloadReader: Gpt, Simai",
                             "ns3::KernelOp: "})
    {
        EXPECT_NE(list.str().find(kind), std::string::npos) << kind << "\n" << list.str();
    }
    EXPECT_EQ(TypeCatalogue(KernelOp::GetTypeId()).CreateAll<KernelOp>().size(),
              KernelOp::GetAll().size());
}

} // namespace ns3
