/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/attribute-text.h"
#include "ns3/command-options.h"
#include "ns3/config-error.h"
#include "ns3/load-balancer.h"
#include "ns3/object.h"
#include "ns3/spray-load-balancer.h"
#include "ns3/type-catalogue.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/** \ingroup tests \brief Has an attribute of every kind. */
class AttributeSample : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::AttributeSample")
                .SetParent<Object>()
                .SetGroupName("Fabric")
                .AddConstructor<AttributeSample>()
                .AddAttribute("Bytes",
                              "bytes of it",
                              UintegerValue(512),
                              MakeUintegerAccessor(&AttributeSample::m_bytes),
                              MakeUintegerChecker<uint32_t>(256, 4096))
                .AddAttribute("Count",
                              "count of it",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&AttributeSample::m_count),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("Offset",
                              "offset of it",
                              IntegerValue(-2),
                              MakeIntegerAccessor(&AttributeSample::m_offset),
                              MakeIntegerChecker<int8_t>())
                .AddAttribute("Gain",
                              "gain of it",
                              DoubleValue(0.0625),
                              MakeDoubleAccessor(&AttributeSample::m_gain),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("On",
                              "whether it is on",
                              BooleanValue(true),
                              MakeBooleanAccessor(&AttributeSample::m_on),
                              MakeBooleanChecker())
                .AddAttribute("Timer",
                              "timer of it",
                              TimeValue(MicroSeconds(55)),
                              MakeTimeAccessor(&AttributeSample::m_timer),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute("Rate",
                              "rate of it",
                              DataRateValue(DataRate(40000000)),
                              MakeDataRateAccessor(&AttributeSample::m_rate),
                              MakeDataRateChecker())
                .AddAttribute("Balancer",
                              "balancer of it",
                              TypeIdValue(SprayLoadBalancer::GetTypeId()),
                              MakeTypeIdAccessor(&AttributeSample::m_type),
                              MakeTypeIdChecker())
                .AddAttribute("Mode",
                              "mode of it",
                              EnumValue(1),
                              MakeEnumAccessor(&AttributeSample::m_mode),
                              MakeEnumChecker(1, "fast", 2, "slow"))
                .AddAttribute("Name",
                              "name of it",
                              StringValue("x"),
                              MakeStringAccessor(&AttributeSample::m_name),
                              MakeStringChecker())
                .AddAttribute("Other",
                              "another one",
                              PointerValue(),
                              MakePointerAccessor(&AttributeSample::m_other),
                              MakePointerChecker<Object>());
        return tid;
    }

    uint32_t m_bytes{0};  //!< attribute
    uint32_t m_count{0};  //!< attribute
    int8_t m_offset{0};   //!< attribute
    double m_gain{0};     //!< attribute
    bool m_on{false};     //!< attribute
    Time m_timer;         //!< attribute
    DataRate m_rate;      //!< attribute
    TypeId m_type;        //!< attribute
    int m_mode{0};        //!< attribute
    std::string m_name;   //!< attribute
    Ptr<Object> m_other;  //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(AttributeSample);

/** Options read from a command line. */
class FabricCommandOptions : public testing::Test
{
  protected:
    FabricCommandOptions()
        : m_options("does it")
    {
        m_options.Add("size", "how large", "7");
        m_options.Add("out", "where to");
    }

    /** \param words the command line \return what CommandOptions::Parse() returns */
    bool Parse(std::vector<std::string> words)
    {
        words.insert(words.begin(), "program");
        std::vector<char*> argv;
        for (std::string& word : words)
        {
            argv.push_back(word.data());
        }
        return m_options.Parse(static_cast<int>(argv.size()), argv.data());
    }

    /** \param words the command line \return the message that refuses it, empty for none */
    std::string GetRefusal(const std::vector<std::string>& words)
    {
        try
        {
            Parse(words);
            ScopedDefaults defaults;
            m_options.ApplyAttributes(defaults);
        }
        catch (const ConfigError& error)
        {
            return error.what();
        }
        return "";
    }

    /** \param word one argument \return what is printed instead of a run */
    std::string GetInformation(const std::string& word)
    {
        EXPECT_FALSE(Parse({word}));
        std::ostringstream out;
        m_options.PrintHelp(out);
        return out.str();
    }

    CommandOptions m_options; //!< the options
};

} // namespace

TEST_F(FabricCommandOptions, BadAttributesAreOneLineThatSaysWhatIsWrong)
{
    struct Case
    {
        const char* set;               //!< what follows --set=
        std::vector<const char*> says; //!< what the message has
    };

    const std::string sample = "--set=ns3::AttributeSample::";
    const std::vector<Case> cases{
        {"Bytes=abc", {"read 'abc'", "a whole number from 256 to 4096"}},
        {"Bytes=1", {"read '1'", "a whole number from 256 to 4096"}},
        {"Bytes=-5", {"read '-5'", "Bytes"}},
        {"Bytes=", {"read ''", "Bytes"}},
        {"Offset=1.5", {"read '1.5'"}},
        {"Offset=200", {"read '200'", "a whole number from -128 to 127"}},
        {"Gain=zz", {"read 'zz'", "a number from 0 to 1"}},
        {"Gain=1.5", {"read '1.5'", "a number from 0 to 1"}},
        {"On=perhaps", {"read 'perhaps'", "true or false"}},
        {"Timer=55", {"read '55'", "its unit, such as"}},
        {"Timer=1ps", {"read '1ps'", "a time with its unit, such as 55us, 1ns or more"}},
        {"Timer=soon", {"read 'soon'"}},
        {"Rate=40", {"read '40'", "Rate"}},
        {"Rate=fast", {"read 'fast'", "a bit rate with its unit, such as 40Mbps"}},
        {"Balancer=Ecm", {"read 'Ecm'", "one of Adaptive, ", "did you mean Ecmp?"}},
        {"Balancer=ns3::Object", {"read 'ns3::Object'", "one of Adaptive, "}},
        {"Mode=quick", {"read 'quick'", "one of fast slow"}},
        {"Other=1", {"ns3::PointerValue"}},
        {"Byte=7", {"an attribute of ns3::AttributeSample: Bytes, Offset", "did you mean Bytes?"}},
    };
    for (const Case& bad : cases)
    {
        const std::string message = GetRefusal({sample + bad.set});
        SCOPED_TRACE(std::string(bad.set) + " -> " + message);
        EXPECT_NE(message, "");
        EXPECT_EQ(message.find('\n'), std::string::npos);
        for (const char* part : bad.says)
        {
            EXPECT_NE(message.find(part), std::string::npos) << part;
        }
        m_options = CommandOptions("again");
    }
}

TEST_F(FabricCommandOptions, UnknownClassesAreNamed)
{
    EXPECT_NE(GetRefusal({"--set=ns3::AttributeSampel::Bytes=300"})
                  .find("a class that is there, see --list; did you mean ns3::AttributeSample?"),
              std::string::npos);
    m_options = CommandOptions("again");
    EXPECT_NE(GetRefusal({"--set=Bytes=300"}).find("<class>::<attribute>"), std::string::npos);
    m_options = CommandOptions("again");
    EXPECT_NE(GetRefusal({"--set=ns3::SprayLoadBalancer::Bytes=1"}).find("has none"),
              std::string::npos);
}

TEST_F(FabricCommandOptions, AttributesThatTheProgramSetsAreRefused)
{
    try
    {
        AttributeText(TextValue("test", "", "ns3::AttributeSample::Count"));
        FAIL() << "accepted";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("set by the program"), std::string::npos);
    }
}

TEST_F(FabricCommandOptions, GoodAttributesHoldAsLongAsTheDefaultsLive)
{
    ASSERT_TRUE(Parse({"--set=AttributeSample::Bytes=300",
                       "--ns3::AttributeSample::Timer=2ms",
                       "--set=ns3::AttributeSample::Balancer=Ecmp",
                       "--set=ns3::AttributeSample::Rate=0",
                       "--set=ns3::AttributeSample::Mode=slow",
                       "--set=ns3::AttributeSample::Gain=1e-3",
                       "--set=ns3::AttributeSample::On=no"}));
    {
        ScopedDefaults defaults;
        m_options.ApplyAttributes(defaults);
        const auto sample = CreateObject<AttributeSample>();
        EXPECT_EQ(sample->m_bytes, 300U);
        EXPECT_EQ(sample->m_timer, MilliSeconds(2));
        EXPECT_EQ(sample->m_type.GetName(), "ns3::EcmpLoadBalancer");
        EXPECT_EQ(sample->m_rate, DataRate(0));
        EXPECT_EQ(sample->m_mode, 2);
        EXPECT_EQ(sample->m_gain, 1e-3);
        EXPECT_FALSE(sample->m_on);
    }
    const auto sample = CreateObject<AttributeSample>();
    EXPECT_EQ(sample->m_bytes, 512U);
    EXPECT_EQ(sample->m_timer, MicroSeconds(55));
    EXPECT_EQ(sample->m_type.GetName(), "ns3::SprayLoadBalancer");
}

TEST_F(FabricCommandOptions, EffectiveOptionsAreAllOfThem)
{
    ASSERT_TRUE(Parse({"--out=there",
                       "--set=AttributeSample::Bytes=300",
                       "--set=ns3::AttributeSample::Timer=2ms"}));
    const std::vector<std::pair<std::string, std::string>> expected{
        {"size", "7"},
        {"out", "there"},
        {"ns3::AttributeSample::Bytes", "300"},
        {"ns3::AttributeSample::Timer", "2ms"}};
    EXPECT_EQ(m_options.GetEffective(), expected);
    EXPECT_TRUE(m_options.IsGiven("out"));
    EXPECT_FALSE(m_options.IsGiven("size"));
}

TEST_F(FabricCommandOptions, AnOptionMayStandForAnAttribute)
{
    m_options.StandFor("size", "ns3::AttributeSample::Bytes");
    EXPECT_EQ(GetRefusal({"--size=8", "--set=AttributeSample::Bytes=300"}),
              "command line: --set=AttributeSample::Bytes: read '300', expected this or --size, "
              "not both");
}

TEST_F(FabricCommandOptions, AnAttributeIsInEffectForItsOption)
{
    m_options.StandFor("size", "ns3::AttributeSample::Bytes");
    ASSERT_TRUE(Parse({"--set=AttributeSample::Bytes=300"}));
    const std::pair<std::string, std::string> expected{"size", "300"};
    EXPECT_EQ(m_options.GetEffective().front(), expected);
}

TEST_F(FabricCommandOptions, ErrorsOfWhatAFileSetsNameItsPlace)
{
    const std::string key = "options.size";
    m_options.Set("size", TextValue("a.json", key, "many"));
    EXPECT_TRUE(m_options.IsGiven("size"));
    EXPECT_EQ(m_options.Get("size"), "many");
    const auto getRefusal = [](const auto& act) {
        try
        {
            act();
        }
        catch (const ConfigError& error)
        {
            return std::string(error.what());
        }
        return std::string("nothing was refused");
    };
    EXPECT_EQ(getRefusal([&] { m_options.GetValue("size").Fail("a number"); }),
              "a.json: options.size: read 'many', expected a number");
    EXPECT_EQ(getRefusal([&] { m_options.Set("size", TextValue("b.json", key, "8")); }),
              "b.json: options.size: read '8', expected it only once, a.json: options.size has "
              "'many'");
    EXPECT_EQ(GetRefusal({"--size=8"}),
              "command line: --size: read '8', expected it only once, a.json: options.size has "
              "'many'");
}

TEST_F(FabricCommandOptions, WhatIsGivenTwiceNamesTheFirstPlace)
{
    EXPECT_EQ(GetRefusal({"--size=8", "--size=9"}),
              "command line: --size: read '9', expected it only once, command line: --size has "
              "'8'");
    EXPECT_EQ(GetRefusal({"--set=AttributeSample::Bytes=300",
                          "--ns3::AttributeSample::Bytes=400"}),
              "command line: --set=ns3::AttributeSample::Bytes: read '400', expected it only once, "
              "command line: --set=AttributeSample::Bytes has '300'");
}

TEST_F(FabricCommandOptions, ErrorsOfWhatALineSetsNameTheLine)
{
    m_options.Set("out", TextValue("a.txt", 12, "there"));
    EXPECT_EQ(GetRefusal({"--out=here"}),
              "command line: --out: read 'here', expected it only once, a.txt: line 12 has "
              "'there'");
    try
    {
        m_options.GetValue("out").Fail("another");
    }
    catch (const ConfigError& error)
    {
        EXPECT_STREQ(error.what(), "a.txt: line 12: read 'there', expected another");
    }
}

TEST_F(FabricCommandOptions, SettingWhatWasNotAddedIsAnError)
{
    EXPECT_DEATH(m_options.Set("sise", TextValue("a.json", "sise", "8")), "no option --sise");
}

TEST_F(FabricCommandOptions, SuggestsAnOption)
{
    EXPECT_NE(GetRefusal({"--sise=8"}).find("did you mean --size?"), std::string::npos);
    EXPECT_EQ(GetRefusal({"--frobnicate=8"}).find("did you mean"), std::string::npos);
}

TEST_F(FabricCommandOptions, AttributesAreListedWithDefaultAndHelp)
{
    const std::string text = GetInformation("--attributes=AttributeSample");
    for (const char* part : {"ns3::AttributeSample::Bytes [512]: a whole number from 256 to 4096\n"
                             "      bytes of it\n",
                             "Offset [-2]:",
                             "Gain [0.0625]: a number from 0 to 1\n",
                             "On [true]: true or false\n",
                             "Timer [55us]: a time with its unit",
                             "Rate [40Mbps]: a bit rate",
                             "Balancer [Spray]: one of Adaptive, ",
                             "Mode [fast]:"})
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
    EXPECT_THROW(Parse({"--attributes=ns3::NoSuchClass"}), ConfigError);
}

TEST_F(FabricCommandOptions, ListHasEveryKind)
{
    const std::string text = GetInformation("--list");
    EXPECT_NE(text.find("  ns3::LoadBalancer: Adaptive, "), std::string::npos) << text;
    EXPECT_NE(text.find("  ns3::TopologyStructure: "), std::string::npos) << text;
    EXPECT_NE(text.find("  ns3::AttributeSample\n"), std::string::npos) << text;
}

TEST_F(FabricCommandOptions, HelpHasOptionsAndDefaults)
{
    const std::string text = GetInformation("--help");
    EXPECT_NE(text.find("  --size: how large [7]\n"), std::string::npos) << text;
    EXPECT_NE(text.find("--list"), std::string::npos) << text;
}

TEST_F(FabricCommandOptions, LettersTakeTheSameOrTheNextWord)
{
    const std::vector<std::vector<std::string>> forms{
        {"-s", "8", "-o", "-5"},
        {"-s8", "-o-5"},
        {"-s=8", "--out", "-5"},
        {"--size", "8", "--out=-5"},
    };
    for (const auto& words : forms)
    {
        m_options = CommandOptions("lettered");
        m_options.Add("size", "how large", "7");
        m_options.Add("out", "where to");
        m_options.AddLetter('s', "size");
        m_options.AddLetter('o', "out");
        ASSERT_TRUE(Parse(words)) << words.front();
        EXPECT_EQ(m_options.Get("size"), "8") << words.front();
        EXPECT_EQ(m_options.Get("out"), "-5") << words.front();
        EXPECT_TRUE(m_options.IsGiven("size"));
    }
    EXPECT_NE(GetInformation("--help").find("  --size, -s: how large [8]\n"), std::string::npos);
}

TEST_F(FabricCommandOptions, LettersWithoutValueOrGivenTwiceAreRefused)
{
    m_options.AddLetter('s', "size");
    EXPECT_NE(GetRefusal({"-s"}).find("a value behind -s"), std::string::npos);
    EXPECT_NE(GetRefusal({"--size"}).find("a value behind --size"), std::string::npos);
    EXPECT_NE(GetRefusal({"-x", "8"}).find("--help lists"), std::string::npos);
    EXPECT_NE(GetRefusal({"--out", "8"}).find("--option=value"), std::string::npos);
    EXPECT_NE(GetRefusal({"-s", "8", "--size=9"}).find("only once"), std::string::npos);
}

/** Defaults in the form that is printed are read back as the same value, for all our classes. */
TEST(FabricAttributeText, DefaultsCanBeWrittenAsTheyAreShown)
{
    std::size_t count = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const std::string group = type.GetGroupName();
        for (std::size_t j = 0; group.rfind("Fabric", 0) == 0 && j < type.GetAttributeN(); j++)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(j);
            if (info.name == "Other")
            {
                continue;
            }
            const AttributeText attribute(type, j);
            const std::string text = attribute.GetDefault();
            const auto value = attribute.Read(TextValue("test", "", text));
            EXPECT_EQ(value->SerializeToString(info.checker),
                      info.initialValue->SerializeToString(info.checker))
                << attribute.GetFullName() << " " << text;
            count++;
        }
    }
    EXPECT_GE(count, 9U);
}

TEST(FabricTypeCatalogue, FindsShortAndFullNames)
{
    const TypeCatalogue catalogue(LoadBalancer::GetTypeId());
    for (const char* name : {"Spray", "SprayLoadBalancer", "ns3::SprayLoadBalancer"})
    {
        EXPECT_EQ(catalogue.Find(TextValue("test", "", name)), SprayLoadBalancer::GetTypeId());
    }
    EXPECT_EQ(catalogue.GetShortName(SprayLoadBalancer::GetTypeId()), "Spray");
    EXPECT_EQ(TypeCatalogue::GetKind(SprayLoadBalancer::GetTypeId()), LoadBalancer::GetTypeId());
    try
    {
        catalogue.Find(TextValue("test", "", "spray"));
        FAIL();
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("did you mean Spray?"), std::string::npos);
    }
}

/** Every class of every kind can be made by name alone, with its defaults. */
TEST(FabricTypeCatalogue, EveryClassIsCreatedByItsShortName)
{
    const std::vector<TypeId> kinds = TypeCatalogue::GetKinds();
    EXPECT_GE(kinds.size(), 3U);
    for (const TypeId& kind : kinds)
    {
        const TypeCatalogue catalogue(kind);
        for (const TypeId& type : catalogue.GetTypes())
        {
            const std::string name = catalogue.GetShortName(type);
            ObjectFactory factory;
            factory.SetTypeId(catalogue.Find(TextValue("test", "", name)));
            EXPECT_EQ(factory.Create<Object>()->GetInstanceTypeId(), type) << name;
        }
    }
}

} // namespace ns3
